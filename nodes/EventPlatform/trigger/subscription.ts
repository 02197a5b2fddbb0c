import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';
import { asFailure } from '../core/http/failure';
import type { Api } from '../core/http/ports';
import { shortKey } from '../core/deliveries/delivery';
import type { Gap } from '../core/deliveries/happened';
import { keyDigest } from '../core/deliveries/subscriptionKey';
import { findOurs, subscribe, unsubscribe, type Ours } from '../core/deliveries/subscriptions';
import { readKey, readKinds } from './settings';
import { historyOf, storedOf, triggerOf, type StoredSubscription } from './stored';

type Context = IHookFunctions | IPollFunctions;

/** Two that coincide would both subscribe: one after the other, the second finds what the first has made. */
const underway = new Map<string, Promise<unknown>>();

export async function keepSubscribed(context: Context, api: Api, url: string): Promise<void> {
	const trigger = `${triggerOf(context)} ${url}`;
	const before = underway.get(trigger) ?? Promise.resolve();
	const ours = before.catch(() => {}).then(() => subscribeMissing(context, api, url));
	underway.set(trigger, ours);
	try {
		await ours;
	} finally {
		if (underway.get(trigger) === ours) underway.delete(trigger);
	}
}

/**
 * Subscribes to what is wanted and not subscribed: one request, as long as nothing is wrong. What is
 * useless goes first, as a platform may refuse a second one for the same; what is outdated goes last, so
 * that no event is missed.
 */
async function subscribeMissing(context: Context, api: Api, url: string): Promise<void> {
	const stored = storedOf(context);
	const former = madeHere(context, url);
	const ours = await readOurs(context, url);
	const kinds = readKinds(context);
	const { kept, useless, outdated } = await findOurs(api, ours, kinds);
	await unsubscribe(api, useless);
	const missing = kinds.filter((kind) => !(kind in kept));
	const history = historyOf(context);
	const gap = former && gapOf(former, missing, history.arrived);
	const ids = { ...kept };
	try {
		for (const kind of missing) ids[kind] = await subscribe(api, ours, kind);
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
		if (context.getMode() !== 'manual') history.subscription = { ...stored.subscription };
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
	if (context.getMode() !== 'manual') delete historyOf(context).subscription;
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
 * event: from so long before it was last known to work, something may never have arrived.
 */
const lostBeforeMs = 22 * 60_000;

/** What was subscribed when it was last looked at, and is not any more. */
function gapOf(
	{ ids, madeAt = 0, seenAt, gap }: StoredSubscription,
	missing: readonly string[],
	arrived: Gap,
): Gap | undefined {
	const lost = missing.filter((kind) => kind in ids && seenAt !== undefined);
	if (lost.length === 0) return gap;
	const opened = lost.map((kind) => {
		const workedAt = Math.max(seenAt ?? 0, arrived[kind] ?? 0);
		return [kind, Math.max(madeAt, workedAt - lostBeforeMs)] as const;
	});
	return { ...Object.fromEntries(opened), ...gap };
}
