import type { Limiter } from '../../../sandbox/access/rateLimit';
import type { Random } from './random';

/** A fault that can befall a request. */
export type Trouble =
	'unreachable' | 'lost-before' | 'lost-after' | '500' | '500-after' | 'html' | 'truncated' | '429';

/** How a platform may refuse results that it does not show yet. */
export const refusedEarly = ['400', '404', '409', '422', '425'] as const;
export type RefusedEarly = (typeof refusedEarly)[number];

/** How the model of the platform behaves. */
export interface ModelOptions {
	/** The number from which all draws at random begin. */
	seed: number;
	/** Requests that are let in per second; 0: no limit. */
	perSecond: number;
	/** The least and the longest time from sending to the response. Most of it is spent after the platform has let the request in. */
	latencyMs: readonly [number, number];
	/** How unevenly fast requests travel to the platform. */
	jitterMs: number;
	/** Gives the milliseconds for a job of so many tasks; `Infinity` for one that gets stuck halfway. */
	jobMs: (tasks: number, random: Random) => number;
	/** Jobs are worked on one after the other. */
	oneByOne: boolean;
	/** The results of a job that is under way are shown like this. A status: they are refused with it until the list of them is complete. */
	earlyResults: 'partial' | 'empty' | RefusedEarly;
	/** `broken`: a request for results that has page parameters fails. */
	paging: 'spec' | 'broken';
	/** The size to which larger pages are lowered. */
	pageSize: number;
	/** The list of results is complete so long after the job has ended. */
	lagMs: number;
	/** How the platform counts the requests of a second. */
	limiter: Limiter;
	/** `letter`: a request with what section 2.2 does not name is refused with a 400, such as lists and most UTM values. */
	form: 'any' | 'letter';
	/** The status with which a request is refused for one of its people. `page`: a firewall in front refuses it with a web page. */
	refusal: 400 | 422 | 'page';
	/** How a job that ended well, and somebody who is there already, are called. */
	words: 'specification' | 'other';
	/** A 403 says why. */
	explains403: boolean;
	/** Share of requests that are answered with the job before, and forgotten. */
	repeatedIds: number;
	/** The order of the results of a job. `swapped`: some neighbours, but no two failures. `changing`: another one in each response. */
	order: 'kept' | 'reversed' | 'shuffled' | 'swapped' | 'changing';
	/** The email in the person record: `made-up` is what a public event puts in its place. */
	emails: 'as-sent' | 'lower-case' | 'absent' | 'made-up';
	/** Share of results that the list leaves out. */
	lostResults: number;
	/** Share of requests that go wrong. */
	troubles: number;
	/** The troubles that can happen. */
	kinds: readonly Trouble[];
	/** The status of each session, by its id; `upcoming` where none is given. */
	statuses: Readonly<Record<string, string>>;
	/** The id of a registered person: the address, or a number that is counted in each session. */
	ids: 'address' | 'counted';
	/** Longer answers are cut when somebody is updated. */
	keptCharacters: number;
	/** Forgets what is of no more use: for runs that measure memory. */
	forgets: boolean;
	/** How long a `429` that befalls a request asks to wait. */
	retryAfterSeconds: number;
	/** Requests left this month. Absent: the month has no limit. */
	monthly?: number;
	/** Turns every request away from this one on, counted from 1. */
	refuseAfter?: { requests: number; status: number; onlyPosts?: boolean };
	/** Gives the trouble of the nth request. Without this function chance decides. */
	script?: (nth: number) => Trouble | undefined;
	/** Answers 500 to everything between these times, counted from the first request. */
	downMs?: readonly [number, number];
}

/** A platform as the specification has it, on which nothing goes wrong. */
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
	form: 'any',
	refusal: 422,
	words: 'specification',
	explains403: true,
	repeatedIds: 0,
	order: 'kept',
	emails: 'as-sent',
	lostResults: 0,
	troubles: 0,
	kinds: ['lost-before', 'lost-after', '500', '500-after', 'html', 'truncated', '429'],
	statuses: {},
	ids: 'address',
	keptCharacters: Infinity,
	forgets: false,
	retryAfterSeconds: 1,
};
