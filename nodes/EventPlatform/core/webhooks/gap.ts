import type { Failure } from '../client/failure';
import { lastAttemptMs } from '../dialect/webhooks';
import { cursorShape } from '../polling/lists/cursor';
import type { PollLimits } from '../polling/pollSettings';
import { deliveryKey } from '../events/eventKey';
import { hasHappenedSince, isListable, type ListedEvent } from '../events/eventTypes';
import type { Filters } from '../events/filters';
import { readNews } from '../polling/poll';
import { sessionsPathOf } from '../polling/sessionList';
import type { ListNews } from '../polling/lists/pollLists';
import type { PollRun } from '../polling/pollContext';
import { smallestOf } from '../values/collections';
import {
	mapOf,
	milliseconds,
	optional,
	shaped,
	type Reader,
	type Stored,
} from '../values/storedShape';
import type { Ms, Seconds } from '../values/units';

const gap = {
	/** When it began for each event type, in milliseconds since 1970 by the platform's clock. */
	beganAtMs: mapOf(milliseconds),
	/** When it ended: what happens after the first poll comes as a delivery, as before the gap. Absent: no poll was made. */
	endedAtMs: optional(milliseconds),
	cursor: optional(shaped(cursorShape)),
};

/** A time in which events may have started no run, because the platform had no subscription or could not be asked about them. */
export type Gap = Stored<typeof gap>;

export const readGap: Reader<Gap> = (value, reading) => {
	const stored = shaped(gap)(value, reading);
	return stored && Object.keys(stored.beganAtMs).length > 0 ? stored : undefined;
};

interface KnownSubscription {
	ids: Readonly<Record<string, string>>;
	madeAt: Ms;
	/** When its webhooks were last listed, and those made that were to be made. */
	seenAt: Ms;
	/** The gap that is open. */
	missed?: Gap;
}

/**
 * Opens a gap for the event types whose webhooks are interrupted. Those that had none miss nothing. One that is open is read from its
 * beginning again: what has started a run is known by its key. `arrived`: the times of the latest events, by their types.
 */
export function gapOf(
	{ ids, madeAt, seenAt, missed: openGap }: KnownSubscription,
	interruptedTypes: readonly string[],
	arrived: Readonly<Record<string, Ms>>,
): Gap | undefined {
	const interrupted = interruptedTypes.filter((eventType) => Object.hasOwn(ids, eventType));
	if (interrupted.length === 0) return openGap;
	const beginnings = interrupted.map((eventType) => {
		const workedAtMs = Math.max(seenAt, arrived[eventType] ?? 0);
		// A delivery is given up when its last attempt fails. Nothing from before the subscription starts a run.
		return [eventType, Math.max(madeAt, workedAtMs - lastAttemptMs)] as const;
	});
	return { beganAtMs: { ...Object.fromEntries(beginnings), ...openGap?.beganAtMs } };
}

/**
 * Sessions are looked at that were over up to a day before the gap began. Where nobody has begun one, it shows no end but only its planned start,
 * and people may have registered after that.
 */
const daysBeforeGap = 1;

interface MissedResult extends ListNews {
	left?: Gap;
}

/**
 * Reads the next events that were missed, and tells what is left of the gap, which stays open until everything was read and has settled. `limits`
 * are of time alone: a gap is rare, so that the allowance of polling does not count it.
 */
export async function readMissed(
	run: PollRun,
	gap: Gap,
	filters: Filters,
	history: { has(key: string): boolean; now(): Ms },
	limits?: PollLimits,
): Promise<MissedResult> {
	const { beganAtMs, cursor } = gap;
	const isDelivered = (event: ListedEvent): boolean =>
		!isInGap(event, gap) || history.has(deliveryKey(event));
	const eventTypes = Object.keys(beganAtMs).filter(isListable);
	const startFrom = toSeconds(smallestOf(Object.values(beganAtMs)));
	const search = { eventTypes, filters, endedWithinDays: daysBeforeGap, startFrom, isDelivered };
	const poll = await readNews(run, cursor, search, () => history.now(), limits);
	// Where the session of the filter is gone, there is nothing to catch up.
	const isGone = ({ cause, request }: Failure) =>
		cause === 'not_found' && request.path === sessionsPathOf(search);
	const failures = poll.failures.filter((failure) => !isGone(failure));
	const isOpen = poll.hasUntold || failures.length > 0;
	const remainingGap: Gap = {
		...gap,
		endedAtMs: gap.endedAtMs ?? poll.readUntil * 1_000,
		cursor: poll.next,
	};
	// Some events were delivered while the lists were read.
	const news = poll.news.filter((event) => !isDelivered(event));
	return { ...poll, news, failures, left: isOpen ? remainingGap : undefined };
}

function isInGap(event: ListedEvent, { beganAtMs, endedAtMs }: Gap): boolean {
	const gapBeganAtMs = beganAtMs[event.eventType];
	if (gapBeganAtMs === undefined) return false;
	if (!hasHappenedSince(event, toSeconds(gapBeganAtMs))) return false;
	return endedAtMs === undefined || !hasHappenedSince(event, toSeconds(endedAtMs));
}

/** The platform tells times in seconds. */
function toSeconds(ms: Ms): Seconds {
	return Math.floor(ms / 1_000);
}
