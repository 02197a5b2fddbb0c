import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { DeliveryHistory } from '../core/deliveries/deliveryHistory';
import type { Gap } from '../core/deliveries/happened';
import { LookupBudget, type Spent } from '../core/deliveries/lookupBudget';
import type { Subscriptions } from '../core/deliveries/subscriptions';

type Context = IHookFunctions | IPollFunctions | IWebhookFunctions;

/** The subscriptions that this workflow made. */
export interface StoredSubscription {
	/** Without the key, because what is stored leaves n8n with an exported workflow. */
	url: string;
	ids: Subscriptions;
	/** Those that are still to be removed. */
	outdated?: string[];
	/** When the first of them were made: nothing from before starts a run. */
	madeAt?: number;
	/** When the platform was last seen to have them. */
	seenAt?: number;
	/** What has to be caught up, because it may have happened while there was no subscription. */
	gap?: Gap;
	/** Of the key that they were made with. */
	keyDigest?: string;
	/** Which workflow of which n8n made them. */
	owner?: string;
}

/** What n8n keeps with the workflow, in its database. */
export interface Stored {
	subscription?: StoredSubscription;
	/** Keys of the events that started a run, oldest first. */
	seen?: string[];
	spent?: Partial<Spent>;
}

/** It is written at each run, so it is kept short. */
const mostSeen = 1_000;

export function storedOf(context: Context): Stored {
	return context.getWorkflowStaticData('node');
}

const histories = new Map<string, DeliveryHistory>();

/**
 * n8n gives each delivery a copy of its own of what is stored, and the last one to be saved wins.
 * What the process knows is therefore kept here, for all deliveries of a trigger together. Several
 * processes (queue mode) share only what is stored: two of them may both start a run when the same
 * event reaches them at the same moment, and each has a minute's confirmations of its own.
 */
export function historyOf(context: Context): DeliveryHistory {
	const key = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const { seen, spent } = storedOf(context);
	const history = histories.get(key) ?? new DeliveryHistory(new LookupBudget(spent));
	histories.set(key, history);
	history.seen.merge(seen);
	return history;
}

/** Only what changed, because each change is written to the database. */
export function store(context: Context, history: DeliveryHistory): void {
	const stored = storedOf(context);
	const seen = history.seen.latest(mostSeen);
	const { spent } = history.budget;
	// n8n saves what a check stores only when it starts a run; a delivery saves it as well.
	const { subscription } = stored;
	if (subscription?.seenAt !== undefined && subscription.seenAt < history.checkedAt) {
		subscription.seenAt = history.checkedAt;
	}
	if (JSON.stringify(seen) !== JSON.stringify(stored.seen ?? [])) stored.seen = seen;
	if (JSON.stringify(spent) !== JSON.stringify(stored.spent)) stored.spent = spent;
}
