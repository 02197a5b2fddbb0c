import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { Allowance, type Spent } from '../core/deliveries/lookupBudget';
import { Knowledge } from '../core/deliveries/receive';
import type { Subscriptions } from '../core/deliveries/subscriptions';

/** What n8n keeps with the workflow, in its database. */
export interface Stored {
	subscription?: { url: string; ids: Subscriptions };
	/** Keys of the events that started a run, oldest first. */
	seen?: string[];
	spent?: Partial<Spent>;
}

/** It is written at each run, so it is kept short. */
const mostSeen = 1_000;

export function storedOf(context: IHookFunctions | IWebhookFunctions): Stored {
	return context.getWorkflowStaticData('node');
}

const known = new Map<string, Knowledge>();

/**
 * n8n gives each delivery a copy of its own of what is stored, and the last one to be saved wins.
 * What the process knows is therefore kept here, for all deliveries of a trigger together. Several
 * processes (queue mode) share only what is stored: two of them may both start a run when the same
 * event reaches them at the same moment, and each has a minute's confirmations of its own.
 */
export function knowledgeOf(context: IWebhookFunctions): Knowledge {
	const key = keyOf(context);
	const { seen, spent } = storedOf(context);
	const knowledge = known.get(key) ?? new Knowledge(new Allowance(spent));
	known.set(key, knowledge);
	knowledge.memory.merge(seen);
	return knowledge;
}

/** Only what changed, because each change is written to the database. */
export function store(context: IWebhookFunctions, { memory, allowance }: Knowledge): void {
	const stored = storedOf(context);
	const seen = memory.latest(mostSeen);
	const { spent } = allowance;
	if (JSON.stringify(seen) !== JSON.stringify(stored.seen ?? [])) stored.seen = seen;
	if (JSON.stringify(spent) !== JSON.stringify(stored.spent)) stored.spent = spent;
}

function keyOf(context: IHookFunctions | IWebhookFunctions): string {
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
}
