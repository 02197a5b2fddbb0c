import { isListable } from '../events/eventTypes';
import { askForAttention, ignore, retryLater, type OtherDecision } from './decision';
import type { DeliveryHistory } from './history';
import type { Arrival } from './trigger';

/**
 * Decides about a delivery that nobody can judge at the moment. The platform comes again, but after its sixth attempt it would disable the
 * webhook. So the last two are accepted: the next check of our own webhook reads what came since, and of a webhook that a person has made
 * the event is lost.
 */
export function retryWhileDelivered(
	reason: string,
	{ delivery: { eventType }, key, trust }: Pick<Arrival, 'delivery' | 'key' | 'trust'>,
	history: DeliveryHistory,
): OtherDecision {
	const { firstAtMs, isNearlyLast } = history.noteFailedAttempt(key);
	if (!isNearlyLast) return retryLater(reason);
	// A stranger may have sent it, so it must not cause a check.
	if (trust === 'unproven') {
		return { ...askForAttention(`${reason}. ${notAgain}`), isUnproven: true };
	}
	return isListable(eventType) && history.ours.noteMissed(eventType, firstAtMs)
		? ignore(`${reason}. The next check of the subscription reads what came since`)
		: askForAttention(`${reason}. ${notAgain}`);
}

const notAgain = 'The platform does not deliver it again';
