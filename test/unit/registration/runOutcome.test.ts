import {
	headline,
	headlineOfPlan,
	mostFrequentReason,
	fruitlessRun,
	summarize,
	type RunOutcome,
} from '../../../nodes/EventPlatform/core/registration/runOutcome';
import {
	costOf,
	dryRun,
	planRun,
	requestsFor,
} from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import type { Outcome, Status } from '../../../nodes/EventPlatform/core/people/outcome';
import { acceptedJob, rowFor, someRows } from '../../support/runs/simulation';

const people = [
	rowFor('b', 'ada@example.com'),
	rowFor('a', 'bob@example.com'),
	rowFor('b', 'eve@example.com'),
	{ ...rowFor('', 'zoe@example.com'), problems: ['There is no session.'] },
];
const jobOfB = {
	id: 'j1',
	accepted: acceptedJob('j1'),
	sessionId: 'b',
	people: [],
	acceptedAt: 0,
	status: 'failed',
};
const report: RunOutcome = {
	people: (['registered', 'unknown', 'failed', 'invalid'] as const).flatMap((status, index) =>
		people.slice(index, index + 1).map((row) => ({ row, outcome: { status, reasons: [] } })),
	),
	jobs: [jobOfB],
	requests: 9,
	seconds: 1.5,
};
const none = {
	already_registered: 0,
	duplicate: 0,
	failed: 0,
	invalid: 0,
	registered: 0,
	unknown: 0,
};

test('the summary of a session has its own people and jobs, and the requests of the run', () => {
	const [b, a, nowhere, ...rest] = summarize(report);
	expect(b).toEqual({
		people: [report.people[0], report.people[2]],
		sessionId: 'b',
		record: {
			...none,
			total: 2,
			registered: 1,
			failed: 1,
			requests: 9,
			seconds: 1.5,
			jobs: 1,
		},
	});
	expect([a, nowhere, ...rest]).toMatchObject([
		{ people: [report.people[1]], sessionId: 'a', record: { unknown: 1, requests: 9, jobs: 0 } },
		{ people: [report.people[3]], sessionId: '', record: { invalid: 1, requests: 9 } },
	]);
});

test('nobody is valid but in a dry run', () => {
	const [summary] = summarize({ ...report, people: report.people.slice(0, 1) });
	expect(summary?.record).toMatchObject({ registered: 1 });
	expect(summary?.record).not.toHaveProperty('valid');
});

test.each([
	[{ unknown: 1, valid: 2 }, 1, 0.2, '2 valid, 1 unknown, 1 request, 0 s'],
	[
		{ not_updated: 1, kept: 2, would_add: 3, removed: 4, failed: 5, invalid: 6, duplicate: 7 },
		1_000,
		1_234,
		'3 would be added, 1 not updated, 4 removed, 2 kept, 5 failed, 6 invalid, 7 duplicate, 1,000 requests, 1,234 s',
	],
])('the headline of %j', (counts, requests, seconds, expected) => {
	expect(headline(counts, { requests, seconds })).toBe(expected);
});

test('the headline of a plan says what the run would cost, and that nothing was sent', () => {
	expect(headlineOfPlan({ valid: 56, invalid: 4 }, { requests: 4, seconds: 0.8 })).toBe(
		'56 valid, 4 invalid. It would take about 4 requests and 1 s. Nothing was sent.',
	);
	expect(
		headlineOfPlan({ would_remove: 1, would_update: 2, would_add: 3 }, { requests: 9, seconds: 2 }),
	).toBe(
		'3 would be added, 2 would be updated, 1 would be removed. It would take about 9 requests and 2 s. Nothing was sent.',
	);
});

test('the summary of a dry run has the people who would be sent, the jobs and the requests', () => {
	const again = rowFor('b', 'p0@example.com');
	const rows = [...someRows(60, 'a'), ...someRows(10, 'b'), again];
	const large = planRun(rows);
	const [first] = summarize(dryRun(large, costOf(requestsFor(large, true), { perSecond: 5 })));
	expect(first?.record).toMatchObject({ valid: 60, registered: 0, jobs: 2, requests: 6 });
});

const atOnce = () => Promise.resolve();

test('the most frequent reason is counted over people whose addresses it quotes', async () => {
	const invalid = (address: string): Outcome => ({
		status: 'failed',
		reasons: [{ code: 'invalid_email', message: `'${address}' is not valid` }],
	});
	const full: Outcome = { status: 'failed', reasons: [{ code: 'full', message: 'Full' }] };
	const outcomes = [full, full, invalid('a@x.io'), invalid('b@x.io'), invalid('c@x.io')];
	const reason = "'a@x.io' is not valid. The others are alike.";
	expect(await mostFrequentReason(outcomes, atOnce)).toEqual({ reason, count: 3 });
	expect(await mostFrequentReason([full, full], atOnce)).toEqual({ reason: 'Full.', count: 2 });
	expect(await mostFrequentReason([], atOnce)).toBeUndefined();
});

test('between two pauses the reasons of no more than one person are put into words', async () => {
	let sincePause = 0;
	let most = 0;
	const outcomes = Array.from({ length: 1_000 }, (_, index) => ({
		get reasons() {
			sincePause += 1;
			most = Math.max(most, sincePause);
			return [{ code: 'invalid_email', message: `'p${index}@x.io' is not valid` }];
		},
	}));
	const yieldIfDue = () => {
		sincePause = 0;
		return Promise.resolve();
	};
	expect(await mostFrequentReason(outcomes, yieldIfDue)).toMatchObject({ count: 1_000 });
	expect(most).toBe(1);
});

describe('a run that has done nothing', () => {
	const said = (status: Status): Outcome => ({ status, reasons: [] });

	test.each(['failed', 'invalid', 'duplicate', 'not_updated', 'kept'] as const)(
		'has only people who are %s',
		(status) => {
			expect(fruitlessRun([said(status)])?.inWords).toBe(`1 ${status.replace('_', ' ')}`);
		},
	);

	test.each([
		'registered',
		'already_registered',
		'unknown',
		'added',
		'updated',
		'unchanged',
		'removed',
	] as const)('has nobody who is %s', (status) => {
		expect(fruitlessRun([said('failed'), said(status)])).toBeUndefined();
	});

	test('gives the reason that most have', () => {
		const people: Outcome[] = [said('invalid'), said('failed'), said('failed')];
		expect(fruitlessRun(people, { reason: 'Full.', count: 2 })?.reason).toBe('2 of 3: Full.');
		expect(fruitlessRun([said('failed')], { reason: 'Full.', count: 1 })?.reason).toBe('Full.');
		expect(fruitlessRun([said('failed')])?.reason).toBe('');
	});
});
