import { keepLatest } from '../values/collections';
import { readKeys, writeKeys } from '../events/delivery';
import type { Subscription } from './gap';
import type { DeliveryDecision } from './decision';
import { LookupBudget, type Spent } from './lookupBudget';
import type { SessionFacts } from '../events/sessionFacts';

/** The data that n8n keeps with the workflow, in its database. */
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
const mostSessions = 200;

/** The memory of one trigger, for as long as the process lives. Nothing else changes what it holds. */
export class DeliveryHistory {
	readonly budget: LookupBudget;
	/** The newest: n8n's durable cursors give the check another store than what subscribes at an activation. */
	private newest?: Subscription;
	private readonly arrivedAt: Record<string, number> = {};
	/** Ends when the last of the changes of subscriptions that were asked for has ended. */
	private lastChange: Promise<unknown> = Promise.resolve();
	/** The facts about the sessions that deliveries were about, by the ids of the sessions. */
	private readonly sessions = new Map<string, Promise<SessionFacts | undefined>>();
	/** Decisions that are not made yet, by the key of the event. */
	private readonly underWay = new Map<string, Promise<DeliveryDecision>>();
	/** The keys seen last, oldest first: their first 48 bits. False: forgotten, whatever was stored in the meantime. */
	private readonly seen = new Map<string, boolean>();
	private readonly refusedSince = new Map<string, number>();

	constructor(
		{ spent }: Stored = {},
		readonly now = () => Date.now(),
	) {
		this.budget = new LookupBudget(spent, now);
	}

	get subscription(): Readonly<Subscription> | undefined {
		return this.newest;
	}

	recordSubscription(subscription: Subscription): void {
		this.newest = subscription;
	}

	forgetSubscription(): void {
		this.newest = undefined;
	}

	/** Changes subscriptions after all changes that were asked for before: two at a time would both subscribe. */
	async changeInTurn<Result>(change: () => Promise<Result>): Promise<Result> {
		const result = this.lastChange.then(change);
		this.lastChange = result.catch(() => {});
		return await result;
	}

	/** When each event type last arrived and started a run, in milliseconds since 1970. */
	get arrived(): Readonly<Record<string, number>> {
		return this.arrivedAt;
	}

	recordArrival(eventType: string, at: number): void {
		this.arrivedAt[eventType] = at;
	}

	/** Whether an event with this key has started a run. */
	has(key: string): boolean {
		return this.seen.get(key.slice(0, 8)) === true;
	}

	remember(keys: Iterable<string>): void {
		for (const key of keys) this.mark(key, true);
	}

	/** Forgets events whose run could not be created, so that the platform's next attempt is no repetition. */
	forget(keys: Iterable<string>): void {
		for (const key of keys) this.mark(key, false);
	}

	/** Deliveries of one event that come together share one decision. */
	async decideOnce(
		key: string,
		decide: () => Promise<DeliveryDecision>,
	): Promise<{ decision: DeliveryDecision; isShared: boolean }> {
		const other = this.underWay.get(key);
		if (other) return { decision: await other, isShared: true };
		const own = decide().finally(() => this.underWay.delete(key));
		this.underWay.set(key, own);
		return { decision: await own, isShared: false };
	}

	/** The facts of a session, which are read once; undefined where they cannot be read. */
	async sessionFacts(
		sessionId: string,
		read: () => Promise<SessionFacts | undefined>,
	): Promise<SessionFacts | undefined> {
		const reading = this.sessions.get(sessionId) ?? read().catch(() => undefined);
		this.sessions.set(sessionId, reading);
		keepLatest(this.sessions, mostSessions);
		const facts = await reading;
		// It is asked again the next time.
		if (facts === undefined) this.sessions.delete(sessionId);
		return facts;
	}

	/** To be called when a delivery would be refused. */
	isLastAttempt(key: string): boolean {
		const now = this.now();
		const since = this.refusedSince.get(key) ?? now;
		this.refusedSince.set(key, since);
		keepLatest(this.refusedSince, 1_000);
		return now - since >= refusedForMs;
	}

	/** Takes in what was stored, by this process before it restarted or by another one. */
	merge({ seen, arrived = {}, subscription }: Stored): void {
		if (subscription && subscription.seenAt > (this.newest?.seenAt ?? 0)) {
			// The objects that n8n stores cannot be cloned in another way.
			this.newest = JSON.parse(JSON.stringify(subscription)) as Subscription;
		}
		for (const key of readKeys(seen)) if (!this.seen.has(key)) this.mark(key, true);
		for (const [eventType, at] of Object.entries(arrived)) {
			this.arrivedAt[eventType] = Math.max(at, this.arrivedAt[eventType] ?? 0);
		}
	}

	/** Only what changed, because each change is written to the database. */
	storeIn(stored: Stored): void {
		const seen = [...this.seen].flatMap(([key, isSeen]) => (isSeen ? key : []));
		// A test in the editor has another one, and another process may have removed it.
		const isThis = stored.subscription?.url === this.newest?.url;
		const known: Record<keyof Stored, unknown> = {
			subscription: isThis ? this.newest : stored.subscription,
			seen: writeKeys(seen.slice(-most.stored)) || undefined,
			arrived: this.arrivedAt,
			spent: this.budget.spent,
		};
		for (const [name, value] of Object.entries(known)) {
			if (JSON.stringify(value) === JSON.stringify(stored[name as keyof Stored])) continue;
			Object.assign(stored, { [name]: structuredClone(value) });
		}
	}

	private mark(key: string, isSeen: boolean): void {
		const short = key.slice(0, 8);
		this.seen.delete(short);
		this.seen.set(short, isSeen);
		keepLatest(this.seen, most.known);
	}
}
