import { parseUrl, withoutLastSlashes } from '../client/baseUrl';
import { attributesOf } from '../client/document';
import { Failure } from '../client/failure';
import { listRecords } from '../client/pages';
import { normalizeId } from '../client/path';
import { isUuid } from '../dialect/ids';
import type { Ask } from '../client/request';
import { isDisabled } from '../dialect/webhooks';
import { text } from '../values/text';
import type { MadeWebhook, Subscription } from './gap';
import { keyDigest, withKey } from './proof';

/** The path at which the platform has its webhooks. */
export const webhooksPath = '/webhooks';

/** The facts that tell the subscriptions of one trigger from all others of the workspace. */
export interface SubscriptionIdentity {
	/** The address that deliveries go to, without the key. */
	url: string;
	/** The key in the address. Absent: the credential has no secret to make one of. */
	key?: string;
	/** The webhooks that this workflow made, as far as that was stored. */
	made: readonly MadeWebhook[];
}

/** Our subscriptions, as the list of the platform shows them. Each of them stands in one of these members. */
export interface ListedSubscriptions {
	/** The ids of the webhooks in use, by event type. Each event type has one. */
	kept: Record<string, string>;
	/** The ids of webhooks with which nothing is lost: they are disabled, second ones, or of event types that are no longer wanted. */
	useless: string[];
	/** The webhooks with another address or key, where events still arrive. They are removed when new ones have taken their place. */
	outdated: MadeWebhook[];
	/** The ids of webhooks that we made and that are listed with a URL that is not ours. The platform may have given their ids to others. */
	foreign: string[];
	/** The ids of webhooks that we made and that are not listed. They are gone, or the list leaves them out. */
	unlisted: string[];
}

/**
 * Finds the webhooks of this trigger: those with its key, and those that it made and that still lead here. The address alone
 * proves nothing, because a copy of the workflow has the same one and people enter it by hand. Neither does an id where ids
 * are counted, because the platform may have given it to somebody else's webhook.
 */
export async function findSubscriptions(
	api: Ask,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
): Promise<ListedSubscriptions> {
	const subscriptions = noneListed();
	/** The webhooks with our address and key. `place`: the position among the stored ones, so that those in use stay in use. */
	const current: Array<{ id: string; event: string; isUnused: boolean; place: number }> = [];
	const listedIds = new Set<string>();
	for (const record of await listRecords(api, webhooksPath)) {
		// Some platforms have numbers as ids.
		const id = normalizeId(text(record.id));
		const attributes = attributesOf(record);
		const place = identity.made.findIndex((webhook) => normalizeId(webhook.id) === id);
		const madeWebhook = identity.made[place];
		listedIds.add(id);
		switch (belongingOf(text(attributes.url), identity, madeWebhook)) {
			case 'others':
				if (madeWebhook) subscriptions.foreign.push(id);
				break;
			case 'outdated':
				if (madeWebhook) subscriptions.outdated.push(madeWebhook);
				break;
			case 'current': {
				current.push({
					id,
					event: text(attributes.event),
					isUnused: isDisabled(attributes),
					place: madeWebhook ? place : identity.made.length,
				});
			}
		}
	}
	for (const { id, event, isUnused } of current.sort((a, b) => a.place - b.place)) {
		const isWanted =
			eventTypes.includes(event) && !Object.hasOwn(subscriptions.kept, event) && !isUnused;
		if (isWanted) subscriptions.kept[event] = id;
		else subscriptions.useless.push(id);
	}
	subscriptions.unlisted = identity.made
		.map(({ id }) => id)
		.filter((id) => !listedIds.has(normalizeId(id)));
	return subscriptions;
}

/** Decides to whom a listed webhook belongs, by its URL and by what is stored of its id. */
function belongingOf(
	url: string,
	identity: SubscriptionIdentity,
	made: MadeWebhook | undefined,
): 'current' | 'outdated' | 'others' {
	if (identity.key !== undefined && normalized(url) === normalized(withKey(identity)))
		return 'current';
	if (made === undefined || !isUrlOf(url, made)) return 'others';
	// A webhook that was made with our key and has none now is on a platform that drops the query.
	const isWithoutKey = normalized(url) === normalized(identity.url);
	return isWithoutKey && isMadeAs(identity, made) ? 'current' : 'outdated';
}

/** Gives the subscriptions of a list that shows none of these webhooks. */
export function noneListed(made: readonly MadeWebhook[] = []): ListedSubscriptions {
	const unlisted = made.map(({ id }) => id);
	return { kept: {}, useless: [], outdated: [], foreign: [], unlisted };
}

/** Whether the failure says that the platform has no webhooks that the API could list or make. */
export function hasNoWebhooks(error: unknown): boolean {
	if (!(error instanceof Failure)) return false;
	return error.cause === 'no_endpoint' && error.request.path === webhooksPath;
}

/** Whether a webhook that we made has the address and the key of today. */
export function isMadeAs(
	{ url, key }: SubscriptionIdentity,
	made: Pick<MadeWebhook, 'url' | 'keyDigest'>,
): boolean {
	return made.url === url && made.keyDigest === (key && keyDigest(key));
}

/** Whether a listed URL is the one with which a webhook of ours was made. The platform may drop the query. */
function isUrlOf(listed: string, { id, url, keyDigest: digest }: MadeWebhook): boolean {
	const address = parseUrl(listed);
	if (address === undefined) return false;
	const key = address.searchParams.get('key');
	address.searchParams.delete('key');
	// The platform may hide the key. Then only an id that is never given again shows that the webhook is ours.
	const isOurKey = key === null || keyDigest(key) === digest || isUuid(id);
	return isOurKey && normalized(address.href) === normalized(url);
}

/** Webhooks that we made and that the list of the platform does not show as ours. */
export interface HiddenWebhooks {
	/** The ids of webhooks that can be removed, because no other webhook can have such an id. */
	removable: string[];
	/** The ids that may belong to other webhooks. Those are left alone, and people are told. */
	doubtful: string[];
}

/**
 * Decides which of the webhooks can be removed that the list does not show, because it may leave out disabled ones. The platform may give
 * a counted id again, and never a UUID.
 */
export function judgeHidden({ foreign, unlisted }: ListedSubscriptions): HiddenWebhooks {
	return {
		removable: unlisted.filter(isUuid),
		doubtful: [...foreign, ...unlisted.filter((id) => !isUuid(id))],
	};
}

/** Lists all webhooks that were made and may still be on the platform. */
export function webhooksOf(subscription: Subscription | undefined): MadeWebhook[] {
	if (subscription === undefined) return [];
	const { ids, url, keyDigest: digest, former = [] } = subscription;
	return [...Object.values(ids).map((id) => ({ id, url, keyDigest: digest })), ...former];
}

/** Writes a URL in one way, because the platform may write its host or a closing slash in another. */
function normalized(text: string): string {
	const url = parseUrl(text);
	if (url === undefined) return text;
	url.pathname = withoutLastSlashes(url.pathname);
	return url.href;
}
