import { storedUrl } from '../client/baseUrl';
import { storedId } from '../client/path';
import { lastAttemptMs } from '../dialect/webhooks';
import { cursorShape, type PollLimits } from '../polling/cursor';
import { deliveryKey } from '../events/delivery';
import { hasHappenedSince, isListable, type ListedEvent } from '../events/eventTypes';
import type { Filters } from '../events/filters';
import { readNews, type PollResult } from '../polling/poll';
import type { PollRun } from '../polling/round';
import { smallestOf } from '../values/collections';
import { endOfDatesMs } from '../values/dates';
import {
	anyText,
	arrayOf,
	mapOf,
	milliseconds,
	numberFrom,
	optional,
	shaped,
	type Reader,
	type Stored,
} from '../values/storedShape';
import type { Ms, Seconds } from '../values/units';

const gap = {
	/** When it began for each event type, in milliseconds since 1970 by the platform's clock. */
	beganAtMs: mapOf(milliseconds),
	/** When it ended: what happens after the first poll is delivered again. Absent: no poll was made. */
	endedAtMs: optional(milliseconds),
	cursor: optional(shaped(cursorShape)),
};

/** A time in which events may have started no run, because the platform had no subscription or could not be asked about them. */
export type Gap = Stored<typeof gap>;

const readGap: Reader<Gap> = (value, reading) => {
	const stored = shaped(gap)(value, reading);
	return stored && Object.keys(stored.beganAtMs).length > 0 ? stored : undefined;
};

const madeWebhook = {
	id: storedId,
	/** The address without the key, because what is stored leaves n8n with an exported workflow. */
	url: storedUrl,
	/** The digest that recognises the key; absent where the webhook was made without one. */
	keyDigest: optional(anyText),
};

export type MadeWebhook = Stored<typeof madeWebhook>;

export const subscriptionShape = {
	/** The address without the key, because what is stored leaves n8n with an exported workflow. */
	url: storedUrl,
	ids: mapOf(storedId),
	/** Webhooks that are not in use any more and may still be there, because they were not removed, or not listed. */
	former: optional(arrayOf(shaped(madeWebhook))),
	/** When a webhook that was gone was last made again, in milliseconds by our clock. */
	madeAgainAt: optional(milliseconds),
	/** When the first of them were made, in milliseconds by the platform's clock. Nothing from before starts a run. */
	madeAt: milliseconds,
	/** When the platform last showed them, in milliseconds by our clock. */
	seenAt: milliseconds,
	/** How far our clock was ahead of the platform's then, or behind it. */
	aheadMs: optional(numberFrom(-endOfDatesMs, endOfDatesMs)),
	missed: optional(readGap),
	keyDigest: optional(anyText),
	/** The workflow, and its n8n, that made them. */
	owner: anyText,
};

export type Subscription = Stored<typeof subscriptionShape>;

/** Opens a gap for the event types whose former subscription is gone. Others in `lostTypes` had none. */
export function gapOf(
	subscription: Pick<Subscription, 'ids' | 'madeAt' | 'seenAt' | 'aheadMs' | 'missed'>,
	lostTypes: readonly string[],
	arrived: Readonly<Record<string, number>>,
): Gap | undefined {
	const { ids, madeAt, seenAt, aheadMs = 0, missed } = subscription;
	const lost = lostTypes.filter((eventType) => eventType in ids);
	if (lost.length === 0) return missed;
	const beginnings = lost.map((eventType) => {
		// A subscription is given up when the last attempt of a delivery fails.
		const workedAt = Math.max(seenAt, arrived[eventType] ?? 0);
		return [eventType, Math.max(madeAt, workedAt - aheadMs - lastAttemptMs)] as const;
	});
	return openGap(Object.fromEntries(beginnings), missed);
}

/** Opens a gap. One that is open is read from its beginning again: what has started a run is known by its key. */
export function openGap(beganAtMs: Readonly<Record<string, number>>, open: Gap | undefined): Gap {
	return { beganAtMs: { ...beganAtMs, ...open?.beganAtMs } };
}

export interface MissedResult extends PollResult {
	left?: Gap;
}

/** Reads the next events that were missed, and tells what is left of the gap, which stays open until everything was read and has settled. */
export async function readMissed(
	run: PollRun,
	gap: Gap,
	filters: Filters,
	seen: { has(key: string): boolean },
	ourClockMs: () => number,
	limits?: PollLimits,
): Promise<MissedResult> {
	const { beganAtMs, cursor } = gap;
	const isDelivered = (event: ListedEvent): boolean =>
		!isInGap(event, gap) || seen.has(deliveryKey(event));
	const eventTypes = Object.keys(beganAtMs).filter(isListable);
	const startFrom = toSeconds(smallestOf(Object.values(beganAtMs)));
	const search = { eventTypes, filters, endedWithinDays: 1, startFrom, isDelivered };
	const poll = await readNews(run, cursor, search, ourClockMs, limits);
	// Where the session of the filter is gone, there is nothing to catch up.
	const failures = poll.failures.filter(({ cause }) => cause !== 'not_found');
	const isOpen = poll.hasLeftOver || failures.length > 0;
	const remainingGap: Gap = {
		...gap,
		endedAtMs: gap.endedAtMs ?? poll.platformNow * 1_000,
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
