import { findLatest } from '../../../nodes/EventPlatform/core/polling/latest';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { daySeconds } from '../../support/time/units';
import { polledRun } from '../../support/runs/measuredClient';

const now = 1_800_000_000;

/** The platform lists what was updated since the moment that is asked for. */
const platform = (lists: Record<string, JsonObject[]>) =>
	fakePlatform(({ path, query = {} }) => {
		const since = Number(query['filter[updated_since]'] ?? 0);
		const data = (lists[path] ?? []).filter(({ updatedAt = 0 }) => Number(updatedAt) >= since);
		return path.startsWith('/jobs/') ? { ...data[0] } : { data };
	});

const session = (id: string, attributes: JsonObject) => ({ type: 'sessions', id, attributes });
const event = (id: string, created_at: number, updatedAt = created_at) => {
	return { type: 'events', id, updatedAt, attributes: { created_at } };
};
const person = (id: string, updatedAt: number, detail: JsonObject = {}) => {
	const registrant_detail = { created_at: updatedAt, ...detail };
	return { type: 'people', id, updatedAt, attributes: { registrant_detail } };
};
const job = (id: string, status: string) => ({ type: 'jobs', id, attributes: { status } });

const upcoming = ['oldest', 'older', 'newer', 'newest'].map((id, index) =>
	session(id, { registrants_count: 1, updated_at: now - (9 - index) * daySeconds }),
);
const empty = session('empty', { registrants_count: 0, updated_at: now });
const ended = (days: number) => session(`ended-${days}`, { ended_at: now - days * daySeconds });
const latestThree = ['newest', 'newer', 'older'].map((id) => `/sessions/${id}/people`);
const endedPeople = '/sessions/ended-3/people';
const endedRecordings = '/sessions/ended-3/recordings';
const recording = { type: 'recordings', id: 'film', attributes: { url: 'https://x.test/film' } };
const webinar = { ...ended(3), attributes: { ...ended(3).attributes, registrants_count: 0 } };

interface LatestSearch {
	what: string;
	eventTypes: string[];
	/** The records that the platform lists, by path. */
	lists: Record<string, JsonObject[]>;
	event: string;
	requests: string[];
	/** How far the trigger looks back: a day, where nothing is said. */
	endedWithinDays?: number;
}

test.each<LatestSearch>([
	{
		what: 'the latest registration of the last day, in the three sessions that changed last and have people',
		eventTypes: ['people.registered'],
		lists: {
			'/sessions': [empty, ...upcoming],
			'/sessions/older/people': [person('later', now - 60), person('earlier', now - 90)],
			'/sessions/newest/people': [person('first', now - 120)],
		},
		event: 'people.registered later',
		requests: ['/sessions', ...latestThree],
	},
	{
		what: 'a registration of long ago where there is none of the last day',
		eventTypes: ['people.registered'],
		lists: {
			'/sessions': [...upcoming, empty],
			'/sessions/newer/people': [person('ago', now - 2 * daySeconds), person('long-ago', 9)],
		},
		event: 'people.registered ago',
		requests: ['/sessions', ...latestThree, ...latestThree],
	},
	{
		what: 'attendance, by the end of its session',
		eventTypes: ['people.attended'],
		lists: {
			'/sessions': [ended(3)],
			[endedPeople]: [person('p', now - 9 * daySeconds, { attended: true })],
		},
		event: 'people.attended p',
		requests: ['/sessions', endedPeople, endedPeople],
	},
	{
		what: 'a recording of a session in which nobody is registered, and that changed before sessions that have none',
		eventTypes: ['recording.ready'],
		lists: { '/sessions': [...upcoming, webinar], [endedRecordings]: [recording] },
		event: 'recording.ready film',
		requests: ['/sessions', endedRecordings],
	},
	{
		what: 'attendance, with no request for the people of sessions to come',
		eventTypes: ['people.attended'],
		lists: {
			'/sessions': [...upcoming, ended(3)],
			[endedPeople]: [person('p', now - 60, { attended: true })],
		},
		event: 'people.attended p',
		requests: ['/sessions', endedPeople],
	},
	{
		what: 'the session that ended last, as far back as the trigger looks, without its people and without events',
		eventTypes: ['session.ended'],
		lists: { '/sessions': [ended(39), ended(31)] },
		event: 'session.ended ended-31',
		requests: ['/sessions'],
		endedWithinDays: 40,
	},
	{
		what: 'the event that was created last, not an older one that was changed today',
		eventTypes: ['event.created'],
		lists: {
			'/events': [event('changed', now - 9 * daySeconds, now), event('e', now - 5 * daySeconds)],
		},
		event: 'event.created e',
		requests: ['/events', '/events'],
	},
	{
		what: 'a named job that has ended, with nothing else asked for',
		eventTypes: ['job.ended', 'session.ended', 'event.created'],
		lists: {
			'/jobs/one': [job('one', 'ended')],
			'/jobs/two': [job('two', 'failed')],
			'/jobs/three': [job('three', 'ended')],
			'/jobs/four': [job('four', 'processing')],
		},
		event: 'job.ended three',
		requests: ['/jobs/one', '/jobs/two', '/jobs/three', '/jobs/four'],
	},
])(
	'the test button shows, with few requests: $what',
	async ({ eventTypes, lists, event, requests, endedWithinDays = 1 }) => {
		const jobIds = eventTypes.includes('job.ended') ? ['one', 'two', 'three', 'four'] : [];
		const { ask, asked } = platform(lists);
		const search = { eventTypes, filters: { needsFailedTasks: false, jobIds }, endedWithinDays };
		const latest = await findLatest(
			polledRun(ask, () => now * 1_000),
			search,
			now,
		);
		expect(latest && `${latest.eventType} ${latest.record.id}`).toBe(event);
		expect(asked.map(({ path }) => path)).toEqual(requests);
	},
);
