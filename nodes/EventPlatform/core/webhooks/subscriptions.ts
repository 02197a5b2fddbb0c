import { parseUrl, withoutLastSlashes } from '../client/baseUrl';
import { asFailure, Failure } from '../client/failure';
import { attributesOf, readRecord } from '../client/document';
import { isDisabled } from '../dialect/webhooks';
import { listRecords } from '../client/pages';
import { text } from '../values/text';
import { normalizeId, isUuid, pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import type { MadeWebhook, Subscription } from './gap';
import { keyDigest, withKey } from './subscriptionKey';

/** Where the platform has its webhooks. */
const webhooksPath = '/webhooks';

/** How the subscriptions of one trigger are told from all others of the workspace. */
export interface Ours {
	/** Where deliveries go, without the key. */
	url: string;
	/** Absent where the credential has no secret to make one of. */
	key?: string;
	/** Those that this workflow made, as far as that was stored. */
	made: readonly MadeWebhook[];
}

/** Our subscriptions, as the list of the platform shows them. Each stands in one part. */
export interface ListedSubscriptions {
	/** In use, by event type: each is for one. */
	kept: Record<string, string>;
	/** Disabled by the platform, second ones, or of event types that are no longer wanted: nothing is lost with them. */
	useless: string[];
	/** Webhooks with another address or key, where events still arrive: they go when there are new ones in their place. */
	outdated: MadeWebhook[];
	/** Made by us, and listed with a URL that is not ours: the platform may have given their ids to others. */
	foreign: string[];
	/** Made by us, and not in the list: they are gone, or the list leaves them out. */
	unlisted: string[];
}

/**
 * Ours is what has our key, or what we made and still leads here: the address alone is also that of a copy, or was
 * entered by hand, and where ids are counted an id of ours may have been given to somebody else's webhook.
 */
export async function findOurs(
	api: Ask,
	ours: Ours,
	eventTypes: readonly string[],
): Promise<ListedSubscriptions> {
	const found = noneListed();
	/** Webhooks with our address and key, in the order in which we know them, so that those in use stay in use. */
	const current: Array<{ id: string; event: string; isDisabled: boolean; place: number }> = [];
	const listedIds = new Set<string>();
	for (const record of await listRecords(api, webhooksPath)) {
		// Some platforms have numbers as ids.
		const id = normalizeId(text(record.id));
		const attributes = attributesOf(record);
		const place = ours.made.findIndex((webhook) => normalizeId(webhook.id) === id);
		const byUs = ours.made[place];
		listedIds.add(id);
		switch (belongingOf(text(attributes.url), ours, byUs)) {
			case 'others':
				if (byUs) found.foreign.push(id);
				break;
			case 'outdated':
				if (byUs) found.outdated.push(byUs);
				break;
			case 'current': {
				const isUnused = isDisabled(attributes);
				current.push({
					id,
					event: text(attributes.event),
					isDisabled: isUnused,
					place: byUs ? place : ours.made.length,
				});
			}
		}
	}
	for (const { id, event, isDisabled: isUnused } of current.sort((a, b) => a.place - b.place)) {
		const isWanted = eventTypes.includes(event) && !Object.hasOwn(found.kept, event) && !isUnused;
		if (isWanted) found.kept[event] = id;
		else found.useless.push(id);
	}
	found.unlisted = ours.made.map(({ id }) => id).filter((id) => !listedIds.has(normalizeId(id)));
	return found;
}

/** Decides to whom a listed webhook belongs, by its URL and by what is stored of its id. */
function belongingOf(
	url: string,
	ours: Ours,
	byUs: MadeWebhook | undefined,
): 'current' | 'outdated' | 'others' {
	if (ours.key !== undefined && normal(url) === normal(withKey(ours))) return 'current';
	if (byUs === undefined || !leadsTo(url, byUs)) return 'others';
	// Made with our key and without it now: a platform that drops the query.
	const isWithoutKey = normal(url) === normal(ours.url);
	return isWithoutKey && isMadeAs(ours, byUs) ? 'current' : 'outdated';
}

/** A list that shows none of these webhooks. */
export function noneListed(made: readonly MadeWebhook[] = []): ListedSubscriptions {
	const unlisted = made.map(({ id }) => id);
	return { kept: {}, useless: [], outdated: [], foreign: [], unlisted };
}

/** The platform has no webhooks at all that the API could list or make. */
export function hasNoWebhooks(error: unknown): boolean {
	if (!(error instanceof Failure)) return false;
	return error.cause === 'no_endpoint' && error.request.path === webhooksPath;
}

/** Whether a webhook that we made has the address and the key of today. */
function isMadeAs({ url, key }: Ours, made: Pick<MadeWebhook, 'url' | 'keyDigest'>): boolean {
	return made.url === url && made.keyDigest === (key && keyDigest(key));
}

/** Whether a listed URL is the one that a webhook of ours was made with. The platform may drop the query. */
function leadsTo(listed: string, { id, url, keyDigest: digest }: MadeWebhook): boolean {
	const address = parseUrl(listed);
	if (address === undefined) return false;
	const key = address.searchParams.get('key');
	address.searchParams.delete('key');
	// The platform may hide the key. Then only an id that nobody else is ever given shows that it is ours.
	const isOurKey = key === null || keyDigest(key) === digest || isUuid(id);
	return isOurKey && normal(address.href) === normal(url);
}

/** Webhooks that we made and that the list of the platform does not show as ours. */
export interface HiddenWebhooks {
	/** They can be removed by their ids, which no other webhook can have. */
	removable: string[];
	/** Their ids may belong to others: they are left alone, and people are told. */
	doubtful: string[];
}

/** The list may leave out what the platform disabled. Ids that are counted are given again, UUIDs are not. */
export function judgeHidden({ foreign, unlisted }: ListedSubscriptions): HiddenWebhooks {
	return {
		removable: unlisted.filter(isUuid),
		doubtful: [...foreign, ...unlisted.filter((id) => !isUuid(id))],
	};
}

/** All that was made and may still be on the platform. */
export function webhooksOf(subscription: Subscription | undefined): MadeWebhook[] {
	if (subscription === undefined) return [];
	const { ids, url, keyDigest: digest, former = [] } = subscription;
	return [...Object.values(ids).map((id) => ({ id, url, keyDigest: digest })), ...former];
}

/** The steps after which each event type of a trigger has one subscription. */
export interface SubscriptionPlan {
	/** By event type: those that stay in use. */
	ids: Record<string, string>;
	/** The event types to subscribe to. */
	missing: string[];
	/** Those of them whose subscription the list does not show any more. */
	vanished: string[];
	/** Kinds whose subscription is not the stored one any more, so that events may have been missed. */
	renewed: string[];
	/** Kinds whose subscriptions the list never shows: each further one would be one more. */
	heldBack: string[];
	/** Disabled, second, or of event types that are no longer wanted: they go first, as nothing is lost with them. */
	useless: string[];
	/** Webhooks with another address or key: they go last, when there are new ones in their place. */
	outdated: MadeWebhook[];
	/** Webhooks that are not in use and may still be on the platform: the outdated ones, and those that the list leaves out. */
	former: MadeWebhook[];
}

/** Asks for the list, and once more before it is believed that a subscription is gone: a list may come back empty. */
export async function findAndPlan(
	api: Ask,
	ours: Ours,
	eventTypes: readonly string[],
	stored: Subscription | undefined,
): Promise<SubscriptionPlan> {
	const plan = async () =>
		planSubscriptions(await findOurs(api, ours, eventTypes), ours, eventTypes, stored);
	const first = await plan();
	return first.vanished.length > 0 ? await plan() : first;
}

export function planSubscriptions(
	{ kept, useless, outdated, foreign, unlisted }: ListedSubscriptions,
	ours: Ours,
	eventTypes: readonly string[],
	stored: Subscription | undefined,
): SubscriptionPlan {
	const { ids: storedIds = {}, hiddenEventTypes = [] } = stored ?? {};
	// At another address, or with another key, none was made yet.
	const isSame = stored !== undefined && isMadeAs(ours, stored);
	const lacking = eventTypes.filter((eventType) => !Object.hasOwn(kept, eventType));
	const heldBack = lacking.filter((eventType) => isSame && hiddenEventTypes.includes(eventType));
	const missing = lacking.filter((eventType) => !heldBack.includes(eventType));
	const notShown = [...unlisted, ...foreign];
	const vanished = missing.filter((eventType) => notShown.includes(storedIds[eventType] ?? ''));
	const held = Object.entries(storedIds).filter(([eventType]) => heldBack.includes(eventType));
	const ids = { ...kept, ...Object.fromEntries(held) };
	const renewed = eventTypes.filter((eventType) => ids[eventType] !== storedIds[eventType]);
	// A webhook that the list leaves out is gone, unless the list leaves out one in use as well.
	const mayBeHidden = heldBack.length > 0 || vanished.length > 0;
	const inDoubt = ours.made.filter(({ id }) => {
		return mayBeHidden && unlisted.includes(id) && !Object.values(ids).includes(id);
	});
	const former = [...outdated, ...inDoubt];
	return { ids, missing, vanished, renewed, heldBack, useless, outdated, former };
}

export async function subscribe(api: Ask, ours: Ours, event: string): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url: withKey(ours), event } } };
	const request: ApiRequest = { method: 'POST', path: webhooksPath, body, secret: ours.key };
	return text(readRecord(request, await api(request)).id);
}

