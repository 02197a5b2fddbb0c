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
	/** The share before the poll. It is handed back with the cost of the poll. */
	share: Share;
	/** How many triggers divide the share. */
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

/** A trigger that has lately been due for a poll. */
interface DueTrigger {
	credential: string;
	dueAtMs: number;
}

/** How many requests were left when a response told it, and how many the process had sent by then. */
interface RemainingSample {
	remaining: number;
	sent: number;
}

const mostTriggers = 10_000;

/** Whether a poll may cost requests now. `hasMore`: the poll before found more than one run could take. */
export function isPollPaid(current: CurrentShare, hasMore: boolean): boolean {
	const { share, triggers, isFirst } = current;
	// After a start, `hasMore` is old: the events may have started their run since it was stored.
	return isPaid(share, triggers, hasMore && !isFirst);
}

/** Owns what one process remembers of the requests that polling spends. A new process knows nothing, so it spends little. */
export class PollingBudget {
	/** The shares of the triggers that have polled since the start. */
	private readonly shares = new Map<string, Share>();
	/** When each trigger was first due that has not polled since the start. */
	private readonly firstDueAtMs = new Map<string, number>();
	/** The number of requests that each trigger has earned since its last poll. */
	private readonly earned = new Map<string, number>();
	private readonly dueTriggers = new Map<string, DueTrigger>();
	/** The latest sample of each credential. */
	private readonly samples = new Map<string, RemainingSample>();
	private beganAtMs?: number;

	/** Brings the share of a trigger up to date when a poll of it is due. `stored`: the share that is stored with the trigger. */
	updateShare(poller: Poller, stored: Share | undefined, nowMs: number): CurrentShare {
		this.recordDueTrigger(poller, nowMs);
		const triggers = this.countTriggers(poller.credential, stored?.triggers, nowMs);
		const last = this.lastShareOf(poller.id, stored, nowMs);
		if (last === undefined) {
			const share = this.shareAtStart(poller, stored, triggers, nowMs);
			return { share, triggers, isFirst: true };
		}
		const share = earnCredit(last, triggers, nowMs);
		const gained = Math.max(0, share.credit - last.credit);
		this.recordShare(poller.id, share, (this.earned.get(poller.id) ?? 0) + gained);
		return { share, triggers, isFirst: false };
	}

	/** Records a poll. Gives the share after it, which is to be stored. */
	recordPoll(poller: Poller, current: CurrentShare, spent: SpentByPoll, nowMs: number): Share {
		const { requests, usage } = spent;
		const foreign = this.countForeign(poller.credential, spent);
		this.recordSample(poller.credential, spent);
		const { isFirst, triggers } = current;
		const earned = this.earned.get(poller.id) ?? 0;
		const cost = { requests, usage, foreign, isFirst };
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

	private recordShare(id: string, share: Share, earned: number): void {
		this.shares.delete(id);
		this.shares.set(id, share);
		this.earned.set(id, earned);
		keepLatest(this.shares, mostTriggers);
		keepLatest(this.earned, mostTriggers);
	}

	private recordDueTrigger({ id, credential }: Poller, nowMs: number): void {
		this.beganAtMs ??= nowMs;
		this.dueTriggers.set(id, { credential, dueAtMs: nowMs });
		for (const [dueId, { dueAtMs }] of this.dueTriggers) {
			if (nowMs - dueAtMs > dayMs) this.dueTriggers.delete(dueId);
		}
	}

	/** Counts the triggers that were due within a day. On the first day after a start some may not have been due yet, so that the stored number counts. */
	private countTriggers(credential: string, stored = 1, nowMs: number): number {
		const dueTriggers = [...this.dueTriggers.values()];
		const due = dueTriggers.filter((trigger) => trigger.credential === credential).length;
		const isFirstDay = nowMs - (this.beganAtMs ?? nowMs) < dayMs;
		return Math.max(due, isFirstDay ? stored : 1);
	}

	/** Counts the requests that others have sent with the token since the last response that told how many are left. */
	private countForeign(credential: string, { usage, sentByProcess: sent }: SpentByPoll): number {
		const { monthlyRemaining: remaining } = usage;
		const last = this.samples.get(credential);
		if (remaining === undefined || last === undefined) return 0;
		// A larger rise than responses that overtake each other can make is a new month.
		if (remaining > last.remaining + mostOvertaken) return 0;
		return Math.max(0, last.remaining - remaining - (sent - last.sent));
	}

	private recordSample(credential: string, { usage, sentByProcess: sent }: SpentByPoll): void {
		const { monthlyRemaining: remaining } = usage;
		if (remaining === undefined) return;
		this.samples.set(credential, { remaining, sent });
		keepLatest(this.samples, mostTriggers);
	}
}

/** Gives a number from 0 to 1, a different one for each trigger, so that several do not poll at the same moment. */
function turnOffsetOf(id: string): number {
	let hash = 0;
	for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
	return hash / 1_000_003;
}
