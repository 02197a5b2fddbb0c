import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';
import { asFailure } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import { keyDigest } from '../core/deliveries/subscriptionKey';
import {
	findOurs,
	subscribe,
	target,
	unsubscribe,
	type Ours,
	type Subscriptions,
} from '../core/deliveries/subscriptions';
import { readKey, readKinds } from './settings';
import { ownerOf, storedOf } from './stored';

type Context = IHookFunctions | IPollFunctions;

export function isManual(context: Context): boolean {
	return context.getNodeParameter('subscription', 'automatic') === 'manual';
}

/** What tells our subscriptions from those of others: our key, and what is stored of what we made. */
export async function readOurs(context: Context, url: string): Promise<Ours> {
	const key = await readKey(context, url);
	const { subscription } = storedOf(context);
	if (subscription === undefined || !wasMadeHere(context, url)) {
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
function wasMadeHere(context: Context, url: string): boolean {
	const { subscription } = storedOf(context);
	const isSameOwner = subscription?.owner === ownerOf(context);
	// The test in the editor has another URL, while the production one is in use.
	if (subscription?.url !== url) return isSameOwner && context.getMode() !== 'manual';
	// Earlier versions did not store who made them.
	return isSameOwner || subscription.owner === undefined;
}

/** One request, as long as nothing is wrong. Gives the kinds that are not subscribed. */
export async function look(context: Context, api: Api, ours: Ours): Promise<string[]> {
	const kinds = readKinds(context);
	const { kept, useless, outdated } = await findOurs(api, ours, kinds);
	await unsubscribe(api, useless);
	const missing = kinds.filter((kind) => !(kind in kept));
	noteGap(context, missing);
	remember(context, ours, kept, outdated);
	if (missing.length === 0) await removeOutdated(context, api);
	return missing;
}

/**
 * The platform gives a subscription up when the last attempt of a delivery fails, 22 minutes after the
 * event; so long before the last look something may have happened that never arrived.
 */
const lostBeforeMs = 22 * 60_000;

/** What was subscribed when it was last looked at, and is not any more. */
function noteGap(context: Context, missing: readonly string[]): void {
	const { subscription } = storedOf(context);
	const { ids, madeAt, seenAt, gap } = subscription ?? {};
	const kinds = missing.filter((kind) => ids && kind in ids);
	if (!subscription || kinds.length === 0 || seenAt === undefined) return;
	const since = Math.max(madeAt ?? seenAt, seenAt - lostBeforeMs);
	subscription.gap = {
		kinds: [...new Set([...kinds, ...(gap?.kinds ?? [])])],
		since: Math.min(since, gap?.since ?? since),
	};
}

/** Subscribes to these kinds; then those of a former key or address go, so that no event is missed. */
export async function subscribeTo(
	context: Context,
	api: Api,
	ours: Ours,
	kinds: readonly string[],
): Promise<void> {
	const { ids = {}, outdated = [] } = storedOf(context).subscription ?? {};
	const all = { ...ids };
	try {
		for (const kind of kinds) all[kind] ??= await subscribe(api, target(ours), kind);
	} finally {
		remember(context, ours, all, outdated);
	}
	await removeOutdated(context, api);
}

/** What could not be removed is tried again at the next look. */
async function removeOutdated(context: Context, api: Api): Promise<void> {
	const { subscription } = storedOf(context);
	if (!subscription?.outdated) return;
	try {
		await unsubscribe(api, subscription.outdated);
		delete subscription.outdated;
	} catch (error) {
		context.logger.warn(`Former subscriptions remain: ${asFailure(error).message}`);
	}
}

/** What the list shows of ours, and what was stored: a list may leave out what the platform disabled. */
export async function removeAll(api: Api, ours: Ours): Promise<void> {
	const { useless, outdated } = await findOurs(api, ours, []);
	await unsubscribe(api, new Set([...useless, ...outdated, ...ours.made]));
}

function remember(
	context: Context,
	{ url, key }: Ours,
	ids: Subscriptions,
	outdated: string[],
): void {
	const stored = storedOf(context);
	const former = wasMadeHere(context, url) ? stored.subscription : undefined;
	stored.subscription = {
		url,
		ids,
		owner: ownerOf(context),
		madeAt: former?.madeAt ?? Date.now(),
		seenAt: Date.now(),
		...(former?.gap && { gap: former.gap }),
		...(key !== undefined && { keyDigest: keyDigest(key) }),
		...(outdated.length > 0 && { outdated }),
	};
}

function digestOf(key: string | undefined): string | undefined {
	return key === undefined ? undefined : keyDigest(key);
}
