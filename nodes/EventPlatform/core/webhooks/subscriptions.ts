/*
 * Our webhooks on the platform: each event type of a trigger has one. What the list of the platform does not show is gone and is made
 * again, at most once a day: a list may leave something out, and each start would then make one more.
 */
import { parseUrl, withoutLastSlashes } from '../client/baseUrl';
import { attributesOf, readRecord } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import { listRecords } from '../client/pages';
import { normalizeId, pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { isDisabled } from '../dialect/webhooks';
import { text } from '../values/text';
import { dayMs, type Ms } from '../values/units';
import type { MadeWebhook, Subscription } from './subscriptionMemory';
import { keyDigest, withKey } from './proof';

const webhooksPath = '/webhooks';

/** The facts that tell the subscriptions of one trigger from all others of the workspace. */
export interface SubscriptionIdentity {
	url: string;
	key?: string;
	made: readonly MadeWebhook[];
}

export interface OurWebhooks {
	kept: Record<string, string>;
	/** The ids of webhooks with which nothing is lost: they are disabled, second ones, or of event types that are no longer wanted. */
	useless: string[];
	/** The webhooks with another address or key, where events still arrive. They are removed when new ones have taken their place. */
	outdated: MadeWebhook[];
	/** The ids of webhooks that we made and that the list does not show with a URL of ours. */
	notThere: string[];
}

export function noneThere({ made }: SubscriptionIdentity): OurWebhooks {
	return { kept: {}, useless: [], outdated: [], notThere: made.map(({ id }) => id) };
}

/**
 * Finds those with the key of this trigger, and those that it made and that still lead here. The address alone proves nothing,
 * because a copy of the workflow has the same one and people enter it by hand. Neither does an id where ids are counted, because the
 * platform may have given it to somebody else's webhook.
 */
export async function findOurs(
	ask: Ask,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
): Promise<OurWebhooks> {
	const ours = noneThere(identity);
	/** The webhooks with our address and key. `place`: the position among the stored ones, so that those in use stay in use. */
	const current: Array<{ id: string; event: string; isUnused: boolean; place: number }> = [];
	for (const record of await listRecords(ask, webhooksPath)) {
		const id = normalizeId(text(record.id));
		const attributes = attributesOf(record);
		const place = identity.made.findIndex((webhook) => normalizeId(webhook.id) === id);
		const made = identity.made[place];
		const owner = ownerOf(text(attributes.url), identity, made);
		if (owner === 'others') continue;
		if (made) ours.notThere = ours.notThere.filter((notThere) => notThere !== made.id);
		if (owner === 'usBefore' && made) ours.outdated.push(made);
		if (owner === 'us') {
			current.push({
				id,
				event: text(attributes.event),
				isUnused: isDisabled(attributes),
				place: made ? place : identity.made.length,
			});
		}
	}
	for (const { id, event, isUnused } of current.sort((a, b) => a.place - b.place)) {
		const isWanted = eventTypes.includes(event) && !Object.hasOwn(ours.kept, event) && !isUnused;
		if (isWanted) ours.kept[event] = id;
		else ours.useless.push(id);
	}
	return ours;
}

function ownerOf(
	url: string,
	identity: SubscriptionIdentity,
	made: MadeWebhook | undefined,
): 'us' | 'usBefore' | 'others' {
	if (identity.key !== undefined && normalized(url) === normalized(withKey(identity))) return 'us';
	if (made === undefined || !isUrlOf(url, made)) return 'others';
	// A webhook that was made with our key and has none now is on a platform that drops the query.
	const isWithoutKey = normalized(url) === normalized(identity.url);
	return isWithoutKey && isMadeAs(identity, made) ? 'us' : 'usBefore';
}

interface SubscriptionPlan extends Pick<OurWebhooks, 'useless' | 'outdated'> {
	ids: Record<string, string>;
	missing: string[];
	/** When a webhook that was gone was last made again. */
	madeAgainAt?: Ms;
	/** The event types whose webhook is another one than the stored one, or is gone, so that events may have been missed. */
	lost: string[];
}

export function planSubscriptions(
	{ kept, useless, outdated, notThere }: OurWebhooks,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
	stored: Subscription | undefined,
	nowMs: Ms,
): SubscriptionPlan {
	const { ids: storedIds = {}, madeAgainAt } = stored ?? {};
	// At another address, or with another key, the stored webhooks are none of those that are wanted.
	const isSame = stored !== undefined && isMadeAs(identity, stored);
	const isGone = (eventType: string) => isSame && notThere.includes(storedIds[eventType] ?? '');
	const wasMadeToday = madeAgainAt !== undefined && Math.abs(nowMs - madeAgainAt) < dayMs;
	const lacking = eventTypes.filter((eventType) => !Object.hasOwn(kept, eventType));
	const missing = lacking.filter((eventType) => !(wasMadeToday && isGone(eventType)));
	const ids = { ...kept };
	for (const eventType of lacking) {
		if (!missing.includes(eventType)) ids[eventType] = storedIds[eventType] ?? '';
	}
	return {
		ids,
		missing,
		madeAgainAt: missing.some(isGone) ? nowMs : madeAgainAt,
		lost: eventTypes.filter((eventType) => kept[eventType] !== storedIds[eventType]),
		useless,
		outdated,
	};
}

/** Subscribes to the missing event types. The ids are filled in step by step, so that a failure leaves what was made. */
export async function subscribeTo(
	ask: Ask,
	identity: SubscriptionIdentity,
	missing: readonly string[],
	ids: Record<string, string>,
): Promise<void> {
	for (const eventType of missing) {
		const id = await subscribe(ask, identity, eventType);
		if (id !== '') ids[eventType] = id;
	}
}

async function subscribe(ask: Ask, identity: SubscriptionIdentity, event: string): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url: withKey(identity), event } } };
	const request: ApiRequest = { method: 'POST', path: webhooksPath, body, secret: identity.key };
	return text(readRecord(request, await ask(request)).id);
}

