import { nearlyLastAttemptMs } from '../dialect/webhooks';
import { ProcessMap } from '../values/processState';
import { anyText, mapOf, milliseconds, optional, shaped, type Stored } from '../values/storedShape';
import { readKeys, shortened, writeKeys } from '../events/eventKey';
import type { StartingEvent } from './decision';
import type { Ms } from '../values/units';
import { subscriptionShape, SubscriptionMemory } from './subscriptionMemory';
import { LookupBudget } from './lookupBudget';

/*
 * What a trigger remembers of deliveries. Stored are the seen keys, with each delivery that is decided and each gap that is read; of the
 * subscription `subscriptionMemory.ts` has its own table.
 *
 *   field                 set by                                        until                                   what goes by it
 *   keys: open            a decision to start a run (begin)             n8n could create it, or not (settle)    a repetition is to come again later
 *   keys: seen            a run that has begun, an event without        10,000 later ones                       a repetition starts nothing; what a gap
 *                           items, what a gap has told, what is                                                   shows and was delivered is not told again
 *                           stored (merge)
 *   firstFailedAt         the first failed attempt of an event          1,000 other events                      the last two attempts are accepted
 *   budget, keyedBudget   each lookup                                   a minute, and a day                     whether a delivery may cost a request
 */
export const deliveriesShape = {
	subscription: optional(shaped(subscriptionShape)),
	/** The keys that are `seen` (see the table), oldest first. */
	seen: optional(anyText),
	/** When the latest event of each event type happened that was believed, in milliseconds by the platform's clock. */
	arrived: optional(mapOf(milliseconds)),
};

export type StoredDeliveries = Stored<typeof deliveriesShape>;

/**
 * n8n writes what is stored again and again, and 5,000 keys are 40 kB. Where more events happen between the first attempt and the last, one
 * that comes again after a restart starts a second run.
 */
const mostStoredKeys = 5_000;

/** Owns what one trigger remembers of deliveries, as long as the process lives. */
export class DeliveryHistory {
	readonly budget: LookupBudget;
	/** Of the deliveries that have our key, so that strangers, who have none, cannot make one of these wait. */
	readonly keyedBudget: LookupBudget;
	readonly subscriptionMemory: SubscriptionMemory;
	/**
	 * The first 48 bits of the last keys, oldest first. `open`: nobody knows yet whether n8n could create the run. Such a key is not
	 * stored, because the process may end before that is known, and the platform's next attempt then has to start the run.
	 */
	private readonly keys = new ProcessMap<'seen' | 'open'>('eventKeys');
	private readonly firstFailedAt = new ProcessMap<Ms>('failedAttempts');

	/** The clock of the machine: a clock that never goes back would stay wrong once that was set right, and make signatures look too old. */
	constructor(readonly now: () => Ms = () => Date.now()) {
		this.subscriptionMemory = new SubscriptionMemory(now);
		this.budget = new LookupBudget(now);
		this.keyedBudget = new LookupBudget(now);
	}

	has(key: string): boolean {
		return this.keys.has(shortened(key));
	}

	/** Whether n8n is about to create the run of this event, so that nobody knows yet whether it can. */
	isOpen(key: string): boolean {
		return this.keys.get(shortened(key)) === 'open';
	}

	remember(keys: Iterable<string>): void {
		for (const key of keys) this.mark(key, 'seen');
	}

	/** Remembers an event whose run n8n is about to create, until `settle` is told whether it could. */
	begin(keys: readonly string[]): void {
		for (const key of keys) this.mark(key, 'open');
	}

	/** Notes that the run has begun; or forgets the event, so that the platform's next attempt is no repetition. */
	settle(event: StartingEvent, isCreated: boolean): void {
		if (isCreated) {
			this.remember(event.eventKeys);
			this.subscriptionMemory.noteArrival(event);
		} else {
			for (const key of event.eventKeys) this.keys.delete(shortened(key));
		}
	}

	/** Whether an attempt is one of the last two, after which the platform disables the subscription. */
	isNearlyLast(key: string, attemptedAtMs: Ms): boolean {
		const firstFailedAtMs = this.firstFailedAt.get(key) ?? attemptedAtMs;
		return attemptedAtMs - firstFailedAtMs >= nearlyLastAttemptMs;
	}

	noteFailure(key: string, attemptedAtMs: Ms): void {
		this.firstFailedAt.set(key, this.firstFailedAt.get(key) ?? attemptedAtMs);
	}

	/** Merges what was stored, by this process before it restarted or by another one. */
	merge({ seen, arrived = {}, subscription }: StoredDeliveries): void {
		this.subscriptionMemory.merge(subscription, arrived);
		for (const key of readKeys(seen)) if (!this.keys.has(key)) this.mark(key, 'seen');
	}

	toStored(): StoredDeliveries {
		const seen = this.keys.keys().filter((key) => !this.isOpen(key));
		return structuredClone({
			subscription: this.subscriptionMemory.lastNoted,
			seen: writeKeys(seen.slice(-mostStoredKeys)) || undefined,
			arrived: this.subscriptionMemory.arrived,
		});
	}

	private mark(key: string, state: 'seen' | 'open'): void {
		this.keys.set(shortened(key), state);
	}
}
