import {
	reasonOfError,
	reasonsBeside,
	ownReason,
	refusedTogether,
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

describe('a request refused as a whole', () => {
	const refusal = (errors: ConstructorParameters<typeof Failure>[2]) =>
		new Failure('unprocessable', request, errors);

	test('says of several people that it may be about somebody else', () => {
		const [first, second] = refusedTogether(refusal({}), 2).reasons;
		const message = expect.stringContaining(
			'a request with 2 people, and the request was not split',
		) as string;
		expect(first).toEqual({ code: 'refused_together', message });
		expect(second).toEqual({
			code: 'unprocessable',
			message: expect.stringMatching(/^The rules of the platform forbid this/) as string,
		});
	});

	test.each([
		[{ code: 'c', title: 't', detail: 'd' }, 'c', 'd'],
		[{ code: 'c', title: 't' }, 'c', 't'],
		[{ detail: 'd' }, '422', 'd'],
		[{}, '422', ''],
		[{ code: 'already_registered', title: 't' }, 'already_registered', 't'],
	])('quotes the platform: %j', (error, code, message) => {
		const whole = refusal({ status: 422, errors: [error] });
		const status = code === 'already_registered' ? code : 'failed';
		expect(refusedTogether(whole, 1)).toEqual({ status, reasons: [{ code, message }] });
		expect(refusedTogether(whole, 2).status).toBe('failed');
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
