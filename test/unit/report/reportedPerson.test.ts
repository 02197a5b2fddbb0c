import { readPerson } from '../../../nodes/EventPlatform/core/report/reportedPerson';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { personRecord } from './reportedPeople';

describe('what a report reads of a person', () => {
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
			'a view of the replay where there is no flag',
			{ has_viewed_replay: null, replay_view_detail: { views_count: 2 } },
			{ hasViewedReplay: true },
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
			'the page that people came from, without spaces around it',
			{ referrer: ' https://www.example.com/blog/ ' },
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
	])('%s', (_, detail, expected) => {
		expect(readPerson(personRecord(detail), { minutes: 50 })).toMatchObject(expected);
	});

	test.each([[[]], [{}], [{ count: 0 }], [{ count: 0, views: [] }]])(
		'no view of the replay in %j',
		(views) => {
			const detail = { has_viewed_replay: null, replay_view_detail: views };
			expect(readPerson(personRecord(detail))).toMatchObject({ hasViewedReplay: false });
		},
	);

	const end = 1_795_000_000;
	test.each<[string, JsonObject, object]>([
		['at the end', { created_at: end }, { attended: false, registeredAfter: false }],
		['a second later', { created_at: end + 1 }, { attended: undefined, registeredAfter: true }],
		['at an unknown time', { created_at: null }, { attended: false, registeredAfter: undefined }],
		[
			'later, but attended',
			{ created_at: end + 1, attended: true },
			{ attended: true, registeredAfter: false },
		],
		['at a time beyond any calendar', { created_at: 1e27 }, { registeredAt: undefined }],
	])('somebody who registered %s', (_, detail, expected) => {
		expect(readPerson(personRecord(detail), { endedAt: end })).toMatchObject(expected);
	});

	test('nobody has registered after the end of a session that has not ended', () => {
		const late = readPerson(personRecord({ created_at: end }));
		expect(late).toMatchObject({ attended: false, registeredAfter: undefined });
	});

	test.each([
		['a registrant', {}, {}, 'registrant'],
		['a team member', {}, { role: 'team_member' }, 'team'],
		['a guest speaker', { is_guest_speaker: true }, {}, 'guest'],
		['somebody who is said to be no guest speaker', { is_guest_speaker: false }, {}, 'registrant'],
		['somebody without a role', {}, { role: null }, 'registrant'],
	])('%s', (_, detail, attributes, standing) => {
		expect(readPerson(personRecord(detail, attributes)).standing).toBe(standing);
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
	])('%s', (_, attributes, expected) => {
		expect(readPerson(personRecord({}, attributes as never))).toMatchObject(expected);
	});

	test('the same person in two sessions by the address, letter case aside', () => {
		const [first, second] = ['Ada@Example.com', ' ada@example.com'].map((email) =>
			readPerson(personRecord({}, { email })),
		);
		expect(first?.key).toBe(second?.key);
	});

	test('a name and an address that stand in the answers alone', () => {
		const fields = ['email', 'first_name'].map((id) => ({ id, value: `${id}@example.com` }));
		const none = { email: null, first_name: '', last_name: null };
		expect(readPerson(personRecord({ fields }, none))).toMatchObject({
			email: 'email@example.com',
			firstName: 'first_name@example.com',
			lastName: undefined,
		});
	});
});
