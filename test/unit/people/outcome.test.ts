import {
	reasonOfError,
	reasonsBeside,
	ownReason,
	reasonOf,
} from '../../../nodes/EventPlatform/core/people/outcome';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';

const request = { method: 'POST', path: '/sessions/s/people/bulk' } as const;

describe('why a run ended', () => {
	test('a cancel and the end of the time say so', () => {
		const cancelled = { code: 'cancelled', message: 'The run was cancelled.' };
		expect(reasonOfError(new Cancelled())).toEqual(cancelled);
		expect(reasonOfError(new Failure('time_over', request))).toEqual({
			code: 'time_over',
			message: "The time for this run ran out. Run the list again, or raise 'Max Wait'.",
		});
	});

	test.each([
		[new Error('It said Bearer abc'), 'It said Bearer …'],
		['a text', 'a text'],
	])('a mistake of ours is told without secrets', (error, message) => {
		expect(reasonOfError(error)).toEqual({ code: 'unexpected', message });
	});
});

describe('the reasons beside a status', () => {
	const there = { code: '422', message: 'Email has already been taken' };
	const doubt = ownReason('answer_lost');

	test('are not those of the platform where somebody was registered before', () => {
		expect(reasonsBeside({ status: 'already_registered', reasons: [there] })).toEqual([]);
	});

	test('are the doubt who has registered somebody', () => {
		expect(reasonsBeside({ status: 'already_registered', reasons: [there, doubt] })).toEqual([
			doubt,
		]);
	});

	test('are all of them with any other status', () => {
		expect(reasonsBeside({ status: 'failed', reasons: [there, doubt] })).toEqual([there, doubt]);
	});
});

describe('the sentence of several reasons', () => {
	const said = (...messages: string[]) => messages.map((message) => ({ code: 'c', message }));

	test.each([
		[['The session is full'], 'The session is full.'],
		[['The session is full.', 'Come later.'], 'The session is full; Come later.'],
		[['See example.org first.', 'Bad'], 'See example.org first; Bad.'],
		[['Too long ', ' Too long', 'Bad'], 'Too long; Bad.'],
		[['', 'Bad'], 'Bad.'],
		[['Is it?'], 'Is it?'],
		[['And 5 more…'], 'And 5 more…'],
		[['Stop!', 'Really!'], 'Stop!; Really!'],
		[['', ' '], undefined],
		[[], undefined],
	])('the reasons %j are the sentence %j', (messages, sentence) => {
		expect(reasonOf(said(...messages))).toBe(sentence);
	});
});
