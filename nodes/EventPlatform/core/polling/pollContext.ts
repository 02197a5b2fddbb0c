/* What the parts of one poll have in common: its requests, its times, and what could not be read. */
import { asFailure, Failure } from '../client/failure';
import type { Ask, Refusals } from '../client/request';
import { platformNowMs, type Run } from '../client/run';
import type { JsonObject } from '../values/json';
import { concernsOthers, mayHaveActed } from '../failures/meaning';
import { Readings } from '../failures/readings';
import { beginCursor, type Cursor } from './lists/cursor';
import type { PollLimits, Search } from './pollSettings';
import { daySeconds, type Ms, type Seconds } from '../values/units';

/** The run that a poll is. */
export type PollRun = Pick<Run, 'client' | 'clock' | 'deadlineAtMs'>;

/** What the parts of one poll share: the requests, the platform's time, and what could not be read. */
export interface PollContext {
	ask: Ask;
	/** It sends its requests several times, and not once. */
	isPatient: boolean;
	/** What the platform refuses in queries. */
	refused: Refusals;
	/**
	 * Waits for the reading of one list; gives undefined where the list could not be read. The failure is kept for the end of the poll, but not one that only
	 * tells that the time is over. One that every other request would meet is thrown.
	 */
	tryToRead<T>(this: void, reading: Promise<T>): Promise<T | undefined>;
	search: Search;
	limits: PollLimits;
	time: PollTimes;
	failures: Failure[];
	/** Keeps a failure, whatever it concerns, for the end of the poll. */
	keepFailure(this: void, error: unknown): undefined;
	/** A failure that every other request would meet has come. */
	hasEnded(this: void): boolean;
	/** This poll asks for no list or record of that kind any more: one was refused (concernsKind), or everything has stopped (concernsAll). */
	isKindRefused(this: void, path: string): boolean;
	/** The events of sessions that came without them, by id, because the filter needs their titles. */
	events: Readings<string | undefined, JsonObject | 'gone' | undefined>;
}

/** The reading of lists from one moment on. */
export interface Round extends Pick<
	PollContext,
	'ask' | 'refused' | 'tryToRead' | 'search' | 'limits' | 'time' | 'events' | 'isKindRefused'
> {
	cursor: Cursor;
	/** By the platform's clock. */
	nowSeconds: Seconds;
}

/** The times of a poll: ours, and the platform's as the responses of the run have told it, or before them as it was stored. */
interface PollTimes {
	readonly ourNowMs: Ms;
	readonly nowSeconds: Seconds;
	/** How far our clock is ahead of the platform's. */
	readonly aheadSeconds: Seconds;
	readonly hasResponded: boolean;
	/** A request has no turn before the end of the poll (isOutOfTime): why. */
	outOfTime?: Failure;
	/** It is out of time, and had to wait for the limit per second, which others use up. */
	readonly isLimited: boolean;
}

/**
 * A certificate is valid for 398 days at most, so that no response arrives where our clock is further off. A larger difference is no clock that
 * is wrong, but a response that tells another date.
 */
export const mostAheadSeconds = 400 * daySeconds;

function aheadSecondsNow(run: PollRun, ourNowMs: Ms): Seconds {
	// No response had a date.
	if (run.client.usage.clockAheadMs === undefined) return 0;
	const aheadSeconds = Math.round((ourNowMs - platformNowMs(run)) / 1_000);
	return Math.abs(aheadSeconds) > mostAheadSeconds ? 0 : aheadSeconds;
}

interface OurClock {
	/** Absent: the clock of the run, which never goes back while the process lives (`n8n/clock.ts`). */
	readonly ourClockMs?: () => Ms;
	/** How far it was ahead of the platform's when a response last told it. */
	readonly clockAheadSeconds?: Seconds;
}

