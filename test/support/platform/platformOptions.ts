import type { Limiter } from '../../../sandbox/access/rateLimit';
import type { Random } from './random';

export type Trouble =
	'unreachable' | 'lost-before' | 'lost-after' | '500' | '500-after' | 'html' | 'truncated' | '429';

/** How a platform may refuse results that it does not show yet. */
export const refusedEarly = ['400', '404', '409', '422', '425'] as const;
export type RefusedEarly = (typeof refusedEarly)[number];

export const perfectPlatform = {
	seed: 1,
	/** 0: no limit. */
	perSecond: 5,
	/** The time from sending to the answer. Most of it is spent after the platform has let the request in. */
	latencyMs: [100, 400] as readonly [number, number],
	/** How unevenly fast requests travel to the platform. */
	jitterMs: 10,
	/** Milliseconds for a job of so many tasks; `Infinity` for one that gets stuck halfway. */
	jobMs: ((tasks) => tasks * 20) as (tasks: number, random: Random) => number,
	/** Jobs are worked on one after the other. */
	oneByOne: false,
	/** A status: the results are refused with it until the list of them is complete. */
	earlyResults: 'partial' as 'partial' | 'empty' | RefusedEarly,
	paging: 'spec' as 'spec' | 'broken',
	/** Larger pages are lowered to this. */
	pageSize: 50,
	/** The list of results is complete so long after the job has ended. */
	lagMs: 0,
	limiter: 'sliding' as Limiter,
	/** How a job that ended well, and somebody who is there already, are called. */
	words: 'specification' as 'specification' | 'other',
	/** A 403 says why. */
	explains403: true,
	/** Share of failed results that also stand in the place of the next good one. */
	repeatedRows: 0,
	/** Share of requests that are answered with the job before, and forgotten. */
	repeatedIds: 0,
	/** `changing`: another order in each answer. */
	order: 'kept' as 'kept' | 'reversed' | 'shuffled' | 'swapped' | 'changing',
	/** The email in the person record: `elsewhere` stands below a contact, `made-up` is what a public event puts in its place. */
	emails: 'as-sent' as 'as-sent' | 'lower-case' | 'absent' | 'elsewhere' | 'made-up',
	/** Share of results that the list leaves out. */
	lostResults: 0,
	/** Share of requests that go wrong. */
	troubles: 0,
	/** The troubles that can happen. */
	kinds: ['lost-before', 'lost-after', '500', '500-after', 'html', 'truncated', '429'] as Trouble[],
	/** The status of a session; `upcoming` where none is given. */
	statuses: {} as Readonly<Record<string, string>>,
	/** The id of a registered person: the address, or a number that is counted in each session. */
	ids: 'address' as 'address' | 'counted',
	/** Longer answers are cut when somebody is updated. */
	keptCharacters: Infinity,
	/** Forgets what is of no more use: for runs that measure memory. */
	forgets: false,
};

export type ModelOptions = typeof perfectPlatform & {
	/** Requests left this month. */
	monthly?: number;
	/** Turns every request away from this one on, counted from 1. */
	refuseAfter?: { requests: number; status: number; onlyPosts?: boolean };
	/** Gives the trouble of the nth request. Without this function chance decides. */
	script?: (nth: number) => Trouble | undefined;
	/** Answers 500 to everything between these times, counted from the first request. */
	downMs?: readonly [number, number];
};
