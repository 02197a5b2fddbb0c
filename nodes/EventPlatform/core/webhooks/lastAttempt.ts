import { isListable } from '../events/eventTypes';
import { askForAttention, ignore, retryLater, type OtherDecision } from './decision';
import type { Arrival, Trigger } from './webhookTrigger';

/**
 * Decides about a delivery that nobody can judge at the moment. The platform comes again, but after its sixth attempt it would disable the
 * webhook. So the last two are accepted: the next check of our own webhook reads what came since, and of a webhook that a person has made
 * the event is lost, as it is where nothing is ever checked.
 */
export function retryWhileDelivered(
	reason: string,
	{ delivery: { eventType }, eventKey, trust }: Pick<Arrival, 'delivery' | 'eventKey' | 'trust'>,
	{ history, settings }: Pick<Trigger, 'history' | 'settings'>,
): OtherDecision {
	if (history.noteFailure(eventKey) === 'early') return retryLater(reason);
	// What a stranger may have sent must not cause a check.
	const isChecked = trust !== 'unproven' && history.subscriptionMemory.ongoing !== undefined;
	if (!isChecked || !isListable(eventType)) return askForAttention(`${reason}. ${notAgain}`);
	if (!settings.hasChecks) return askForAttention(`${reason}. ${notAgain}. ${howToCheck}`);
	history.subscriptionMemory.noteMissed(eventType);
	// A process that only takes deliveries shares nothing with the one that checks but what is stored, which n8n reads when it starts.
	if (history.subscriptionMemory.hasNotPolled)
		return askForAttention(`${reason}. ${readAfterStart}`);
	return ignore(`${reason}. The next check of the subscription reads what came since`);
}

const readAfterStart =
	'This process of n8n makes no checks, so what came since is read after the next start of n8n';
const notAgain = 'The platform does not deliver it again';
const howToCheck =
	"Add a time under 'Check Subscription', so that the next such event is read later";
