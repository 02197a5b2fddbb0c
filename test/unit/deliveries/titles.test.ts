import { eventTitles, titlesOf } from '../../../nodes/EventPlatform/core/deliveries/titles';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const titles = { event_title: 'Launch', session_name: 'Morning' };

const event = (attributes: JsonObject) => ({ type: 'events', id: 'e', attributes });
test.each<[string, JsonObject[] | undefined, JsonObject, JsonObject]>([
	['both', [event({ title: 'Launch' })], { name: 'Morning', event_id: 'e' }, titles],
	['neither', undefined, {}, { event_title: null, session_name: null }],
	[
		'another event beside it',
		[event({ title: 'Launch' })],
		{ name: 'Morning', event_id: 'other' },
		{ ...titles, event_title: null },
	],
	[
		'a title that the session shows itself',
		[event({ title: 'Launch' })],
		{ name: 'Morning', event_id: 'e', event_title: 'Own' },
		{ ...titles, event_title: 'Own' },
	],
])(
	'a session is known by its name and the title of its event: %s',
	(_, included, attributes, expected) => {
		const record = { type: 'sessions', id: 's', attributes };
		const { attributes: shown } = eventTitles(included && { included })(record);
		expect(titlesOf(shown as JsonObject)).toEqual(expected);
	},
);

test('a session keeps what it shows, with a title only where its event is beside it', () => {
	const record = { type: 'sessions', id: 's', attributes: { event_id: 'e' } };
	expect(eventTitles({ included: [event({})] })(record).attributes).toEqual({
		...{ event_id: 'e', event_title: null },
	});
	expect(eventTitles({ included: 'nothing' })(record)).toBe(record);
	expect(eventTitles('no answer')(record)).toBe(record);
});
