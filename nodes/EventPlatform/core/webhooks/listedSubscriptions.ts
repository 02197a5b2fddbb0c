import { parseUrl, withoutLastSlashes } from '../client/baseUrl';
import { attributesOf } from '../client/document';
import { Failure } from '../client/failure';
import { listRecords } from '../client/pages';
import { isUuid, normalizeId } from '../client/path';
import type { Ask } from '../client/request';
import { isDisabled } from '../dialect/webhooks';
import { text } from '../values/text';
import type { MadeWebhook, Subscription } from './gap';
import { keyDigest, withKey } from './subscriptionKey';

/** Where the platform has its webhooks. */
export const webhooksPath = '/webhooks';

/** The facts that tell the subscriptions of one trigger from all others of the workspace. */
export interface SubscriptionIdentity {
	/** Where deliveries go, without the key. */
	url: string;
	/** Absent where the credential has no secret to make a key of. */
	key?: string;
	/** The webhooks that this workflow made, as far as that was stored. */
	made: readonly MadeWebhook[];
}

/** Our subscriptions, as the list of the platform shows them. Each stands in one part. */
export interface ListedSubscriptions {
	/** The ids of those in use, by event type: each is for one event type. */
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
	/** Webhooks with our address and key. `place`: among those that were stored, so that those in use stay in use. */
	const current: Array<{ id: string; event: string; isUnused: boolean; place: number }> = [];
	const listedIds = new Set<string>();
	for (const record of await listRecords(api, webhooksPath)) {
		// Some platforms have numbers as ids.
		const id = normalizeId(text(record.id));
		const attributes = attributesOf(record);
		const place = identity.made.findIndex((webhook) => normalizeId(webhook.id) === id);
		const made = identity.made[place];
		listedIds.add(id);
		switch (belongingOf(text(attributes.url), identity, made)) {
			case 'others':
				if (made) subscriptions.foreign.push(id);
				break;
			case 'outdated':
				if (made) subscriptions.outdated.push(made);
				break;
			case 'current': {
				current.push({
					id,
					event: text(attributes.event),
					isUnused: isDisabled(attributes),
					place: made ? place : identity.made.length,
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

/** A list that shows none of these webhooks. */
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

/** Whether a listed URL is the one that a webhook of ours was made with. The platform may drop the query. */
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
	/** They can be removed by their ids, which no other webhook can have. */
	removable: string[];
	/** Their ids may belong to others: they are left alone, and people are told. */
	doubtful: string[];
}

/** Decides which webhooks can be removed that the list does not show: it may leave out disabled ones. The platform may give an id again that is counted, and never a UUID. */
export function judgeHidden({ foreign, unlisted }: ListedSubscriptions): HiddenWebhooks {
	return {
		removable: unlisted.filter(isUuid),
		doubtful: [...foreign, ...unlisted.filter((id) => !isUuid(id))],
	};
}

/** All webhooks that were made and may still be on the platform. */
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
