import type { JsonObject } from '../values/json';
import { deliveryKey } from '../events/delivery';
import { isWithinFilters, type Delivery } from '../events/eventTypes';
import {
	ignore,
	repeated,
	type DeliveryDecision,
	type OtherDecision,
	type StartDecision,
} from './decision';
import type { Worth } from './lookupBudget';
import { readItems } from './runItems';
import type { ReceivingTrigger, RecordReceiver } from './trigger';

/** A delivery that is believed. */
export interface BelievedDelivery {
	delivery: Delivery;
	/** Whether the platform was asked, so that the record is the one that it shows. */
	isConfirmed: boolean;
}

/** The decision about a delivery, and what the delivery was worth as far as the platform was asked. */
export interface WeighedDecision {
	decision: DeliveryDecision;
	worth: Worth;
}

/** Starts the run of a delivery that is believed, unless it was started before. */
export async function startRunOnce(
	believed: BelievedDelivery,
	receiver: RecordReceiver,
): Promise<WeighedDecision> {
	const { key, needsDeduplication, history, filters } = receiver;
	const { delivery } = believed;
	let items: JsonObject[] = [];
	if (isWithinFilters(delivery, filters)) {
		const result = await readItems(believed, receiver);
		if (result.kind === 'decided') return result;
		items = result.items;
	}
	// The delivery may be a variation of an earlier one. The record that was confirmed shows it.
	const keys = needsDeduplication ? [key, deliveryKey(delivery)] : [];
	if (keys.some((seen) => history.has(seen))) {
		// A true event can be sent in endless variations, each of which costs a request.
		history.remember(keys);
		return { decision: ignore(repeated), worth: 'forged' };
	}
	const decision = startRun(delivery.eventType, items, keys, receiver);
	return { decision, worth: 'genuine' };
}

/** Starts a run, unless nothing is left to start it with. `keys`: those by which the event is recognised when it comes again. */
export function startRun(
	eventType: string,
	items: JsonObject[],
	keys: readonly string[],
	{ history, arrivedAt }: ReceivingTrigger,
): StartDecision | OtherDecision {
	history.remember(keys);
	if (items.length === 0) return ignore('No item is left to start a run with');
	return {
		kind: 'start',
		items,
		reason: `${eventType} starts a run`,
		onCreated: (isCreated) => {
			if (isCreated) history.recordArrival(eventType, arrivedAt);
			else history.forget(keys);
		},
	};
}