/** Removes all webhooks that can be removed, then throws the first failure. A webhook that is gone already is no failure, so an attempt may be repeated. */
export async function unsubscribe(ask: Ask, ids: Iterable<string>): Promise<void> {
	let failure: Failure | undefined;
	for (const id of ids) {
		const path = pathTo`/webhooks/${id}`;
		const response = await ask({ method: 'DELETE', path, retry: 'idempotent' }).catch(asFailure);
		if (response instanceof Failure && response.cause !== 'not_found') failure ??= response;
	}
	if (failure) throw failure;
}

export function hasNoWebhooks(error: unknown): boolean {
	if (!(error instanceof Failure)) return false;
	return error.cause === 'no_endpoint' && error.request.path === webhooksPath;
}

/** The former ones are among them, because they may still be on the platform. */
export function storedWebhooks(
	subscription: Subscription | undefined,
): Pick<SubscriptionIdentity, 'made'> {
	if (subscription === undefined) return { made: [] };
	const { ids, url, keyDigest: digest, former = [] } = subscription;
	const inUse = Object.values(ids).map((id) => ({ id, url, keyDigest: digest }));
	return { made: [...inUse, ...former] };
}

function isMadeAs(
	{ url, key }: SubscriptionIdentity,
	made: Pick<MadeWebhook, 'url' | 'keyDigest'>,
): boolean {
	return made.url === url && made.keyDigest === (key && keyDigest(key));
}

/** The platform may drop the query, and with it the key. */
function isUrlOf(listed: string, { url, keyDigest: digest }: MadeWebhook): boolean {
	const address = parseUrl(listed);
	if (address === undefined) return false;
	const key = address.searchParams.get('key');
	address.searchParams.delete('key');
	const isOurKey = key === null || keyDigest(key) === digest;
	return isOurKey && normalized(address.href) === normalized(url);
}

/** Writes a URL in one way, because the platform may write its host or a closing slash in another. */
function normalized(text: string): string {
	const url = parseUrl(text);
	if (url === undefined) return text;
	url.pathname = withoutLastSlashes(url.pathname);
	return url.href;
}
