/*
 * This file gives each event type of a trigger a webhook on the platform. listedSubscriptions.ts finds those that are there.
 */
import { readRecord } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import { pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { text } from '../values/text';
import type { MadeWebhook, Subscription } from './gap';
import {
	findSubscriptions,
	isMadeAs,
	webhooksPath,
	type ListedSubscriptions,
	type SubscriptionIdentity,
} from './listedSubscriptions';
import { keyDigest, withKey } from './proof';

/** The steps after which each event type of a trigger has one subscription. */
export interface SubscriptionPlan {
	/** The ids of the webhooks that stay in use, by event type. */
	ids: Record<string, string>;
	/** The event types to subscribe to. */
	missing: string[];
	/** The missing event types whose subscription the list does not show any more. */
	vanished: string[];
	/** The event types whose subscription is not the stored one any more, so that events may have been missed. */
	renewed: string[];
	/** The event types whose subscriptions the list never shows. No further ones are made, because they would not be shown either. */
	heldBack: string[];
	/**
	 * The ids of webhooks that are disabled, second, or of event types that are no longer wanted. They are removed first, as nothing
	 * is lost with them.
	 */
	useless: string[];
	/** The webhooks with another address or key. They are removed last, when new ones have taken their place. */
	outdated: MadeWebhook[];
	/** The webhooks that are not in use and may still be on the platform: the outdated ones, and those that the list leaves out. */
	former: MadeWebhook[];
}

/** Lists the subscriptions and plans. Where one is gone it lists once more, because a list may come back empty. */
export async function findAndPlan(
	api: Ask,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
	stored: Subscription | undefined,
): Promise<SubscriptionPlan> {
	const plan = async () =>
		planSubscriptions(
			await findSubscriptions(api, identity, eventTypes),
			identity,
			eventTypes,
			stored,
		);
	const firstPlan = await plan();
	return firstPlan.vanished.length > 0 ? await plan() : firstPlan;
}

/** Plans how each event type comes to have one subscription, by what the platform lists and what is stored. */
export function planSubscriptions(
	{ kept, useless, outdated, foreign, unlisted }: ListedSubscriptions,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
	stored: Subscription | undefined,
): SubscriptionPlan {
	const { ids: storedIds = {}, hiddenEventTypes = [] } = stored ?? {};
	// At another address, or with another key, nothing is stored of this trigger's subscriptions.
	const isStoredForUs = stored !== undefined && isMadeAs(identity, stored);
	const lacking = eventTypes.filter((eventType) => !Object.hasOwn(kept, eventType));
	const heldBack = lacking.filter(
		(eventType) => isStoredForUs && hiddenEventTypes.includes(eventType),
	);
	const missing = lacking.filter((eventType) => !heldBack.includes(eventType));
	const notShown = [...unlisted, ...foreign];
	const vanished = missing.filter((eventType) => notShown.includes(storedIds[eventType] ?? ''));
	const heldBackIds = Object.entries(storedIds).filter(([eventType]) =>
		heldBack.includes(eventType),
	);
	const ids = { ...kept, ...Object.fromEntries(heldBackIds) };
	const renewed = eventTypes.filter((eventType) => ids[eventType] !== storedIds[eventType]);
	// A webhook that the list leaves out is gone, unless the list leaves out one in use as well.
	const mayBeHidden = heldBack.length > 0 || vanished.length > 0;
	const doubtfulWebhooks = identity.made.filter(({ id }) => {
		return mayBeHidden && unlisted.includes(id) && !Object.values(ids).includes(id);
	});
	const former = [...outdated, ...doubtfulWebhooks];
	return { ids, missing, vanished, renewed, heldBack, useless, outdated, former };
}

/** Makes a webhook for an event type, and gives its id. */
export async function subscribe(
	api: Ask,
	identity: SubscriptionIdentity,
	event: string,
): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url: withKey(identity), event } } };
	const request: ApiRequest = { method: 'POST', path: webhooksPath, body, secret: identity.key };
	return text(readRecord(request, await api(request)).id);
}

/** The webhooks that `subscribeTo` makes. It is filled in step by step, so that a failure leaves what was made. */
export type MadeSubscriptions = Pick<Subscription, 'ids' | 'hiddenEventTypes' | 'former'>;

/** Subscribes to the missing event types, and checks whether the list shows those that it did not show before. */
export async function subscribeTo(
	api: Ask,
	identity: SubscriptionIdentity,
	{ missing, vanished, outdated }: SubscriptionPlan,
	made: Required<MadeSubscriptions>,
): Promise<void> {
	const madeWebhooks = [...identity.made];
	for (const eventType of missing) {
		const id = await subscribe(api, identity, eventType);
		if (id === '') continue;
		made.ids[eventType] = id;
		madeWebhooks.push({
			id,
			url: identity.url,
			keyDigest: identity.key && keyDigest(identity.key),
		});
		// It counts as hidden until the list shows it, so that no later start makes a further one, whatever fails from here on.
		if (vanished.includes(eventType)) made.hiddenEventTypes.push(eventType);
	}
	if (vanished.length === 0) return;
	const listed = await findSubscriptions(api, { ...identity, made: madeWebhooks }, vanished).catch(
		asFailure,
	);
	// The webhooks are made. Whether the list shows them is seen the next time, too.
	if (listed instanceof Failure) return;
	made.hiddenEventTypes = made.hiddenEventTypes.filter(
		(eventType) => !Object.hasOwn(listed.kept, eventType),
	);
	if (made.hiddenEventTypes.length === 0) made.former = outdated;
}

/** Removes all webhooks that can be removed, then throws the first failure. A webhook that is gone already is no failure. */
export async function unsubscribe(api: Ask, ids: Iterable<string>): Promise<void> {
	let failure: Failure | undefined;
	for (const id of ids) {
		const path = pathTo`/webhooks/${id}`;
		const response = await api({ method: 'DELETE', path, retry: 'safe' }).catch(asFailure);
		if (response instanceof Failure && response.cause !== 'not_found') failure ??= response;
	}
	if (failure) throw failure;
}
