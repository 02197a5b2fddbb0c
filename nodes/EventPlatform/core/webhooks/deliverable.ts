import { parseUrl } from '../client/baseUrl';

/*
 * What this rests on: RFC 1918, 3927, 4193 and 4291 say which addresses are private; RFC 6761, 6762 (with its appendix G) and 8375 say
 * which names are. A platform that cannot deliver disables the webhook, and nobody would hear of it.
 */

/** Says why an API does not deliver to a URL; undefined where nothing speaks against it. One on this machine, such as the sandbox, delivers to any. */
export function describeUndeliverable(url: string, apiRoot: string): string | undefined {
	const api = parseUrl(apiRoot);
	if (isPrivateHost(api?.hostname ?? '')) return undefined;
	const { hostname, protocol } = parseUrl(url) ?? {};
	if (hostname === undefined) return 'it is not a complete address';
	if (isPrivateHost(hostname)) return 'only this machine or its own network can reach it';
	// The vendor's page on webhooks asks for an HTTPS URL. An API without HTTPS is not the vendor's.
	const isRefused = api?.protocol === 'https:' && protocol !== 'https:';
	return isRefused ? 'the platform only delivers to HTTPS addresses' : undefined;
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
