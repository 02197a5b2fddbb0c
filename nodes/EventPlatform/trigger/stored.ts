import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { DeliveryHistory } from '../core/deliveries/deliveryHistory';
import type { Subscription } from '../core/deliveries/gap';
import { LookupBudget, type Spent } from '../core/deliveries/lookupBudget';

/**
 * What the triggers keep with n8n. Begin here: everything else in this folder reads or writes it.
 *
 * Webhook trigger: `hooks.ts` runs when a workflow is published or no longer is, `subscription.ts` makes the
 * webhooks on the platform, looks after them and catches up, `webhook.ts` takes each delivery.
 * Polling trigger: `poll.ts`, and what it costs in `pollingCost.ts`.
 * Both: `settings.ts` is what people chose in `description.ts`, and n8n's items.
 */

type Context = IHookFunctions | IPollFunctions | IWebhookFunctions;

/** What n8n keeps with the workflow, in its database. */
export interface Stored {
	subscription?: Subscription;
	/** Keys of the events that started a run, oldest first. */
	seen?: string;
	/** When a delivery of each kind last arrived. */
	arrived?: Record<string, number>;
	spent?: Partial<Spent>;
}

/**
 * It is written at each run, so it is kept short: what may come again, because the platform tries for 22
 * minutes and a catch-up begins as long before the last delivery; and some more.
 */
const comesAgainMs = 45 * 60_000;
const mostSeen = { atLeast: 1_000, atMost: 5_000 };

export function storedOf(context: Context): Stored {
	return context.getWorkflowStaticData('node');
}

/** One trigger of one workflow, in this process. */
export function triggerOf(context: Context): string {
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
}

/** What a trigger knows in this process. */
export class TriggerHistory extends DeliveryHistory {
	/** n8n's durable cursors give the check another store than what subscribes at an activation. */
	subscription?: Subscription;
	subscribing: Promise<void> = Promise.resolve();
	isChecking = false;
	usedAt = 0;
	/** By status: when an answer was last logged, and how many came since. */
	readonly answered = new Map<number, { count: number; loggedAt: number }>();
}

/** Longer than from one check to the next, which is a month at most. What matters then is stored. */
const forgottenAfterMs = 40 * 86_400_000;
const histories = new Map<string, TriggerHistory>();

/**
 * n8n gives each delivery a copy of its own of what is stored, and the last one to be saved wins.
 * What the process knows is therefore kept here, for all deliveries of a trigger together. Several
 * processes (queue mode) share only what is stored: two of them may both start a run when the same
 * event reaches them at the same moment, and each has a minute's confirmations of its own.
 */
export function historyOf(context: Context): TriggerHistory {
	const key = triggerOf(context);
	const now = Date.now();
	const { seen, spent, arrived = {} } = storedOf(context);
	const history = histories.get(key) ?? new TriggerHistory(new LookupBudget(spent));
	histories.set(key, history);
	history.usedAt = now;
	for (const [trigger, { usedAt }] of histories) {
		if (now - usedAt > forgottenAfterMs) histories.delete(trigger);
	}
	history.seen.merge(seen, now);
	for (const [kind, at] of Object.entries(arrived)) {
		history.arrived[kind] = Math.max(at, history.arrived[kind] ?? 0);
	}
	return history;
}

/** Only what changed, because each change is written to the database. */
export function store(context: Context, history: DeliveryHistory): void {
	const data = storedOf(context);
	// n8n saves what a check stores only when it starts a run; a delivery saves it as well.
	const { subscription } = data;
	if (subscription && subscription.seenAt < history.checkedAt) {
		subscription.seenAt = history.checkedAt;
		delete subscription.missed;
	}
	const known = {
		seen: history.seen.latest({ ...mostSeen, since: Date.now() - comesAgainMs }),
		spent: history.budget.spent,
		arrived: { ...history.arrived },
	};
	const before: Record<string, unknown> = { seen: '', arrived: {}, ...data };
	for (const [name, value] of Object.entries(known)) {
		const isOther = JSON.stringify(value) !== JSON.stringify(before[name]);
		if (isOther) Object.assign(data, { [name]: value });
	}
}
