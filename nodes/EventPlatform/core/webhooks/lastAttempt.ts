import { isListable } from '../events/eventTypes';
import { askForAttention, ignore, type DeliveryDecision, type OtherDecision } from './decision';
import type { Arrival, Trigger } from './webhookTrigger';

/**
 * What becomes of each attempt of a delivery that starts no run now. The platform comes again, but after its sixth attempt it would
 * disable the webhook. So the last two are accepted. What seems forged may be genuine: a person may have been unregistered since, or an event deleted.
 */
export function acceptLastAttempts(
	decision: DeliveryDecision,
	arrival: Arrival,
	trigger: Pick<Trigger, 'history' | 'settings'>,
): DeliveryDecision {
	const { kind } = decision;
	if (kind !== 'retryLater' && kind !== 'forged') return decision;
	if (!arrival.isNearlyLast) {
		trigger.history.noteFailure(arrival.eventKey, arrival.arrivedAtMs);
		return decision;
	}
	return kind === 'forged' ? ignore(decision.reason) : acceptUnjudged(decision, arrival, trigger);
}

/**
 * Accepts a delivery that nobody could judge: the next check of our own webhook reads what came since, and of a webhook that a person
 * has made the event is lost, as it is where nothing is ever checked.
 */
function acceptUnjudged(
	{ reason }: OtherDecision,
	{ delivery: { eventType }, trust, isToOurWebhook }: Arrival,
	{ history, settings }: Pick<Trigger, 'history' | 'settings'>,
): OtherDecision {
	const { subscriptionMemory } = history;
	const isOurs = subscriptionMemory.ongoing !== undefined;
	// What a stranger may have sent must not cause a check.
	const isChecked = isOurs && (trust !== 'unproven' || isToOurWebhook);
	const lost = `${reason}. The platform does not deliver it again`;
	if (!isChecked || !isListable(eventType)) return askForAttention(lost);
	if (!settings.hasChecks) {
		return askForAttention(
			`${lost}. Add a time under 'Check Subscription', so that the next such event is read later`,
		);
	}
	subscriptionMemory.noteMissed(eventType);
	// A process that only takes deliveries shares nothing with the one that checks but what is stored, which n8n reads when it starts.
	if (subscriptionMemory.isStarting) {
		return askForAttention(
			`${reason}. This process of n8n makes no checks, so what came since is read after the next start of n8n`,
		);
	}
	return ignore(`${reason}. The next check of the subscription reads what came since`);
}
