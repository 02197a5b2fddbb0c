import {
	begin,
	findLatest,
	note,
	readNews,
	type Cursor,
	type Wanted,
} from '../../../nodes/EventPlatform/core/deliveries/polling';
import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import type { Api, ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const hour = 3_600;
const day = 24 * hour;
/** When the trigger was activated. */
const start = 1_700_000_000;

/** A platform that shows what it has at the time of the request, and knows the filters. */
class Platform {
	asked: ApiRequest[] = [];
	readonly lists: Record<string, JsonObject[]> = { '/sessions': [], '/events': [] };
	readonly records: Record<string, JsonObject> = {};
	readonly failures: Record<string, 'not_found' | 'platform_error'> = {};

	readonly api: Api = Object.assign((request: ApiRequest) => this.answer(request), {
		usage: { requests: 0, perSecond: 5 },
	});

	get paths(): string[] {
		return this.asked.splice(0).map(({ path }) => path);
	}

	private answer(request: ApiRequest) {
		this.asked.push(request);
		expect(request.method).toBe('GET');
		const { path, query = {} } = request;
		const failure = this.failures[path];
		if (failure) return Promise.reject(new Failure(failure, request, {}));
		const record = this.records[path];
		const since = Number(query['filter[updated_since]'] ?? 0);
		const found = (this.lists[path] ?? []).filter(
			({ attributes }) => ((attributes as JsonObject).updated_at as number) >= since,
		);
		const body = record ?? { data: found.slice(0, Number(query['page[size]'])) };
		return Promise.resolve({ status: 200, headers: {}, body });
	}
}

function session(id: string, attributes: JsonObject = {}): JsonObject {
	const usual = { event_id: 'e', status: 'upcoming', created_at: 1, updated_at: 1 };
	const counts = { registrants_count: 1, attendees_count: 0, started_at: 0, ended_at: 0 };
	return { type: 'sessions', id, attributes: { ...usual, ...counts, ...attributes } };
}

function person(id: string, at: number, detail: JsonObject = {}): JsonObject {
	const registrant_detail = { session_id: 's', event_id: 'e', created_at: at, ...detail };
	return { type: 'people', id, attributes: { updated_at: at, registrant_detail } };
}

const job = (id: string, status: string): JsonObject => ({
	type: 'jobs',
	id,
	attributes: { status },
});

function wanting(...kinds: string[]): Wanted {
	const filters = { jobIds: [], onlyWithFailures: false, sessionId: '', eventId: '' };
	return { kinds, filters, endedWithinDays: 1 };
}

const activated = () => begin(undefined, { isNew: true, now: start });

/** Polls as n8n does, with a database in between. */
class Poller {
	cursor: Cursor;

	constructor(
		private readonly platform: Platform,
		private readonly wanted: Wanted,
		cursor = activated(),
	) {
		this.cursor = cursor;
	}

	async at(now: number): Promise<string[]> {
		const { news, next } = await readNews(this.platform.api, this.cursor, this.wanted, now);
		this.cursor = JSON.parse(JSON.stringify(next)) as Cursor;
		return news.map(({ kind, record }) => `${kind} ${record.id}`);
	}
}

describe('where a trigger begins', () => {
	const former: Cursor = {
		from: start,
		polledAt: start + 9,
		lists: { '/jobs': { readAt: 1, seen: ['key'] }, '/sessions': { readAt: 2, seen: [] } },
	};

	test('at the first activation, or at the time that was asked for', () => {
		expect(activated()).toStrictEqual({ from: start, polledAt: start, lists: {} });
		expect(begin(undefined, { isNew: false, startFrom: 5, now: start })).toEqual({
			from: 5,
			polledAt: 5,
			lists: {},
		});
	});

	test('anew at another activation, but for the jobs that were told of', () => {
		expect(begin(former, { isNew: true, now: start + day })).toEqual({
			from: start + day,
			polledAt: start + day,
			lists: { '/jobs': { readAt: 1, seen: ['key'] } },
		});
		expect(begin(former, { isNew: true, startFrom: 7, now: start + day }).from).toBe(7);
	});

	test('where it was after a restart, and where everything since the same time is wanted', () => {
		expect(begin(former, { isNew: false, now: start + day })).toBe(former);
		expect(begin(former, { isNew: true, startFrom: start, now: start + day })).toBe(former);
	});
});

describe('the requests of a poll', () => {
	test('one for the sessions, none for people as long as nothing has changed', async () => {
		const platform = new Platform();
		platform.lists['/sessions'] = [session('s')];
		const poller = new Poller(platform, wanting('people.registered'));
		await poller.at(start);
		await poller.at(start + 300);
		expect(platform.asked.map(({ query }) => query?.['filter[date_from]'])).toEqual([
			start - 2 * day,
			start - 2 * day,
		]);
		expect(platform.paths).toEqual(['/sessions', '/sessions']);
	});

	test.each<[string, JsonObject]>([
		['registered', { registrants_count: 2 }],
		['came', { attendees_count: 1 }],
		['changed', { updated_at: 2 }],
		['started', { started_at: 3 }],
		['ended', { ended_at: start + 1 }],
	])('one for the people of a session where somebody or something %s', async (_, change) => {
		const platform = new Platform();
		platform.lists['/sessions'] = [session('s'), session('same')];
		const poller = new Poller(platform, wanting('people.registered'));
		await poller.at(start);
		platform.lists['/sessions'] = [session('s', change), session('same')];
		expect(platform.paths).toEqual(['/sessions']);
		await poller.at(start + 300);
		expect(platform.paths).toEqual(['/sessions', '/sessions/s/people']);
		await poller.at(start + 600);
		expect(platform.paths).toEqual(['/sessions']);
	});

	test('none for a new session without people; one each time where the platform does not count', async () => {
		const platform = new Platform();
		const poller = new Poller(platform, wanting('people.registered'));
		await poller.at(start);
		platform.lists['/sessions'] = [
			session('empty', { registrants_count: 0 }),
			session('uncounted', { registrants_count: null }),
		];
		platform.asked = [];
		await poller.at(start + 300);
		await poller.at(start + 600);
		const both = ['/sessions', '/sessions/uncounted/people'];
		expect(platform.paths).toEqual([...both, ...both]);
	});

	test('of sessions that are over, none beyond the days that were chosen', async () => {
		const platform = new Platform();
		const poller = new Poller(platform, wanting('people.registered'));
		await poller.at(start);
		const over = (id: string, ended_at: number) => session(id, { status: 'past', ended_at });
		platform.lists['/sessions'] = [
			over('long-ago', start - day - 1),
			over('lately', start - day),
			session('live', { status: 'live' }),
			session('canceled', { status: 'canceled' }),
			session('new', { status: 'draft', created_at: start }),
		];
		platform.asked = [];
		await poller.at(start + 300);
		expect(platform.paths).toEqual([
			'/sessions',
			'/sessions/lately/people',
			'/sessions/live/people',
			'/sessions/new/people',
		]);
		expect(Object.keys(poller.cursor.lists)).not.toContain('/sessions/long-ago/people');
	});

	test('what ended while nobody polled is looked at however long ago that was', async () => {
		const platform = new Platform();
		const poller = new Poller(platform, wanting('people.registered'));
		await poller.at(start);
		const ended = session('s', { status: 'past', ended_at: start + hour });
		platform.lists['/sessions'] = [ended];
		platform.lists['/sessions/s/people'] = [person('p', start + 60)];
		expect(await poller.at(start + 30 * day)).toEqual(['people.registered p']);
		expect(platform.asked.map(({ query }) => query?.['filter[date_from]'])).toEqual([
			start - 2 * day,
			start - 2 * day,
			undefined,
		]);
	});

	test('those of one session or one event alone', async () => {
		const platform = new Platform();
		platform.records['/sessions/s'] = { data: session('s') };
		const one = wanting('people.registered');
		await new Poller(platform, { ...one, filters: { ...one.filters, sessionId: 's' } }).at(start);
		await new Poller(platform, { ...one, filters: { ...one.filters, eventId: 'e' } }).at(start);
		expect(platform.paths).toEqual(['/sessions/s', '/events/e/sessions']);
	});

	test('only the lists that the events need', async () => {
		const platform = new Platform();
		await new Poller(platform, wanting('event.created')).at(start);
		platform.lists['/sessions'] = [session('s')];
		await new Poller(platform, wanting('session.started')).at(start + 60);
		await new Poller(platform, wanting('session.ended', 'event.published')).at(start);
		expect(platform.paths).toEqual(['/events', '/sessions', '/sessions', '/events']);
	});
});

describe('what a poll finds', () => {
	test('what shows up late, once, and nothing from before the activation', async () => {
		const platform = new Platform();
		const poller = new Poller(platform, wanting('people.registered', 'session.created'));
		await poller.at(start);
		const people = [person('before', start - 1), person('first', start)];
		platform.lists['/sessions/s/people'] = people;
		platform.lists['/sessions'] = [session('s')];
		expect(await poller.at(start + hour)).toEqual(['people.registered first']);
		people.push(person('late', start + hour - 600), person('too-late', start + hour - 601));
		platform.lists['/sessions'] = [
			session('s', { registrants_count: 3 }),
			session('new', { created_at: start + hour - 1 }),
		];
		expect(await poller.at(start + hour + 60)).toEqual([
			'people.registered late',
			'session.created new',
		]);
		platform.lists['/sessions'].push(session('s', { registrants_count: 4 }));
		expect(await poller.at(start + hour + 120)).toEqual([]);
	});

	test('what happened as long ago as it may show up late is told once', async () => {
		const platform = new Platform();
		const poller = new Poller(platform, wanting('people.registered', 'event.created'));
		await poller.at(start);
		platform.asked = [];
		const at = start + hour - 600;
		platform.lists['/sessions'] = [session('s')];
		platform.lists['/sessions/s/people'] = [person('p', at)];
		const event = { created_at: at, updated_at: at };
		platform.lists['/events'] = [{ type: 'events', id: 'e', attributes: event }];
		expect(await poller.at(start + hour)).toEqual(['event.created e', 'people.registered p']);
		expect(platform.asked.map(({ query }) => query?.['filter[updated_since]'])).toEqual([
			undefined,
			start,
			start,
		]);
		platform.lists['/sessions'] = [session('s', { registrants_count: 2 })];
		expect(await poller.at(start + hour + 60)).toEqual([]);
	});

	test('people of a session are looked for since it was read last, not since the last poll', async () => {
		const platform = new Platform();
		platform.lists['/sessions'] = [session('s')];
		const poller = new Poller(platform, wanting('people.registered'));
		await poller.at(start);
		// One left as this one came: no count shows it.
		platform.lists['/sessions/s/people'] = [person('unseen', start + 60)];
		expect(await poller.at(start + hour)).toEqual([]);
		expect(await poller.at(start + 2 * hour)).toEqual([]);
		platform.lists['/sessions'] = [session('s', { registrants_count: 2 })];
		platform.lists['/sessions/s/people'].push(person('next', start + 2 * hour));
		expect(await poller.at(start + 3 * hour)).toEqual([
			'people.registered unseen',
			'people.registered next',
		]);
		// What cannot be found again is not kept.
		expect(poller.cursor.lists['/sessions/s/people']?.seen).toEqual([]);
	});

	test('who came, when the session is over, and who did not, though nobody touched the record', async () => {
		const platform = new Platform();
		const started = { status: 'live', started_at: start + 60, attendees_count: 1 };
		platform.lists['/sessions'] = [session('s')];
		platform.lists['/sessions/s/people'] = [
			person('absent', 1, { attended: false }),
			person('came', start + 90, { attended: true }),
		];
		const poller = new Poller(platform, wanting('people.attended', 'people.not_attended'));
		await poller.at(start);
		platform.lists['/sessions'] = [session('s', started)];
		expect(await poller.at(start + 120)).toEqual([]);
		const ended = { ...started, status: 'past', ended_at: start + hour };
		platform.lists['/sessions'] = [session('s', ended)];
		expect(await poller.at(start + hour + 60)).toEqual([
			'people.not_attended absent',
			'people.attended came',
		]);
		platform.lists['/sessions'] = [session('s', { ...ended, updated_at: 5 })];
		expect(await poller.at(start + hour + 120)).toEqual([]);
	});

	test('each named job once it has ended, and no request for it after that', async () => {
		const platform = new Platform();
		platform.records['/jobs/a'] = job('a', 'processing');
		platform.records['/jobs/b'] = job('b', 'failed');
		platform.records['/jobs/odd'] = {};
		platform.failures['/jobs/gone'] = 'not_found';
		const wanted = wanting('job.ended');
		const jobIds = ['gone', 'odd', 'a', 'b', 'b'];
		const filters = { ...wanted.filters, jobIds };
		const poller = new Poller(platform, { ...wanted, filters });
		expect(await poller.at(start)).toEqual(['job.ended b']);
		expect(platform.paths).toEqual(['/jobs/gone', '/jobs/odd', '/jobs/a', '/jobs/b']);
		expect(await poller.at(start + 300)).toEqual([]);
		platform.records['/jobs/a'] = job('a', 'ended');
		expect(await poller.at(start + 600)).toEqual(['job.ended a']);
		platform.asked = [];
		expect(await poller.at(start + 900)).toEqual([]);
		expect(platform.paths).toEqual(['/jobs/gone', '/jobs/odd']);
		platform.failures['/jobs/gone'] = 'platform_error';
		await expect(poller.at(start + 1_200)).rejects.toThrow('platform_error');
	});

	test('named jobs only where ended jobs are wanted', async () => {
		const platform = new Platform();
		const wanted = wanting('event.created');
		const poller = new Poller(platform, {
			...wanted,
			filters: { ...wanted.filters, jobIds: ['a'] },
		});
		await poller.at(start);
		expect(platform.paths).toEqual(['/events']);
	});

	test('what was noted is not told again, and what was not is', async () => {
		const platform = new Platform();
		const poller = new Poller(platform, wanting('people.registered', 'session.created'));
		await poller.at(start);
		platform.lists['/sessions'] = [session('s', { created_at: start + 10 })];
		platform.lists['/sessions/s/people'] = [person('a', start + 20), person('b', start + 30)];
		const wanted = wanting('people.registered', 'session.created');
		const { news } = await readNews(platform.api, poller.cursor, wanted, start + 60);
		expect(news).toHaveLength(3);
		// The process ends before the last of them starts its run.
		for (const event of news.slice(0, 2)) note(poller.cursor, event);
		expect(await poller.at(start + day)).toEqual(['people.registered b']);
	});
});

describe('the latest, for a test', () => {
	const now = start;

	async function latest(platform: Platform, wanted: Wanted): Promise<string | undefined> {
		const found = await findLatest(platform.api, wanted, now);
		return found && `${found.kind} ${found.record.id}`;
	}

	test('is the newest of the sessions that changed last', async () => {
		const platform = new Platform();
		const changed = (id: string, updated_at: number) => session(id, { updated_at });
		platform.lists['/sessions'] = [
			changed('third', 3),
			changed('fourth', 2),
			changed('first', 5),
			session('empty', { updated_at: 9, registrants_count: 0 }),
			changed('second', 4),
		];
		platform.lists['/sessions/first/people'] = [person('older', now - 60)];
		platform.lists['/sessions/third/people'] = [person('newer', now - 30)];
		expect(await latest(platform, wanting('people.registered'))).toBe('people.registered newer');
		expect(platform.paths).toEqual([
			'/sessions',
			'/sessions/third/people',
			'/sessions/first/people',
			'/sessions/second/people',
		]);
	});

	test.each([
		[hour, 1],
		[hour + 1, 2],
		[day + 1, 3],
		[30 * day + 1, 4],
	])('is found when it is %i seconds old, with %i reads', async (age, reads) => {
		const platform = new Platform();
		platform.lists['/sessions'] = [session('s')];
		platform.lists['/sessions/s/people'] = [person('p', now - age)];
		expect(await latest(platform, wanting('people.registered'))).toBe('people.registered p');
		expect(platform.asked[0]?.query?.['filter[date_from]']).toBe(now - 31 * day);
		expect(platform.paths).toHaveLength(1 + reads);
	});

	test('is nothing that has no time', async () => {
		const platform = new Platform();
		platform.lists['/sessions'] = [
			session('unset', { ended_at: 0 }),
			session('null', { ended_at: null }),
		];
		expect(await latest(platform, wanting('session.ended'))).toBeUndefined();
	});

	test('is an ended job where one is named, and nothing where there is nothing', async () => {
		const platform = new Platform();
		platform.records['/jobs/a'] = job('a', 'ended');
		const wanted = wanting('job.ended', 'event.created');
		const filters = { ...wanted.filters, jobIds: ['a'] };
		expect(await latest(platform, { ...wanted, filters })).toBe('job.ended a');
		expect(await latest(platform, wanting('people.registered', 'event.created'))).toBeUndefined();
	});
});
