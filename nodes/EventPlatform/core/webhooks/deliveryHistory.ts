import { keepLatest } from '../values/collections';
import type { JsonObject } from '../values/json';
import { readKeys, writeKeys } from '../events/delivery';
import type { Subscription } from './gap';
import { LookupBudget, type Spent, type Worth } from './lookupBudget';
import type { Titles } from '../sessions/titles';

export interface Reply {
	/** 503 and 400 make the platform deliver again; 401 tells a forger nothing. */
	status: 200 | 400 | 401 | 503;
	/** What the run starts with; none: it does not start. */
	records: JsonObject[];
	reason: string;
	/** It may be a genuine delivery that is lost until a person changes something, which the reason names. */
	needsAttention?: true;
	/** To be called when it is known whether n8n could create the run. */
	settle?: (isStarted: boolean) => void;
	/** What it tells of the delivery. Forged: who sent it may be a stranger, so that what it cost is not given back. */
	worth: Worth;
}

export function reply(status: Reply['status'], reason: string, worth: Worth): Reply {
	return { status, records: [], reason, worth };
}

/** What n8n keeps with the workflow, in its database. */
export interface Stored {
	subscription?: Subscription;
	/** Keys of the events that started a run, oldest first. */
	seen?: string;
	/** When each event type last arrived and was believed. */
	arrived?: Record<string, number>;
	spent?: Partial<Spent>;
}

/**
 * The platform tries about 0, 0.5, 1.5, 4, 10 and 22 minutes after the event, then disables the
 * subscription. What is refused for nine minutes is refused at one of the last two attempts.
 */
const refusedForMs = 9 * 60_000;

/** More may come again than is stored only if so many events happen within 22 minutes. */
const most = { known: 10_000, stored: 5_000 };

/** What is known of one trigger for as long as the process lives. */
export class DeliveryHistory {
	/** The newest: n8n's durable cursors give the check another store than what subscribes at an activation. */
	subscription?: Subscription;
	usedAt = 0;
	/** Two changes of subscriptions that coincide would both subscribe: the later one waits for this. */
	turn: Promise<unknown> = Promise.resolve();
	readonly arrived: Record<string, number> = {};
	readonly budget: LookupBudget;
	/** Of the sessions that deliveries were about: each is read once. */
	readonly titles = new Map<string, Promise<Titles | undefined>>();
	/** What is decided at this moment, by the key of the event. */
	readonly underway = new Map<string, Promise<Reply>>();
	/** The keys seen last, oldest first: their first 48 bits. False: forgotten, whatever was stored in the meantime. */
	private readonly seen = new Map<string, boolean>();
	private readonly refusedSince = new Map<string, number>();

	constructor(
		{ spent }: Stored = {},
		readonly now = () => Date.now(),
	) {
		this.budget = new LookupBudget(spent, now);
	}

	/** Takes in what was stored, by this process before it restarted or by another one. */
	merge({ seen, arrived = {}, subscription }: Stored): void {
		if (subscription && subscription.seenAt > (this.subscription?.seenAt ?? 0)) {
			// What n8n stores cannot be cloned otherwise.
			this.subscription = JSON.parse(JSON.stringify(subscription)) as Subscription;
		}
		for (const key of readKeys(seen)) if (!this.seen.has(key)) this.add(key);
		for (const [eventType, at] of Object.entries(arrived)) {
			this.arrived[eventType] = Math.max(at, this.arrived[eventType] ?? 0);
		}
	}

	/** Only what changed, because each change is written to the database. */
	storeIn(stored: Stored): void {
		const seen = [...this.seen].flatMap(([key, isSeen]) => (isSeen ? key : []));
		// A test in the editor has another one, and another process may have removed it.
		const isThis = stored.subscription?.url === this.subscription?.url;
		const known: Record<keyof Stored, unknown> = {
			subscription: isThis ? this.subscription : stored.subscription,
			seen: writeKeys(seen.slice(-most.stored)) || undefined,
			arrived: this.arrived,
			spent: this.budget.spent,
		};
		for (const [name, value] of Object.entries(known)) {
			if (JSON.stringify(value) === JSON.stringify(stored[name as keyof Stored])) continue;
			Object.assign(stored, { [name]: structuredClone(value) });
		}
	}

	has(key: string): boolean {
		return this.seen.get(key.slice(0, 8)) === true;
	}

	add(key: string, isSeen = true): void {
		const short = key.slice(0, 8);
		this.seen.delete(short);
		this.seen.set(short, isSeen);
		keepLatest(this.seen, most.known);
	}

	/** To be called when a delivery would be refused. */
	isLastAttempt(key: string): boolean {
		const now = this.now();
		const since = this.refusedSince.get(key) ?? now;
		this.refusedSince.set(key, since);
		keepLatest(this.refusedSince, 1_000);
		return now - since >= refusedForMs;
	}
}
