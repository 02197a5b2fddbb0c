import * as sessions from '../../../nodes/EventPlatform/core/sessions/readSession';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/json';

const { besideEvent, titled, titlesOf } = sessions;
const titles = { event_title: 'Launch', session_name: 'Morning' };

const event = (attributes: JsonObject) => ({ type: 'events', id: 'e', attributes });
const launch = [event({ title: 'Launch' })];
const none = { ...titles, event_title: null };
const own = { event_title: 'Own' };
test.each<[string, JsonObject[] | undefined, JsonObject, JsonObject]>([
	['both', launch, { name: 'Morning', event_id: 'e' }, titles],
	['neither', undefined, {}, { event_title: null, session_name: null }],
	['of another event', launch, { name: 'Morning', event_id: 'x' }, none],
	['its own', launch, { name: 'Morning', event_id: 'e', ...own }, { ...titles, ...own }],
])('a session has its name and the title of its event: %s', (_, included, more, expected) => {
	const record = { type: 'sessions', id: 's', attributes: more };
	const { attributes: shown } = titled(besideEvent(included && { included }, record));
	expect(titlesOf(shown as JsonObject)).toEqual(expected);
});

test('a session keeps what it shows, with a title only where its event is beside it', () => {
	const record = { type: 'sessions', id: 's', attributes: { event_id: 'e' } };
	const shown = titled(besideEvent({ included: [event({})] }, record));
	expect(shown.attributes).toEqual({ event_id: 'e', event_title: null });
	expect(titled(besideEvent({ included: 'nothing' }, record))).toBe(record);
	expect(titled(besideEvent('no answer', record))).toBe(record);
});
