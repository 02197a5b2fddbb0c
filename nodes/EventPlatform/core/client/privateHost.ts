import { parseUrl } from './baseUrl';

export function describeUndeliverable(url: string): string | undefined {
	const { hostname, protocol } = parseUrl(url) ?? {};
	if (hostname === undefined) return 'it is not a complete address';
	if (isPrivateHost(hostname)) return 'only this machine or its own network can reach it';
	return protocol === 'https:' ? undefined : 'the platform only delivers to HTTPS addresses';
}

/** Nothing can arrive at a URL from the API where the API is on the internet and the URL is not. */
export function isOutOfReach(url: string, apiRoot: string): boolean {
	const isPrivate = (address: string) => isPrivateHost(parseUrl(address)?.hostname ?? '');
	return isPrivate(url) && !isPrivate(apiRoot);
}

export function isPrivateHost(hostname: string): boolean {
	const host = hostname.toLowerCase().replace(/\.$/, '');
	if (host.startsWith('[')) return isPrivateV6(host.slice(1, -1));
	const [, ...address] = v4.exec(host) ?? [];
	if (address.length > 0) return isPrivateV4(address.map(Number));
	return !host.includes('.') || privateNames.test(host);
}

const v4 = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/**
 * Names that only a private network knows. Any name on the internet may lead back to the machine itself, which only the filter of
 * n8n sees, because it resolves them.
 */
const privateNames =
	/(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|lan|home|corp|svc|test|consul|home\.arpa)$/;

/** Azure answers its own machines at this address, which looks like one of the internet. */
const azureHost = '168.63.129.16';

/** Nobody on the internet answers at a private network, the machine itself, an address for tests, multicast, or Azure. */
function isPrivateV4(address: number[]): boolean {
	const [a = 0, b = 0, c = 0] = address;
	return (
		address.join('.') === azureHost ||
		[0, 10, 127].includes(a) ||
		a >= 224 ||
		(a === 100 && b >= 64 && b < 128) ||
		(a === 169 && b === 254) ||
		(a === 172 && b >= 16 && b < 32) ||
		(a === 192 && b === 168) ||
		(a === 192 && b === 0 && (c === 0 || c === 2)) ||
		(a === 198 && (b === 18 || b === 19))
	);
}

/** The internet is 2000::/3, except for the ranges that carry an IPv4 address in them. */
function isPrivateV6(address: string): boolean {
	const [firstGroup = 0, secondGroup = 0] = address
		.split(':')
		.map((part) => Number.parseInt(part || '0', 16));
	const carriesV4 = firstGroup === 0x2002 || (firstGroup === 0x2001 && secondGroup === 0);
	return firstGroup < 0x2000 || firstGroup > 0x3fff || carriesV4;
}
