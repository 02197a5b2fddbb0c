import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { knownEmailUse, readEmailUse } from '../../../nodes/EventPlatform/core/people/emailUse';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { fakePlatform } from '../../support/platform/fakePlatform';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const form = (...ids: Json[]): Json => ids.map((id) => ({ id, type: 'text', required: true }));
const event = (fields?: Json): JsonObject => {
	return { type: 'events', id: 'e1', attributes: fields === undefined ? {} : { fields } };
};

const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1' } };

test('the form of a session is asked for once in a run, and where it was read no request is needed', async () => {
	const { ask, asked } = fakePlatform(({ path }) => {
		return { data: path === '/sessions/s1' ? session : event(form('first_name')) };
	});
	const sessions = new SessionCache(ask);
	expect(knownEmailUse(sessions, 's1')).toBe('unknown');
	await sessions.read('s1');
	// The session came without its event.
	expect(knownEmailUse(sessions, 's1')).toBe('unknown');
	expect([await readEmailUse(sessions, 's1'), await readEmailUse(sessions, 's1')]).toEqual([
		'replaced',
		'replaced',
	]);
	expect(knownEmailUse(sessions, 's1')).toBe('replaced');
	expect(asked.map(({ path }) => path)).toEqual(['/sessions/s1', '/events/e1']);
});

test.each<[string, object | Cause]>([
	['the platform has no such endpoint', 'not_found'],
	['nobody may read it', 'forbidden'],
	['the session names no event', { data: { ...session, attributes: {} } }],
])('nobody knows what an event does with the email where %s', async (_, said) => {
	await expect(readEmailUse(new SessionCache(fakePlatform(() => said).ask), 's1')).resolves.toBe(
		'unknown',
	);
});

test.each<[string, Error | Cause, string]>([
	['a run that is cancelled', new Error('Cancelled'), 'Cancelled'],
	['a failure that passes', 'platform_error', 'platform_error'],
])('%s is not mistaken for a form that cannot be read', async (_, said, message) => {
	const { ask } = fakePlatform(() => said);
	await expect(readEmailUse(new SessionCache(ask), 's1')).rejects.toThrow(message);
});
