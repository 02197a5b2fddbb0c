import type { Limiter } from '../../sandbox/access/rateLimit';
import type { Random } from './random';

export type Trouble =
	'unreachable' | 'lost-before' | 'lost-after' | '500' | '500-after' | 'html' | 'truncated' | '429';

export interface ModelOptions {
	seed: number;
	/** 0: no limit. */
	perSecond: number;
	/** Requests left this month. */
	monthly?: number;
	/** From sending to the answer; most of it is spent after the platform has let the request in. */
	latencyMs: readonly [number, number];
	/** How unevenly fast requests travel to the platform. */
	jitterMs: number;
	/** Milliseconds for a job of so many tasks; `Infinity` for one that gets stuck halfway. */
	jobMs: (tasks: number, random: Random) => number;
	/** Jobs are worked on one after the other. */
	oneByOne: boolean;
	earlyResults: 'partial' | 'empty' | '404';
	paging: 'spec' | 'broken';
	/** Larger pages are lowered to this. */
	pageSize: number;
	/** The list of results is complete so long after the job has ended. */
	lagMs: number;
	limiter: Limiter;
	/** How a job that ended well, and somebody who is there already, are called. */
	words: 'specified' | 'other';
	/** A 403 says why. */
	explains403: boolean;
	/** Share of failed results that also stand in the place of the next good one. */
	repeatedRows: number;
	/** Share of requests that are answered with the job before, and forgotten. */
	repeatedIds: number;
	/** `changing`: another order in each answer. */
	order: 'kept' | 'reversed' | 'shuffled' | 'swapped' | 'changing';
	/** The email in the person record. */
	emails: 'as-sent' | 'lower-case' | 'absent';
	/** Share of results that the list leaves out. */
	lostResults: number;
	/** Share of requests that go wrong. */
	troubles: number;
	/** What can go wrong. */
	kinds: readonly Trouble[];
	/** Turns every request away from this one on, counted from 1. */
	refuseAfter?: { requests: number; status: number; onlyPosts?: boolean };
	/** What goes wrong with the nth request, instead of chance. */
	script?: (nth: number) => Trouble | undefined;
	/** Answers 500 to everything between these times, counted from the first request. */
	downMs?: readonly [number, number];
	/** Forgets what is of no more use: for runs that measure memory. */
	forgets: boolean;
}

export const perfectPlatform: ModelOptions = {
	seed: 1,
	perSecond: 5,
	latencyMs: [100, 400],
	jitterMs: 10,
	jobMs: (tasks) => tasks * 20,
	oneByOne: false,
	earlyResults: 'partial',
	paging: 'spec',
	pageSize: 50,
	lagMs: 0,
	limiter: 'sliding',
	words: 'specified',
	explains403: true,
	repeatedRows: 0,
	repeatedIds: 0,
	order: 'kept',
	emails: 'as-sent',
	lostResults: 0,
	troubles: 0,
	kinds: ['lost-before', 'lost-after', '500', '500-after', 'html', 'truncated', '429'],
	forgets: false,
};
