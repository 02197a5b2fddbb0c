import type { IWebhookFunctions } from 'n8n-workflow';
import { keepLatest } from '../core/values/collections';
import { statusOf, type OtherDecision } from '../core/webhooks/decision';
import { triggerOf } from './storage';

/** When a response was last logged, and how many came since, by trigger and status. */
const logged = new Map<string, { loggedAt: number; others: number }>();

/** The changes that a person was told to make, by trigger and reason. */
const explained = new Map<string, true>();

/** Writes to the log why a delivery started no run: one line a minute for each status, with their number, because a stranger could otherwise fill the log. */
export function logDelivery(context: IWebhookFunctions, decision: OtherDecision): void {
	const { reason, needsAttention } = decision;
	if (needsAttention) {
		explain(context, reason);
		return;
	}
	const status = statusOf(decision);
	const about = `${triggerOf(context)} ${status}`;
	const last = logged.get(about) ?? { loggedAt: 0, others: 0 };
	if (Math.abs(Date.now() - last.loggedAt) < 60_000) {
		last.others += 1;
		return;
	}
	logged.set(about, { loggedAt: Date.now(), others: 0 });
	keepLatest(logged, 1_000);
	const others = last.others > 0 ? ` (and ${last.others} others since the last such line)` : '';
	const text = `Event Platform Trigger answered a delivery with ${status}: ${reason}${others}`;
	context.logger[decision.kind === 'retryLater' ? 'warn' : 'debug'](text);
}

/** Writes to the log once what a person has to change, because each further delivery would say the same. */
function explain(context: IWebhookFunctions, reason: string): void {
	const about = `${triggerOf(context)} ${reason}`;
	if (explained.has(about)) return;
	explained.set(about, true);
	keepLatest(explained, 1_000);
	const trigger = `"${context.getNode().name}" of workflow ${context.getWorkflow().id ?? ''}`;
	context.logger.warn(`A delivery to ${trigger} started no run. ${reason}.`);
}
