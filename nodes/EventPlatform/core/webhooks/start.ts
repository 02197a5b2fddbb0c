import type { JsonObject } from '../values/json';
import type { BelievedEvent } from './arrival';
import {
	ignore,
	ignoreUnproven,
	repeated,
	type OtherDecision,
	type StartDecision,
} from './decision';
import type { Trigger } from './trigger';

/**
 * Decides that an event starts a run with these items, unless it has started one. Several deliveries of it may have waited
 * for the platform at the same time. Nothing is awaited in here, so that only the first of them finds it new.
 */
export function decideStart(
	{ delivery, keys: keysOfEvent }: BelievedEvent,
	items: JsonObject[],
	arrivedAt: number,
	{ settings, history }: Trigger,
): StartDecision | OtherDecision {
	const { eventType } = delivery;
	const keys = settings.needsDeduplication ? keysOfEvent : [];
	const isRepeated = keys.some((key) => history.has(key));
	if (isRepeated) history.rememberVariation(keys);
	// A true event can be sent in endless variations, each of which costs a request.
	if (isRepeated) return ignoreUnproven(repeated);
	if (items.length === 0) {
		history.remember(keys);
		return ignore('No item is left to start a run with');
	}
	history.begin(keys);
	return { kind: 'start', items, eventType, keys, arrivedAtMs: arrivedAt };
}
