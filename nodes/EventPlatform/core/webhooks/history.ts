import { nearlyLastAttemptMs } from '../dialect/webhooks';
import { keepLatest } from '../values/collections';
import { anyText, mapOf, milliseconds, optional, shaped, type Stored } from '../values/storedShape';
import { minuteMs } from '../values/units';
import { readKeys, shortened, writeKeys } from '../events/delivery';
import { subscriptionShape, type Subscription } from './gap';
import type { DeliveryDecision, StartingEvent } from './decision';
import { LookupBudget, spentShape } from './lookupBudget';
import type { SessionFacts } from '../events/sessionFacts';

export const deliveriesShape = {
	subscription: optional(shaped(subscriptionShape)),
	/** Keys of the events whose run has begun, oldest first. */
	seen: optional(anyText),
	/** When an event of each event type last arrived and was believed, in milliseconds since 1970. */
	arrived: optional(mapOf(milliseconds)),
	spent: optional(shaped(spentShape)),
	spentOnFacts: optional(shaped(spentShape)),
};

export type StoredDeliveries = Stored<typeof deliveriesShape>;

/**
 * Between the first attempt and the last are 22 minutes: 10,000 keys are seven events a second. n8n writes what is stored again and
 * again, and 5,000 keys are 40 kB. Where more events happen in that time, an attempt that comes again after a restart starts a
 * second run.
 */
const mostKeys = { remembered: 10_000, stored: 5_000 };
/** The last attempt of an event that is forgotten is answered like its first one. */
const mostFailingEvents = 1_000;

/** Owns what one trigger remembers of deliveries, as long as the process lives. */
export class DeliveryHistory {
	readonly budget: LookupBudget;
	/** Reads of sessions have their own, because a platform that shows none would otherwise leave no request to prove a delivery. */
	readonly factsBudget: LookupBudget;
	readonly sessionFacts: FactsMemory;
	/** The subscription that was noted last. n8n may give the check of subscriptions another store than the activation has. */
	private newestSubscription?: Subscription;
	private readonly arrivalTimes: Record<string, number> = {};
	/** Ends when all changes of subscriptions have ended that were requested so far. */
	private lastChange: Promise<unknown> = Promise.resolve();
	private readonly openDecisions = new Map<string, Promise<DeliveryDecision>>();
	/**
	 * The first 48 bits of the last keys, oldest first. `open`: nobody knows yet whether n8n could create the run. Such a key is not
	 * stored, because the process may end before that is known, and the platform's next attempt then has to start the run.
	 */
	private readonly keys = new Map<string, 'seen' | 'open'>();
	private readonly firstFailedAt = new Map<string, number>();

	constructor(
		{ spent, spentOnFacts }: StoredDeliveries = {},
		readonly now = () => Date.now(),
	) {
		this.budget = new LookupBudget(spent, now);
		this.factsBudget = new LookupBudget(spentOnFacts, now);
		this.sessionFacts = new FactsMemory(now);
	}

	get subscription(): Readonly<Subscription> | undefined {
		return this.newestSubscription;
	}

	noteSubscription(subscription: Subscription): void {
		this.newestSubscription = subscription;
	}

	forgetSubscription(): void {
		this.newestSubscription = undefined;
	}

	/** Changes subscriptions after all changes that were requested before, because two at the same time would both subscribe. */
	async changeInTurn<Result>(change: () => Promise<Result>): Promise<Result> {
		const result = this.lastChange.then(change);
		this.lastChange = result.catch(() => {});
		return await result;
	}

	get arrived(): Readonly<Record<string, number>> {
		return this.arrivalTimes;
	}

	has(key: string): boolean {
		return this.keys.has(shortened(key));
	}

	remember(keys: Iterable<string>): void {
		for (const key of keys) this.mark(key, 'seen');
	}

	/** Remembers all keys of an event of which one is known, unless its run may still fail. */
	rememberVariation(keys: readonly string[]): void {
		if (keys.some((key) => this.keys.get(shortened(key)) === 'seen')) this.remember(keys);
	}

	/** Remembers an event whose run n8n is about to create, until `settle` is told whether it could. */
	begin(keys: readonly string[]): void {
		for (const key of keys) this.mark(key, 'open');
	}

	/** Notes that the run has begun; or forgets the event, so that the platform's next attempt is no repetition. */
	settle({ eventType, keys, arrivedAtMs }: StartingEvent, isCreated: boolean): void {
		if (isCreated) {
			this.remember(keys);
			this.arrivalTimes[eventType] = arrivedAtMs;
		} else {
			for (const key of keys) this.keys.delete(shortened(key));
		}
	}

