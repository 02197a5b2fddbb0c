/*
 * Webhooks: a delivery arrives at a trigger. Begin here: `receive` takes the steps one after the other, and each of them
 * returns its result, or the decision about the delivery, after which no step follows.
 *
 *   proof.ts            what proves that the platform sent the delivery: signature.ts, subscriptionKey.ts
 *   readEvent.ts        reads which event the delivery tells of, with ../events/delivery.ts
 *   confirmation.ts     looks the record up where nothing proves the delivery
 *   runItems.ts         reads the items that the run starts with
 *   start.ts            decides that the run starts, once for each event
 *
 *   arrival.ts          the delivery after each of these steps; trigger.ts: the choices of people
 *   decision.ts         the decisions that a delivery may come to, and the HTTP status of each
 *   deliveryHistory.ts  the memory of a trigger; lookupBudget.ts: how many requests they may cost
 *
 * subscriptions.ts makes our webhooks on the platform, and gap.ts finds the events that were not delivered.
 */
import { deliveryKey, rawDeliveryKey } from '../events/delivery';
import { isWithinFilters } from '../events/filters';
import { needsTasks } from '../events/item';
import type { Arrival, BelievedEvent, DeliveryRequest } from './arrival';
import { confirm } from './confirmation';
import {
	askForAttention,
	excluded,
	ignore,
	repeated,
	retryLater,
	worthOf,
	type DeliveryDecision,
} from './decision';
import { judgeProof } from './proof';
import { readEvent } from './readEvent';
import { readItems } from './runItems';
import { decideStart } from './start';
import type { Trigger } from './trigger';

/** Decides about a delivery: first by what it proves, then by what it says, at last by what the platform says. */
export async function receive(
	request: DeliveryRequest,
	trigger: Trigger,
): Promise<DeliveryDecision> {
	const { settings, history } = trigger;
	const { eventTypes, filters, verify, output, needsDeduplication } = settings;
	const arrivedAt = history.now();
	const proofResult = judgeProof(request, trigger, arrivedAt);
	if (proofResult.kind !== 'judged') return proofResult;
	const { proof } = proofResult;
	const event = readEvent(request, eventTypes);
	if (event.kind !== 'event') return event;
	const { delivery, raw } = event;
	const { eventType } = delivery;
	if (!eventTypes.includes(eventType))
		return ignore('The trigger does not listen to this event type');
	if (!isWithinFilters(delivery, filters)) return ignore(excluded);
	const readsTasks = raw === undefined && needsTasks(eventType, output);
	// A trigger that believes everything would read the tasks of any job that is named, however often.
	const isBelieved = proof !== 'none' || (verify === 'none' && !readsTasks);
	if (raw !== undefined && !isBelieved) {
		return askForAttention(
			"It has no ID that the API could be asked about. With 'Verify' set to 'Automatic' the key of an automatic subscription, or a signing secret in the credential, would confirm it",
		);
	}
	const key = raw === undefined ? deliveryKey(delivery) : rawDeliveryKey(raw);
	if (needsDeduplication && history.has(key)) return ignore(repeated);
	const arrival: Arrival = { delivery, raw, key, isBelieved, readsTasks, arrivedAt };
	// Somebody who learns our key, for instance from the log of a proxy, would spend requests without end.
	const isUnlimited = proof === 'signature' || (isBelieved && !readsTasks);
	return isUnlimited ? await decide(arrival, trigger) : await decideWithinBudget(arrival, trigger);
}

/** Confirms an event that is not believed, reads its items and starts its run. */
async function decide(arrival: Arrival, trigger: Trigger): Promise<DeliveryDecision> {
	const event = arrival.isBelieved ? believeAsSent(arrival) : await confirm(arrival, trigger);
	if (event.kind !== 'believed') return event;
	const result = await readItems(event, arrival, trigger);
	if (result.kind !== 'items') return result;
	return decideStart(event, result.items, arrival.arrivedAt, trigger);
}

/** Gives the event as it was sent. */
function believeAsSent({ delivery, key }: Arrival): BelievedEvent {
	return { kind: 'believed', delivery, isConfirmed: false, keys: [key] };
}

/** Decides as far as the budget for lookups goes. Deliveries of one event that come together share one decision. */
async function decideWithinBudget(arrival: Arrival, trigger: Trigger): Promise<DeliveryDecision> {
	const { settings, history } = trigger;
	const { needsDeduplication, confirmationsPerMinute } = settings;
	const lookUp = async () => {
		const decideNow = () => decide(arrival, trigger);
		const decision = await history.budget.lookUp(confirmationsPerMinute, decideNow, worthOf);
		const reason =
			'The requests for confirmations are used up; a key or a signature would cost none';
		return decision ?? retryLater(reason);
	};
	// Without deduplication each repetition starts a run, as in a test in the editor.
	if (!needsDeduplication) return await lookUp();
	const { decision, isShared } = await history.decideOnce(arrival.key, lookUp);
	const isAccepted = decision.kind === 'start' || decision.kind === 'ignore';
	return isShared && isAccepted ? ignore('It is being processed already') : decision;
}
