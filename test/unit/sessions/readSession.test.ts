import { askForSession } from '../../../nodes/EventPlatform/core/sessions/readSession';
import { fakePlatform } from '../../support/platform/fakePlatform';

const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1', status: 'upcoming' } };
const event = { type: 'events', id: 'e1' };

test.each<[string, unknown, unknown]>([
	['nothing', undefined, undefined],
	['something that is no list', event, undefined],
	['another record with its ID', [{ ...event, type: 'people' }, 'x'], undefined],
	['it among others', ['x', { ...event, id: 'e2' }, event], event],
])('the event of a session where the platform sends %s along', async (_, included, expected) => {
	const { ask } = fakePlatform(() => ({ data: session, included }));
	expect((await askForSession(ask, 's1')).event).toEqual(expected);
});

test('the event of a session may be named by its relationships alone, with the ID in capitals', async () => {
	const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
	const relationships = { event: { data: { type: 'events', id: id.toUpperCase() } } };
	const unnamed = { type: 'sessions', id: 's1', attributes: {}, relationships };
	const { ask } = fakePlatform(() => ({ data: unnamed, included: [{ ...event, id }] }));
	expect((await askForSession(ask, 's1')).event).toEqual({ ...event, id });
});
