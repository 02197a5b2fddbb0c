import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { end, reportOfEvent, reportOfSession } from './readReport';
import { personRecord } from './reportedPeople';

/* What a report tells of the people of a session, and of those of several sessions of an event. */

test.each([
	['nothing that the platform does not say', {}, { attended: false, hasViewedReplay: false }],
	[
		'minutes and share of somebody who was there',
		{ attended: true, attendance_rate: 40, attendance_duration: 1_500 },
		{ attended: true, minutes: 25, share: 40 },
	],
	[
		'the share from the minutes where the platform gives no rate',
		{ attended: true, attendance_rate: null, attendance_duration: 1_500 },
		{ minutes: 25, share: 50 },
	],
	[
		'no more than the whole session',
		{ attended: true, attendance_rate: 104, attendance_duration: 3_200 },
		{ share: 100 },
	],
	[
		'no minutes of somebody who was not there, although the platform writes 0',
		{ attended: false, attendance_rate: 0, attendance_duration: 0 },
		{ attended: false, minutes: undefined, share: undefined },
	],
	[
		'no flag that is not there',
		{ attended: null, has_viewed_replay: null },
		{ attended: undefined, hasViewedReplay: undefined },
	],
	[
		'the page that people came from, without what is theirs alone',
		{ referrer: 'https://www.example.com/blog/?mail=ada@example.com#top' },
		{ origin: { referrer: 'example.com/blog' } },
	],
	[
		'the page that people came from, without spaces around it and the place on it',
		{ referrer: ' https://www.example.com/blog/#top ' },
		{ origin: { referrer: 'example.com/blog' } },
	],
	[
		'where people came from',
		{ utm_source: ' newsletter ', utm_medium: '', ip_country_name: null, ip_country_code: 'FR' },
		{ origin: { utm_source: 'newsletter', country: 'FR' } },
	],
	[
		'answers, several of a multiple choice',
		{
			fields: [
				{ id: 'company', value: 'Engines' },
				{ id: 'interests', value: ['Product', 'Pricing'] },
				{ id: 'file', value: null },
			],
		},
		{
			answers: new Map(
				Object.entries({ company: ['Engines'], interests: ['Product', 'Pricing'], file: [] }),
			),
		},
	],
	[
		'no answer that logs a person in',
		{ fields: [{ id: 'connection_link', value: 'https://…' }] },
		{ answers: new Map() },
	],
	['when the person registered', { created_at: 1_795_000_000 }, { registeredAt: 1_795_000_000 }],
])('of a person it tells %s', async (_, detail, expected) => {
	expect((await reportOfSession([personRecord(detail)])).people).toMatchObject([expected]);
});

test.each<[string, JsonObject, object]>([
	['at the end', { created_at: end }, { attended: false, registeredAfter: false }],
	['a second later', { created_at: end + 1 }, { attended: undefined, registeredAfter: true }],
	['at an unknown time', { created_at: null }, { attended: false, registeredAfter: undefined }],
	['at a time that is unset', { created_at: 0 }, { attended: false, registeredAfter: undefined }],
	[
		'later, but attended',
		{ created_at: end + 1, attended: true },
		{ attended: true, registeredAfter: false },
	],
	['at a time beyond any calendar', { created_at: 1e27 }, { registeredAt: undefined }],
])('somebody who registered %s', async (_, detail, expected) => {
	expect((await reportOfSession([personRecord(detail)])).people).toMatchObject([expected]);
});

test.each([
	[end, false],
	[end + 1, true],
])(
	'of a registration without a time, what the platform knew of the person at %i counts: after the end %s',
	async (created_at, registeredAfter) => {
		const { people } = await reportOfSession([personRecord({}, { created_at })]);
		expect(people).toMatchObject([{ registeredAfter }]);
	},
);

test('nobody has registered after the end of a session that has not ended', async () => {
	const people = [personRecord({ created_at: end }), personRecord({ attended: true })];
	const report = await reportOfSession(people, { status: 'live', ended_at: 0 });
	expect(report.people).toMatchObject([{ attended: false, registeredAfter: undefined }, {}]);
});

test.each([
	['a registrant', {}, {}, 'registrant'],
	['a team member', {}, { role: 'team_member' }, 'team'],
	['a guest speaker', { is_guest_speaker: true }, {}, 'guest'],
	['somebody who is said to be no guest speaker', { is_guest_speaker: false }, {}, 'registrant'],
	['somebody without a role', {}, { role: null }, 'registrant'],
])('%s', async (_, detail, attributes, standing) => {
	const { people } = await reportOfSession([personRecord(detail, attributes)]);
	expect(people).toMatchObject([{ standing }]);
});

