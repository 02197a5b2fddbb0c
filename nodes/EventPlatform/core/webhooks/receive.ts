/*
 * Webhooks: a delivery arrives at a trigger. Begin here: `receive` takes the steps one after the other, and each of them
 * returns its result, or the decision about the delivery. A delivery whose proof is wrong, that cannot be read, is of an event that nobody chose or
 * is left out by the filters is decided at once. Any other decision goes through the last step: `acceptLastAttempts`.
 *
 *   proof.ts           what proves that the platform sent the delivery: the key in our URL, a signature, or else its record
 *   runItems.ts        reads the items that the run starts with
 *
 *   webhookTrigger.ts  the choices of people, and the delivery on its way
 *   decision.ts        the decisions that a delivery may come to, and the HTTP status of each
 *   lastAttempt.ts     what becomes of the last attempts of a delivery that nobody could judge, or that seems forged
 *   history.ts         the memory of a trigger: which events have started a run; lookupBudget.ts: how many requests deliveries may cost
 *   factsMemory.ts     what all triggers of a token know of the sessions that deliveries are about
 *
 * Our webhooks on the platform: subscriptionPlan.ts decides what is to be done about them, subscriptions.ts makes and removes them, and
 * subscriptionMemory.ts knows when they last worked. deliverable.ts says where the platform cannot deliver, and gap.ts finds the events
 * that were not delivered.
 */
import { memberNames, readDelivery, type UnreadReason } from '../events/delivery';
import { deliveryKey } from '../events/eventKey';
import { happenedAtMs, type Delivery } from '../events/eventTypes';
import { isWithinFilters } from '../events/filters';
import { needsTasks } from '../events/item';
import { hasOwnId } from '../records/record';
import type { JsonObject } from '../values/json';
import {
	askForAttention,
	excluded,
	ignore,
	leaveOut,
	lookupResultOf,
	repeated,
	retryAfterError,
	retryLater,
	type DeliveryDecision,
	type OtherDecision,
	type StartDecision,
} from './decision';
import type { DeliveryHistory } from './history';
import { acceptLastAttempts } from './lastAttempt';
import { confirm, isOfDigest, judgeProof } from './proof';
import { readItems } from './runItems';
import type { Arrival, BelievedEvent, DeliveryRequest, Trigger } from './webhookTrigger';

/** Decides about a delivery: first by what it proves, then by what it says, at last by what the platform says. */
export async function receive(
	request: DeliveryRequest,
	trigger: Trigger,
): Promise<DeliveryDecision> {
	const { settings, history } = trigger;
	const { eventTypes, filters, output } = settings;
	const arrivedAtMs = history.now();
	const proof = judgeProof(request, trigger, arrivedAtMs);
	if (proof.kind === 'forged') return proof;
	const event = readEvent(request, eventTypes);
	if (event.kind !== 'event') return event;
	const { delivery } = event;
	const { eventType, record } = delivery;
	if (!eventTypes.includes(eventType))
		return ignore('The trigger does not listen to this event type');
	if (!isWithinFilters(delivery, filters)) return ignore(excluded);
	const eventKey = deliveryKey(delivery);
	const arrival: Arrival = {
		delivery,
		eventKey,
		trust: proof.kind === 'judged' ? proof.trust : 'unproven',
		isToOurWebhook: isOfDigest(request.key, history.subscriptionMemory.ongoing?.keyDigest),
		hasTasksToRead: hasOwnId(record) && needsTasks(eventType, output),
		arrivedAtMs,
		isNearlyLast: history.isNearlyLast(eventKey, arrivedAtMs),
	};
	const decision =
		proof.kind === 'judged' ? await decideEvent(arrival, trigger).catch(retryAfterError) : proof;
	return acceptLastAttempts(decision, arrival, trigger);
}

type EventResult = { kind: 'event'; delivery: Delivery } | OtherDecision;

function readEvent(
	{ body, event }: Pick<DeliveryRequest, 'body' | 'event'>,
	eventTypes: readonly string[],
): EventResult {
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(body));
	} catch {
		return { kind: 'unreadable', reason: 'The body is not JSON' };
	}
	const reading = readDelivery(json, { chosen: eventTypes, named: event });
	if ('kind' in reading)
		return { ...decideUnread(reading, eventTypes), members: memberNames(json) };
	return { kind: 'event', delivery: reading };
}

