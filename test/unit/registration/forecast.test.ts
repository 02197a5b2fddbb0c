import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/report';
import {
	costOf,
	forecast,
	dryRun,
	shortage,
	planRun,
} from '../../../nodes/EventPlatform/core/registration/plan';
import { rowFor, someRows } from '../../support/runs/simulation';

const again = rowFor('b', 'p0@example.com');
const plan = planRun([...someRows(60, 'a'), ...someRows(10, 'b'), again]);
const pace = { perSecond: 5 };

describe('the month does not stop a run', () => {
	test.each<[string, number, number | undefined]>([
		['where the platform does not tell what is left', 6, undefined],
		['where exactly as many requests are left', 6, 6],
		['where more are left', 6, 7],
		['that needs none of none', 0, 0],
	])('%s', (_, requests, remaining) => {
		expect(shortage(requests, remaining)).toBeUndefined();
	});
});

describe('the month stops a run', () => {
	interface Shortage {
		when: string;
		requests: number;
		remaining: number;
		/** Both numbers as people read them. */
		needed: string;
		left: string;
	}

	test.each<Shortage>([
		{ when: 'where none are left', requests: 1, remaining: 0, needed: '1', left: '0' },
		{ when: 'where too few are left', requests: 6, remaining: 5, needed: '6', left: '5' },
		{ when: 'where less than none is left', requests: 1, remaining: -2, needed: '1', left: '-2' },
		{
			when: 'in numbers that can be read',
			requests: 12_000,
			remaining: 1_999,
			needed: '12,000',
			left: '1,999',
		},
	])('$when', ({ requests, remaining, needed, left }) => {
		expect(shortage(requests, remaining)).toEqual({
			code: 'quota_spent',
			message: `This run needs at least ${needed} requests, but the platform has only ${left} left for this month.`,
		});
	});
});

test.each<[string, boolean, string[], number]>([
	['a request for each job where nobody waits for them', false, ['a', 'a', 'b'], 0.6],
	['two for each job where somebody does', true, ['a', 'a', 'b', 'a', 'a', 'b'], 1.2],
])('a run takes %s', (_, needsResults, sessionOfEach, seconds) => {
	const requests = sessionOfEach.length;
	expect(forecast(plan, needsResults, pace)).toEqual({ requests, sessionOfEach, seconds });
});

describe('the least that requests cost', () => {
	const toSend = [{ sessionId: 'a' }, { sessionId: 'b' }];

	test.each([
		[5, 0.4],
		[3, 0.7],
		[100, 0.1],
	])('at a pace of %i a second is %d s for two', (perSecond, seconds) => {
		expect(costOf(toSend, { perSecond })).toEqual({
			requests: 2,
			sessionOfEach: ['a', 'b'],
			seconds,
		});
	});

	test('comes after what was spent before, which may have been repeated', () => {
		const spent = { requests: 4, sessionOfEach: ['c', 'a'] };
		expect(costOf(toSend, pace, spent)).toEqual({
			requests: 6,
			sessionOfEach: ['c', 'a', 'a', 'b'],
			seconds: 1.2,
		});
		expect(spent).toEqual({ requests: 4, sessionOfEach: ['c', 'a'] });
	});

	test('is nothing where nothing is sent', () => {
		expect(costOf([], pace)).toEqual({ requests: 0, sessionOfEach: [], seconds: 0 });
	});
});

describe('a dry run', () => {
	const cost = forecast(plan, true, pace);

	test('says of the people who would be sent that they are valid, and of others what the plan says', () => {
		const outcomes = outcomesOf(dryRun(plan, cost));
		expect(outcomes.slice(0, 70)).toEqual(Array(70).fill({ status: 'valid', reasons: [] }));
		expect(outcomes.slice(70)).toEqual([plan.candidates[70]?.outcome]);
		expect(outcomes[70]?.status).toBe('duplicate');
	});

	test('says the jobs and the cost', () => {
		const { requests, seconds, jobs } = dryRun(plan, cost);
		expect({ requests, seconds }).toEqual({ requests: 6, seconds: 1.2 });
		// A job that would be started has its people, and neither an id nor any count.
		expect(jobs).toEqual([
			{ sessionId: 'a', people: plan.candidates.slice(0, 50), status: 'planned' },
			{ sessionId: 'a', people: plan.candidates.slice(50, 60), status: 'planned' },
			{ sessionId: 'b', people: plan.candidates.slice(60, 70), status: 'planned' },
		]);
	});
});
