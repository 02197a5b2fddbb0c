/* The month's requests come with times of our clock, so that all times in this file are milliseconds since 1970 and say so. */
import { mostOvertaken } from '../client/consumption';
import { keepLatest } from '../values/collections';
import {
	dayMs,
	earnCredit,
	isPaid,
	shareAfterPoll,
	shareAfterStart,
	shareOfNewTrigger,
	type MonthlyUsage,
	type Share,
} from './monthlyShare';

/** A trigger that polls. */
export interface Poller {
	/** The id of one trigger of one workflow. */
	id: string;
	/** The credential that it polls with. All triggers with one credential divide its share. */
	credential: string;
	/** Whether somebody has just activated it, and nothing is stored of it. */
	isNew: boolean;
	/** The number of requests that a poll costs when it finds nothing new. */
	leastCost: number;
}

/** The share of a trigger when a poll of it is due. */
export interface CurrentShare {
	/** The share before the poll. The caller hands it back with the cost of the poll. */
	share: Share;
	/** The number of triggers that divide the share of the credential. */
	triggers: number;
	/** Whether this would be the first poll of the trigger since the process started. */
	isFirst: boolean;
}

/** The cost of a poll. */
export interface SpentByPoll {
	/** The number of requests that the poll has sent. */
	requests: number;
	/** The month as the responses to the poll tell it. */
	usage: MonthlyUsage;
	/** The number of requests that this process has ever sent with the credential, polls included. */
	sentByProcess: number;
}

/** A trigger that was due for a poll within the last day. */
interface DueTrigger {
	credential: string;
	dueAtMs: number;
}

/** A response that told how many requests are left, and what the process had sent by then. */
interface RemainingSample {
	/** The number of requests that were left of the month. */
	remaining: number;
	/** The number of requests that this process had sent with the credential. */
	sent: number;
}

/** The latest triggers and credentials are remembered, up to so many of each. */
const mostTriggers = 10_000;

/** Whether a poll may cost requests now. `hasMore`: the poll before found more than one run could take. */
export function isPollPaid(current: CurrentShare, hasMore: boolean): boolean {
	const { share, triggers, isFirst } = current;
	// After a start, `hasMore` is old: the events may have started their run since it was stored.
	return isPaid(share, triggers, hasMore && !isFirst);
}

/** Owns what one process remembers about the requests that polling spends. A new process knows nothing, so it spends little. */
export class PollingBudget {
	/** The shares of the triggers that have polled since the start. */
	private readonly shares = new Map<string, Share>();
	/** The times when triggers that have not polled since the start were first due. */
	private readonly firstDueAtMs = new Map<string, number>();
	/** The number of requests that each trigger has earned since its last poll. */
	private readonly earned = new Map<string, number>();
	/** The triggers that were due within the last day, by id. */
	private readonly dueTriggers = new Map<string, DueTrigger>();
	/** The latest sample of each credential. */
	private readonly samples = new Map<string, RemainingSample>();
	/** When a poll was first due in this process. Absent: none has been. */
	private beganAtMs?: number;

	/** Brings the share of a trigger up to date when a poll of it is due. `stored`: the share that is stored with the trigger. */
	updateShare(poller: Poller, stored: Share | undefined, nowMs: number): CurrentShare {
		this.recordDueTrigger(poller, nowMs);
		const triggers = this.countTriggers(poller.credential, stored?.triggers, nowMs);
		const lastShare = this.lastShareOf(poller.id, stored, nowMs);
		if (lastShare === undefined) {
			const share = this.shareAtStart(poller, stored, triggers, nowMs);
			return { share, triggers, isFirst: true };
		}
		const share = earnCredit(lastShare, triggers, nowMs);
		const gained = Math.max(0, share.credit - lastShare.credit);
		this.recordShare(poller.id, share, (this.earned.get(poller.id) ?? 0) + gained);
		return { share, triggers, isFirst: false };
	}

	/** Records a poll. Gives the share after it, which is to be stored. */
	recordPoll(poller: Poller, current: CurrentShare, spent: SpentByPoll, nowMs: number): Share {
		const { requests, usage } = spent;
		const requestsOfOthers = this.countRequestsOfOthers(poller.credential, spent);
		this.recordSample(poller.credential, spent);
		const { isFirst, triggers } = current;
		const earned = this.earned.get(poller.id) ?? 0;
		const cost = { requests, usage, requestsOfOthers, isFirst };
		const share = shareAfterPoll(current.share, earned, cost, triggers, nowMs);
		this.recordShare(poller.id, share, 0);
		return share;
	}