function timesOf(
	run: PollRun,
	{ ourClockMs = () => run.clock.now(), ...stored }: OurClock,
): PollTimes {
	return {
		get ourNowMs() {
			return ourClockMs();
		},
		get aheadSeconds() {
			return this.hasResponded
				? aheadSecondsNow(run, ourClockMs())
				: (stored.clockAheadSeconds ?? 0);
		},
		get nowSeconds() {
			return Math.floor(ourClockMs() / 1_000) - this.aheadSeconds;
		},
		get hasResponded() {
			return run.client.usage.responses > 0;
		},
		get isLimited() {
			const { outOfTime } = this;
			const hasWaited = run.client.usage.waits !== undefined;
			return outOfTime !== undefined && (outOfTime.cause === 'rate_limited' || hasWaited);
		},
	};
}

export function beginPoll(
	run: PollRun,
	search: Search,
	limits: PollLimits,
	ourClock: OurClock = {},
): PollContext {
	const failures: Failure[] = [];
	const time = timesOf(run, ourClock);
	const stops = new Stops();
	const ask: Ask = async (request) => {
		const earlier = stops.find(request.path);
		if (earlier) throw earlier;
		return await run.client.send(request).catch((error: unknown) => {
			if (isOutOfTime(error, run)) time.outOfTime ??= error;
			if (error instanceof Failure) stops.add(request.path, error);
			throw error;
		});
	};
	const keepFailure = (error: unknown): undefined => {
		const failure = asFailure(error);
		// The schedule and the lists share the list of the sessions, so one failure may come twice.
		if (!failures.includes(failure)) failures.push(failure);
	};
	const tryToRead: PollContext['tryToRead'] = (work) =>
		work.catch((error: unknown) => {
			// Others may use up the limit in each poll, so that people hear of it.
			if (isOutOfTime(error, run))
				return error.cause === 'rate_limited' ? keepFailure(error) : undefined;
			if (concernsAll(asFailure(error))) throw error;
			return keepFailure(error);
		});
	return {
		ask,
		// A person waits for an activation.
		isPatient: search.isActivated === true,
		refused: run.client.refused,
		tryToRead,
		search,
		// A request whose turn comes after the deadline is refused before the deadline.
		limits: { ...limits, isTimeOver: () => time.outOfTime !== undefined || limits.isTimeOver() },
		time,
		failures,
		keepFailure,
		hasEnded: () => failures.some(concernsAll),
		isKindRefused: (path) => stops.find(path) !== undefined,
		events: new Readings('everything'),
	};
}

export function beginRound(context: PollContext, stored: Cursor | undefined): Round {
	const { nowSeconds } = context.time;
	return { ...context, nowSeconds, cursor: beginCursor(stored, context.search, nowSeconds) };
}

/**
 * No request has a turn before the end of the poll: the client refuses it, or a limit lasts longer, or has used up its attempts. This ends the
 * reading, and what was read before is told. A test in the editor has no deadline: there a limit is what the person is told.
 */
function isOutOfTime(error: unknown, { deadlineAtMs }: PollRun): error is Failure {
	if (!(error instanceof Failure)) return false;
	const isOfPoll = deadlineAtMs !== undefined && error.cause === 'rate_limited';
	return error.cause === 'time_over' || isOfPoll;
}

/** Owns what one poll does not ask for any more, because it would meet the same failure. */
class Stops {
	private all?: Failure;
	private readonly kinds = new Map<string, Failure>();

	add(path: string, failure: Failure): void {
		if (concernsAll(failure)) this.all ??= failure;
		if (concernsKind(failure)) this.kinds.set(kindOf(path), failure);
	}

	find(path: string): Failure | undefined {
		return this.all ?? this.kinds.get(kindOf(path));
	}
}

/** Lists of one kind differ in the id of whose they are. */
function kindOf(path: string): string {
	return path.replace(/^\/([^/]+)\/[^/]+/, '/$1/*');
}

/**
 * A failure that every other request would meet, too. Where the platform has responded with an error, or its answer got lost (mayHaveActed),
 * that may be of this list alone.
 */
function concernsAll(failure: Failure): boolean {
	return concernsOthers(failure) && !mayHaveActed(failure) && !concernsKind(failure);
}

/**
 * A failure that others of the same kind may meet, too: a scope is for some kinds of lists, and a firewall refuses by the address. The others of that kind
 * wait for the next poll, so that each poll costs one refused request for a kind.
 */
function concernsKind({ cause }: Failure): boolean {
	return cause === 'missing_scope' || cause === 'not_from_api';
}
