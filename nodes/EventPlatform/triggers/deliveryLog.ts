import type { IWebhookFunctions } from 'n8n-workflow';
import { ProcessMap } from '../core/values/processState';
import { ageOf } from '../core/values/recentTimes';
import { minuteMs, type Ms } from '../core/values/units';
import { statusOf, type OtherDecision } from '../core/webhooks/decision';
import { logOnce, triggerKey } from './triggerContext';

/** When a response was last logged, and how many came since, by trigger and status. */
const lastLines = new ProcessMap<{ loggedAtMs: Ms; others: number }>('loggedDeliveries');

const quietMs = minuteMs;

/** Writes to the log why a delivery started no run: one line a minute for each status, with their number, because a stranger could otherwise fill the log. */
export function logDelivery(context: IWebhookFunctions, decision: OtherDecision): void {
	const { reason, needsAttention } = decision;
	if (needsAttention) {
		explain(context, decision);
		return;
	}
	const status = statusOf(decision);
	const key = `${triggerKey(context)} ${status}`;
	const last = lastLines.get(key) ?? { loggedAtMs: 0, others: 0 };
	if (ageOf(last.loggedAtMs, Date.now()) < quietMs) {
		last.others += 1;
		return;
	}
	lastLines.set(key, { loggedAtMs: Date.now(), others: 0 });
	const others = last.others > 0 ? ` (and ${last.others} others since the last such line)` : '';
	const text = `Event Platform Trigger answered a delivery with ${status}: ${reason}${others}`;
	context.logger[decision.kind === 'retryLater' ? 'warn' : 'debug'](text);
}

function explain(context: IWebhookFunctions, { reason, members }: OtherDecision): void {
	const trigger = `"${context.getNode().name}" of workflow ${context.getWorkflow().id ?? ''}`;
	const itsMembers = members ? ` Its members: ${members}.` : '';
	const text = `A delivery to ${trigger} started no run. ${reason}.${itsMembers}`;
	logOnce(context, 'warn', { topic: reason, text });
}
