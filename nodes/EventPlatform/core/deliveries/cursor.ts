import { shortKey } from './delivery';
import type { Filters } from './filters';
import { lists } from './happened';

/** How far a list was read. */
export interface Bookmark {
	/** Unix seconds by the platform's clock, as all times here. */
	readAt: number;
	/** Keys of what would be found again: from the overlap before `readAt`, and from its last minute. */
	seen?: string;
	fresh?: string;
	/** The overlap is over, and with it `seen`: the next read begins with the last minute. */
	isShort?: boolean;
	/** Since when the session is not shown any more. */
	goneAt?: number;
	/** It was not read to the end, so the next poll reads it whatever the counts say. */
	isCut?: boolean;

	// Of the people of a session:
	/** Keys of those whom no time tells to be new. */
	known?: string;
	/** Everybody who was there before is known. */
	isComplete?: boolean;
	/** What the session showed of its people, and how many they were. */
	mark?: string;
	count?: number;
	changedAt?: number;
	/** How many more people joined by the count than the list has shown. */
	owed?: number;
	/** Attendance was read after the end, and whether it changes no more. */
	hasSettled?: boolean;
}

/** What is known from one poll to the next. Of one trigger; plain data, to be stored. */
export interface Cursor {
	/** Nothing from before starts a run. */
	from: number;
	/** The Start From that was asked for. */
	startFrom?: number;
	polledAt: number;
	/** By path. */
	lists: Record<string, Bookmark>;
	/** Which sessions are looked at. */
	view?: View;
	/** Times of which earlier activations have told, and of what they told. */
	told?: Array<[from: number, until: number]>;
	toldOf?: string;
	/** The platform does not tell when somebody registered. */
	hasNoTimes?: boolean;
	/** One run could not take everything. */
	hasMore?: boolean;
}

export interface View {
	/** When all sessions were listed, and how many requests that took. */
	listedAt: number;
	pages: number;
	/** Those that are not over, and how many of them the list of recent ones leaves out. */
	open?: string[];
	hidden: number;
}

export interface Wanted {
	kinds: readonly string[];
	filters: Filters;
	/** How long the people of a session are looked at after its end. */
	endedWithinDays: number;
}

export interface Start {
	/** The workflow has just been activated by a person. */
	isNew: boolean;
	startFrom?: number;
}

export interface Moment {
	/** When the lists are read, rather too early than too late: what happens after it is found the next time. */
	now: number;
	activatedAt: number;
}

export const day = 86_400;

/** How late a record may show up in its list. */
export const overlap = 600;
/** How late while nothing else happens. */
export const freshFor = 60;

/**
 * At the activation, which is at `activatedAt` by the platform's clock, unless another time was asked for;
 * or where the last poll ended.
 */
export function begin(
	former: Cursor | undefined,
	{ isNew, startFrom }: Start,
	wanted: Wanted,
	{ now, activatedAt }: Moment,
): Cursor {
	const toldOf = shortKey([wanted.kinds, wanted.filters]);
	const isOther = startFrom !== undefined && startFrom !== former?.startFrom;
	const isPaused = isNew && startFrom === undefined;
	if (former !== undefined && !isOther && !isPaused) {
		return { ...(former.polledAt > now ? setBack(former, now) : former), toldOf };
	}
	const from = startFrom ?? activatedAt;
	const fresh = { from, polledAt: from, toldOf, ...(startFrom !== undefined && { startFrom }) };
	if (former === undefined) return { ...fresh, lists: {} };
	const { hasNoTimes, view } = former;
	const kept = isOther ? Object.entries(former.lists) : [];
	// A job has no time, and one that has ended stays so.
	const jobs = former.lists[lists.jobs];
	return {
		...fresh,
		...(hasNoTimes !== undefined && { hasNoTimes }),
		...(view && { view }),
		told: former.toldOf === toldOf ? [...(former.told ?? []), toldBy(former)].slice(-20) : [],
		lists: {
			...Object.fromEntries(
				kept.map(([list, bookmark]) => [list, { ...bookmark, readAt: from, isCut: true }]),
			),
			...(jobs && { [lists.jobs]: jobs }),
		},
	};
}

/** Our clock was ahead, and is not any more: it would be long until it is so late again. */
function setBack(former: Cursor, now: number): Cursor {
	const lists = Object.entries(former.lists).map(([list, bookmark]) => {
		return [list, { ...bookmark, readAt: Math.min(bookmark.readAt, now), isCut: true }] as const;
	});
	const from = former.startFrom ?? Math.min(former.from, now);
	return { ...former, from, polledAt: now, lists: Object.fromEntries(lists) };
}

/** What its last poll had not read to the end, or may be listed late, is known by its keys only. */
function toldBy({ from, polledAt, lists: read }: Cursor): [number, number] {
	const cut = Object.values(read).filter(({ isCut }) => isCut);
	return [from, Math.min(polledAt, ...cut.map(({ readAt }) => readAt)) - overlap];
}

/** From when on a list is looked at. */
export function sinceOf({ from, polledAt, lists: read }: Cursor, list: string): number {
	const { readAt, isShort } = read[list] ?? { readAt: polledAt };
	return Math.max(from, readAt - (isShort ? freshFor : overlap));
}

/** Of a list that has not changed for long enough. */
export function dropOld(bookmark: Bookmark, now: number): Bookmark {
	if (bookmark.isCut || bookmark.owed || now - bookmark.readAt <= 2 * overlap) return bookmark;
	const { seen, ...rest } = bookmark;
	return seen === undefined ? bookmark : { ...rest, isShort: true };
}

export function readKeys(...texts: unknown[]): Set<string> {
	const keys = texts.map((text) => (typeof text === 'string' ? text.match(/.{8}/g) : null) ?? []);
	return new Set(keys.flat());
}

export function writeKeys(keys: Iterable<string>): string {
	return [...new Set(keys)].join('');
}
