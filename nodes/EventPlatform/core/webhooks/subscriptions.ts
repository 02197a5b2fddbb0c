/*
 * Our webhooks on the platform: each event type of a trigger has one. A webhook that we have made is in one of three states:
 *
 *   there    the list of the platform shows it with a URL of ours
 *   gone     the list does not show it, so another one is made
 *   unknown  the list did not even show it right after it was made, or shows its ID with the URL of others. It is left alone, and
 *            people are told.
 */
import { parseUrl, withoutLastSlashes } from '../client/baseUrl';
import { attributesOf, readRecord } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import { listRecords } from '../client/pages';
import { normalizeId, pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { isDisabled } from '../dialect/webhooks';
import { text } from '../values/text';
import type { MadeWebhook, Subscription } from './gap';
import { keyDigest, withKey } from './proof';

const webhooksPath = '/webhooks';

/** The facts that tell the subscriptions of one trigger from all others of the workspace. */
export interface SubscriptionIdentity {
	url: string;
	key?: string;
	made: readonly MadeWebhook[];
	/** The ids of those that the list did not even show right after they were made. */
	hiddenIds: readonly string[];
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

/** Finds the webhooks of this trigger. Where one that was shown before is not there it lists once more, because a list may come back empty. */
export async function findOurs(
	api: Ask,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
): Promise<OurWebhooks> {
	const ours = await listOurs(api, identity, eventTypes);
	const isMissed = ours.notThere.some((id) => !identity.hiddenIds.includes(id));
	return isMissed ? await listOurs(api, identity, eventTypes) : ours;
}

export function noneThere({ made }: SubscriptionIdentity): OurWebhooks {
	return { kept: {}, useless: [], outdated: [], notThere: made.map(({ id }) => id) };
}

/**
 * Lists those with the key of this trigger, and those that it made and that still lead here. The address alone proves nothing,
 * because a copy of the workflow has the same one and people enter it by hand. Neither does an id where ids are counted, because the
 * platform may have given it to somebody else's webhook.
 */
async function listOurs(
	api: Ask,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
): Promise<OurWebhooks> {
	const ours = noneThere(identity);
	/** The webhooks with our address and key. `place`: the position among the stored ones, so that those in use stay in use. */
	const current: Array<{ id: string; event: string; isUnused: boolean; place: number }> = [];
	for (const record of await listRecords(api, webhooksPath)) {
		// Some platforms have numbers as ids.
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

export interface SubscriptionPlan extends Pick<OurWebhooks, 'useless' | 'outdated'> {
	ids: Record<string, string>;
	missing: string[];
	gone: string[];
	/** The event types whose webhook is unknown. No further one is made, because the list would not show it either. */
	unknown: string[];
	/** The event types whose subscription is not the stored one any more, so that events may have been missed. */
	renewed: string[];
}

export function planSubscriptions(
	{ kept, useless, outdated, notThere }: OurWebhooks,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
	stored: Subscription | undefined,
): SubscriptionPlan {
	const { ids: storedIds = {} } = stored ?? {};
	const lacking = eventTypes.filter((eventType) => !Object.hasOwn(kept, eventType));
	const idOf = (eventType: string) => storedIds[eventType] ?? '';
	// At another address, or with another key, the stored webhooks are none of those that are wanted.
	const isSame = stored !== undefined && isMadeAs(identity, stored);
	const unknown = lacking.filter(
		(eventType) => isSame && identity.hiddenIds.includes(idOf(eventType)),
	);
	const missing = lacking.filter((eventType) => !unknown.includes(eventType));
	const gone = missing.filter((eventType) => notThere.includes(idOf(eventType)));
	const ids = { ...kept };
	for (const eventType of unknown) ids[eventType] = idOf(eventType);
	const renewed = eventTypes.filter((eventType) => ids[eventType] !== storedIds[eventType]);
	return { ids, missing, gone, unknown, renewed, useless, outdated };
}

/** The webhooks that `subscribeTo` makes. It is filled in step by step, so that a failure leaves what was made. */
export type MadeSubscriptions = Required<Pick<Subscription, 'ids' | 'hiddenEventTypes'>>;

/** Subscribes to the missing event types, and checks whether the list shows those that it did not show before. */
export async function subscribeTo(
	api: Ask,
	identity: SubscriptionIdentity,
	{ missing, gone }: Pick<SubscriptionPlan, 'missing' | 'gone'>,
	subscription: MadeSubscriptions,
): Promise<void> {
	const { url, key } = identity;
	const made = [...identity.made];
	for (const eventType of missing) {
		const id = await subscribe(api, identity, eventType);
		if (id === '') continue;
		subscription.ids[eventType] = id;
		made.push({ id, url, keyDigest: key && keyDigest(key) });
		// It counts as hidden until the list shows it, so that no later start makes a further one, whatever fails from here on.
		if (gone.includes(eventType)) subscription.hiddenEventTypes.push(eventType);
	}
	if (gone.length === 0) return;
	const listed = await listOurs(api, { ...identity, made }, gone).catch(asFailure);
	// The webhooks are made. Whether the list shows them is seen the next time, too.
	if (listed instanceof Failure) return;
	subscription.hiddenEventTypes = subscription.hiddenEventTypes.filter(
		(eventType) => !Object.hasOwn(listed.kept, eventType),
	);
}

async function subscribe(api: Ask, identity: SubscriptionIdentity, event: string): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url: withKey(identity), event } } };
	const request: ApiRequest = { method: 'POST', path: webhooksPath, body, secret: identity.key };
	return text(readRecord(request, await api(request)).id);
}

/** Removes all webhooks that can be removed, then throws the first failure. A webhook that is gone already is no failure, so an attempt may be repeated. */
export async function unsubscribe(api: Ask, ids: Iterable<string>): Promise<void> {
	let failure: Failure | undefined;
	for (const id of ids) {
		const path = pathTo`/webhooks/${id}`;
		const response = await api({ method: 'DELETE', path, retry: 'safe' }).catch(asFailure);
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
): Pick<SubscriptionIdentity, 'made' | 'hiddenIds'> {
	if (subscription === undefined) return { made: [], hiddenIds: [] };
	const { ids, url, keyDigest: digest, former = [], hiddenEventTypes = [] } = subscription;
	return {
		made: [...Object.values(ids).map((id) => ({ id, url, keyDigest: digest })), ...former],
		hiddenIds: hiddenEventTypes.flatMap((eventType) => ids[eventType] ?? []),
	};
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
