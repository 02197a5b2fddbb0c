import type { IDataObject, IHookFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { shortKey, deliveryKey } from '../core/deliveries/delivery';
import { gapOf, readMissed, type Gap, type Subscription } from '../core/deliveries/gap';
import { canBeListed } from '../core/deliveries/kinds';
import { unlessGone } from '../core/deliveries/lists';
import { keyDigest } from '../core/deliveries/subscriptionKey';
import { findOurs, subscribe, unsubscribe, type Ours } from '../core/deliveries/subscriptions';
import { asFailure } from '../core/http/failure';
import type { Api, Ask } from '../core/http/ports';
import { clockAheadMs } from '../core/http/quota';
import { credentialType } from '../n8n/authentication';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { runOf } from './poll';
import { isManual, keyFor, readFilters, readKinds } from './settings';
import { historyOf, store, storedOf } from './stored';

type Context = IHookFunctions | IPollFunctions;

/** n8n polls at once after each activation, which has just looked. */
const justNowMs = 60_000;
const mostAheadMs = 24 * 3_600_000;

/**
 * Whether all that is wanted is still subscribed, at the times that people chose; else subscribes
 * again, and starts one run with what happened meanwhile. The platform disables a subscription whose
 * deliveries failed for 22 minutes, for instance because n8n was off.
 */
export async function check(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { item = [] } = context.getNodeParameter('pollTimes', {}) as { item?: IDataObject[] };
	if (isManual(context) || item.length === 0) return null;
	const history = historyOf(context);
	const stored = storedOf(context);
	const [latest] = [stored.subscription, history.subscription].sort(
		(one, other) => (other?.seenAt ?? 0) - (one?.seenAt ?? 0),
	);
	if (latest === undefined || history.isChecking) return null;
	const wasJustSeen = Math.abs(Date.now() - latest.seenAt) < justNowMs;
	if (wasJustSeen && latest.missed === undefined) return null;
	if (stored.subscription?.seenAt !== latest.seenAt) stored.subscription = { ...latest };
	history.isChecking = true;
	try {
		const { api } = await connect(context);
		if (!wasJustSeen) await keepSubscribed(context, api, latest.url);
		const gap = stored.subscription?.missed;
		const output = gap ? await catchUp(context, api, gap) : null;
		if (stored.subscription?.missed === undefined) history.checkedAt = Date.now();
		return output;
	} catch (error) {
		throw toNodeError(context.getNode(), error, { what: 'the webhook', scope: 'webhooks' });
	} finally {
		history.isChecking = false;
	}
}

/** What was missed and did not arrive otherwise, as the items of one run. */
async function catchUp(context: IPollFunctions, api: Api, gap: Gap) {
	const kinds = Object.keys(gap.since);
	const lost = kinds.filter((kind) => !canBeListed(kind));
	const since = new Date(Math.min(...Object.values(gap.since))).toISOString();
	context.logger.warn(
		`Event Platform Trigger subscribed anew to ${kinds.join(', ')} and catches up since ${since}` +
			(lost.length > 0 ? `, except ${lost.join(', ')}, which the platform does not list` : ''),
	);
	const history = historyOf(context);
	// Where the session of the filter is gone, there is nothing to catch up.
	const missed = await readMissed(api, gap, readFilters(context), history.seen, Date.now).catch(
		unlessGone,
	);
	for (const subscription of [storedOf(context).subscription, history.subscription]) {
		if (subscription && missed?.left) subscription.missed = missed.left;
		else delete subscription?.missed;
	}
	for (const event of missed?.news ?? []) history.seen.add(deliveryKey(event), Date.now());
	store(context, history);
	return missed && runOf(context, missed);
}

/** Two that coincide would both subscribe: one after the other, the second finds what the first has made. */
export async function keepSubscribed(context: Context, api: Api, url: string): Promise<void> {
	const history = historyOf(context);
	const before = history.subscribing.catch(() => {});
	await (history.subscribing = before.then(() => subscribeMissing(context, api, url)));
}

/**
 * Subscribes to what is wanted and not subscribed: one request, as long as nothing is wrong. What is
 * useless goes first, as a platform may refuse a second one for the same; what is outdated goes last, so
 * that no event is missed.
 */
async function subscribeMissing(context: Context, api: Api, url: string): Promise<void> {
	const stored = storedOf(context);
	const former = madeHere(context, url);
	const ours = await readOurs(context, url, former);
	const kinds = readKinds(context);
	let aheadMs = 0;
	const asked: Ask = async (request) => {
		const answer = await api(request);
		aheadMs = clockAheadMs(answer, Date.now());
		return answer;
	};
	const { kept: ids, useless, outdated } = await findOurs(asked, ours, kinds);
	// Further apart is no clock but a mistake, and all that ever happened would be caught up.
	if (Math.abs(aheadMs) > mostAheadMs) aheadMs = 0;
	await unsubscribe(api, useless);
	const missing = kinds.filter((kind) => !(kind in ids));
	const history = historyOf(context);
	const missed = former && gapOf(former, missing, history.arrived);
	try {
		for (const kind of missing) ids[kind] = await subscribe(api, ours, kind);
	} finally {
		stored.subscription = {
			...{ url, ids, owner: ownerOf(context) },
			madeAt: former?.madeAt ?? Date.now() - aheadMs,
			seenAt: Date.now(),
			aheadMs,
			...(missed && { missed }),
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
	const ours = await readOurs(context, url, madeHere(context, url));
	const { useless, outdated } = await findOurs(api, ours, []);
	await unsubscribe(api, new Set([...useless, ...outdated, ...ours.made]));
	delete storedOf(context).subscription;
	const history = historyOf(context);
	// The end of a test in the editor, whose URL is another one, leaves the production one in use.
	if (history.subscription?.url === url) delete history.subscription;
}

/** What tells our subscriptions from those of others: our key, and what is stored of what we made. */
async function readOurs(context: Context, url: string, former?: Subscription): Promise<Ours> {
	const key = keyFor(context, url, await context.getCredentials(credentialType(context)));
	const isSameKey = former?.keyDigest === (key === undefined ? undefined : keyDigest(key));
	return {
		...{ url, key, madeWithKey: former?.url === url && isSameKey },
		made: new Set([...Object.values(former?.ids ?? {}), ...(former?.outdated ?? [])]),
	};
}

/** What is stored, where this workflow made it, here or at an address that this n8n had before. */
function madeHere(context: Context, url: string): Subscription | undefined {
	const { subscription } = storedOf(context);
	if (subscription?.owner !== ownerOf(context)) return undefined;
	// The test in the editor has another URL, while the production one is in use.
	return subscription.url === url || context.getMode() !== 'manual' ? subscription : undefined;
}

/** This workflow in this n8n: a copy carries what was stored, while the original is in use. */
function ownerOf(context: Context): string {
	return shortKey([context.getInstanceId(), context.getWorkflow().id, context.getNode().id]);
}