test.each([
	[
		'counts that the platform gives',
		{ messages_count: 3, questions_count: 0 },
		{ messages: 3, questions: 0 },
	],
	[
		'no counts that it does not give',
		{ messages_count: null, up_votes_count: undefined },
		{ messages: undefined, upVotes: undefined },
	],
	['no count below 0', { messages_count: -1 }, { messages: undefined }],
])('of a person it tells %s', async (_, attributes, expected) => {
	const { people } = await reportOfSession([personRecord({}, attributes as never)]);
	expect(people).toMatchObject([expected]);
});

const ada = (detail: JsonObject, attributes: JsonObject = {}) =>
	personRecord(detail, { email: 'ada@example.com', ...attributes });

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
		'a registration of which no time is told comes last, also where it is listed last',
		{ utm_source: 'timed', created_at: 1_795_000_000 },
		{ utm_source: 'untimed' },
		{ origin: { utm_source: 'timed' } },
	],
	[
		'registrations of which no time is told stay in their order',
		{ utm_source: 'first' },
		{ utm_source: 'second' },
		{ origin: { utm_source: 'first' } },
	],
	[
		'a later registration adds no campaign to the source of the first one, because nobody came from both',
		{ utm_source: 'google', created_at: 1_795_000_000 },
		{ utm_source: 'newsletter', utm_campaign: 'spring', created_at: 1_795_000_100 },
		{ origin: expect.not.objectContaining({ utm_campaign: 'spring' }) as object },
	],
	[
		'where the person came from is told by a later registration as a whole where the first one tells nothing of it',
		{ ip_country_code: 'FR', created_at: 1_795_000_000 },
		{
			utm_source: 'newsletter',
			utm_campaign: 'spring',
			ip_country_code: 'DE',
			created_at: 1_795_000_100,
		},
		{ origin: { utm_source: 'newsletter', utm_campaign: 'spring', country: 'FR' } },
	],
	[
		'the country is that of a later registration where the first one tells none',
		{ utm_source: 'google', created_at: 1_795_000_000 },
		{ ip_country_code: 'DE', created_at: 1_795_000_100 },
		{ origin: { utm_source: 'google', country: 'DE' } },
	],
	[
		'the first answer that is not empty',
		{ fields: [{ id: 'company', value: '' }], created_at: 1_795_000_000 },
		{ fields: [{ id: 'company', value: 'Engines' }], created_at: 1_795_000_100 },
		{ answers: new Map([['company', ['Engines']]]) },
	],
])('of several sessions, %s', async (_, first, second, expected) => {
	const { people } = await reportOfEvent([[ada(first)], [ada(second)]]);
	expect(people).toMatchObject([expected]);
});

test.each<[string, JsonObject, JsonObject, object]>([
	[
		'of one session and in time for the other was absent',
		{ created_at: end - 1 },
		{},
		{ attended: false, registeredAfter: false },
	],
	[
		'of both was absent from none',
		{ created_at: end + 1 },
		{},
		{ attended: undefined, registeredAfter: true },
	],
	[
		'of one, and is registered for one that goes on, may still attend',
		{ created_at: end },
		{ status: 'live', ended_at: 0 },
		{ attended: undefined, registeredAfter: undefined },
	],
	[
		'of one and came to the other attended',
		{ created_at: end - 1, attended: true },
		{},
		{ attended: true, registeredAfter: false },
	],
])('who registered after the end %s', async (_, detail, attributes, expected) => {
	const late = ada({ created_at: end + 1 });
	expect((await reportOfEvent([[late], [ada(detail)]], attributes)).people).toMatchObject([
		expected,
	]);
});

test('counts add up, and stay unknown where no session gives them', async () => {
	const counts = [
		{ messages_count: 2, votes_count: 1, questions_count: null },
		{ messages_count: 3, votes_count: 3, questions_count: null },
	];
	const sessions = counts.map((count) => [ada({}, { ...count, up_votes_count: null })]);
	expect((await reportOfEvent(sessions)).people).toMatchObject([
		{ messages: 5, votes: 4, questions: undefined, upVotes: undefined },
	]);
});

test('who belongs to the team in one session is no registrant of the event', async () => {
	const sessions = [[ada({})], [ada({}, { role: 'team_member' })]];
	expect((await reportOfEvent(sessions)).people).toMatchObject([{ standing: 'team' }]);
});

test('people with different addresses are different people, and so are people of whom nothing is known', async () => {
	const nobody = () => ({ ...personRecord({}, { email: null }), id: null });
	const sessions = [1, 2].map(() => [personRecord(), nobody()]);
	expect((await reportOfEvent(sessions)).people).toHaveLength(4);
});
