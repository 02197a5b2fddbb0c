import {
	engagementOf,
	figuresOf,
	findMostEngaged,
	segmentOf,
	summaryOf,
} from '../../../nodes/EventPlatform/core/report/figures';
import {
	readPerson,
	type ReportedPerson,
} from '../../../nodes/EventPlatform/core/report/reportedPerson';
import { attendee, person, personRecord, summarize } from './reportedPeople';

const noQuestions = { askedCount: 0, unansweredCount: 0 };
const end = 1_795_000_000;
/** Somebody who registered an hour after the end. */
const late = (detail: object = {}) =>
	readPerson(personRecord({ created_at: end + 3_600, ...detail }), { endedAt: end });
const withReplay = { has_viewed_replay: true };
const unknown = { attended: null, has_viewed_replay: null };
const uncounted = { messages_count: null, questions_count: null, up_votes_count: null };

test.each<[string, ReportedPerson, string | undefined]>([
	['half of the session is enough', attendee(50), 'attended'],
	['less than half is leaving early', attendee(49.9), 'left_early'],
	['who came and was not measured attended', person({ attended: true }), 'attended'],
	[
		'who came and watched the replay as well attended',
		person({ attended: true, ...withReplay }),
		'attended',
	],
	['who did not come', person(), 'absent'],
	['who only watched the replay', person(withReplay), 'replay_only'],
	['who registered when it was over', late(), 'registered_after'],
	['who registered for the replay and watched it', late(withReplay), 'replay_only'],
	['of whom nothing is said', person(unknown), undefined],
	[
		'who watched the replay, and may have been there',
		person({ attended: null, ...withReplay }),
		undefined,
	],
])('the segment: %s', (_, somebody, segment) => {
	expect(segmentOf(somebody)).toBe(segment);
});

test.each([
	[
		'messages, three times the questions, twice the up-votes, and no votes in polls',
		{ messages_count: 4, questions_count: 2, up_votes_count: 1, votes_count: 8 },
		12,
	],
	[
		'only what the platform counts',
		{ messages_count: 4, questions_count: null, up_votes_count: null },
		4,
	],
	['nothing', {}, 0],
	['not known where nothing is counted', uncounted, undefined],
])('the engagement is %s', (_, counts, engagement) => {
	expect(engagementOf(person({}, counts))).toBe(engagement);
});

