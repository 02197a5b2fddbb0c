import { addUp, countQuestions } from '../../../nodes/EventPlatform/core/report/questions';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { person } from '../../support/platform/reportedPeople';

const question = (attributes: JsonObject) => ({ id: 'q', type: 'questions', attributes });
const open = question({ response: null, responded_at: 0 });

test.each<[string, JsonObject[], object]>([
	['none', [], { asked: 0, unanswered: 0 }],
	['one without an answer', [open], { asked: 1, unanswered: 1 }],
	['an answer in writing', [question({ response: 'Yes.' })], { asked: 1, unanswered: 0 }],
	[
		'an answer in the room',
		[question({ response: null, responded_at: 1_795_000_000 })],
		{ asked: 1, unanswered: 0 },
	],
	[
		'questions that do not show answers',
		[question({ question: 'Why?' }), open],
		{ asked: 2, unanswered: null },
	],
])('counts %s', (_, questions, counts) => {
	expect(countQuestions(questions, [])).toEqual(counts);
});

test('leaves out what the team and guests have asked', () => {
	const host = person({}, { role: 'team_member' });
	const questions = [host.id, 'somebody who left'].map((author) =>
		question({ question_author_id: author, response: null }),
	);
	expect(countQuestions(questions, [host, person()])).toEqual({ asked: 1, unanswered: 1 });
});

test('counts what people have asked where the platform lists no questions', () => {
	const people = [person({}, { questions_count: 2 }), person({}, { questions_count: 1 })];
	expect(countQuestions(undefined, people)).toEqual({ asked: 3, unanswered: null });
	expect(countQuestions(undefined, [person({}, { questions_count: null })])).toEqual({
		asked: null,
		unanswered: null,
	});
});

test('adds up the sessions of an event as far as they are known', () => {
	const sessions = [
		{ asked: 2, unanswered: 1 },
		{ asked: 3, unanswered: null },
	];
	expect(addUp(sessions)).toEqual({ asked: 5, unanswered: 1 });
	expect(addUp([])).toEqual({ asked: 0, unanswered: 0 });
});
