import { asDelivery, readDelivery, type Obscurity, type RawDelivery } from '../events/delivery';
import type { Delivery } from '../events/eventTypes';
import { parseJson } from '../values/json';
import type { DeliveryRequest } from './arrival';
import { askForAttention, ignore, type OtherDecision } from './decision';

/** The event that a request tells of, and its body where that is no record; or the decision about a request that tells of none. */
type EventResult = { kind: 'event'; delivery: Delivery; raw?: RawDelivery } | OtherDecision;

/** Reads the event that a request tells of. `eventTypes`: those that the trigger listens to. */
export function readEvent(
	{ body, event }: Pick<DeliveryRequest, 'body' | 'event'>,
	eventTypes: readonly string[],
): EventResult {
	let json: unknown;
	try {
		json = parseJson(new TextDecoder().decode(body));
	} catch {
		return { kind: 'unreadable', reason: 'The body is not JSON' };
	}
	const reading = readDelivery(json, { chosen: eventTypes, named: event });
	switch (reading.form) {
		case 'record':
			return { kind: 'event', delivery: reading.delivery };
		case 'raw':
			return { kind: 'event', delivery: asDelivery(reading.delivery), raw: reading.delivery };
		case 'none':
			return decideObscure(reading.obscurity, eventTypes);
	}
}

/** Decides about a delivery that is not read as an event. It starts nothing, no matter who sent it. */
function decideObscure(obscurity: Obscurity, eventTypes: readonly string[]): OtherDecision {
	switch (obscurity.because) {
		case 'unrelated':
			return ignore('This is not an event');
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
