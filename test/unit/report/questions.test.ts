import { addUpQuestions, countQuestions } from '../../../nodes/EventPlatform/core/report/questions';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { person } from '../../support/platform/reportedPeople';

const question = (attributes: JsonObject) => ({ id: 'q', type: 'questions', attributes });
const open = question({ response: null, responded_at: 0 });

test.each<[string, JsonObject[], object]>([
	['none', [], { askedCount: 0, unansweredCount: 0 }],
	['one without an answer', [open], { askedCount: 1, unansweredCount: 1 }],
	['an answer in writing', [question({ response: 'Yes.' })], { askedCount: 1, unansweredCount: 0 }],
	[
		'an answer in the room',
		[question({ response: null, responded_at: 1_795_000_000 })],
		{ askedCount: 1, unansweredCount: 0 },
	],
	[
		'questions that do not show answers',
		[question({ question: 'Why?' }), open],
		{ askedCount: 2, unansweredCount: undefined },
	],
])('counts %s', (_, questions, counts) => {
	expect(countQuestions(questions, [])).toEqual(counts);
});

test('leaves out what the team and guests have asked', () => {
	const host = person({}, { role: 'team_member' });
	const registrant = person();
	const authors = [host.id ?? null, registrant.id ?? null, 'somebody who left'];
	const questions = authors.map((author) =>
		question({ question_author_id: author, response: null }),
	);
	expect(countQuestions(questions, [host, registrant])).toEqual({
		askedCount: 2,
		unansweredCount: 2,
	});
});

test('counts what people have asked where the platform lists no questions', () => {
	const people = [person({}, { questions_count: 2 }), person({}, { questions_count: 1 })];
	expect(countQuestions(undefined, people)).toEqual({ askedCount: 3, unansweredCount: undefined });
	expect(countQuestions(undefined, [person({}, { questions_count: null })])).toEqual({
		askedCount: undefined,
		unansweredCount: undefined,
	});
});

test('adds up the sessions of an event as far as they are known', () => {
	const sessions = [
		{ askedCount: 2, unansweredCount: 1 },
		{ askedCount: 3, unansweredCount: undefined },
	];
	expect(addUpQuestions(sessions)).toEqual({ askedCount: 5, unansweredCount: 1 });
	expect(addUpQuestions([])).toEqual({ askedCount: 0, unansweredCount: 0 });
});
