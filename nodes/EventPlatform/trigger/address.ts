import { parseUrl } from '../core/http/baseUrl';

/** Why the platform cannot deliver to this URL; undefined when nothing speaks against it. */
export function unreachable(url: string): string | undefined {
	const parsed = parseUrl(url);
	if (!parsed) return 'it is not a complete address';
	const { protocol, hostname } = parsed;
	if (isLocal(hostname)) return 'only this machine or its own network can reach it';
	return protocol === 'https:' ? undefined : 'the platform only delivers to HTTPS addresses';
}

/** Names and ranges that are never routed on the internet. */
function isLocal(hostname: string): boolean {
	return (
		/^localhost$|\.(?:localhost|local|internal|lan)$/i.test(hostname) ||
		/^(?:0|10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./.test(hostname) ||
		/^\[(?:::1?|f[cd][\da-f]{2}:.*|fe80:.*)\]$/i.test(hostname) ||
		!/[.:]/.test(hostname)
	);
}

export const howToBeReachable =
	'Give this n8n a public HTTPS address and tell it so with the environment variable WEBHOOK_URL; for a trial a tunnel does. Or set Subscription to Manual and enter an address on the platform that leads here.';
