import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { explainFailure } from '../../../nodes/EventPlatform/core/sessions/explainFailure';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform } from '../../support/platform/fakePlatform';

const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1', status: 'upcoming' } };
const event: JsonObject = {
	type: 'events',
	id: 'e1',
	attributes: { title: 'Demo' },
};

describe('a session', () => {
	const answering = () => fakePlatform(() => ({ data: session, included: [] }));

	test('is read once in a run, by whatever id, with one request that brings its event along', async () => {
		const { ask, asked } = answering();
		const sessions = new SessionCache(ask);
		await Promise.all([sessions.read('S1'), sessions.read('S1')]);
		await sessions.read('s1');
		expect(asked).toEqual([
			{ method: 'GET', path: '/sessions/S1', addedQuery: { include: 'event' } },
		]);
	});

	test('is read again after a failure', async () => {
		const { ask, asked } = fakePlatform((_, nth) =>
			nth === 1 ? new Error('Not now') : { data: session, included: [] },
		);
		const sessions = new SessionCache(ask);
		await expect(sessions.read('S1')).rejects.toThrow('Not now');
		await sessions.read('S1');
		expect(asked.map(({ path }) => path)).toEqual(['/sessions/S1', '/sessions/S1']);
	});

	test('is found by the paths of requests about it, and by no others', async () => {
		const sessions = new SessionCache(answering().ask);
		const held = await sessions.read('S1');
		for (const path of ['/sessions/S1', '/sessions/s1/people']) {
			expect(sessions.findByPath(path)).toBe(held);
		}
		for (const path of ['/sessions/s2', '/events/s1', '/sessions']) {
			expect(sessions.findByPath(path)).toBeUndefined();
		}
	});

	test('is not known to another run', async () => {
		const { ask } = answering();
		await new SessionCache(ask).read('s1');
		expect(new SessionCache(ask).find('s1')).toBeUndefined();
	});
});

test('the event of a session is asked for once, names it then, and changes no record that others hold', async () => {
	const { ask, asked } = fakePlatform(({ path }) => ({
		data: path === '/events/e1' ? event : session,
	}));
	const sessions = new SessionCache(ask);
	const read = await sessions.read('S1');
	expect([await sessions.readEvent('S1'), await sessions.readEvent('s1')]).toEqual([event, event]);
	expect(asked.map(({ path }) => path)).toEqual(['/sessions/S1', '/events/e1']);
	expect(read).toEqual({ session });
	expect(await sessions.read('s1')).toEqual({ session, event });
	expect(sessions.nameOf('s1')).toBe("'Demo'");
});

const start = { estimated_started_at: Date.UTC(2020, 10, 29, 9) / 1_000 };
const product = { title: 'Product' };

test.each<[string, JsonObject, JsonObject | undefined, string]>([
	['its event and its own name', { name: 'Tour' }, product, "'Product, Tour'"],
	['its event where it has no name', { name: null }, product, "'Product'"],
	['its own name where the event is not known', { name: 'Tour' }, undefined, "'Tour'"],
	['its ID where nothing has a name', {}, undefined, 'The session s'],
	['its start in the zone of the reader', start, product, "'Product' (29 Nov 2020, 10:00 Paris)"],
	[
		'its start in its own zone',
		{ ...start, timezone: 'Asia/Tokyo' },
		product,
		"'Product' (29 Nov 2020, 18:00 Tokyo)",
	],
	[
		'its start in UTC, whatever the zone is called',
		{ ...start, timezone: 'Etc/UTC' },
		product,
		"'Product' (29 Nov 2020, 09:00 UTC)",
	],
	[
		'its start in the zone of the reader where its own does not exist',
		{ ...start, timezone: 'Mars/Olympus' },
		product,
		"'Product' (29 Nov 2020, 10:00 Paris)",
	],
	['no time where it has no start', { estimated_started_at: 0 }, product, "'Product'"],
	[
		'nothing but its ID where all is empty',
		{ timezone: '', estimated_started_at: 0 },
		undefined,
		'The session s',
	],
	['no time where its start is no number', { estimated_started_at: 'soon' }, product, "'Product'"],
])('a session is named by %s', async (_, attributes, event, name) => {
	const included = event ? [{ type: 'events', id: 'e1', attributes: event }] : [];
	const data = { id: 's', attributes: { event_id: 'e1', ...attributes } };
	const sessions = new SessionCache(fakePlatform(() => ({ data, included })).ask, 'Europe/Paris');
	expect(sessions.nameOf('s')).toBe('The session s');
	await sessions.read('s');
	expect(sessions.nameOf('s')).toBe(name);
});

const eventRecord = { type: 'events', id: 'e1' };

test.each<[string, Json | undefined, Json | undefined]>([
	['nothing', undefined, undefined],
	['something that is no list', eventRecord, undefined],
	['another record with its ID', [{ ...eventRecord, type: 'people' }, 'x'], undefined],
	['it among others', ['x', { ...eventRecord, id: 'e2' }, eventRecord], eventRecord],
])('the event of a session where the platform sends %s along', async (_, included, expected) => {
	const { ask } = fakePlatform(() => ({ data: session, included }));
	expect((await new SessionCache(ask).read('s1')).event).toEqual(expected);
});

