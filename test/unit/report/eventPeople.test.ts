import { oncePerPerson } from '../../../nodes/EventPlatform/core/report/eventPeople';
import { readPerson } from '../../../nodes/EventPlatform/core/report/reportedPerson';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { person, personRecord } from './reportedPeople';

const email = 'ada@example.com';
const ada = (detail: JsonObject, attributes: JsonObject = {}) =>
	person(detail, { email, ...attributes });
const both = (first: JsonObject, second: JsonObject, ...more: JsonObject[]) =>
	oncePerPerson([first, second, ...more].map((detail) => [ada(detail)]));

test.each<[string, JsonObject, JsonObject, object]>([
	[
		'who came to one session attended the event',
		{ attended: false },
		{ attended: true },
		{ attended: true },
	],
	['who came to none did not', { attended: false }, { attended: false }, { attended: false }],
	['a session to come says nothing', { attended: null }, { attended: false }, { attended: false }],
	[
		'sessions to come say nothing together',
		{ attended: null },
		{ attended: null },
		{ attended: undefined },
	],
	[
		'minutes add up, and the largest share counts',
		{ attended: true, attendance_duration: 600, attendance_rate: 20 },
		{ attended: true, attendance_duration: 1_200, attendance_rate: 80 },
		{ minutes: 30, share: 80 },
	],
	['a replay of one session is enough', { has_viewed_replay: true }, {}, { hasViewedReplay: true }],
	[
		'where the person came from at the first registration',
		{ utm_source: 'late', created_at: 1_795_000_100 },
		{ utm_source: 'early', created_at: 1_795_000_000 },
		{ origin: { utm_source: 'early' } },
	],
	[
		'a registration of which no time is told comes last',
		{ utm_source: 'untimed' },
		{ utm_source: 'timed', created_at: 1_795_000_000 },
		{ origin: { utm_source: 'timed' } },
	],
	[
		'registrations of which no time is told stay in their order',
		{ utm_source: 'first' },
		{ utm_source: 'second' },
		{ origin: { utm_source: 'first' } },
	],
	[
		'what the first registration does not say, a later one may',
		{ utm_source: 'early', created_at: 1_795_000_000 },
		{ utm_campaign: 'spring', created_at: 1_795_000_100 },
		{ origin: { utm_source: 'early', utm_campaign: 'spring' } },
	],
	[
		'the first answer that is not empty',
		{ fields: [{ id: 'company', value: '' }], created_at: 1_795_000_000 },
		{ fields: [{ id: 'company', value: 'Engines' }], created_at: 1_795_000_100 },
		{ answers: new Map([['company', ['Engines']]]) },
	],
])('%s', (_, first, second, expected) => {
	const people = both(first, second);
	expect(people).toHaveLength(1);
	expect(people).toMatchObject([expected]);
});

describe('who registered after the end', () => {
	const end = 1_795_000_000;
	const registeredAt = (created_at: number, detail: JsonObject = {}) => [
		readPerson(personRecord({ created_at, ...detail }, { email }), { endedAt: end }),
	];
	const toCome = [ada({ attended: null, created_at: end })];

	test.each<[string, ReturnType<typeof registeredAt>, object]>([
		[
			'of one session and in time for the other was absent',
			registeredAt(end - 1),
			{ attended: false, registeredAfter: false },
		],
		[
			'of both was absent from none',
			registeredAt(end + 1),
			{ attended: undefined, registeredAfter: true },
		],
		[
			'of one, and is registered for one to come, may still attend',
			toCome,
			{ registeredAfter: undefined },
		],
		[
			'of one and came to the other attended',
			registeredAt(end - 1, { attended: true }),
			{ attended: true, registeredAfter: false },
		],
	])('%s', (_, otherSession, expected) => {
		expect(oncePerPerson([registeredAt(end + 1), otherSession])).toMatchObject([expected]);
	});
});

test('counts add up, and stay unknown where no session gives them', () => {
	const counts = [
		{ messages_count: 2, votes_count: 1, questions_count: null },
		{ messages_count: 3, votes_count: 3, questions_count: null },
	];
	const sessions = counts.map((count) => [ada({}, { ...count, up_votes_count: null })]);
	expect(oncePerPerson(sessions)).toMatchObject([
		{ messages: 5, votes: 4, questions: undefined, upVotes: undefined },
	]);
});

test('who belongs to the team in one session is no registrant of the event', () => {
	const sessions = [[ada({})], [ada({}, { role: 'team_member' })]];
	expect(oncePerPerson(sessions)).toMatchObject([{ standing: 'team' }]);
});

test('people with different addresses are different people, and so are people of whom nothing is known', () => {
	const nobody = () => readPerson({ ...personRecord({}, { email: null }), id: null });
	expect(
		oncePerPerson([
			[person(), nobody()],
			[person(), nobody()],
		]),
	).toHaveLength(4);
});
