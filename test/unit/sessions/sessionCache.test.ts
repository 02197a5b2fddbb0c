import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
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

test('a session is named by its event and its start, in its time zone, once it was read', async () => {
	const attributes = {
		...session.attributes,
		estimated_started_at: 1_606_640_400,
		name: 'Morning',
	};
	const { ask } = fakePlatform(() => ({ data: { ...session, attributes }, included: [event] }));
	const sessions = new SessionCache(ask, 'Europe/Paris');
	expect(sessions.nameOf('s1')).toBe('The session s1');
	await sessions.read('s1');
	expect(sessions.nameOf('s1')).toBe("'Demo, Morning' (29 Nov 2020 10:00 Europe/Paris)");
});

test.each([
	{ what: 'without a start', attributes: { timezone: 'Europe/Paris', estimated_started_at: 0 } },
	{
		what: 'without a start or a time zone',
		attributes: { timezone: '', estimated_started_at: 0 },
	},
	{
		what: 'of an unknown time zone',
		attributes: { timezone: 'Mars/Olympus', estimated_started_at: 1_606_640_400 },
	},
])('a session $what has no time in its name', async ({ attributes }) => {
	const { ask } = fakePlatform(() => ({ data: { ...session, attributes } }));
	const sessions = new SessionCache(ask);
	await sessions.read('s1');
	expect(sessions.nameOf('s1')).toBe('The session s1');
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
