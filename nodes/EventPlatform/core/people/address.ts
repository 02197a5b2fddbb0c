import { parseUrl } from '../client/baseUrl';
import { invisible } from '../values/text';

/** Gives an address in the spelling in which it is compared; empty where the text is empty. */
export function sameAddress(written: string): string {
	return cleanAddress(written).toLowerCase();
}

/**
 * Gives the address alone: without invisible characters, `mailto:`, quotes, a name in front of `<…>` and a
 * dot or comma behind it, in NFC, its host in punycode. What cannot be cleaned with certainty stays
 * as it is, and is no address (`isAddress`).
 */
export function cleanAddress(written: string): string {
	if (written.length > longestTextRead) return written;
	let address = written.replace(invisible, '').normalize('NFC');
	for (let before = ''; before !== address;) {
		before = address;
		address = withoutName(withoutMailto(withoutEdges(address)));
	}
	return withAsciiHost(address);
}

/** An address is much shorter. A longer text is not worth the time that cleaning it takes. */
const longestTextRead = 1_000;

const around = '\\s"\'`´“”„‟‘’‚‛«»‹›';
/** East Asian texts have signs of their own behind an address. */
const behind = `${around}.,;:\u3002\uff0c\uff0e\uff1b`;
/** The look-behind lets the pattern start only at the first of these characters; starting at each would take quadratic time. */
const edges = new RegExp(`^[${around}]+|(?<![${behind}])[${behind}]+$`, 'g');

function withoutEdges(text: string): string {
	return text.replace(edges, '');
}

function withoutMailto(address: string): string {
	const [, to] = /^mailto:([^?]*)/i.exec(address) ?? [];
	if (to === undefined) return address;
	try {
		return decodeURIComponent(to);
	} catch {
		return to;
	}
}

/** Takes the address out of "Name <address>". A name that is another address leaves open which of the two is meant. */
function withoutName(address: string): string {
	const [, name = '', inner] = /^([^<>]*)<([^<>]*)>$/.exec(address) ?? [];
	if (inner === undefined) return address;
	return name.includes('@') && sameAddress(name) !== sameAddress(inner) ? address : inner;
}

function withAsciiHost(address: string): string {
	const at = address.lastIndexOf('@');
	const host = address.slice(at + 1);
	if (at < 0 || /^[\u0020-\u007e]*$/.test(host) || /[^\p{L}\p{M}\p{Nd}.\u3002-]/u.test(host))
		return address;
	const url = parseUrl(`http://${host}`);
	return url ? `${address.slice(0, at)}@${url.hostname.replace(/\.$/, '')}` : address;
}

/** Whether a text has the form of an email address. Whether it exists only the platform can tell. */
export function isAddress(address: string): boolean {
	if (address.length > longestTextRead) return false;
	// A character that only looks like a letter, such as one of full width, was hardly meant.
	if (address !== address.normalize('NFKC')) return false;
	// The network would find nothing at a host of other letters.
	return /^[^\s@,;:<>()[\]"\p{Cc}\p{Cs}]+@[\w-]+(?:\.[\w-]+)*$/u.test(address);
}

/** Gives all addresses that a text may mean, as they are compared: of "Anna <a@example.com>, b@example.com" both. */
export function addressesIn(text: string): string[] {
	// The signs between two addresses may also be a part of one, so that both readings are tried.
	const plain = text.normalize('NFKC');
	const parts = [separators, /[\s,;:<>()[\]"]/].flatMap((between) => plain.split(between));
	const addresses = parts.filter((part) => part.includes('@'));
	const whole = [text, plain.replace(/\s/g, '')];
	return [...new Set([...whole, ...addresses].map(sameAddress))].filter(
		(address) => address !== '',
	);
}

const separators = /[\s,;:<>()[\]"/|&?#\u3001]/;
