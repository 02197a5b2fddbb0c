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

function isPrivateHost(hostname: string): boolean {
	const host = hostname.toLowerCase().replace(/\.$/, '');
	return !/[.:]/.test(host) || privateNames.test(host) || privateAddresses.test(host);
}

/** Names that only a private network knows. */
const privateNames =
	/\.(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** Nobody on the internet answers at the machine itself, in a private network, or in one that gave itself its addresses. */
const privateAddresses =
	/^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$|^\[(?:::.*|f[cd].*|fe80:.*)\]$/;