/** The webhooks that `subscribeTo` makes. It is filled in step by step, so that a failure leaves what was made. */
export type Making = Pick<Subscription, 'ids' | 'hiddenEventTypes' | 'former'>;

/** Subscribes to the missing event types, and sees whether the list shows those that it did not show before. */
export async function subscribeTo(
	api: Ask,
	ours: Ours,
	{ missing, vanished, outdated }: SubscriptionPlan,
	making: Required<Making>,
): Promise<void> {
	const made = [...ours.made];
	for (const eventType of missing) {
		const id = await subscribe(api, ours, eventType);
		if (id === '') continue;
		making.ids[eventType] = id;
		made.push({ id, url: ours.url, keyDigest: ours.key && keyDigest(ours.key) });
		// Until the list shows it, so that no start makes a further one, whatever fails from here on.
		if (vanished.includes(eventType)) making.hiddenEventTypes.push(eventType);
	}
	if (vanished.length === 0) return;
	const listed = await findOurs(api, { ...ours, made }, vanished).catch(asFailure);
	// They are made, and whether the list shows them is seen the next time as well.
	if (listed instanceof Failure) return;
	making.hiddenEventTypes = making.hiddenEventTypes.filter(
		(eventType) => !Object.hasOwn(listed.kept, eventType),
	);
	if (making.hiddenEventTypes.length === 0) making.former = outdated;
}

/** Removes all that can be removed, then tells what could not. One that is gone already is fine. */
export async function unsubscribe(api: Ask, ids: Iterable<string>): Promise<void> {
	let failure: Failure | undefined;
	for (const id of ids) {
		const path = pathTo`/webhooks/${id}`;
		const answer = await api({ method: 'DELETE', path, retry: 'safe' }).catch(asFailure);
		if (answer instanceof Failure && answer.cause !== 'not_found') failure ??= answer;
	}
	if (failure) throw failure;
}

/** The platform may write the host or a closing slash differently. */
function normal(text: string): string {
	const url = parseUrl(text);
	if (url === undefined) return text;
	url.pathname = withoutLastSlashes(url.pathname);
	return url.href;
}
