import type { IHookFunctions } from 'n8n-workflow';
import { credentialType } from '../n8n/authentication';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { apiRoot, isPrivateHost, parseUrl } from '../core/http/baseUrl';
import { Failure } from '../core/http/failure';
import { kindOf } from '../core/deliveries/kinds';
import { isManual, readSettings, refuse, urlOf } from './settings';
import { historyOf } from './stored';
import { keepSubscribed, removeAll } from './subscription';

/**
 * On activation and at each start of n8n. Where not all can be subscribed, n8n calls `remove`, so that
 * none stays.
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	await checkSettings(context);
	if (!isManual(context)) await explained(context, keepSubscribed);
	return true;
}

/** On deactivation. Subscriptions made before Subscription was set to Manual go as well. */
export async function remove(context: IHookFunctions): Promise<boolean> {
	if (!isManual(context) || historyOf(context).subscription) await explained(context, removeAll);
	return true;
}

/** What cannot work is told when the workflow is activated, not when the first delivery is lost. */
async function checkSettings(context: IHookFunctions): Promise<void> {
	const { kinds, verify, secret, key } = await readSettings(context);
	if (verify === 'signature' && secret === '') {
		refuse(
			context,
			'There is no secret to check signatures with',
			"Enter the 'Webhook Signing Secret' in the credential, or choose another way under 'Verify'.",
		);
	}
	const { baseUrl } = await context.getCredentials(credentialType(context));
	const url = urlOf(context);
	if (!isManual(context) && isOutOfReach(url, apiRoot(baseUrl))) {
		refuse(context, `The platform cannot reach ${url}: ${unreachable(url)}`, howToBeReachable);
	}
	const needsApi = verify === 'api' || (verify === 'auto' && secret === '' && key === undefined);
	const unknown = kinds.filter((kind) => kindOf(kind).subject === undefined);
	if (needsApi && unknown.length > 0) {
		refuse(
			context,
			`The platform's API cannot confirm ${unknown.join(', ')}`,
			"The API can confirm only jobs, people, sessions and events. Choose 'Signature' under 'Verify', or 'None' to accept any request.",
		);
	}
}

/** In words for people; n8n shows the message when an activation fails. */
async function explained(context: IHookFunctions, work: typeof removeAll): Promise<void> {
	const url = urlOf(context);
	try {
		const { api } = await connect(context);
		await work(context, api, url);
	} catch (error) {
		const node = context.getNode();
		const obstacle = unreachable(url);
		if (!(error instanceof Failure) || !isRefusedUrl(error, obstacle))
			throw toNodeError(node, error, { what: 'the webhook', scope: 'webhooks' });
		const refused = toNodeError(node, error);
		const why = obstacle === undefined ? '' : `: ${obstacle}`;
		refused.message = `The platform refuses to deliver to ${url}${why}`;
		refused.description = `${refused.description ?? ''} ${howToBeReachable}`.trim();
		throw refused;
	}
}

/** With words about the address, or without any where nobody could deliver to it. */
function isRefusedUrl({ request, status, errors }: Failure, obstacle?: string): boolean {
	if (request.method !== 'POST' || (status !== 400 && status !== 422)) return false;
	const words = errors.map(({ title, detail }) => `${title} ${detail}`).join(' ');
	if (/url|https|address|host/i.test(words)) return true;
	return obstacle !== undefined && !errors.some(({ detail }) => detail);
}

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

const howToBeReachable =
	"Use the Event Platform Polling Trigger, which needs no public address. Or give this n8n a public HTTPS address and set it in the environment variable WEBHOOK_URL; to try it out, a tunnel is enough. Or set 'Subscription' to 'Manual' and enter an address on the platform that leads here.";