	/** Gives the share that this process knows of a trigger; undefined where the stored one is later, or the process knows none. */
	private lastShareOf(id: string, stored: Share | undefined, nowMs: number): Share | undefined {
		const share = this.shares.get(id);
		// A share that was stored at a time to come is no later one: the clock was ahead then.
		if (stored === undefined || stored.calculatedAtMs > nowMs) return share;
		// Another process has polled since where the stored share is later.
		return (share?.calculatedAtMs ?? 0) >= stored.calculatedAtMs ? share : undefined;
	}

	/** Gives the share of a trigger that has not polled since the start of the process. */
	private shareAtStart(
		poller: Poller,
		stored: Share | undefined,
		triggers: number,
		nowMs: number,
	): Share {
		const { id, isNew, leastCost } = poller;
		if (stored === undefined && isNew) return shareOfNewTrigger(triggers, nowMs);
		const firstDueAtMs = this.firstDueAtMs.get(id) ?? nowMs;
		this.firstDueAtMs.set(id, firstDueAtMs);
		keepLatest(this.firstDueAtMs, mostTriggers);
		const trigger = { stored, firstDueAtMs, leastCost, turnOffset: turnOffsetOf(id) };
		return shareAfterStart(trigger, triggers, nowMs);
	}

	/** Records the share of a trigger. `earned`: the number of requests that it has earned since its last poll. */
	private recordShare(id: string, share: Share, earned: number): void {
		this.shares.delete(id);
		this.shares.set(id, share);
		this.earned.set(id, earned);
		keepLatest(this.shares, mostTriggers);
		keepLatest(this.earned, mostTriggers);
	}

	/** Records that a trigger is due for a poll, and forgets the triggers that were not due for a day. */
	private recordDueTrigger({ id, credential }: Poller, nowMs: number): void {
		this.beganAtMs ??= nowMs;
		this.dueTriggers.set(id, { credential, dueAtMs: nowMs });
		for (const [dueId, { dueAtMs }] of this.dueTriggers) {
			if (nowMs - dueAtMs > dayMs) this.dueTriggers.delete(dueId);
		}
	}

	/** Counts the triggers that were due within a day. On the first day after a start some may not have been due yet, so that the stored number counts if it is higher. */
	private countTriggers(credential: string, storedCount = 1, nowMs: number): number {
		const dueTriggers = [...this.dueTriggers.values()];
		const dueCount = dueTriggers.filter((trigger) => trigger.credential === credential).length;
		const isFirstDay = nowMs - (this.beganAtMs ?? nowMs) < dayMs;
		return Math.max(dueCount, isFirstDay ? storedCount : 1);
	}

	/** Counts the requests that others have sent with the token since the last response that told how many are left. */
	private countRequestsOfOthers(
		credential: string,
		{ usage, sentByProcess: sent }: SpentByPoll,
	): number {
		const { monthlyRemaining: remaining } = usage;
		const lastSample = this.samples.get(credential);
		if (remaining === undefined || lastSample === undefined) return 0;
		// Where more has come back than responses that overtake each other can explain, a new month has begun.
		if (remaining > lastSample.remaining + mostOvertaken) return 0;
		return Math.max(0, lastSample.remaining - remaining - (sent - lastSample.sent));
	}

	/** Records how many requests a response said are left, where it said so. */
	private recordSample(credential: string, { usage, sentByProcess: sent }: SpentByPoll): void {
		const { monthlyRemaining: remaining } = usage;
		if (remaining === undefined) return;
		this.samples.set(credential, { remaining, sent });
		keepLatest(this.samples, mostTriggers);
	}
}

/** The number of different offsets that turns may have. It is a prime number. */
const turnOffsets = 1_000_003;

/** Gives a number from 0 to 1, a different one for almost every trigger, so that several do not poll at the same moment. */
function turnOffsetOf(id: string): number {
	let hash = 0;
	for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % turnOffsets;
	return hash / turnOffsets;
}
