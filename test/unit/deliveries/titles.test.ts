import {
	eventTitles,
	KnownTitles,
	titlesOf,
} from '../../../nodes/EventPlatform/core/deliveries/titles';
import type { ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const titles = { event_title: 'Launch', session_name: 'Morning' };

/** A platform that shows each session with its event, and the requests that it was sent. */
function platform() {
	const requests: ApiRequest[] = [];
	const state = { isDown: false };
	const api = (request: ApiRequest) => {
		requests.push(request);
		if (state.isDown) return Promise.reject(new Error('down'));
		const attributes = { name: 'Morning', event_id: 'e' };
		const included = [{ type: 'events', id: 'e', attributes: { title: 'Launch' } }];
		const body = { data: { type: 'sessions', id: 's', attributes }, included };
		return Promise.resolve({ status: 200, headers: {}, body });
	};
	return { requests, state, connect: () => Promise.resolve({ api }) };
}

test('the titles of a session are read once, with one request that waits three seconds at most', async () => {
	const { requests, connect } = platform();
	const known = new KnownTitles();
	expect(known.has('s')).toBe(false);
	const both = await Promise.all([known.of('s', connect, 5_000), known.of('s', connect, 6_000)]);
	expect([...both, await known.of('s', connect, 99_000)]).toEqual([titles, titles, titles]);
	expect(known.has('s')).toBe(true);
	expect(requests).toEqual([
		{
			...{ method: 'GET', path: '/sessions/s', query: { include: 'event' } },
			...{ deadline: 8_000, once: true },
		},
	]);
});

test('titles that could not be read are asked for again the next time', async () => {
	const { requests, state, connect } = platform();
	const known = new KnownTitles();
	state.isDown = true;
	await expect(known.of('s', connect, 0)).rejects.toThrow('down');
	expect(known.has('s')).toBe(false);
	state.isDown = false;
	expect(await known.of('s', connect, 0)).toEqual(titles);
	expect(requests).toHaveLength(2);
});

test('the titles of 200 sessions are kept, and those that were read first are dropped', async () => {
	const { connect } = platform();
	const known = new KnownTitles();
	const ids = Array.from({ length: 201 }, (_, index) => `session-${index}`);
	for (const id of ids) await known.of(id, connect, 0);
	expect(ids.filter((id) => !known.has(id))).toEqual(['session-0']);
});

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
		const shown = eventTitles(included && { included })(record);
		expect(titlesOf(shown as typeof record)).toEqual(expected);
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
