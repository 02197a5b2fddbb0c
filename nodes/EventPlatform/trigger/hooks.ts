import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { asFailure, Failure } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import { howToBeReachable, unreachable } from './address';
import { subjectOf } from '../core/deliveries/delivery';
import { readKinds, readSettings } from './settings';
import { storedOf } from './stored';
import {
	reconcile,
	subscribe,
	unsubscribe,
	type Subscriptions,
} from '../core/deliveries/subscriptions';

/** On activation and at each start of n8n: whether all that is wanted is subscribed. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	await checkSettings(context);
	if (isManual(context)) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		const url = urlOf(context);
		const kinds = readKinds(context);
		const ids = await reconcile(api, url, kinds);
		storedOf(context).subscription = { url, ids };
		return kinds.every((kind) => kind in ids);
	});
}

/** After `checkExists` found something missing: subscribes to that. All succeed, or none stays. */
export async function create(context: IHookFunctions): Promise<boolean> {
	await checkSettings(context);
	if (isManual(context)) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		const stored = storedOf(context);
		const url = urlOf(context);
		const ids = storedIds(context, url);
		try {
			for (const kind of readKinds(context)) ids[kind] ??= await subscribe(api, url, kind);
		} finally {
			const isComplete = readKinds(context).every((kind) => kind in ids);
			stored.subscription = isComplete ? { url, ids } : undefined;
			if (!isComplete) await withdraw(context, api, url);
		}
		const obstacle = unreachable(url);
		if (obstacle) context.logger.warn(`No delivery may ever reach ${url}: ${obstacle}`);
		return true;
	});
}

/** Whatever has our URL, for one subscription may have been made whose answer got lost. */
async function withdraw({ logger }: IHookFunctions, api: Api, url: string): Promise<void> {
	await reconcile(api, url, []).catch((error: unknown) => {
		// Why the activation failed is the better thing to tell; the next one finds these by the URL.
		logger.warn(`Subscriptions of an activation that failed remain: ${asFailure(error).message}`);
	});
}

/** On deactivation. */
export async function remove(context: IHookFunctions): Promise<boolean> {
	const url = urlOf(context);
	const ids = Object.values(storedIds(context, url));
	// Subscriptions made before Subscription was set to Manual go as well.
	if (isManual(context) && ids.length === 0) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		if (ids.length > 0) await unsubscribe(api, ids);
		// Nothing is known after an activation that failed: whatever has our URL goes.
		else await reconcile(api, url, []);
		delete storedOf(context).subscription;
		return true;
	});
}

/**
 * By kind. Those of another URL are not ours to touch: a copy of the workflow, in the editor's test or
 * in another n8n, carries what was stored, while the original is still in use.
 */
function storedIds(context: IHookFunctions, url: string): Subscriptions {
	const { subscription } = storedOf(context);
	return subscription?.url === url ? { ...subscription.ids } : {};
}

function isManual(context: IHookFunctions): boolean {
	return context.getNodeParameter('subscription', 'automatic') === 'manual';
}

/** With the test URL while testing in the editor. */
function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw new NodeOperationError(context.getNode(), 'The node has no URL');
	return url;
}

/** What cannot work is told when the workflow is activated, not when the first delivery is lost. */
async function checkSettings(context: IHookFunctions): Promise<void> {
	const { kinds, verify, secret } = await readSettings(context);
	const refuse = (message: string, description: string): never => {
		throw new NodeOperationError(context.getNode(), message, { description });
	};
	if (kinds.length === 0) refuse('No event is chosen', 'Choose at least one under Events.');
	if (verify === 'signature' && secret === '') {
		refuse(
			'There is no secret to check signatures with',
			'Enter the Webhook Signing Secret in the credential, or choose another way under Verify.',
		);
	}
	const unknown = kinds.filter((kind) => subjectOf(kind) === undefined);
	if (verify === 'api' && unknown.length > 0) {
		refuse(
			`The platform's API cannot confirm ${unknown.join(', ')}`,
			'It shows jobs, people, sessions and events. Choose Signature under Verify, or None to believe anyone.',
		);
	}
}

/** In words for people; n8n shows the message when an activation fails. */
async function explained<Result>(
	context: IHookFunctions,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw isRefusedUrl(error)
			? refusedUrl(context, error)
			: toNodeError(context.getNode(), error, { what: 'the webhook', scope: 'webhooks' });
	}
}

function isRefusedUrl(error: unknown): error is Failure {
	if (!(error instanceof Failure) || error.request.method !== 'POST') return false;
	const words = error.errors.map(({ title, detail }) => `${title} ${detail}`).join(' ');
	return (error.status === 400 || error.status === 422) && /url|https|address|host/i.test(words);
}

function refusedUrl(context: IHookFunctions, failure: Failure): Error {
	const url = urlOf(context);
	const error = toNodeError(context.getNode(), failure);
	error.message = `The platform refuses to deliver to ${url}`;
	const obstacle = unreachable(url);
	if (obstacle !== undefined) error.message += `: ${obstacle}`;
	error.description = `${error.description ?? ''} ${howToBeReachable}`.trim();
	return error;
}
