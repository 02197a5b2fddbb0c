/*
 * What is to be done about our webhooks, of which each event type of a trigger has one: `planSubscription` decides it by what is
 * stored, what the platform's list shows, and which event types are wanted.
 */
import { parseUrl, withoutLastSlashes } from '../client/baseUrl';
import { attributesOf } from '../client/document';
import { normalizeId } from '../client/path';
import { isDisabled } from '../dialect/webhooks';
import type { JsonObject } from '../values/json';
import { text } from '../values/text';
import { ageOf } from '../values/recentTimes';
import { dayMs, type Ms } from '../values/units';
import { keyDigest, withKey } from './proof';
import type { MadeWebhook, Subscription } from './subscriptionMemory';

/** The facts that tell the webhooks of one trigger from all others of the workspace. */
export interface SubscriptionIdentity {
	url: string;
	key?: string;
	made: readonly MadeWebhook[];
}

export interface SubscriptionPlan {
	/** The working webhooks by their event types, and those that are gone and not made again today. */
	ids: Record<string, string>;
	/** Disabled, a second one, or of an event type that is not wanted. These go first: a platform may refuse a second webhook for a URL. */
	needless: string[];
	/** The event types that get a webhook. */
	toMake: string[];
	/** Made with another address or key. These go last, when new ones have taken their place, so that no event is missed. */
	outdated: MadeWebhook[];
	/** We made them, and the list does not show them with a URL of ours. */
	gone: string[];
	/** When a webhook that was gone was last made again. */
	madeAgainAt?: Ms;
	/** The event types whose webhook is another one than before, or is gone, so that events may have been missed. */
	interrupted: string[];
}

/**
 * `listed`: the webhooks of the workspace. `ongoing`: the subscription that goes on; absent where a new one begins. What is gone is made again
 * at most once a day. Supposed: a list leaves out a webhook that works, and each start would make one more.
 */
export function planSubscription(
	identity: SubscriptionIdentity,
	listed: readonly JsonObject[],
	eventTypes: readonly string[],
	ongoing: Subscription | undefined,
	nowMs: Ms,
): SubscriptionPlan {
	const { ids, needless, outdated, gone } = sortOut(identity, listed, eventTypes);
	const { ids: idsBefore = {}, madeAgainAt } = ongoing ?? {};
	// At another address, or with another key, the stored webhooks are none of those that are wanted.
	const isSame = ongoing !== undefined && isMadeAs(identity, ongoing);
	const isGone = (eventType: string) => isSame && gone.includes(idsBefore[eventType] ?? '');
	const wasMadeToday = madeAgainAt !== undefined && ageOf(madeAgainAt, nowMs) < dayMs;
	const interrupted = eventTypes.filter((eventType) => ids[eventType] !== idsBefore[eventType]);
	const toMake: string[] = [];
	for (const eventType of eventTypes) {
		if (Object.hasOwn(ids, eventType)) continue;
		if (wasMadeToday && isGone(eventType)) ids[eventType] = idsBefore[eventType] ?? '';
		else toMake.push(eventType);
	}
	return {
		ids,
		needless,
		toMake,
		outdated,
		gone,
		madeAgainAt: toMake.some(isGone) ? nowMs : madeAgainAt,
		interrupted,
	};
}

/** Sorts out the webhooks of this trigger: one for each event type that is wanted, and the rest. */
function sortOut(
	identity: SubscriptionIdentity,
	listed: readonly JsonObject[],
	eventTypes: readonly string[],
): Pick<SubscriptionPlan, 'ids' | 'needless' | 'outdated' | 'gone'> {
	const ours = listed.flatMap((record) => readOurs(record, identity) ?? []);
	// The ones that we made come first, so that those in use stay in use.
	ours.sort((a, b) => Number(b.made !== undefined) - Number(a.made !== undefined));
	const ids: Record<string, string> = {};
	const needless: string[] = [];
	const outdated: MadeWebhook[] = [];
	for (const { id, event, isGivenUp, isOutdated, made } of ours) {
		const isWanted = eventTypes.includes(event) && !Object.hasOwn(ids, event) && !isGivenUp;
		if (isOutdated && made) outdated.push(made);
		else if (isWanted) ids[event] = id;
		else needless.push(id);
	}
	const isShown = ({ id }: MadeWebhook) => ours.some(({ made }) => made?.id === id);
	const gone = identity.made.filter((made) => !isShown(made)).map(({ id }) => id);
	return { ids, needless, outdated, gone };
}

/** The ID in one spelling, whether the webhook was just made or is listed; empty where it has none. */
export function webhookIdOf({ id }: JsonObject): string {
	return normalizeId(text(id));
}

/** A webhook of ours that the list shows. */
interface ShownWebhook {
	id: string;
	event: string;
	/** The platform has disabled it. */
	isGivenUp: boolean;
	/** It was made with another address or key. */
	isOutdated: boolean;
	/** Absent: its key alone shows that it is ours. */
	made?: MadeWebhook;
}

/**
 * Ours are those with the key of this trigger, and those that it made and that still lead here; of others nothing is given. The address
 * alone proves nothing, because a copy of the workflow has the same one and people enter it by hand. Neither does an id where ids are
 * counted, because the platform may have given it to somebody else's webhook.
 */
function readOurs(record: JsonObject, identity: SubscriptionIdentity): ShownWebhook | undefined {
	const id = webhookIdOf(record);
	const attributes = attributesOf(record);
	const url = text(attributes.url);
	const hasKey = identity.key !== undefined && normalized(url) === normalized(withKey(identity));
	const made = identity.made.find((webhook) => webhook.id === id);
	const isMade = made !== undefined && isUrlOf(url, made);
	if (!hasKey && !isMade) return undefined;
	return {
		id,
		event: text(attributes.event),
		isGivenUp: isDisabled(attributes),
		isOutdated: !hasKey && !(isMade && isMadeAs(identity, made)),
		made,
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
