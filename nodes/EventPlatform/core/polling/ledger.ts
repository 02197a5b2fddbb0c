import { keepLatest } from '../values/collections';
import {
	earn,
	isPaid,
	shareAfterPoll,
	shareAfterStart,
	shareOfNewTrigger,
	type MonthlyUsage,
	type Share,
} from './monthlyShare';

/** A trigger that polls. */
export interface Poller {
	/** One trigger of one workflow. */
	id: string;
	/** The credential that it polls with. All triggers with one credential divide its share. */
	credential: string;
	/** Whether somebody has just activated it, and nothing is stored of it. */
	isNew: boolean;
	/** Requests of a poll that finds nothing new. */
	leastCost: number;
}

/** The decision before a poll. */
export interface PollPermit {
	isPaid: boolean;
	/** Whether it is the first poll of this trigger since the start of the process. */
	isFirst: boolean;
	/** The share before the poll; it is handed back with the cost of the poll. */
	share: Share;
	/** How many triggers divide the share. */
	triggers: number;
}

/** The cost of a poll. */
export interface SpentByPoll {
	requests: number;
	usage: MonthlyUsage;
	/** Requests that this process has ever sent with the credential, polls included. */
	sentByProcess: number;
}

/** A response's word on the month, and how many requests the process had sent by then. */
interface Reading {
	remaining: number;
	sent: number;
}

const dayMs = 86_400_000;
const mostTriggers = 10_000;
/** Responses may overtake each other, but no more than 20 requests are under way. A larger rise is a new month. */
const mostOvertaken = 20;

/** Owns what one process remembers of the requests that polling spends. A new process knows nothing, so it spends little. */
export class PollingLedger {
	/** The shares of the triggers that have polled since the start. */
	private readonly shares = new Map<string, Share>();
	/** When a poll of each trigger was first asked for that has not polled since the start. */
	private readonly startedAt = new Map<string, number>();
	/** The requests that a trigger has earned since its last poll. */
	private readonly earned = new Map<string, number>();
	private readonly pollers = new Map<string, { credential: string; at: number }>();
	private readonly readings = new Map<string, Reading>();
	private bornAt?: number;

	/** Whether a poll may cost requests now. `stored`: the share that is stored with the trigger. */
	permit(poller: Poller, stored: Share | undefined, hasMore: boolean, now: number): PollPermit {
		const triggers = this.countTriggers(poller, stored?.triggers, now);
		const ofProcess = this.shares.get(poller.id);
		// Where another process has polled since, or the clock was ahead, the stored share is the later one.
		const isLatest = stored === undefined || stored.at > now || (ofProcess?.at ?? 0) >= stored.at;
		const current = isLatest ? ofProcess : undefined;
		if (current === undefined) {
			const share = this.shareAtStart(poller, stored, triggers, now);
			// A stored note of more events is older than the start, and they may have started their run since.
			return { isPaid: isPaid(share, triggers), isFirst: true, share, triggers };
		}
		const share = earn(current, triggers, now);
		const gained = Math.max(0, share.credit - current.credit);
		this.keep(poller.id, share, (this.earned.get(poller.id) ?? 0) + gained);
		return { isPaid: isPaid(share, triggers, hasMore), isFirst: false, share, triggers };
	}

	private shareAtStart(
		poller: Poller,
		stored: Share | undefined,
		triggers: number,
		now: number,
	): Share {
		const { id, isNew, leastCost } = poller;
		if (stored === undefined && isNew) return shareOfNewTrigger(triggers, now);
		const startedAt = this.startedAt.get(id) ?? now;
		this.startedAt.set(id, startedAt);
		keepLatest(this.startedAt, mostTriggers);
		return shareAfterStart({ stored, startedAt, leastCost, phase: phaseOf(id) }, triggers, now);
	}

	/** Records a poll. Gives the share after it, which is to be stored. */
	record(poller: Poller, permit: PollPermit, spent: SpentByPoll, now: number): Share {
		const { requests, usage } = spent;
		const foreign = this.foreignSince(poller.credential, spent);
		const { isFirst, triggers } = permit;
		const earned = this.earned.get(poller.id) ?? 0;
		const cost = { requests, usage, foreign, isFirst };
		const share = shareAfterPoll(permit.share, earned, cost, triggers, now);
		this.keep(poller.id, share, 0);
		return share;
	}

	private keep(id: string, share: Share, earned: number): void {
		this.shares.delete(id);
		this.shares.set(id, share);
		this.earned.set(id, earned);
		keepLatest(this.shares, mostTriggers);
		keepLatest(this.earned, mostTriggers);
	}

	/** Counts the triggers that polled within a day. After a start some have not polled yet, so that the stored number counts. */
	private countTriggers({ id, credential }: Poller, stored = 1, now: number): number {
		this.bornAt ??= now;
		this.pollers.set(id, { credential, at: now });
		for (const [id, { at }] of this.pollers) if (now - at > dayMs) this.pollers.delete(id);
		const polled = [...this.pollers.values()].filter((poller) => poller.credential === credential);
		const isYoung = now - this.bornAt < dayMs;
		return Math.max(polled.length, isYoung ? stored : 1);
	}

	/** Requests that others have sent with the token since the last response that told how many are left. */
	private foreignSince(credential: string, { usage, sentByProcess: sent }: SpentByPoll): number {
		const { monthlyRemaining: remaining } = usage;
		if (remaining === undefined) return 0;
		const last = this.readings.get(credential);
		this.readings.set(credential, { remaining, sent });
		keepLatest(this.readings, mostTriggers);
		if (last === undefined || remaining > last.remaining + mostOvertaken) return 0;
		return Math.max(0, last.remaining - remaining - (sent - last.sent));
	}
}

/** Gives a number from 0 to 1, a different one for each trigger, so that several do not poll at the same moment. */
function phaseOf(id: string): number {
	let hash = 0;
	for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
	return hash / 1_000_003;
}
