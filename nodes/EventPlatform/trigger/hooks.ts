import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { asFailure, Failure } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import { kindOf } from '../core/deliveries/kinds';
import { keyDigest } from '../core/deliveries/subscriptionKey';
import {
	findOurs,
	subscribe,
	target,
	unsubscribe,
	type Ours,
} from '../core/deliveries/subscriptions';
import { howToBeReachable, unreachable } from './address';
import { readKey, readKinds, readSettings, urlOf } from './settings';
import { ownerOf, storedOf } from './stored';

/** On activation and at each start of n8n: whether all that is wanted is subscribed. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	await checkSettings(context);
	if (isManual(context)) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		const kinds = readKinds(context);
		const ours = await readOurs(context);
		const { kept, useless, outdated } = await findOurs(api, ours, kinds);
		await unsubscribe(api, useless);
		remember(context, ours, kept, outdated);
		if (!kinds.every((kind) => kind in kept)) return false;
		await removeOutdated(context, api);
		return true;
	});
}

/** After `checkExists` found something missing: subscribes to that. All succeed, or none stays. */
export async function create(context: IHookFunctions): Promise<boolean> {
	await checkSettings(context);
	if (isManual(context)) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		const ours = await readOurs(context);
		const { ids, outdated = [] } = storedOf(context).subscription ?? { ids: {} };
		const all = { ...ids };
		let isComplete = false;
		try {
			for (const kind of readKinds(context)) all[kind] ??= await subscribe(api, target(ours), kind);
			isComplete = true;
		} finally {
			const made = new Set(Object.values(all));
			if (!isComplete) await withdraw(context, api, { ...ours, made });
		}
		remember(context, ours, all, outdated);
		await removeOutdated(context, api);
		const obstacle = unreachable(ours.url);
		if (obstacle) context.logger.warn(`No delivery may ever reach ${ours.url}: ${obstacle}`);
		return true;
	});
}

/** One subscription may have been made whose answer got lost: our key finds it. */
async function withdraw(context: IHookFunctions, api: Api, ours: Ours): Promise<void> {
	delete storedOf(context).subscription;
	await removeAll(api, ours).catch((error: unknown) => {
		// Why the activation failed is the better thing to tell; the next one finds these by the key.
		const reason = asFailure(error).message;
		context.logger.warn(`Subscriptions of an activation that failed remain: ${reason}`);
	});
}

/** On deactivation. Subscriptions made before Subscription was set to Manual go as well. */
export async function remove(context: IHookFunctions): Promise<boolean> {
	if (isManual(context) && storedOf(context).subscription === undefined) return true;
	return await explained(context, async () => {
		const { api } = await connect(context);
		await removeAll(api, await readOurs(context));
		delete storedOf(context).subscription;
		return true;
	});
}

/** What the list shows of ours, and what was stored: a list may leave out what the platform disabled. */
async function removeAll(api: Api, ours: Ours): Promise<void> {
	const { useless, outdated } = await findOurs(api, ours, []);
	await unsubscribe(api, new Set([...useless, ...outdated, ...ours.made]));
}

/** The new ones exist by now. What could not be removed is tried again at the next start. */
async function removeOutdated(context: IHookFunctions, api: Api): Promise<void> {
	const { subscription } = storedOf(context);
	if (!subscription?.outdated) return;
	try {
		await unsubscribe(api, subscription.outdated);
		delete subscription.outdated;
	} catch (error) {
		context.logger.warn(`Former subscriptions remain: ${asFailure(error).message}`);
	}
}

async function readOurs(context: IHookFunctions): Promise<Ours> {
	const url = urlOf(context);
	const key = await readKey(context);
	const { subscription } = storedOf(context);
	if (subscription === undefined || !isOurs(context, url)) {
		return { url, key, made: new Set(), madeWithKey: false };
	}
	const { ids, outdated = [], keyDigest: digest } = subscription;
	return {
		url,
		key,
		made: new Set([...Object.values(ids), ...outdated]),
		madeWithKey: subscription.url === url && digest === digestOf(key),
	};
}

/** Whether what is stored was made by this workflow, here or at an address that this n8n had before. */
function isOurs(context: IHookFunctions, url: string): boolean {
	const { subscription } = storedOf(context);
	const isSameOwner = subscription?.owner === ownerOf(context);
	// The test in the editor has another URL, while the production one is in use.
	if (subscription?.url !== url) return isSameOwner && context.getMode() !== 'manual';
	// Earlier versions did not store who made them.
	return isSameOwner || subscription.owner === undefined;
}

function remember(
	context: IHookFunctions,
	{ url, key }: Ours,
	ids: Record<string, string>,
	outdated: string[],
): void {
	storedOf(context).subscription = {
		url,
		ids,
		owner: ownerOf(context),
		...(key !== undefined && { keyDigest: keyDigest(key) }),
		...(outdated.length > 0 && { outdated }),
	};
}

function digestOf(key: string | undefined): string | undefined {
	return key === undefined ? undefined : keyDigest(key);
}

function isManual(context: IHookFunctions): boolean {
	return context.getNodeParameter('subscription', 'automatic') === 'manual';
}

/** What cannot work is told when the workflow is activated, not when the first delivery is lost. */
async function checkSettings(context: IHookFunctions): Promise<void> {
	const { kinds, verify, secret, key } = await readSettings(context);
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
	const hasKey = verify === 'auto' && key !== undefined && !isManual(context);
	const needsApi = verify === 'api' || (verify === 'auto' && secret === '' && !hasKey);
	const unknown = kinds.filter((kind) => kindOf(kind).subject === undefined);
	if (needsApi && unknown.length > 0) {
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
