import { askForSession } from '../../../nodes/EventPlatform/core/sessions/readSession';
import { asking } from '../../support/platform/fakePlatform';

const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1', status: 'upcoming' } };
const event = { type: 'events', id: 'e1' };

test.each<[string, unknown, unknown]>([
	['nothing', undefined, undefined],
	['something that is no list', event, undefined],
	['another record with its ID', [{ ...event, type: 'people' }, 'x'], undefined],
	['it among others', ['x', { ...event, id: 'e2' }, event], event],
])('the event of a session where the platform sends %s along', async (_, included, expected) => {
	const { ask } = asking(() => ({ data: session, included }));
	expect((await askForSession(ask, 's1')).event).toEqual(expected);
});
