import {
	planRun,
	costOf,
	dryRun,
	requestsFor,
	shortage,
} from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import { emailAndAddressOf } from '../../../nodes/EventPlatform/core/people/registration';
import { rowFor, someRows } from '../../support/runs/simulation';
import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';

describe('the plan', () => {
	test.each([
		[0, []],
		[50, [50]],
		[51, [50, 1]],
	])('%i people are sent in requests of %j', (count, sizes) => {
		const { batches: chunks } = planRun(someRows(count));
		expect(chunks.map(({ people }) => people.length)).toEqual(sizes);
	});

	test('sessions do not share a request', () => {
		const rows = [...someRows(3, 'a'), ...someRows(2, 'b'), rowFor('a', 'late@example.com')];
		const { batches: chunks } = planRun(rows);
		const sent = chunks.map(({ sessionId, people }) => [sessionId, people.map(({ row }) => row)]);
		expect(sent).toEqual([
			['a', [rows[0], rows[1], rows[2], rows[5]]],
			['b', [rows[3], rows[4]]],
		]);
	});

	test('a request has up to fifty people of one session, in the order of the list', () => {
		const rows = Array.from({ length: 104 }, (_, index) =>
			rowFor(index % 2 === 0 ? 'a' : 'b', `p${index}@example.com`),
		);
		const { batches } = planRun(rows);
		expect(batches.map(({ sessionId, people }) => [sessionId, people.length])).toEqual([
			['a', 50],
			['a', 2],
			['b', 50],
			['b', 2],
		]);
		expect(batches[1]?.people.map(({ row }) => row)).toEqual([rows[100], rows[102]]);
	});

	test('people of a session that is known to take nobody are not sent, and duplicates of them are duplicates', () => {
		const reason = { code: 'session_closed', message: 'It is over.' };
		const rows = [...someRows(1, 'a'), ...someRows(1, 'a'), ...someRows(1, 'b')];
		const plan = planRun(rows, (id) => (id === 'a' ? reason : undefined));
		expect(plan.batches.map(({ sessionId }) => sessionId)).toEqual(['b']);
		expect(plan.candidates.map(({ outcome }) => outcome?.status)).toStrictEqual([
			'failed',
			'duplicate',
			undefined,
		]);
	});

	test('the same address in other letters is a duplicate in the same session only', () => {
		const plan = planRun([
			rowFor('a', 'Nathan@Example.com'),
			rowFor('a', 'nathan@example.com '),
			rowFor('b', 'nathan@example.com'),
		]);
		expect(plan.candidates.map(({ outcome }) => outcome?.status)).toStrictEqual([
			undefined,
			'duplicate',
			undefined,
		]);
		const message = 'Row 1 has the same person.';
		expect(plan.candidates[1]?.outcome?.reasons).toEqual([{ code: 'duplicate', message }]);
		expect(plan.candidates.map(({ first }) => first)).toEqual([
			undefined,
			plan.candidates[0],
			undefined,
		]);
		expect(plan.batches).toHaveLength(2);
	});

	test('who cannot be sent is invalid, says why, and does not make others duplicates', () => {
		const invalid = { ...rowFor('a', 'x@example.com'), problems: ['No choice of the field'] };
		const nobody = { ...rowFor('a', ''), ...emailAndAddressOf(undefined) };
		const nowhere = rowFor('', 'y@example.com');
		const plan = planRun([invalid, rowFor('a', 'x@example.com'), nobody, nowhere]);
		expect(plan.candidates.map(({ outcome }) => outcome?.status)).toStrictEqual([
			'invalid',
			undefined,
			'invalid',
			'invalid',
		]);
		expect(plan.candidates[3]?.outcome?.reasons[0]?.message).toMatch(/^'Session': The ID is empty/);
		expect(plan.candidates[0]?.outcome?.reasons).toEqual([
			{ code: 'invalid', message: 'No choice of the field' },
		]);
		expect(plan.candidates[2]?.outcome?.reasons[0]?.message).toMatch(/no email/i);
	});
});

describe('what a plan costs', () => {
	const again = rowFor('b', 'p0@example.com');
	const plan = planRun([...someRows(60, 'a'), ...someRows(10, 'b'), again]);

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
			{ when: 'where none are left', requests: 1, remaining: 0, needed: '1 request', left: '0' },
			{
				when: 'where too few are left',
				requests: 6,
				remaining: 5,
				needed: '6 requests',
				left: '5',
			},
			{
				when: 'where less than none is left',
				requests: 1,
				remaining: -2,
				needed: '1 request',
				left: '-2',
			},
			{
				when: 'in numbers that can be read',
				requests: 12_000,
				remaining: 1_999,
				needed: '12,000 requests',
				left: '1,999',
			},
		])('$when', ({ requests, remaining, needed, left }) => {
			expect(shortage(requests, remaining)).toEqual({
				code: 'quota_spent',
				message: `This run needs at least ${needed}, but the platform has only ${left} left for this month.`,
			});
		});
	});

	test.each<[string, boolean, number]>([
		['a request for each job where nobody waits for them', false, 3],
		['two for each job where somebody does', true, 6],
	])('a run takes %s', (_, needsResults, requests) => {
		expect(requestsFor(plan, needsResults)).toBe(requests);
	});

	test.each([
		[5, 0.4],
		[3, 0.7],
		[100, 0.1],
	])('the least that two requests cost at a pace of %i a second is %d s', (perSecond, seconds) => {
		expect(costOf(2, { perSecond })).toEqual({ requests: 2, seconds });
		expect(costOf(2, { perSecond: 5 }, 4)).toEqual({ requests: 6, seconds: 1.2 });
	});

	describe('a dry run', () => {
		const cost = costOf(requestsFor(plan, true), { perSecond: 5 });

		test('says of the people who would be sent that they are valid, and of others what the plan says', () => {
			const outcomes = outcomesOf(dryRun(plan, cost));
			expect(outcomes.slice(0, 70)).toEqual(Array(70).fill({ status: 'valid', reasons: [] }));
			expect(outcomes.slice(70)).toEqual([plan.candidates[70]?.outcome]);
			expect(outcomes[70]?.status).toBe('duplicate');
		});

		test('says the jobs and the cost', () => {
			const { requests, seconds, jobs } = dryRun(plan, cost);
			expect({ requests, seconds }).toEqual({ requests: 6, seconds: 1.2 });
			// A job that would be started has its people alone.
			expect(jobs).toEqual([
				{ sessionId: 'a', people: plan.candidates.slice(0, 50) },
				{ sessionId: 'a', people: plan.candidates.slice(50, 60) },
				{ sessionId: 'b', people: plan.candidates.slice(60, 70) },
			]);
		});
	});
});
