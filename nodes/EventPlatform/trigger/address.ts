import { isPrivateHost, parseUrl } from '../core/http/baseUrl';

/** Why the platform cannot deliver to this URL; undefined when nothing speaks against it. */
export function unreachable(url: string): string | undefined {
	const parsed = parseUrl(url);
	if (!parsed) return 'it is not a complete address';
	const { protocol, hostname } = parsed;
	if (isPrivateHost(hostname)) return 'only this machine or its own network can reach it';
	return protocol === 'https:' ? undefined : 'the platform only delivers to HTTPS addresses';
}

/** Whether no delivery can arrive: the platform is on the internet, and this address is not. */
export function isOutOfReach(url: string, apiRoot: string): boolean {
	const isPrivate = (address: string) => isPrivateHost(parseUrl(address)?.hostname ?? '');
	return isPrivate(url) && !isPrivate(apiRoot);
}

export const howToBeReachable =
	"Use the Event Platform Polling Trigger, which needs no public address. Or give this n8n a public HTTPS address and tell it so with the environment variable WEBHOOK_URL; for a trial a tunnel does. Or set 'Subscription' to 'Manual' and enter an address on the platform that leads here.";
