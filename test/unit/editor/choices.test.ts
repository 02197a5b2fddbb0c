import {
	eventChoice,
	personChoice,
	sessionChoices,
} from '../../../nodes/EventPlatform/editor/choices';

/** Null where the contract has a text or a number. */
const nulls = {
	title: null,
	scheduling_status: null,
	registration_link: null,
	room_link: null,
	event_id: null,
	name: null,
	status: null,
	timezone: null,
	estimated_started_at: null,
	email: null,
	first_name: null,
	last_name: null,
};

test.each([
	[null],
	['x'],
	[nulls],
	[{ estimated_started_at: 0 }],
	[{ estimated_started_at: 'soon' }],
])('a record whose attributes are %j can be chosen', (none) => {
	const record = { id: 'r1', attributes: none as null };
	expect(eventChoice(record)).toEqual({ name: 'Untitled event', value: 'r1', url: undefined });
	expect(personChoice(record)).toEqual({ name: 'r1', value: 'r1' });
	expect(sessionChoices([{ ...record, type: 'sessions' }])).toEqual([
		{ name: 'no date · Untitled event', value: 'r1', description: '', url: undefined },
	]);
});

test('a session is told by date and zone, an unusual status, name and title, the year only where it is another one', () => {
	const event = {
		id: 'e1',
		type: 'events',
		attributes: { title: 'A Very Long Title of an Event' },
	};
	const session = (attributes: object) => ({
		id: 's1',
		type: 'sessions',
		attributes: { event_id: 'e1', timezone: 'America/New_York', name: 'Day one', ...attributes },
	});
	const at = (start: string) => Date.parse(start) / 1000;
	const name = (attributes: object) => sessionChoices([event, session(attributes)])[0]?.name;
	expect(name({ status: 'upcoming', estimated_started_at: at('2027-07-05T15:04:00Z') })).toBe(
		'5 Jul 2027, 11:04 New York · Day one · A Very Long Title of an Event',
	);
	expect(name({ status: 'on_demand', estimated_started_at: at('2019-07-05T15:04:00Z') })).toBe(
		'5 Jul 2019, 11:04 New York · on demand · Day one · A Very Long Title of an Event',
	);
});

test('all sessions of an event have its page, by which the editor knows that the form is the same', () => {
	const page = 'https://platform.example/p/e1';
	const event = { id: 'e1', type: 'events', attributes: { registration_link: page } };
	const session = (id: string) => ({
		id,
		type: 'sessions',
		attributes: { event_id: 'e1', room_link: `https://platform.example/live?s=${id}` },
	});
	const urls = sessionChoices([event, session('s1'), session('s2')]).map(({ url }) => url);
	expect(urls).toEqual([page, page]);
	expect(sessionChoices([session('s1')])[0]?.url).toBe('https://platform.example/live?s=s1');
});

test('a session whose time zone does not exist has its date in UTC', () => {
	const attributes = { estimated_started_at: 1_795_000_000, timezone: 'Mars/Olympus' };
	expect(sessionChoices([{ id: 's1', type: 'sessions', attributes }])).toMatchObject([
		{ name: '18 Nov 2026, 11:06 UTC · Untitled event', value: 's1' },
	]);
});

test('the sessions to come stand first, the next one at the top, then those that are over, and at last the canceled ones', () => {
	const session = (id: string, status: string | null, day: number | null) => ({
		id,
		type: 'sessions',
		attributes: { status, estimated_started_at: day && 1_795_000_000 + day * 86_400 },
	});
	const sessions = [
		session('canceled', 'canceled', 3),
		session('cancelled', 'cancelled', 1),
		session('past', 'past', -2),
		session('on demand', 'on_demand', -1),
		session('without status', null, -3),
		session('without date', 'not_scheduled', null),
		session('second', 'upcoming', 2),
		session('first', 'not_started', 1),
		session('live', 'live', 0.5),
	];
	expect(sessionChoices(sessions).map(({ value }) => value)).toEqual([
		'live',
		'first',
		'second',
		'without date',
		'on demand',
		'past',
		'without status',
		'canceled',
		'cancelled',
	]);
});