	/** Decides about an event, so that deliveries of it that come at the same time share one decision. */
	async decideOnce(
		key: string,
		decide: () => Promise<DeliveryDecision>,
	): Promise<{ decision: DeliveryDecision; isShared: boolean }> {
		const ongoing = this.openDecisions.get(key);
		if (ongoing) return { decision: await ongoing, isShared: true };
		const deciding = decide().finally(() => this.openDecisions.delete(key));
		this.openDecisions.set(key, deciding);
		return { decision: await deciding, isShared: false };
	}

	/** Notes that an attempt fails, and tells whether it is one of the last two, after which the platform disables the subscription. */
	noteFailedAttempt(key: string): { isNearlyLast: boolean } {
		const nowMs = this.now();
		const firstFailedAtMs = this.firstFailedAt.get(key) ?? nowMs;
		this.firstFailedAt.set(key, firstFailedAtMs);
		keepLatest(this.firstFailedAt, mostFailingEvents);
		return { isNearlyLast: nowMs - firstFailedAtMs >= nearlyLastAttemptMs };
	}

	/** Merges what was stored, by this process before it restarted or by another one. */
	merge({ seen, arrived = {}, subscription }: StoredDeliveries): void {
		if (subscription && subscription.seenAt > (this.newestSubscription?.seenAt ?? 0)) {
			// The objects that n8n stores are proxies, which cannot be cloned in another way.
			this.newestSubscription = JSON.parse(JSON.stringify(subscription)) as Subscription;
		}
		for (const key of readKeys(seen)) if (!this.keys.has(key)) this.mark(key, 'seen');
		for (const [eventType, arrivedAt] of Object.entries(arrived)) {
			this.arrivalTimes[eventType] = Math.max(arrivedAt, this.arrivalTimes[eventType] ?? 0);
		}
	}

	/** `subscription`: the one that n8n keeps now. */
	toStored(subscription: Subscription | undefined): StoredDeliveries {
		const seen = [...this.keys].flatMap(([key, state]) => (state === 'seen' ? key : []));
		// A test in the editor has another subscription, and another process may have removed this one.
		const isStoredHere = subscription?.url === this.newestSubscription?.url;
		return structuredClone({
			subscription: isStoredHere ? this.newestSubscription : subscription,
			seen: writeKeys(seen.slice(-mostKeys.stored)) || undefined,
			arrived: this.arrivalTimes,
			spent: this.budget.spent,
			spentOnFacts: this.factsBudget.spent,
		});
	}

	private mark(key: string, state: 'seen' | 'open'): void {
		const short = shortened(key);
		this.keys.delete(short);
		this.keys.set(short, state);
		keepLatest(this.keys, mostKeys.remembered);
	}
}

/** Facts older than this are read again: people rename events and move sessions. */
const freshForMs = 3 * minuteMs;

/**
 * Somebody may have renamed the event so that a filter lets it pass. A delivery that the facts from before it exclude therefore reads
 * the session again, but no more than five times in the three minutes: there may be a thousand of them.
 */
const mostReads = 5;

/** A session that is forgotten is read again. */
const mostRememberedSessions = 200;

interface RememberedFacts {
	/** When the first of the reads was made that count together. */
	firstReadAtMs: number;
	lastReadAtMs: number;
	reads: number;
	reading: Promise<SessionFacts | undefined>;
}

/** What one trigger remembers of the sessions that deliveries were about, so that many registrations of one session cost few requests. */
class FactsMemory {
	private readonly sessions = new Map<string, RememberedFacts>();

	constructor(private readonly now: () => number) {}

	/** Facts are at most three minutes old; undefined where they cannot be read now. `sinceMs`: facts from before are read again. */
	async find(
		sessionId: string,
		read: () => Promise<SessionFacts | undefined>,
		sinceMs: number,
	): Promise<SessionFacts | undefined> {
		const nowMs = this.now();
		const remembered = this.sessions.get(sessionId);
		const ageMs = remembered && nowMs - remembered.firstReadAtMs;
		const fresh = ageMs !== undefined && ageMs >= 0 && ageMs < freshForMs ? remembered : undefined;
		if (fresh && (fresh.lastReadAtMs >= sinceMs || fresh.reads >= mostReads)) {
			return await fresh.reading;
		}
		const reading = read().catch(() => undefined);
		const { firstReadAtMs = nowMs, reads = 0 } = fresh ?? {};
		const facts = { firstReadAtMs, lastReadAtMs: nowMs, reads: reads + 1, reading };
		this.sessions.set(sessionId, facts);
		keepLatest(this.sessions, mostRememberedSessions);
		const result = await reading;
		// Facts that could not be read are read again the next time.
		if (result === undefined && this.sessions.get(sessionId) === facts) {
			this.sessions.delete(sessionId);
		}
		return result;
	}
}
