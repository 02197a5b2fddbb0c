/* What a trigger looks for, since when, and how long a poll may take for it. */
import { shortKey } from '../events/eventKey';
import { scheduleTypes, type ListedEvent, type ScheduleKind } from '../events/eventTypes';
import type { Filters } from '../events/filters';
import { largestOf } from '../values/collections';
import type { LeadTime } from './schedule/leadTime';
import { daySeconds, type Seconds } from '../values/units';

/** The events that a trigger looks for in the platform's lists. */
export interface Search {
	eventTypes: readonly string[];
	filters: Filters;
	/** The number of days after its end during which a session is looked at. */
	endedWithinDays: number;
	/** A person has just activated the workflow. */
	isActivated?: boolean;
	/** The Start From that people chose, in Unix seconds. Absent: polling begins with the activation. */
	startFrom?: Seconds;
	/** The time since the workflow was activated, where nothing could be read since then. */
	begunAgoSeconds?: Seconds;
	/** How long before its start a session is told. */
	leadTimes?: readonly LeadTime[];
	/** A delivery has told it already: it is no news where a gap of webhooks is read (`gap.ts`). Absent: in polling. */
	isDelivered?(event: ListedEvent): boolean;
}

export interface PollLimits {
	/** The poll then has to come to its end with what it has. Lists that it leaves over come first in the next one. */
	isTimeOver(this: void): boolean;
}

export const unlimited: PollLimits = { isTimeOver: () => false };

/**
 * What sessions were listed for: another list may show what this one did not, and that is no news. Which jobs are wanted makes no
 * difference, because a job has no session.
 */
export function searchKey(
	{ eventTypes, filters }: Pick<Search, 'eventTypes' | 'filters'>,
	leadTimes: readonly LeadTime[] = [],
): string {
	const { sessionId, eventId, eventTitleContains } = filters;
	const minutes = leadTimes.map((lead) => lead.minutes).sort((first, second) => first - second);
	return shortKey([[...eventTypes].sort(), sessionId, eventId, eventTitleContains, minutes]);
}

/** Polling begins anew with another Start From than the last one; without a Start From, at an activation by a person. */
export function beginsAnew(
	{ startFrom, isActivated = false }: Search,
	lastStartFrom?: Seconds,
): boolean {
	return startFrom === undefined ? isActivated : startFrom !== lastStartFrom;
}

export function beginningOf(
	{ startFrom, begunAgoSeconds = 0 }: Search,
	nowSeconds: Seconds,
): Seconds {
	return startFrom ?? nowSeconds - begunAgoSeconds;
}

/** The span is a day longer than the longest lead time, because the next list may be late. Changes are told of whatever session. */
export function spanOf(search: Search): Seconds {
	if (tells('change', search)) return Infinity;
	return largestOf(leadsOf(search).map(({ minutes }) => minutes)) * 60 + daySeconds;
}

export function tells(kind: ScheduleKind, { eventTypes }: Search): boolean {
	return scheduleTypes(eventTypes, kind).length > 0;
}

export function leadsOf(search: Search): readonly LeadTime[] {
	return tells('start', search) ? (search.leadTimes ?? []) : [];
}
