import { parseUrl } from '../client/baseUrl';
import { invisible, quote } from '../values/text';

export function normalizeAddress(spelling: string): string {
	return cleanAddress(spelling).toLowerCase();
}

/**
 * The address remains alone: without invisible characters, `mailto:`, quotes, a name in front of `<…>` and a dot or comma behind
 * it, in NFC, its host in punycode. A text that cannot be cleaned with certainty stays as it is, and is no address (`isAddress`).
 */
export function cleanAddress(spelling: string): string {
	if (spelling.length > longestTextRead) return spelling;
	let address = spelling.replace(invisible, '').normalize('NFC');
	for (let previous = ''; previous !== address;) {
		previous = address;
		address = withoutName(withoutMailto(withoutEdges(address)));
	}
	return withAsciiHost(address);
}

/** An address is much shorter. A longer text is not worth the time that cleaning it takes. */
const longestTextRead = 1_000;

const signsAround = '\\s"\'`´“”„‟‘’‚‛«»‹›';
/** Signs that may stand behind an address. East Asian texts have some of their own. */
const signsBehind = `${signsAround}.,;:\u3002\uff0c\uff0e\uff1b`;
/** The look-behind lets the pattern start only at the first of these characters; starting at each would take quadratic time. */
const edges = new RegExp(`^[${signsAround}]+|(?<![${signsBehind}])[${signsBehind}]+$`, 'g');

function withoutEdges(text: string): string {
	return text.replace(edges, '');
}

function withoutMailto(address: string): string {
	const [, recipient] = /^mailto:([^?]*)/i.exec(address) ?? [];
	if (recipient === undefined) return address;
	try {
		return decodeURIComponent(recipient);
	} catch {
		return recipient;
	}
}

/** Takes the address out of "Name <address>". Where the name is another address, it is open which of the two is meant, and the text stays as it is. */
function withoutName(address: string): string {
	const [, name = '', inner] = /^([^<>]*)<([^<>]*)>$/.exec(address) ?? [];
	if (inner === undefined) return address;
	return name.includes('@') && normalizeAddress(name) !== normalizeAddress(inner) ? address : inner;
}

function withAsciiHost(address: string): string {
	const atIndex = address.lastIndexOf('@');
	const host = address.slice(atIndex + 1);
	if (atIndex < 0 || /^[\u0020-\u007e]*$/.test(host) || /[^\p{L}\p{M}\p{Nd}.\u3002-]/u.test(host))
		return address;
	const url = parseUrl(`http://${host}`);
	return url ? `${address.slice(0, atIndex)}@${url.hostname.replace(/\.$/, '')}` : address;
}

/** The form is one that a mail can reach. Only the platform can tell whether the address exists. */
export function isAddress(address: string): boolean {
	if (address.length > longestTextRead) return false;
	// A character that only looks like a letter, such as one of full width, was hardly meant by anybody.
	if (address !== address.normalize('NFKC')) return false;
	// The network would find no host whose name has other letters.
	return /^[^\s@,;:<>()[\]"\p{Cc}\p{Cs}]+@[\w-]+(?:\.[\w-]+)+$/u.test(address);
}

export function describeNoAddress(text: string): string {
	const parts = text.normalize('NFKC').split(separators).map(normalizeAddress);
	const { size } = new Set(parts.filter(isAddress));
	if (size > 1) return `"${quote(text)}" holds ${size} email addresses instead of one`;
	const host = text.slice(text.lastIndexOf('@') + 1);
	if (!host.includes('.') && isAddress(`${text}.example`)) {
		return `"${quote(text)}" is not an email address: '${host}' has no dot`;
	}
	return `"${quote(text)}" is not an email address`;
}

/** All addresses that a text may mean are found, as they are compared: for "Anna <a@example.com>, b@example.com" both. */
export function addressesIn(text: string): string[] {
	if (plainAddress.test(text)) return [normalizeAddress(text)];
	// The signs between two addresses may also be a part of one, so that both readings are tried.
	const plain = text.normalize('NFKC');
	const parts = [separators, /[\s,;:<>()[\]"]/].flatMap((separator) => plain.split(separator));
	const addresses = parts.filter((part) => part.includes('@'));
	const wholeTexts = [text, plain.replace(/\s/g, '')];
	return [...new Set([...wholeTexts, ...addresses].map(normalizeAddress))].filter(
		(address) => address !== '',
	);
}

/** Most texts hold nothing but an address without any sign that may stand between two. A long list is read much sooner so. */
const plainAddress = /^[\w.+-]+@[\w.-]+$/;
/** Also those of lists ("a | b"), of links ("mailto:a?subject=b&cc=c") and of Chinese and Japanese texts. */
const separators = /[\s,;:<>()[\]"/|&?#\u3001]/;
