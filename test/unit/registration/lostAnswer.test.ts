import {
	afterLostAnswer,
	outcomeOfResult,
	showsThatEmailsAreKept,
} from '../../../nodes/EventPlatform/core/registration/lostAnswer';
import type { TaskResult } from '../../../nodes/EventPlatform/core/registration/taskResult';
import type { ListedPerson } from '../../../nodes/EventPlatform/core/people/findPeople';

const reasons = [{ code: 'already_registered', message: 'because already_registered' }];
const already: TaskResult = { status: 'already_registered', reasons };
const byWords: TaskResult = { ...already, isByWords: true };
const failed: TaskResult = { ...already, status: 'failed' };
const registered: TaskResult = { status: 'registered', person: { id: 'own' }, reasons: [] };

const since = (registeredAt?: number, createdAt?: number): ListedPerson => {
	return { person: { id: 'p' }, mayBeRegistrant: true, registeredAt, createdAt };
};

test.each([
	['keeps emails', 'kept', 'sendAgain'],
	['replaces emails', 'replaced', 'sendNobody'],
	['does either, as far as is known', 'unknown', 'askTheList'],
] as const)('after a lost answer at an event that %s', (_, use, decision) => {
	expect(afterLostAnswer(use)).toBe(decision);
});

test.each([
	['somebody who may have registered, at any time', true, 900, true],
	['somebody of the team, since before the attempt', false, 999, false],
	['somebody of the team, since the attempt', false, 1_000, true],
])('an address that was sent, of %s: %j shows that emails are kept', (_, may, at, isShown) => {
	const person = { ...since(at), mayBeRegistrant: may };
	const attempt = { lostAt: 1_000_500, clockAheadMs: 0 };
	expect(showsThatEmailsAreKept(person, attempt)).toBe(isShown);
	expect(showsThatEmailsAreKept(person, { lostAt: 1_000_500 })).toBe(may);
});

/** A job whose request left at 1000.5 s by our clock, and whose response got lost. */
const lostJob = { id: 'j', lostAt: 1_000_500 };
const job = { id: 'j' };

/** A look at the list of people. */
interface Look {
	/** The thing that the list shows, in the words of the title of the test. */
	what: string;
	/** Absent: the person is not on the list. */
	record?: ListedPerson;
	/** How far our clock is ahead of the platform's. Absent: the platform does not tell its time. */
	clockAheadMs?: number;
	result?: TaskResult;
}

describe('somebody of a lost request who is registered already', () => {
	const outcomeAfter = ({ record, clockAheadMs, result = already }: Look) =>
		outcomeOfResult(lostJob, result, { person: record, clockAheadMs });
	const codesOf = ({ reasons }: Pick<TaskResult, 'reasons'>) => reasons.map(({ code }) => code);

	test.each<Look>([
		{ what: 'in the second of the request', record: since(1_000), clockAheadMs: 0 },
		{ what: 'after it, as the platform counts', record: since(1_060), clockAheadMs: -60_000 },
		{ what: 'at no time, as a new person', record: since(undefined, 1_001), clockAheadMs: 0 },
		{ what: 'before it, as a new person', record: since(9, 1_001), clockAheadMs: 0 },
		{ what: 'after it, by words', record: since(1_001), clockAheadMs: 0, result: byWords },
	])('was registered by this run where it happened $what', (look) => {
		const registeredByUs = { status: 'registered', jobId: 'j', person: { id: 'p' }, reasons: [] };
		expect(outcomeAfter(look)).toMatchObject(registeredByUs);
	});

	test.each<Look>([
		{ what: 'in the second before the request', record: since(999), clockAheadMs: 0 },
		{ what: 'before it, as the platform counts', record: since(1_059), clockAheadMs: -60_000 },
		{ what: 'before it, by words', record: since(9), clockAheadMs: 0, result: byWords },
	])('was registered before where it happened $what', (look) => {
		const outcome = outcomeAfter(look);
		const before = { status: 'already_registered', jobId: 'j', person: { id: 'p' } };
		expect(outcome).toMatchObject(before);
		expect(codesOf(outcome)).toEqual(['already_registered']);
	});

	test.each<Look>([
		{ what: 'no time, of a person who was known', record: since(undefined, 9), clockAheadMs: 0 },
		{ what: 'a time by an unknown clock', record: since(1_001) },
		{ what: 'no time at all', record: since(), clockAheadMs: 0 },
		{ what: 'nobody', clockAheadMs: 0 },
	])('is in doubt where the list shows $what', (look) => {
		const outcome = outcomeAfter(look);
		expect(outcome).toMatchObject({ status: 'already_registered', jobId: 'j' });
		expect(outcome.person).toBe(look.record?.person);
		expect(codesOf(outcome)).toEqual(['already_registered', 'answer_lost']);
		expect(outcome.reasons.at(-1)?.message).toMatch(/may have registered/);
	});

	test.each<Look>([
		{ what: 'was refused', clockAheadMs: 0, result: failed },
		{ what: 'is registered by words', clockAheadMs: 0, result: byWords },
	])('has failed where the list shows nobody and the result says that the person $what', (look) => {
		const outcome = outcomeAfter(look);
		expect(outcome).toMatchObject({ status: 'failed', jobId: 'j' });
		expect(outcome.person).toBeUndefined();
		expect(codesOf(outcome)).toEqual(['already_registered']);
	});
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
