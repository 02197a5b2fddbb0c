import { outcomeOfResult } from '../../../nodes/EventPlatform/core/bulk/resultOutcome';
import type { TaskResult } from '../../../nodes/EventPlatform/core/jobs/taskResult';
import type { ListedPerson } from '../../../nodes/EventPlatform/core/people/findPeople';

const reasons = [{ code: 'already_registered', message: 'because already_registered' }];
const already: TaskResult = { status: 'already_registered', reasons };
const byWords: TaskResult = { ...already, isByWords: true };
const failed: TaskResult = { ...already, status: 'failed' };
const registered: TaskResult = { status: 'registered', person: { id: 'own' }, reasons: [] };

const since = (registeredAt?: number, createdAt?: number): ListedPerson => {
	return { person: { id: 'p' }, registeredAt, createdAt };
};

/** A job whose request left at 1000.5 s by our clock, and whose response got lost. */
const lostJob = { id: 'j', lostAt: 1_000_500 };
const job = { id: 'j' };

// `aheadMs`: our clock is ahead of the platform's by so many milliseconds.
test.each<[string, ListedPerson | undefined, string, { aheadMs?: number; result?: TaskResult }?]>([
	['in the second of the request', since(1_000), 'registered'],
	['in the second before', since(999), 'already_registered'],
	['later, as the platform counts', since(1_060), 'registered', { aheadMs: -60_000 }],
	['earlier, as the platform counts', since(1_059), 'already_registered', { aheadMs: -60_000 }],
	['at no time, the person since', since(undefined, 1_001), 'registered'],
	['at no time, the person before', since(undefined, 9), 'already_registered open'],
	['before, the person since', since(9, 1_001), 'registered'],
	['by an unknown clock', since(1_001), 'already_registered open', { aheadMs: NaN }],
	['at no time at all', since(), 'already_registered open'],
	['and not on the list', undefined, 'already_registered open'],
	['who was refused', undefined, 'failed', { result: failed }],
	['by words, not on the list', undefined, 'failed', { result: byWords }],
	['by words, since the request', since(1_001), 'registered', { result: byWords }],
	['by words, before the request', since(9), 'already_registered', { result: byWords }],
])('somebody of a lost request registered already, %s', (_, record, expected, more = {}) => {
	const { aheadMs = 0, result = already } = more;
	const clockAheadMs = Number.isNaN(aheadMs) ? undefined : aheadMs;
	const outcome = outcomeOfResult(lostJob, result, { person: record, clockAheadMs });
	const [status = '', open] = expected.split(' ');
	expect([outcome.status, outcome.jobId]).toEqual([status, 'j']);
	const codes = status === 'registered' ? [] : ['already_registered'];
	expect(outcome.person).toBe(status === 'failed' ? undefined : record?.person);
	expect(outcome.reasons.map(({ code }) => code)).toEqual([
		...codes,
		...(open ? ['answer_lost'] : []),
	]);
	if (open) expect(outcome.reasons.at(-1)?.message).toMatch(/may have registered/);
});

test('before the list was read, somebody of a lost request is in doubt, by words too', () => {
	for (const result of [already, byWords]) {
		const { status, reasons } = outcomeOfResult(lostJob, result);
		expect([status, ...reasons.map(({ code }) => code)]).toEqual([
			'already_registered',
			'already_registered',
			'answer_lost',
		]);
	}
});

describe('somebody whose request was answered at once', () => {
	test('was registered before, however young the record in the list is', () => {
		const lookup = { person: since(9_999, 9_999), clockAheadMs: 0 };
		const outcome = { status: 'already_registered', jobId: 'j', person: { id: 'p' }, reasons };
		expect(outcomeOfResult(job, already, lookup)).toEqual(outcome);
		expect(outcomeOfResult(job, byWords, lookup)).toEqual(outcome);
	});

	test.each<[string, TaskResult, string]>([
		['by a code was registered before', already, 'already_registered'],
		['by words alone has failed', byWords, 'failed'],
	])('and whom the list does not show, %s', (_, result, status) => {
		expect(outcomeOfResult(job, result, {})).toEqual({
			status,
			jobId: 'j',
			person: undefined,
			reasons,
		});
	});

	test('is believed as long as the list was not read', () => {
		expect(outcomeOfResult(job, byWords).status).toBe('already_registered');
	});
});

test.each([registered, failed])('any other result stands as it is: $status', (result) => {
	const { status, person } = result;
	const lookup = { person: since(9_999), clockAheadMs: 0 };
	for (const outcome of [outcomeOfResult(lostJob, result), outcomeOfResult(job, result, lookup)]) {
		expect(outcome).toEqual({ status, jobId: 'j', person, reasons: result.reasons });
	}
});