test('the event of a session may be named by its relationships alone, with the ID in capitals', async () => {
	const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
	const relationships = { event: { data: { type: 'events', id: id.toUpperCase() } } };
	const unnamed = { type: 'sessions', id: 's1', attributes: {}, relationships };
	const { ask } = fakePlatform(() => ({ data: unnamed, included: [{ ...eventRecord, id }] }));
	expect((await new SessionCache(ask).read('s1')).event).toEqual({ ...eventRecord, id });
});

test.each<[string, JsonObject]>([
	['in a relationship', { relationships: { event: { data: { type: 'events', id: 'e1' } } } }],
	['by a text', { attributes: { event_id: 'e1' } }],
])('the event that a session names %s is asked for', async (_, naming) => {
	const { ask, asked } = fakePlatform(({ path }) => ({
		data: path === '/events/e1' ? event : { type: 'sessions', id: 's1', ...naming },
	}));
	expect(await new SessionCache(ask).readEvent('s1')).toEqual(event);
	expect(asked.map(({ path }) => path)).toEqual(['/sessions/s1', '/events/e1']);
});

test('a session that names no event has none, and takes no further request', async () => {
	const { ask, asked } = fakePlatform(() => ({ data: { type: 'sessions', id: 's1' } }));
	expect(await new SessionCache(ask).readEvent('s1')).toBeUndefined();
	expect(asked).toHaveLength(1);
});

const failureOfEvent = (cause: 'not_found' | 'platform_error') =>
	new Failure(cause, { method: 'GET', path: '/events/e1' });

test.each<[string, { data: JsonObject } | Failure, number]>([
	['is shown', { data: event }, 1],
	['is not found', failureOfEvent('not_found'), 1],
	['could not be read for a failure that passes', failureOfEvent('platform_error'), 2],
])('an event that %s is asked for no more often than that', async (_, answer, requests) => {
	const { ask, asked } = fakePlatform(({ path }) =>
		path === '/events/e1' ? answer : { data: session },
	);
	const sessions = new SessionCache(ask);
	const read = () => sessions.readEvent('s1').catch(() => undefined);
	await Promise.all([read(), read(), read()]);
	await read();
	expect(asked.filter(({ path }) => path === '/events/e1')).toHaveLength(requests);
});

test('an event whose run is canceled meanwhile is asked for again, and leaves no rejection behind', async () => {
	const unhandled: unknown[] = [];
	const record = (error: unknown) => unhandled.push(error);
	process.on('unhandledRejection', record);
	const { ask, asked } = fakePlatform(({ path }, nth) => {
		if (path !== '/events/e1') return { data: session };
		return nth === 2 ? new Cancelled() : { data: event };
	});
	const sessions = new SessionCache(ask);
	await expect(sessions.readEvent('s1')).rejects.toThrow(Cancelled);
	await sessions.readEvent('s1');
	await new Promise((resolve) => setImmediate(resolve));
	process.off('unhandledRejection', record);
	expect(unhandled).toEqual([]);
	expect(asked.map(({ path }) => path)).toEqual(['/sessions/s1', '/events/e1', '/events/e1']);
});

const tour = { id: 's', attributes: { name: 'Tour' } };
const failureAt = (path: string) => new Failure('not_found', { method: 'GET', path });

async function sessionsRead(): Promise<SessionCache> {
	const sessions = new SessionCache(fakePlatform(() => ({ data: tour })).ask);
	await sessions.read('s');
	return sessions;
}

test('a failure names the session where the run has read it', async () => {
	const words = explainFailure(failureAt('/sessions/s/people'), await sessionsRead());
	expect(words).toMatch(/^'Tour': /);
});

test.each(['/sessions/t/people', '/events/s'])(
	'a failure names no session that the request was not about: %s',
	async (path) => {
		expect(explainFailure(failureAt(path), await sessionsRead())).not.toContain('Tour');
	},
);

test('a failure says what it was about and what to do, also where no session was read', () => {
	expect(explainFailure(failureAt('/sessions/s'))).toMatch(/the session.*\. \S/i);
});

test.each([
	['/jobs/j/tasks', 'the job'],
	['/sessions/s/people/bulk', 'the session'],
])('a failure at %s is about %s', (path, what) => {
	expect(explainFailure(failureAt(path))).toMatch(
		new RegExp(`^The platform cannot find ${what}\\.`),
	);
});

test('a failure in a run does not say that nothing was changed, because something was before', () => {
	const unreachable = new Failure('unreachable', { method: 'GET', path: '/jobs/j/tasks' });
	expect(explainFailure(unreachable)).not.toContain('Nothing was changed');
});

test('a failure of a missing scope names the scope that requests about sessions need', () => {
	const refused = new Failure('missing_scope', { method: 'GET', path: '/sessions/s' });
	expect(explainFailure(refused)).toContain('events');
});
