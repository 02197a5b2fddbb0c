import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import {
	concludeAlone,
	outcomeWithoutAnswer,
} from '../../../nodes/EventPlatform/core/people/conclusion';

const request = { method: 'POST', path: '/sessions/s/people/bulk' } as const;
const reason = { code: 'why', message: 'It ended.' };

describe('what is told of a person whose request has no answer', () => {
	test.each<[Cause | 'never left', isLost: boolean, batch: string, alone: string, change: string]>([
		['never left', false, 'not sent', 'not sent', 'not sent'],
		['unauthorized', false, 'not sent', 'not sent', 'not sent'],
		['session_closed', false, 'not sent', 'not sent', 'not sent'],
		['unreachable', false, 'not sent', 'not sent', 'not sent'],
		['not_from_api', false, 'not sent', 'not sent', 'not sent'],
		// Somebody who is to be changed may be gone, while others of the session are there.
		['not_found', false, 'not sent', 'not sent', 'refused'],
		['refused', false, 'refused', 'refused', 'refused'],
		['already_exists', false, 'refused', 'refused', 'refused'],
		['unprocessable', false, 'refused', 'refused', 'refused'],
		['platform_error', false, 'unknown', 'unknown', 'unknown'],
		['unconfirmed', true, 'unknown', 'unknown', 'unknown'],
		['never left', true, 'unknown', 'unknown', 'unknown'],
		['unauthorized', true, 'unknown', 'unknown', 'unknown'],
		['not_found', true, 'unknown', 'unknown', 'unknown'],
		['refused', true, 'unknown', 'refused', 'unknown'],
		['unprocessable', true, 'unknown', 'refused', 'unknown'],
	])('after %s, a lost attempt: %s', (cause, isLost, batch, alone, change) => {
		const failure = cause === 'never left' ? undefined : new Failure(cause, request);
		const told = (sent: 'batch' | 'change') => {
			const { status, reasons } = outcomeWithoutAnswer(sent, { isLost, failure, reason });
			const [why] = reasons;
			if (why?.message === 'Not sent. It ended.') return `${status}: not sent`;
			if (why?.message === 'Sent, but not confirmed. It ended.') return status;
			return `${status}: refused`;
		};
		const inWords: Record<string, string> = {
			'not sent': 'failed: not sent',
			refused: 'failed: refused',
		};
		expect([told('batch'), told('change')]).toEqual(
			[batch, change].map((word) => inWords[word] ?? word),
		);
		if (!failure) return;
		const words = { notSent: 'not sent', refused: 'refused', unknown: 'unknown' };
		expect(words[concludeAlone({ isLost, failure }).told]).toBe(alone);
	});

	test('a form that is refused after a lost answer says nothing of the person', () => {
		const failure = new Failure('unprocessable', { method: 'GET', path: '/sessions/s' });
		expect(concludeAlone({ isLost: true, failure })).toEqual({ told: 'unknown', belief: 'none' });
	});
});

describe('a refusal that says "registered already"', () => {
	const code = { code: 'already_registered' };
	const words = { code: '422', detail: 'Email has already been invited' };
	const full = { code: 'session_full', detail: 'Email has already been invited' };

	test.each([
		['its code', [code], 'already_exists', 'certain'],
		['its words', [words], 'already_exists', 'ifFound'],
		['its status alone', [], 'already_exists', 'ifFound'],
		['another code with such words', [full], 'already_exists', 'none'],
		['nothing', [], 'unprocessable', 'none'],
	] as const)('is believed by %s', (_, errors, cause, belief) => {
		const failure = new Failure(cause, request, { errors });
		expect(concludeAlone({ isLost: false, failure }).belief).toBe(belief);
	});
});

describe('the words of a refusal', () => {
	const reasonsOf = (details: ConstructorParameters<typeof Failure>[2], count: number) => {
		const failure = new Failure('unprocessable', request, details);
		return outcomeWithoutAnswer('batch', { isLost: false, failure, reason, count }).reasons;
	};

	test('say of several people that they may be about somebody else', () => {
		const [first, second] = reasonsOf({}, 2);
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
	])('are quoted: %j', (error, code, message) => {
		expect(reasonsOf({ status: 422, errors: [error] }, 1)).toEqual([{ code, message }]);
	});
});
