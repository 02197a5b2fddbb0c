/* The webhooks of a trigger are made, checked and removed here. `subscriptionPlan.ts` decides which. */
import { readRecord } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import { listRecords } from '../client/pages';
import { pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { platformNowMs, type Run } from '../client/run';
import { gapOf } from './gap';
import { keyDigest, withKey } from './proof';
import type { MadeWebhook, Subscription, SubscriptionMemory } from './subscriptionMemory';
import { planSubscription, webhookIdOf, type SubscriptionIdentity } from './subscriptionPlan';

const webhooksPath = '/webhooks';

/** The trigger whose webhooks are made or removed. */
export interface Subscriber {
	identity: SubscriptionIdentity;
	/** The workflow, and its n8n. */
	owner: string;
	/** A test in the editor. */
	isOfTest?: true;
	/** The subscription that goes on. Absent: a new one begins, or another trigger has made it. */
	ongoing?: Readonly<Subscription>;
	memory: SubscriptionMemory;
	/** Stores the subscription with the workflow. */
	store(this: void, subscription: Subscription): void;
	warn(this: void, text: string): void;
}

/** Subscribes to the event types that have no webhook. It costs one request where nothing is missing. */
export async function subscribe(
	run: Pick<Run, 'client' | 'clock'>,
	subscriber: Subscriber,
	eventTypes: readonly string[],
): Promise<void> {
	const { identity, ongoing, memory } = subscriber;
	const ask = run.client.send;
	const listed = await listRecords(ask, webhooksPath);
	const plan = planSubscription(identity, listed, eventTypes, ongoing, platformNowMs(run));
	const remaining = await removeOrWarn(ask, subscriber, plan.needless);
	const subscription = {
		url: identity.url,
		owner: subscriber.owner,
		isOfTest: subscriber.isOfTest,
		keyDigest: identity.key && keyDigest(identity.key),
		ids: plan.ids,
		madeAgainAt: plan.madeAgainAt,
		madeAt: ongoing?.madeAt ?? platformNowMs(run),
	};
	/**
	 * A delivery may have been missed while requests were under way, so this is noted after the webhooks were made, and after those were
	 * removed that are not needed.
	 */
	const note = (changed: Pick<Subscription, 'seenAt' | 'outdated'>) => {
		const known = ongoing && { ...ongoing, missed: memory.ongoing?.missed };
		const gap = known && gapOf(known, plan.interrupted, memory.arrived);
		keep(subscriber, { ...subscription, missed: gap, ...changed });
	};
	// Where one cannot be made, the next check has to look, however soon it comes.
	let seenAt = ongoing?.seenAt ?? platformNowMs(run);
	try {
		await makeWebhooks(ask, identity, plan.toMake, plan.ids);
		seenAt = platformNowMs(run);
		memory.noteLook();
	} finally {
		note({ seenAt, outdated: [...remaining, ...plan.outdated] });
	}
	if (plan.outdated.length === 0) return;
	const remainingOutdated = await removeOrWarn(ask, subscriber, webhookIds(plan.outdated));
	note({ seenAt: platformNowMs(run), outdated: [...remaining, ...remainingOutdated] });
}

/** Removes webhooks, and gives those that it has to remember because they are still there. The next plan has them again. */
async function removeOrWarn(
	ask: Ask,
	{ identity, warn }: Pick<Subscriber, 'identity' | 'warn'>,
	ids: readonly string[],
): Promise<MadeWebhook[]> {
	const remaining = await removeWebhooks(ask, ids);
	const [first] = remaining;
	if (first) {
		warn(
			`Event Platform Trigger could not delete its former webhooks, and tries again later: ${first.failure.message}`,
		);
	}
	return identity.made.filter((made) => remaining.some(({ id }) => id === made.id));
}

/**
 * Removes all webhooks of the trigger. While n8n starts it stays stored since when events are missed, because n8n does this as well
 * when another trigger of the workflow fails, and may end before it tries again.
 */
export async function unsubscribe(
	run: Pick<Run, 'client' | 'clock'>,
	subscriber: Subscriber,
): Promise<void> {
	const { identity, ongoing, memory } = subscriber;
	const ask = run.client.send;
	const listed = await listRecords(ask, webhooksPath);
	const nowMs = platformNowMs(run);
	// No event type is wanted and no subscription goes on, so that each of our webhooks is needless or outdated.
	const { needless, outdated, gone } = planSubscription(identity, listed, [], undefined, nowMs);
	const [first] = await removeWebhooks(ask, [...needless, ...webhookIds(outdated)]);
	if (first) throw first.failure;
	const isMade = (id: string) => identity.made.some((webhook) => webhook.id === id);
	const notFound = withoutFoundByKey(gone, needless.filter((id) => !isMade(id)).length);
	if (notFound.length > 0) {
		subscriber.warn(
			`Event Platform Trigger did not delete ${notFound.length} webhooks that it has made (${notFound.join(', ')}), because the platform does not list them with the URL ${identity.url}. They are gone, or their IDs belong to others by now. Delete on the platform what still has this URL.`,
		);
	}
	if (ongoing === undefined) return;
	// What a person unpublishes is over, also where n8n starts it again: `n8n publish:workflow` leaves that to the next start.
	const { isStarting, arrived } = memory;
	const gap = isStarting ? gapOf(ongoing, Object.keys(ongoing.ids), arrived) : undefined;
	const nothing = { ids: {}, outdated: [], keyDigest: undefined };
	keep(subscriber, { ...ongoing, ...nothing, missed: gap, seenAt: platformNowMs(run) });
}

function webhookIds(webhooks: ReadonlyArray<{ id: string }>): string[] {
	return webhooks.map(({ id }) => id);
}

/** n8n saves what a check stores only when it starts a run; the next delivery saves what the process knows as well. */
export function keep(
	{ memory, store }: Pick<Subscriber, 'memory' | 'store'>,
	subscription: Subscription,
): void {
	memory.note(subscription);
	store(subscription);
}

/** Makes a webhook for each event type. The ids are filled in step by step, so that a failure leaves what was made. */
async function makeWebhooks(
	ask: Ask,
	identity: SubscriptionIdentity,
	eventTypes: readonly string[],
	ids: Record<string, string>,
): Promise<void> {
	for (const event of eventTypes) {
		const body = { data: { type: 'webhooks', attributes: { url: withKey(identity), event } } };
		const request: ApiRequest = { method: 'POST', path: webhooksPath, body, secret: identity.key };
		ids[event] = webhookIdOf(readRecord(request, await ask(request))) || unknownId;
	}
}

/**
 * Stands for the ID of a webhook whose response names none; no such response is known. The next look finds the webhook by its key. Where
 * it does not, the webhook counts as gone, so that it is made again once a day, and a person is told at the end.
 */
const unknownId = 'unknown ID';

/** Leaves out of the webhooks that are gone those without an ID of their own, as many as the list shows with our key and another ID. */
function withoutFoundByKey(gone: readonly string[], foundCount: number): string[] {
	const unnamed = gone.filter((id) => id === unknownId);
	return [...gone.filter((id) => id !== unknownId), ...unnamed.slice(foundCount)];
}

/** Removes all webhooks that can be removed, and gives the others. One that is gone already is no failure, so an attempt may be repeated. */
async function removeWebhooks(
	ask: Ask,
	ids: Iterable<string>,
): Promise<Array<{ id: string; failure: Failure }>> {
	const remaining = [];
	for (const id of ids) {
		const path = pathTo`/webhooks/${id}`;
		const response = await ask({ method: 'DELETE', path, retry: 'idempotent' }).catch(asFailure);
		const isThere = response instanceof Failure && response.cause !== 'not_found';
		if (isThere) remaining.push({ id, failure: response });
	}
	return remaining;
}