describe('the figures', () => {
	test('of people who came, stayed away, left early and watched the replay', () => {
		const people = [
			attendee(100),
			attendee(75),
			attendee(74),
			attendee(50),
			attendee(25),
			attendee(24),
		];
		const neverCame = [person(withReplay), person(), person()];
		expect(summarize([...people, ...neverCame], { askedCount: 5, unansweredCount: 2 })).toEqual({
			registrants: 9,
			attendees: 6,
			attendance_rate: 66.7,
			engaged: 0,
			engaged_rate: 0,
			average_minutes: 58,
			median_minutes: 62,
			stayed_0_25: 1,
			stayed_25_50: 1,
			stayed_50_75: 2,
			stayed_75_100: 2,
			replay_viewers: 1,
			absent: 3,
			questions: 5,
			unanswered_questions: 2,
			messages: 0,
			most_engaged: '',
			team_members: 0,
			guests: 0,
		});
	});

	test('team members and guests are counted apart, whatever they did', () => {
		const team = attendee(100, { role: 'team_member', messages_count: 90 });
		const guest = person({ is_guest_speaker: true, attended: true });
		expect(summarize([team, guest, attendee(10)], noQuestions)).toMatchObject({
			registrants: 1,
			attendees: 1,
			average_minutes: 10,
			messages: 0,
			most_engaged: '',
			team_members: 1,
			guests: 1,
		});
	});

	test('are absent where the platform does not give them, and never 0', () => {
		const people = [person(unknown, uncounted), person(unknown, uncounted)];
		expect(summarize(people, {})).toEqual({ registrants: 2, team_members: 0, guests: 0 });
	});

	test('say nothing of attendance where nobody is registered for a session that has not begun', () => {
		const toCome = summaryOf({ people: [], isAttendanceKnown: false, questions: noQuestions });
		expect(toCome).toMatchObject({ registrants: 0, attendees: undefined, absent: undefined });
		expect(toCome).toMatchObject({ engaged: undefined, stayed_0_25: undefined });
	});

	test('are 0 where nobody is registered', () => {
		expect(summarize([], noQuestions)).toMatchObject({
			registrants: 0,
			attendees: 0,
			attendance_rate: undefined,
			average_minutes: undefined,
			stayed_75_100: 0,
			replay_viewers: 0,
			absent: 0,
			messages: 0,
		});
	});

	test.each<[string, ReportedPerson[], number | undefined, number | undefined]>([
		['who sent a message', [attendee(9, { messages_count: 1 }), attendee(9)], 1, 50],
		['who asked', [attendee(9, { questions_count: 1 }), attendee(9)], 1, 50],
		['who voted in a poll', [attendee(9, { votes_count: 1 }), attendee(9)], 1, 50],
		['who voted for a question', [attendee(9, { up_votes_count: 1 }), attendee(9)], 1, 50],
		['who was there', [person({}, { messages_count: 3 }), attendee(9)], 0, 0],
		[
			'of whom it is counted, in the rate',
			[attendee(9, { messages_count: 2 }), attendee(9, uncounted)],
			1,
			100,
		],
		['nobody knows of, where nothing is counted', [attendee(9, uncounted)], undefined, undefined],
		['nobody, where nobody came', [person()], 0, undefined],
	])('call engaged: %s', (_, people, engaged, engaged_rate) => {
		expect(figuresOf(people)).toMatchObject({ engaged, engaged_rate });
	});

	test('say how many came where nobody was measured', () => {
		const came = { attended: true, attendance_duration: null };
		expect(summarize([person(came), person(came)], noQuestions)).toMatchObject({
			attendees: 2,
			attendance_rate: 100,
			average_minutes: undefined,
			stayed_0_25: undefined,
			stayed_75_100: undefined,
		});
	});

	test('count those who registered after the end neither as absent nor in the rate', () => {
		const inTime = { created_at: end - 3_600 };
		const people = [inTime, { ...inTime, attended: true }].map((detail) =>
			readPerson(personRecord(detail), { endedAt: end }),
		);
		const replay = Array.from({ length: 8 }, () => late());
		expect(summarize([...people, ...replay], noQuestions)).toMatchObject({
			registrants: 10,
			attendees: 1,
			attendance_rate: 50,
			absent: 1,
			registered_after: 8,
		});
	});

	test('know that nobody came where all have registered after the end', () => {
		expect(summarize([late()], noQuestions)).toMatchObject({
			attendees: 0,
			attendance_rate: undefined,
			absent: 0,
			registered_after: 1,
		});
	});

	test('take the rate of those of whom it is known whether they came', () => {
		const people = [attendee(80), person(), person(unknown), person(unknown)];
		expect(figuresOf(people)).toMatchObject({ registrants: 4, attendees: 1, attendance_rate: 50 });
	});

	test.each([
		[[10], 10],
		[[10, 20], 15],
		[[30, 10, 20], 20],
		[[40, 10, 30, 20], 25],
	])('the median of %j minutes is %d', (minutes, median) => {
		expect(
			summarize(
				minutes.map((share) => attendee(share)),
				noQuestions,
			).median_minutes,
		).toBe(median);
	});
});

describe('the most engaged', () => {
	const named = (name: string, messages: number) =>
		person({}, { first_name: name, last_name: null, messages_count: messages });

	test('are five, the first one above the others, and names decide where scores are equal', () => {
		const people = ['Fay 1', 'Eve 2', 'Dan 9', 'Cid 9', 'Bea 3', 'Abe 4', 'Gil 0'].map((text) => {
			const [name = '', messages] = text.split(' ');
			return named(name, Number(messages));
		});
		expect(findMostEngaged(people)?.map(({ name, score }) => `${name} ${score}`)).toEqual([
			'Cid 9',
			'Dan 9',
			'Abe 4',
			'Bea 3',
			'Eve 2',
		]);
		expect(summarize(people.slice(0, 2), noQuestions).most_engaged).toBe('Eve (2), Fay (1)');
	});

	test('are called by their address where they have no name', () => {
		const nameless = person(
			{},
			{ first_name: '', last_name: null, email: 'x@example.com', messages_count: 1 },
		);
		expect(findMostEngaged([nameless])).toEqual([{ name: 'x@example.com', score: 1 }]);
	});
});
