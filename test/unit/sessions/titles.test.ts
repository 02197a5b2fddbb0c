import { besideEvent } from '../../../nodes/EventPlatform/core/sessions/readSession';
import { titled, titlesOf } from '../../../nodes/EventPlatform/core/sessions/titles';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const titles = { event_title: 'Launch', session_name: 'Morning' };

const uuid = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
const event = (attributes: JsonObject) => ({ type: 'events', id: uuid, attributes });
const launch = [event({ title: 'Launch' })];
const none = { ...titles, event_title: null };
const own = { event_title: 'Own' };
test.each<[string, JsonObject[] | undefined, JsonObject, JsonObject]>([
	['both', launch, { name: 'Morning', event_id: uuid.toUpperCase() }, titles],
	['neither', undefined, {}, { event_title: null, session_name: null }],
	['of another event', launch, { name: 'Morning', event_id: 'x' }, none],
	['its own', launch, { name: 'Morning', event_id: uuid, ...own }, { ...titles, ...own }],
])('a session has its name and the title of its event: %s', (_, included, more, expected) => {
	const record = { type: 'sessions', id: 's', attributes: more };
	const { attributes: shown } = titled(besideEvent(included && { included }, record));
	expect(titlesOf(shown as JsonObject)).toEqual(expected);
});

test('a session keeps what it shows, with a title only where its event is beside it', () => {
	const record = { type: 'sessions', id: 's', attributes: { event_id: uuid } };
	const shown = titled(besideEvent({ included: [event({})] }, record));
	expect(shown.attributes).toEqual({ event_id: uuid, event_title: null });
	expect(titled(besideEvent({ included: 'nothing' }, record))).toBe(record);
	expect(titled(besideEvent('no answer', record))).toBe(record);
});

test('the event of a session may be named by its relationships alone', () => {
	const relationships = { event: { data: { type: 'events', id: uuid.toUpperCase() } } };
	const record = { type: 'sessions', id: 's', attributes: {}, relationships };
	expect(besideEvent({ included: launch }, record).event).toBe(launch[0]);
});
