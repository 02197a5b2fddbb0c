import { sessionName } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const start = { estimated_started_at: Date.UTC(2020, 10, 29, 9) / 1_000 };
const product = { title: 'Product' };

test.each<[string, JsonObject, JsonObject | undefined, string]>([
	['its event and its own name', { name: 'Tour' }, product, "'Product, Tour'"],
	['its event where it has no name', { name: null }, product, "'Product'"],
	['its own name where the event is not known', { name: 'Tour' }, undefined, "'Tour'"],
	['its ID where nothing has a name', {}, undefined, 'The session s'],
	[
		'its start in the zone of the reader',
		start,
		product,
		"'Product' (29 Nov 2020 10:00 Europe/Paris)",
	],
	[
		'its start in its own zone',
		{ ...start, timezone: 'Asia/Tokyo' },
		product,
		"'Product' (29 Nov 2020 18:00 Asia/Tokyo)",
	],
	[
		'no time where its zone does not exist',
		{ ...start, timezone: 'Mars/Olympus' },
		product,
		"'Product'",
	],
	['no time where it has no start', { estimated_started_at: 0 }, product, "'Product'"],
	['no time where its start is no number', { estimated_started_at: 'soon' }, product, "'Product'"],
])('a session is named by %s', (_, attributes, event, name) => {
	const read = { session: { id: 's', attributes }, event: event && { attributes: event } };
	expect(sessionName(read, 'Europe/Paris')).toBe(name);
});
