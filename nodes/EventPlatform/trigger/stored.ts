import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { DeliveryHistory, type Stored } from '../core/deliveries/deliveryHistory';

/**
 * What the webhook trigger keeps with n8n. Begin here.
 *
 * Webhook trigger: `subscription.ts` makes the webhooks on the platform when a workflow is published, looks after them
 * and catches up, `webhook.ts` takes each delivery.
 * Polling trigger: `poll.ts`, and what it costs in `pollingCost.ts`.
 * Both: `settings.ts` is what people chose in `description.ts`, and n8n's items.
 */

type Context = IHookFunctions | IPollFunctions | IWebhookFunctions;

export function storedOf(context: Context): Stored {
	return context.getWorkflowStaticData('node');
}

/** One trigger of one workflow, in this process. A test in the editor shares nothing with the trigger in use. */
export function triggerOf(context: Context): string {
	const use = context.getMode() === 'manual' ? 'test' : '';
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id} ${use}`;
}

/** Longer than from one check to the next, which is a month at most. What matters then is stored. */
const forgottenAfterMs = 40 * 86_400_000;
const histories = new Map<string, { history: DeliveryHistory; usedAt: number }>();

/**
 * n8n gives each delivery a copy of its own of what is stored, and the last one to be saved wins.
 * What the process knows is therefore kept here, for all deliveries of a trigger together. Several
 * processes (queue mode) share only what is stored: two of them may both start a run when the same
 * event reaches them at the same moment, and each has a minute's confirmations of its own.
 */
export function historyOf(context: Context): DeliveryHistory {
	const trigger = triggerOf(context);
	const stored = storedOf(context);
	const usedAt = Date.now();
	const { history } = histories.get(trigger) ?? { history: new DeliveryHistory(stored) };
	histories.set(trigger, { history, usedAt });
	for (const [other, known] of histories) {
		if (usedAt - known.usedAt > forgottenAfterMs) histories.delete(other);
	}
	history.merge(stored);
	return history;
}
