import type { IDataObject } from 'n8n-workflow';
import { clock } from '../n8n/clock';
import { allowanceShape } from '../core/polling/allowance';
import { cursorShape } from '../core/polling/lists/cursor';
import { mostAheadSeconds } from '../core/polling/pollContext';
import { scheduleShape } from '../core/polling/schedule/schedule';
import { ProcessMap } from '../core/values/processState';
import {
	milliseconds,
	numberFrom,
	optional,
	shaped,
	type Reader,
	type Stored,
} from '../core/values/storedShape';
import { daySeconds, type Seconds } from '../core/values/units';
import type { Subscription } from '../core/webhooks/subscriptionMemory';
import { FactsMemory } from '../core/webhooks/factsMemory';
import { deliveriesShape, DeliveryHistory, type StoredDeliveries } from '../core/webhooks/history';
import { logOnce, triggerKey, type Context } from './triggerContext';

/*
 * All that n8n keeps with a workflow for the triggers. It is read, checked and written here and nowhere else. Another
 * version, an import or a script may have left another shape: a part that does not fit counts as not stored, the log
 * says so, and the trigger begins that part anew.
 */

const pollingShape = {
	cursor: optional(shaped(cursorShape)),
	/** The sessions to come, and the starts that were told. Absent: they were not asked for. */
	schedule: optional(shaped(scheduleShape)),
	allowance: optional(shaped(allowanceShape)),
	/**
	 * How far our clock is ahead of the platform's. Stored: that of the machine, with which the next process begins. Once read: that of this process
	 * (aheadInProcess). Absent: no response has told it.
	 */
	clockAheadSeconds: optional(numberFrom(-mostAheadSeconds, mostAheadSeconds)),
	/** When the trigger was activated, by our clock, until a poll has stored a cursor or a schedule: what has happened since then is news. */
	begunAtMs: optional(milliseconds),
};

export type StoredPolling = Stored<typeof pollingShape>;

/** Reads a copy, so that the stored data stay as they are until a poll has come to its end. With a `startFrom` to come bookmarks may be as late. */
export function readPolling(context: Context, startFrom?: Seconds): StoredPolling {
	const stored = readStored(context, readPollingShape, startFrom);
	const aheadSeconds = aheadInProcess.get(triggerKey(context)) ?? stored.clockAheadSeconds;
	return { ...stored, clockAheadSeconds: aheadSeconds };
}

/**
 * How far the clock of this process is ahead of the platform's, by trigger. That clock never goes back (`n8n/clock.ts`), so it stays ahead when the
 * machine's clock is set right.
 */
const aheadInProcess = new ProcessMap<Seconds>('clocksAhead');

/** What is stored says how far the machine's clock is ahead, because the next process begins with that one. */
export function storePolling(context: Context, changed: StoredPolling): void {
	const store = storeOf(context);
	Object.assign(store, changed);
	const { clockAheadSeconds: aheadSeconds } = changed;
	if (aheadSeconds === undefined) return;
	aheadInProcess.set(triggerKey(context), aheadSeconds);
	store.clockAheadSeconds = aheadSeconds - Math.round((clock.now() - Date.now()) / 1_000);
}

/** Reads a copy of what the webhook trigger keeps of deliveries and of our subscriptions. */
export function readDeliveries(context: Context): StoredDeliveries {
	return readStored(context, readDeliveriesShape);
}

/** Writes what the process knows of deliveries, and only what changed, because each change goes to the database. */
export function storeDeliveries(context: Context, history: DeliveryHistory): void {
	const store = storeOf(context);
	const changed = Object.entries(history.toStored()).filter(
		([name, value]) => JSON.stringify(value) !== JSON.stringify(store[name]),
	);
	Object.assign(store, Object.fromEntries(changed));
}

export function storeSubscription(context: Context, subscription: Subscription): void {
	Object.assign(storeOf(context), { subscription: { ...subscription } });
}

const histories = new ProcessMap<DeliveryHistory>('deliveryHistories');

/**
 * n8n gives each delivery a copy of its own of what is stored, and the last one to be saved wins: what the process knows
 * is kept here. Several processes (queue mode) share only what is stored, so that two may start a run for the same event.
 */
export function historyOf(context: Context): DeliveryHistory {
	const stored = readDeliveries(context);
	// n8n ends a test in the editor in the mode of the trigger in use, with what the test has stored.
	const trigger = triggerKey(context, stored.subscription?.isOfTest);
	const history = histories.get(trigger) ?? new DeliveryHistory();
	histories.set(trigger, history);
	history.merge(stored);
	return history;
}

const facts = new ProcessMap<FactsMemory>('sessionFacts');

/** What the triggers with a token know of the sessions that deliveries were about. */
export function factsOf(tokenKey: string): FactsMemory {
	const memory = facts.get(tokenKey) ?? new FactsMemory();
	facts.set(tokenKey, memory);
	return memory;
}

const readPollingShape = shaped(pollingShape);
const readDeliveriesShape = shaped(deliveriesShape);

/** Our clock may have been set back, and a few responses may tell another time. */
const marginSeconds = 2 * daySeconds;

function readStored<Value extends object>(
	context: Context,
	reader: Reader<Value>,
	startFrom = 0,
): Value {
	const misfits: string[] = [];
	const store = storeOf(context);
	// The times are the platform's. A clock of ours that is days behind must not make them look wrong.
	const aheadSeconds = Number(store.clockAheadSeconds) || 0;
	const behindSeconds = Math.min(mostAheadSeconds, Math.max(0, -aheadSeconds));
	const nowSeconds = clock.now() / 1_000 + behindSeconds;
	const latestSeconds = Math.max(nowSeconds, startFrom) + marginSeconds;
	const stored = reader(store, { latestSeconds, tell: (path) => misfits.push(path) });
	if (misfits.length > 0) warn(context, misfits);
	return stored ?? ({} as Value);
}

/** The place where n8n keeps what a trigger stores, by the name of the node. */
function storeOf(context: Context): IDataObject {
	return context.getWorkflowStaticData('node');
}

function warn(context: Context, misfits: readonly string[]): void {
	const parts = misfits.slice(0, 5).join(', ');
	const others = misfits.length > 5 ? ` and ${misfits.length - 5} others` : '';
	const text = `${context.getNode().name} cannot read a part of what n8n stored with the workflow (${parts}${others}) and begins that part anew. An event may start no run, or a second one.`;
	logOnce(context, 'warn', { topic: text, text });
}
