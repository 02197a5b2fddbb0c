/*
 * What is to be done about our webhooks, of which each event type of a trigger has one: `planSubscription` decides it by what is
 * stored, what the platform's list shows, and which event types are wanted.
 */
import { parseUrl, withoutLastSlashes } from '../client/baseUrl';
import { attributesOf } from '../client/document';
import { isSameId, normalizeId } from '../client/path';
import { isDisabled } from '../dialect/webhooks';
import type { JsonObject } from '../values/json';
import { text } from '../values/text';
import { dayMs, type Ms } from '../values/units';
import { keyDigest, withKey } from './proof';
import type { MadeWebhook, Subscription } from './subscriptionMemory';

/** The facts that tell the webhooks of one trigger from all others of the workspace. */
export interface SubscriptionIdentity {
	url: string;
	key?: string;
	made: readonly MadeWebhook[];
}

/**
 * The state of a webhook of ours:
 *
 *   working   it leads here, and its event type is wanted
 *   needless  it leads here as well, and nothing is lost with it: it is disabled, a second one, or of an event type that is not wanted
 *   outdated  it was made with another address or key, where events still arrive
 *   gone      we made it, and the list does not show it with a URL of ours
 */
type WebhookState = 'working' | 'needless' | 'outdated' | 'gone';

interface OurWebhook {
	id: string;
	state: WebhookState;
	/** Empty where the list does not show it. */
	event: string;
	/** Absent: its key alone shows that it is ours. */
	made?: MadeWebhook;
}

export interface SubscriptionPlan {
	/** The working webhooks by their event types, and those that are gone and not made again today. */
	ids: Record<string, string>;
	/** These go first, because a platform may refuse a second webhook for the same URL. */
	needless: string[];
	/** The event types that get a webhook. */
	toMake: string[];
	/** These go last, when new ones have taken their place, so that no event is missed. */
	outdated: MadeWebhook[];
	gone: string[];
	/** When a webhook that was gone was last made again. */
	madeAgainAt?: Ms;
	/** The event types whose webhook is another one than before, or is gone, so that events may have been missed. */
	interrupted: string[];
}

/**
 * `listed`: the webhooks of the workspace. `before`: the subscription that goes on; absent where a new one begins. What is gone is made again
 * at most once a day, because a list may leave something out, and each start would then make one more.
 */
export function planSubscription(
	identity: SubscriptionIdentity,
	listed: readonly JsonObject[],
	eventTypes: readonly string[],
	before: Subscription | undefined,
	nowMs: Ms,
): SubscriptionPlan {
	const webhooks = judgeWebhooks(identity, listed, eventTypes);
	const inState = (state: WebhookState) => webhooks.filter((webhook) => webhook.state === state);
	const ids = Object.fromEntries(inState('working').map(({ event, id }) => [event, id]));
	const gone = inState('gone').map(({ id }) => id);
	const { ids: idsBefore = {}, madeAgainAt } = before ?? {};
	// At another address, or with another key, the stored webhooks are none of those that are wanted.
	const isSame = before !== undefined && isMadeAs(identity, before);
	const isGone = (eventType: string) => isSame && gone.includes(idsBefore[eventType] ?? '');
	const wasMadeToday = madeAgainAt !== undefined && Math.abs(nowMs - madeAgainAt) < dayMs;
	const interrupted = eventTypes.filter((eventType) => ids[eventType] !== idsBefore[eventType]);
	const toMake: string[] = [];
	for (const eventType of eventTypes) {
		if (Object.hasOwn(ids, eventType)) continue;
		if (wasMadeToday && isGone(eventType)) ids[eventType] = idsBefore[eventType] ?? '';
		else toMake.push(eventType);
	}
	return {
		ids,
		needless: inState('needless').map(({ id }) => id),
		toMake,
		outdated: inState('outdated').flatMap(({ made = [] }) => made),
		gone,
		madeAgainAt: toMake.some(isGone) ? nowMs : madeAgainAt,
		interrupted,
	};
}

/**
 * Ours are those with the key of this trigger, and those that it made and that still lead here. The address alone proves nothing,
 * because a copy of the workflow has the same one and people enter it by hand. Neither does an id where ids are counted, because the
 * platform may have given it to somebody else's webhook.
 */
function judgeWebhooks(
	identity: SubscriptionIdentity,
	listed: readonly JsonObject[],
	eventTypes: readonly string[],
): OurWebhook[] {
	const shown = listed.flatMap((record) => shownWebhook(record, identity) ?? []);
	const working = new Set<string>();
	// The ones that we made come first, so that those in use stay in use.
	const judged = shown
		.sort((a, b) => a.place - b.place)
		.map((webhook): OurWebhook => {
			const { event } = webhook;
			if (webhook.isOutdated) return { ...webhook, state: 'outdated' };
			const isWorking = eventTypes.includes(event) && !working.has(event) && !webhook.isDisabled;
			if (isWorking) working.add(event);
			return { ...webhook, state: isWorking ? 'working' : 'needless' };
		});
	const gone = identity.made
		.filter(({ id }) => !judged.some(({ made }) => made?.id === id))
		.map(({ id }): OurWebhook => ({ id, state: 'gone', event: '' }));
	return [...judged, ...gone];
}

interface ShownWebhook extends Omit<OurWebhook, 'state'> {
	isOutdated: boolean;
	isDisabled: boolean;
	/** The position among the webhooks that we made. */
	place: number;
}

/** Undefined where it belongs to others. */
function shownWebhook(
	record: JsonObject,
	identity: SubscriptionIdentity,
): ShownWebhook | undefined {
	const id = normalizeId(text(record.id));
	const attributes = attributesOf(record);
	const position = identity.made.findIndex((webhook) => isSameId(webhook.id, id));
	const made = identity.made[position];
	const owner = ownerOf(text(attributes.url), identity, made);
	if (owner === 'others') return undefined;
	return {
		id,
		event: text(attributes.event),
		made,
		isOutdated: owner === 'usBefore',
		isDisabled: isDisabled(attributes),
		place: made ? position : identity.made.length,
	};
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

/** The outdated ones are among them, because they may still be on the platform. */
export function webhooksOf(subscription: Subscription | undefined): MadeWebhook[] {
	if (subscription === undefined) return [];
	const { ids, url, keyDigest: digest, outdated = [] } = subscription;
	const inUse = Object.values(ids).map((id) => ({ id, url, keyDigest: digest }));
	return [...inUse, ...outdated];
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
