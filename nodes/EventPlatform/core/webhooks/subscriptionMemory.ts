import { storedUrl } from '../client/baseUrl';
import { storedId } from '../client/path';
import {
	anyText,
	arrayOf,
	mapOf,
	milliseconds,
	optional,
	shaped,
	type Stored,
	yesOrNo,
} from '../values/storedShape';
import { ageOf } from '../values/recentTimes';
import type { StartingEvent } from './decision';
import { gapOf, readGap } from './gap';
import type { Ms } from '../values/units';

/*
 * What a trigger knows of its subscription. A look: an activation or a check lists the webhooks, and makes and removes what the plan says
 * (`subscribe`). An end: n8n unsubscribes (`unsubscribe`). What is stored is `lastNoted` and `arrived`.
 *
 *   stored        set by                                        until                                         what goes by it
 *   url           each look                                     the next one                                  which webhooks are ours; where a check looks
 *   ids           each look, step by step as webhooks are made  the next look, or an end                      which webhooks are ours; what may miss events
 *   outdated      a look that has not removed all               they are removed, or an end                   which webhooks are ours
 *   madeAgainAt   a look that makes again what is gone          the next such look, or a new subscription     for a day nothing is made again
 *   madeAt        a subscription that begins                    the next one begins                           no gap begins before
 *   seenAt        a beginning, a look that succeeds, an end     the next one                                  where a gap begins; which of two is newer
 *   missed        a look, a delivery that is given up, an end   all of it was read, or a person ends it or    the next check reads it
 *                   while n8n starts                              begins anew
 *   isOfTest      each look                                     the next one                                  whose memory is meant (historyOf)
 *   keyDigest     each look                                     the next one, or an end                       which webhooks are outdated, and whose key is
 *   owner         each look                                     the next one                                  a copy of the workflow begins its own
 *
 *   process       set by                                        until                                         what goes by it
 *   lastNoted     all that sets one of these; what is stored    the next one                                  all of these
 *                   and newer (merge)
 *   stage         an activation, its failure, a poll, the       the next one                                  what an unsubscribing means
 *                   unsubscribing after that failure
 *   lookedAtMs    a look that succeeds                          the next one                                  a check of the same minute does not look
 *   arrived       a run that has begun, what is stored (merge)  a later event                                 where a gap begins
 *   lastChange    each change of subscriptions                  the next one                                  the next change
 */
const madeWebhook = {
	id: storedId,
	/** The address without the key, because what is stored leaves n8n with an exported workflow. */
	url: storedUrl,
	/** The digest that recognises the key; absent where the webhook was made without one. */
	keyDigest: optional(anyText),
};

export type MadeWebhook = Stored<typeof madeWebhook>;

/** All times are in milliseconds by the platform's clock, so that they stay right when ours is set. */
export const subscriptionShape = {
	/** The address without the key, because what is stored leaves n8n with an exported workflow. */
	url: storedUrl,
	ids: mapOf(storedId),
	/** Webhooks that are still there although they are not needed any more, because they could not be removed. */
	outdated: optional(arrayOf(shaped(madeWebhook))),
	/** When a webhook that was gone was last made again. */
	madeAgainAt: optional(milliseconds),
	/** When the first of them were made. Nothing from before starts a run. */
	madeAt: milliseconds,
	/**
	 * When a look last listed them and made what was to be made. One that is gone may be left for a day: `missed` has what was lost up to this
	 * time, so the next gap begins here.
	 */
	seenAt: milliseconds,
	/** The gap that is open. */
	missed: optional(readGap),
	/**
	 * A test in the editor made it. Absent: the trigger in use did. n8n ends a test in the mode of the trigger in use, so that only this tells whose
	 * memory is meant (`historyOf`).
	 */
	isOfTest: optional(yesOrNo),
	keyDigest: optional(anyText),
	/** The workflow, and its n8n, that made them. */
	owner: anyText,
};

export type Subscription = Stored<typeof subscriptionShape>;

/** The outdated ones are among them, because they may still be on the platform. */
export function webhooksOf(subscription: Subscription | undefined): MadeWebhook[] {
	if (subscription === undefined) return [];
	const { ids, url, keyDigest, outdated = [] } = subscription;
	const inUse = Object.values(ids).map((id) => ({ id, url, keyDigest }));
	return [...inUse, ...outdated];
}

/**
 * n8n unsubscribes in the same way when a person ends a workflow and when its start has failed. Only what came before tells which:
 *
 *   starting        n8n has started, or taken over from another process, and has not polled since, which it does when all triggers of the
 *                   workflow have subscribed. If it unsubscribes, another trigger has failed: what is missed from then on is read later
 *   failedToStart   this trigger has failed. n8n unsubscribes before it tries again, which changes nothing then
 *   running         a person has published the workflow, or n8n has polled. If it unsubscribes, a person ends it, and nothing is missed
 */
