import * as sessions from '../../../nodes/EventPlatform/core/sessions/readSession';
import { asking } from '../../support/platform/fakePlatform';

const { readSession, sessionOf } = sessions;
const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1', status: 'upcoming' } };
const event = { type: 'events', id: 'e1' };

/** A run on a platform that sends this along with the session, and fails as often as told. */
const run = (included: unknown, failures = 0) =>
	asking((_, nth) => (nth <= failures ? new Error('Not now') : { data: session, included }));

test('a session is read once in a run, by whatever id, and again after a failure', async () => {
	const { ask: api, asked } = run([], 1);
	await expect(readSession(api, 'S1')).rejects.toThrow('Not now');
	await Promise.all([readSession(api, 'S1'), readSession(api, 'S1')]);
	expect(asked).toHaveLength(2);
	expect(asked[1]).toEqual({
		method: 'GET',
		path: '/sessions/S1',
		query: { include: 'event' },
		fallbackQuery: {},
	});
	const found = await readSession(api, 'S1');
	for (const path of ['/sessions/S1', '/sessions/s1/people']) {
		expect(sessionOf(api, { path })).toBe(found);
	}
	for (const path of ['/sessions/s2', '/events/s1', '/sessions']) {
		expect(sessionOf(api, { path })).toBeUndefined();
	}
	expect(sessionOf(run([]).ask, { path: '/sessions/s1' })).toBeUndefined();
});

test.each<[string, unknown, unknown]>([
	['nothing', undefined, undefined],
	['something that is no list', event, undefined],
	['another record with its ID', [{ ...event, type: 'people' }, 'x'], undefined],
	['it among others', ['x', { ...event, id: 'e2' }, event], event],
])('the event of a session where the platform sends %s along', async (_, included, expected) => {
	expect((await readSession(run(included).ask, 's1')).event).toEqual(expected);
});
