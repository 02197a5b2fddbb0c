import { findLatest } from '../../../nodes/EventPlatform/core/polling/latest';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform } from '../../support/platform/fakePlatform';

const now = 1_800_000_000;
const day = 86_400;

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
	session(id, { registrants_count: 1, updated_at: now - (9 - index) * day }),
);
const empty = session('empty', { registrants_count: 0, updated_at: now });
const ended = (days: number) => session(`ended-${days}`, { ended_at: now - days * day });
const latestThree = ['newest', 'newer', 'older'].map((id) => `/sessions/${id}/people`);
const endedPeople = '/sessions/ended-3/people';

test.each<[string, string[], Record<string, JsonObject[]>, string, string[], number?]>([
	[
		'the latest registration of the last day, in the three sessions that changed last and have people',
		['people.registered'],
		{
			'/sessions': [empty, ...upcoming],
			'/sessions/older/people': [person('later', now - 60), person('earlier', now - 90)],
			'/sessions/newest/people': [person('first', now - 120)],
		},
		'people.registered later',
		['/sessions', ...latestThree],
	],
	[
		'a registration of long ago where there is none of the last day',
		['people.registered'],
		{
			'/sessions': [...upcoming, empty],
			'/sessions/newer/people': [person('ago', now - 2 * day), person('long-ago', 9)],
		},
		'people.registered ago',
		['/sessions', ...latestThree, ...latestThree],
	],
	[
		'attendance, by the end of its session',
		['people.attended'],
		{ '/sessions': [ended(3)], [endedPeople]: [person('p', now - 9 * day, { attended: true })] },
		'people.attended p',
		['/sessions', endedPeople, endedPeople],
	],
	[
		'the session that ended last, as far back as the trigger looks, without its people and without events',
		['session.ended'],
		{ '/sessions': [ended(39), ended(31)] },
		'session.ended ended-31',
		['/sessions'],
		40,
	],
	[
		'the event that was created last, not an older one that was changed today',
		['event.created'],
		{ '/events': [event('changed', now - 9 * day, now), event('e', now - 5 * day)] },
		'event.created e',
		['/events', '/events'],
	],
	[
		'a named job that has ended, with nothing else asked for',
		['job.ended', 'session.ended', 'event.created'],
		{
			'/jobs/one': [job('one', 'ended')],
			'/jobs/two': [job('two', 'failed')],
			'/jobs/three': [job('three', 'ended')],
			'/jobs/four': [job('four', 'processing')],
		},
		'job.ended three',
		['/jobs/one', '/jobs/two', '/jobs/three', '/jobs/four'],
	],
])(
	'the test button shows, with few requests: %s',
	async (_, eventTypes, lists, expected, requests, endedWithinDays = 1) => {
		const filters = { needsFailedTasks: false };
		const jobIds = eventTypes.includes('job.ended') ? ['one', 'two', 'three', 'four'] : [];
		const { ask, asked } = platform(lists);
		const search = { eventTypes, filters: { ...filters, jobIds }, endedWithinDays };
		const latest = await findLatest(ask, search, now);
		expect(latest && `${latest.eventType} ${latest.record.id}`).toBe(expected);
		expect(asked.map(({ path }) => path)).toEqual(requests);
	},
);