type Stage = 'starting' | 'failedToStart' | 'running';

/** Owns what one trigger knows of our subscription, as long as the process lives. */
export class SubscriptionMemory {
	/**
	 * What was noted last, which is stored. An end is noted as well, as a subscription without webhooks and with the time of the end as `seenAt`:
	 * what n8n has stored may be older, and would begin again. It tries an activation again with what it read at its start, and may give the
	 * check of subscriptions another store than the activation has.
	 */
	lastNoted?: Readonly<Subscription>;
	private stage: Stage = 'starting';
	/**
	 * When a look of this process last succeeded, for the first poll: n8n makes it seconds after the activation, which has looked. By our clock,
	 * because no response has told the platform's then.
	 */
	private lookedAtMs: Ms = 0;
	/** When the latest event of each event type happened that was believed. */
	readonly arrived: Record<string, Ms> = {};
	/** Ends when all changes of subscriptions have ended that were requested so far. */
	private lastChange: Promise<unknown> = Promise.resolve();

	constructor(readonly now: () => Ms = () => Date.now()) {}

	/** n8n has not polled since its start, so that unsubscribing is no end. In a process that only takes deliveries this stays true. */
	get isStarting(): boolean {
		return this.stage === 'starting';
	}

	noteActivation(isStartOfN8n: boolean): void {
		this.stage = isStartOfN8n ? 'starting' : 'running';
	}

	noteFailedActivation(): void {
		if (this.isStarting) this.stage = 'failedToStart';
	}

	notePoll(): void {
		this.stage = 'running';
	}

	/** Gives `retry` where n8n calls because the start failed, and tries again. A person who unpublishes the workflow then causes another call. */
	noteDeactivation(): 'retry' | 'end' {
		if (this.stage !== 'failedToStart') return 'end';
		this.stage = 'starting';
		return 'retry';
	}

	/** Notes that the webhooks were listed, and those were made that were to be made. */
	noteLook(): void {
		this.lookedAtMs = this.now();
	}

	get lookedAgoMs(): Ms {
		return ageOf(this.lookedAtMs, this.now());
	}

	note(subscription: Readonly<Subscription>): void {
		this.lastNoted = subscription;
	}

	/** What was noted last, unless it is an end: it has webhooks, or something is missed. */
	get ongoing(): Readonly<Subscription> | undefined {
		const { lastNoted } = this;
		const isOver = lastNoted?.missed === undefined && webhooksOf(lastNoted).length === 0;
		return isOver ? undefined : lastNoted;
	}

	/**
	 * Notes that an event has arrived, so that the subscription of its event type works. When it arrived proves nothing: an attempt may come
	 * 22 minutes late, and events before it may have been given up in that time.
	 */
	noteArrival({ eventType, happenedAtMs }: StartingEvent): void {
		if (happenedAtMs === undefined) return;
		// Whoever has our key may send a time that is still to come.
		const atMs = Math.min(happenedAtMs, this.now());
		this.raise(eventType, atMs);
	}

	/** Notes that an event of this type starts no run, so that the next check of the subscription reads what came since it last worked. */
	noteMissed(eventType: string): void {
		const { ongoing } = this;
		if (ongoing) this.note({ ...ongoing, missed: gapOf(ongoing, [eventType], this.arrived) });
	}

	/** Changes subscriptions after all changes that were requested before, because two at the same time would both subscribe. */
	async changeInTurn<Result>(change: () => Promise<Result>): Promise<Result> {
		const result = this.lastChange.then(change);
		this.lastChange = result.catch(() => {});
		return await result;
	}

	/** Merges what was stored, by this process before it restarted or by another one. */
	merge(subscription: Subscription | undefined, arrived: Readonly<Record<string, Ms>>): void {
		if (subscription && this.isOlderThan(subscription)) this.note(subscription);
		for (const [eventType, arrivedAt] of Object.entries(arrived)) this.raise(eventType, arrivedAt);
	}

	private raise(eventType: string, arrivedAt: Ms): void {
		this.arrived[eventType] = Math.max(arrivedAt, this.arrived[eventType] ?? 0);
	}

	/** `seenAt` tells which is newer. What this process notes between two looks keeps it, and is no older than what is stored. */
	private isOlderThan({ seenAt }: Subscription): boolean {
		return !this.lastNoted || this.lastNoted.seenAt < seenAt;
	}
}
