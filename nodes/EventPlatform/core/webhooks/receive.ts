/*
 * Webhooks: a delivery arrives at a trigger. Begin here.
 *
 *   proof.ts            what proves that the platform sent the delivery: signature.ts, subscriptionKey.ts
 *   ../events/delivery  reads which event the delivery tells of
 *   confirmation.ts     looks the record up where nothing proves the delivery, within lookupBudget.ts
 *   start.ts            starts a run, once for each event; runItems.ts: with which items
 *   decision.ts         the decisions that a delivery may come to, and the HTTP status of each
 *   deliveryHistory.ts  what a trigger remembers of deliveries
 *
 * subscriptions.ts makes our webhooks on the platform, and gap.ts finds the events that were not delivered.
 */
import { parseJson } from '../values/json';
import {
	asRecord,
	deliveryKey,
	rawDeliveryKey,
	readDelivery,
	type Obscurity,
	type RawDelivery,
} from '../events/delivery';
import { isWithinFilters, type Delivery } from '../events/eventTypes';
import { needsTasks, rawRecordOf } from '../events/item';
import { confirmWithinBudget } from './confirmation';
import {
	askForAttention,
	excluded,
	ignore,
	repeated,
	type DeliveryDecision,
	type OtherDecision,
} from './decision';
import { judgeProof, type DeliveryRequest } from './proof';
import { decideByTitle, readSessionFacts } from './runItems';
import { startRunOnce, startRun, type BelievedDelivery } from './start';
import type { ReceivingTrigger, RecordReceiver, Trigger } from './trigger';

const noEvent = 'This is not an event';
const notListenedTo = 'The trigger does not listen to this kind';

/** Decides what a delivery comes to: first by what it proves, then by what it says, at last by what the platform says. */
export async function receive(
	request: DeliveryRequest,
	trigger: Trigger,
): Promise<DeliveryDecision> {
	const arrivedAt = trigger.history.now();
	const result = judgeProof(request, trigger, arrivedAt);
	if (result.kind === 'decided') return result.decision;
	let body: unknown;
	try {
		body = parseJson(new TextDecoder().decode(request.body));
	} catch {
		return { kind: 'unreadable', reason: 'The body is not JSON' };
	}
	const reading = readDelivery(body, { chosen: trigger.eventTypes, named: request.event });
	const receiving: ReceivingTrigger = { ...trigger, proof: result.proof, arrivedAt };
	switch (reading.form) {
		case 'none':
			return decideObscure(reading.obscurity, trigger.eventTypes);
		case 'raw':
			return await receiveRaw(reading.delivery, receiving);
		case 'record':
			return await receiveRecord(reading.delivery, receiving);
	}
}

/** A delivery that is not read as an event starts nothing, no matter who sent it. */
function decideObscure(obscurity: Obscurity, eventTypes: readonly string[]): OtherDecision {
	switch (obscurity.because) {
		case 'unrelated':
			return ignore(noEvent);
		case 'ambiguous': {
			const { candidates } = obscurity;
			return askForAttention(
				`It does not say which of the chosen events it is. It may be ${candidates.join(' or ')}. Set 'Subscription' to 'Manual' and add the event to the URL of each webhook on the platform, for example ?event=${candidates[0]}, or use an Event Platform Trigger for each of these events`,
			);
		}
		case 'severalNamed':
			return askForAttention(
				"The webhook's URL names several events. Give it one ?event= on the platform, and make a webhook for each of the other events",
			);
		case 'namedInVain':
			return askForAttention(
				`The event in the webhook's URL (?event=) is not chosen, or belongs to other records. Chosen are ${eventTypes.join(', ')}. Correct the URL on the platform, or choose the event under 'Trigger On'`,
			);
	}
}

/** Hands a delivery that is no record on as it came, where it is proven or nobody checks, because no lookup can confirm it. */
async function receiveRaw(
	delivery: RawDelivery,
	trigger: ReceivingTrigger,
): Promise<DeliveryDecision> {
	const { eventTypes, verify, filters, needsDeduplication, history, proof, arrivedAt } = trigger;
	if (!eventTypes.includes(delivery.eventType)) return ignore(notListenedTo);
	const record = asRecord(delivery);
	if (!isWithinFilters(record, filters)) return ignore(excluded);
	if (proof === 'none' && verify !== 'none') {
		return askForAttention(
			"It has no ID that the API could be asked about. With 'Verify' set to 'Automatic' the key of an automatic subscription, or a signing secret in the credential, would confirm it",
		);
	}
	const key = rawDeliveryKey(delivery);
	if (needsDeduplication && history.has(key)) return ignore(repeated);
	if (filters.eventTitleContains !== undefined) {
		const facts = await readSessionFacts(record, trigger);
		const decision = decideByTitle(record, facts, key, trigger);
		if (decision !== undefined) return decision;
		// The same delivery may have come twice, and started its run while the title was read.
		if (needsDeduplication && history.has(key)) return ignore(repeated);
	}
	const keys = needsDeduplication ? [key] : [];
	return startRun(delivery.eventType, [rawRecordOf(delivery, arrivedAt)], keys, trigger);
}

/** Starts a run with the record of a delivery that is proven, or that the platform confirms. */
async function receiveRecord(
	delivery: Delivery,
	trigger: ReceivingTrigger,
): Promise<DeliveryDecision> {
	const { eventTypes, verify, filters, output, needsDeduplication, history, proof } = trigger;
	if (!eventTypes.includes(delivery.eventType)) return ignore(notListenedTo);
	if (!isWithinFilters(delivery, filters)) return ignore(excluded);
	const key = deliveryKey(delivery);
	if (needsDeduplication && history.has(key)) return ignore(repeated);
	const receiver: RecordReceiver = { ...trigger, delivery, key };
	const asSent: BelievedDelivery = { delivery, isConfirmed: false };
	// A trigger that believes everything would read the tasks of any job that is named, however often. And somebody
	// who learns the key, for instance from the log of a proxy, would spend requests without end.
	const isFree = !needsTasks(delivery.eventType, output);
	const isBelieved = proof === 'key' || verify === 'none';
	if (proof === 'signature' || (isBelieved && isFree)) {
		return (await startRunOnce(asSent, receiver)).decision;
	}
	const confirm = () => confirmWithinBudget(asSent, receiver);
	// Each repetition starts a run, as in a test in the editor.
	if (!needsDeduplication) return await confirm();
	const { decision, isShared } = await history.decideOnce(key, confirm);
	const isStarted = decision.kind === 'start' || decision.kind === 'ignore';
	return isShared && isStarted ? ignore('It is being processed already') : decision;
}