/** Decides about a delivery that is not read as an event. It starts nothing, no matter who sent it. */
function decideUnread(reason: UnreadReason, eventTypes: readonly string[]): OtherDecision {
	switch (reason.kind) {
		case 'not_an_event':
			return askForAttention('This is not an event that the trigger can read');
		case 'ambiguous': {
			const { candidates } = reason;
			return askForAttention(
				`It does not say which of the chosen events it is. It may be ${candidates.join(' or ')}. Set 'Subscription' to 'Manual' and add the event to the URL of each webhook on the platform, for example ?event=${candidates[0]}, or use an Event Platform Trigger for each of these events`,
			);
		}
		case 'event_not_chosen':
			return askForAttention(
				`The webhook's URL has to name one chosen event in ?event=, and one of such records. Chosen are ${eventTypes.join(', ')}. Correct the URL on the platform, with a webhook for each event, or choose the event under 'Trigger On'`,
			);
	}
}

async function decideEvent(arrival: Arrival, trigger: Trigger): Promise<DeliveryDecision> {
	const { delivery, eventKey, trust, hasTasksToRead } = arrival;
	const { settings, history } = trigger;
	if (trust === 'unproven' && !hasOwnId(delivery.record)) {
		return askForAttention(
			"It has no ID that the API could be asked about. With 'Verify' set to 'Automatic' the key of an automatic subscription, or a signing secret in the credential, would confirm it",
		);
	}
	if (settings.needsDeduplication && history.has(eventKey))
		return decideRepeated([eventKey], history);
	// Only the platform may cause requests without a limit.
	const isLimited = trust === 'unproven' || (hasTasksToRead && trust !== 'signed');
	return isLimited
		? await decideWithinBudget(arrival, trigger)
		: await decideDelivery(arrival, trigger);
}

async function decideDelivery(arrival: Arrival, trigger: Trigger): Promise<DeliveryDecision> {
	const { delivery, eventKey, trust } = arrival;
	const asSent: BelievedEvent = {
		kind: 'believed',
		delivery,
		isConfirmed: false,
		eventKeys: [eventKey],
	};
	const event = trust === 'unproven' ? await confirm(arrival, trigger) : asSent;
	if (event.kind !== 'believed') return event;
	const result = await readItems(event, arrival, trigger);
	if (result.kind !== 'items') return result;
	return decideStart(event, result.items, trigger);
}

/** Decides as far as the budget for lookups goes. */
async function decideWithinBudget(arrival: Arrival, trigger: Trigger): Promise<DeliveryDecision> {
	const { settings, history } = trigger;
	const decide = () => decideDelivery(arrival, trigger);
	const budget = arrival.trust === 'keyed' ? history.keyedBudget : history.budget;
	const decision = await budget.lookUp(settings.confirmationsPerMinute, decide, lookupResultOf);
	return (
		decision ??
		retryLater('The requests for confirmations are used up; a key or a signature would cost none')
	);
}

/**
 * Decides that an event starts a run with these items, unless it has started one. Several deliveries of it may have waited
 * for the platform at the same time. Nothing is awaited in here, so that only the first of them finds it new.
 */
function decideStart(
	{ delivery, eventKeys }: BelievedEvent,
	items: JsonObject[],
	trigger: Trigger,
): StartDecision | OtherDecision {
	const { settings, history } = trigger;
	const { needsDeduplication } = settings;
	const { eventType } = delivery;
	const isRepeated = needsDeduplication && eventKeys.some((key) => history.has(key));
	if (isRepeated) return decideRepeated(eventKeys, history);
	if (items.length === 0) {
		history.remember(eventKeys);
		return leaveOut('No item is left to start a run with');
	}
	// Its keys are remembered in any case once the run has begun: by them the reading of what was missed knows what was delivered.
	if (needsDeduplication) history.begin(eventKeys);
	return {
		kind: 'start',
		items,
		eventType,
		eventKeys,
		happenedAtMs: happenedAtMs(delivery),
	};
}

/**
 * Decides about an event that came before. While n8n still creates its run, the platform is to come again: if that fails, only a later attempt
 * can start it.
 */
function decideRepeated(eventKeys: readonly string[], history: DeliveryHistory): OtherDecision {
	return eventKeys.some((key) => history.isOpen(key))
		? retryLater('n8n is about to create its run')
		: ignore(repeated);
}
