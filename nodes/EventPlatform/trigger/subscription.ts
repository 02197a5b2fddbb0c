import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';
import { asFailure } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import { shortKey } from '../core/deliveries/delivery';
import type { Gap } from '../core/deliveries/happened';
import { keyDigest, withKey } from '../core/deliveries/subscriptionKey';
import { findOurs, subscribe, unsubscribe, type Ours } from '../core/deliveries/subscriptions';
import { readKey, readKinds } from './settings';
import { storedOf, type StoredSubscription } from './stored';

type Context = IHookFunctions | IPollFunctions;

export function isManual(context: Context): boolean {
	return context.getNodeParameter('subscription', 'automatic') === 'manual';
}

/**
 * Subscribes to what is wanted and not subscribed: one request, as long as nothing is wrong. What is
 * useless goes first, as a platform may refuse a second one for the same; what is outdated goes last, so
 * that no event is missed.
 */
export async function keepSubscribed(context: Context, api: Api, url: string): Promise<void> {
	const stored = storedOf(context);
	const former = madeHere(context, url);
	const ours = await readOurs(context, url);
	const kinds = readKinds(context);
	const { kept, useless, outdated } = await findOurs(api, ours, kinds);
	await unsubscribe(api, useless);
	const missing = kinds.filter((kind) => !(kind in kept));
	const gap = former && gapOf(former, missing);
	const ids = { ...kept };
	try {
		for (const kind of missing) ids[kind] = await subscribe(api, withKey(ours), kind);
	} finally {
		stored.subscription = {
			url,
			ids,
			owner: ownerOf(context),
			madeAt: former?.madeAt ?? Date.now(),
			seenAt: Date.now(),
			...(gap && { gap }),
			...(ours.key !== undefined && { keyDigest: keyDigest(ours.key) }),
			...(outdated.length > 0 && { outdated }),
		};
	}
	try {
		await unsubscribe(api, outdated);
		delete stored.subscription.outdated;
	} catch (error) {
		// It is tried again the next time.
		context.logger.warn(`Former subscriptions remain: ${asFailure(error).message}`);
	}
}

/** What the list shows of ours, and what was stored: a list may leave out what the platform disabled. */
export async function removeAll(context: Context, api: Api, url: string): Promise<void> {
	const ours = await readOurs(context, url);
	const { useless, outdated } = await findOurs(api, ours, []);
	await unsubscribe(api, new Set([...useless, ...outdated, ...ours.made]));
	delete storedOf(context).subscription;
}

/** What tells our subscriptions from those of others: our key, and what is stored of what we made. */
async function readOurs(context: Context, url: string): Promise<Ours> {
	const key = await readKey(context, url);
	const former = madeHere(context, url);
	const isSameKey = former?.keyDigest === (key === undefined ? undefined : keyDigest(key));
	return {
		url,
		key,
		made: new Set([...Object.values(former?.ids ?? {}), ...(former?.outdated ?? [])]),
		madeWithKey: former?.url === url && isSameKey,
	};
}

/** What is stored, where this workflow made it, here or at an address that this n8n had before. */
function madeHere(context: Context, url: string): StoredSubscription | undefined {
	const { subscription } = storedOf(context);
	const isSameOwner = subscription?.owner === ownerOf(context);
	const isOurs =
		subscription?.url === url
			? // Earlier versions did not store who made them.
				isSameOwner || subscription.owner === undefined
			: // The test in the editor has another URL, while the production one is in use.
				isSameOwner && context.getMode() !== 'manual';
	return isOurs ? subscription : undefined;
}

/** This workflow in this n8n: a copy carries what was stored, while the original is in use. */
function ownerOf(context: Context): string {
	return shortKey([context.getInstanceId(), context.getWorkflow().id, context.getNode().id]);
}

/**
 * The platform gives a subscription up when the last attempt of a delivery fails, 22 minutes after the
 * event; so long before the last look something may have happened that never arrived.
 */
const lostBeforeMs = 22 * 60_000;

/** What was subscribed when it was last looked at, and is not any more. */
function gapOf(former: StoredSubscription, missing: readonly string[]): Gap | undefined {
	const { ids, madeAt, seenAt, gap } = former;
	const kinds = missing.filter((kind) => kind in ids);
	if (kinds.length === 0 || seenAt === undefined) return gap;
	const since = Math.max(madeAt ?? seenAt, seenAt - lostBeforeMs);
	return {
		kinds: [...new Set([...kinds, ...(gap?.kinds ?? [])])],
		since: Math.min(since, gap?.since ?? since),
	};
}
