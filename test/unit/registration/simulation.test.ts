import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import {
	countStatuses,
	outcomesOf,
} from '../../../nodes/EventPlatform/core/registration/runOutcome';
import {
	refusedEarly,
	type ModelOptions,
	type Trouble,
} from '../../support/platform/platformOptions';
import { logNormal } from '../../support/platform/random';
import { rowFor, someRows, simulate, type Circumstances } from '../../support/runs/simulation';

async function cost(count: number, platform: Partial<ModelOptions> = {}) {
	const conditions: Circumstances = { platform: { latencyMs: [100, 400], ...platform } };
	const { report, durationMs, platform: model } = await simulate(someRows(count), conditions);
	expect(countStatuses(outcomesOf(report))).toEqual({ registered: count });
	return {
		per50: report.requests / Math.ceil(count / 50),
		ratio: durationMs / 1_000 / (report.requests / 5),
		refused: model.refusals / report.requests,
	};
}

const platforms: Array<[string, Partial<ModelOptions>, number]> = [
	['shows results early', {}, 2.1],
	['has no results before the end', { earlyResults: 'empty' }, 2.1],
	['does not find results before the end', { earlyResults: '404' }, 2.1],
	['breaks on page parameters', { paging: 'broken' }, 2.1],
	['takes ten seconds for a job', { jobMs: () => 10_000 }, 2.1],
	['takes ten seconds and hides it', { jobMs: () => 10_000, earlyResults: '404' }, 3.2],
	['takes uneven time', { jobMs: (_, draw) => 1_000 * logNormal(draw, 0.8) }, 2.2],
	[
		'takes uneven time and hides it',
		{ jobMs: (_, draw) => 1_000 * logNormal(draw, 0.8), earlyResults: 'empty' },
		3.2,
	],
	['works on one job after the other', { oneByOne: true, earlyResults: '404' }, 3.2],
];

test.each(platforms)('five thousand people on a platform that %s', async (_, platform, most) => {
	const { per50, ratio, refused } = await cost(5_000, platform);
	expect(per50).toBeLessThanOrEqual(most);
	expect(refused).toBeLessThanOrEqual(0.01);
	// One job after the other is slower than the pace; elsewhere the pace is always in use.
	if (!platform.oneByOne) expect(ratio).toBeLessThanOrEqual(1.06);
});

test('slow responses hold up nobody whose job is over: as many are read at once as it takes', async () => {
	const { durationMs } = await simulate(someRows(2_000), {
		platform: { latencyMs: [3_500, 4_500] },
	});
	expect(durationMs).toBeLessThan(40_000);
});

test.each(refusedEarly)(
	'jobs that refuse their results with %s for minutes are waited for, as long as the run may last',
	async (earlyResults) => {
		// The pause after which the results are there is as long as lists of results lag elsewhere.
		const platform = { jobMs: () => 180_000, lagMs: 5_000, earlyResults };
		const { report } = await simulate(someRows(120), { platform });
		expect(countStatuses(outcomesOf(report))).toEqual({ registered: 120 });
		expect(report.requests).toBeLessThanOrEqual(37);
		const late = await simulate(someRows(120), { platform, run: { maxWaitSeconds: 100 } });
		expect(countStatuses(outcomesOf(late.report))).toEqual({ unknown: 120 });
		expect(outcomesOf(late.report)[0]?.reasons[0]?.code).toBe('time_over');
	},
);

/** A hundred thousand among the long tests, whatever number of worlds is asked for: more take longer than a run may last. */
const peopleCount = 100 * Math.min(1_000, Number(process.env.SIMULATION_RUNS ?? 100));

test(`${peopleCount} people cost as much each as a thousand`, async () => {
	const { per50, ratio } = await cost(peopleCount - 50, { forgets: true });
	expect(per50).toBeLessThanOrEqual(2.1);
	expect(ratio).toBeLessThanOrEqual(1.06);
});

/** Half are registered before, and some are not welcome: no job proves its order. */
const second: Row[] = someRows(300).map((row, index) =>
	index % 60 === 7 ? rowFor('session', `banned${index}@example.com`) : row,
);
const before = someRows(300).map(({ sessionId, email = '' }) => ({ sessionId, email }));

test.each(['kept', 'shuffled', 'reversed'] as const)(
	'whose results are whose is asked where it cannot be told, with the order %s',
	async (order) => {
		const { report } = await simulate(second, { before, platform: { order } });
		expect(countStatuses(outcomesOf(report))).toEqual({ already_registered: 295, failed: 5 });
		expect(outcomesOf(report)[7]).toMatchObject({
			status: 'failed',
			reasons: [{ code: 'banned' }],
		});
		// Two for each job, and the six pages of the session's people.
		expect(report.requests).toBe(2 * 6 + 6);
	},
);

test.each([
	['one bad row', 1, 12],
	['two bad rows', 2, 24],
	['five bad rows', 5, 60],
])('a request refused for %s is split until they stand alone', async (_, bad, most) => {
	const rows = someRows(50).map((row, index) =>
		index % 10 === 3 && index / 10 < bad ? rowFor('session', `refuse${index}@x.io`) : row,
	);
	const { report, platform } = await simulate(rows);
	expect(countStatuses(outcomesOf(report))).toEqual({ registered: 50 - bad, failed: bad });
	expect(platform.registered.get('session')?.size).toBe(50 - bad);
	expect(outcomesOf(report)[3]?.reasons[0]?.message).toBe('There is something wrong');
	// The request itself, its parts, and reading what was accepted.
	expect(report.requests).toBeLessThanOrEqual(2 + 2 * most);
});

test('of a job that gets stuck halfway the other half is unknown with its id when time is over, and the rest is known', async () => {
	let jobs = 0;
	const jobMs = () => ((jobs += 1) === 3 ? Infinity : 500);
	const { report, durationMs } = await simulate(someRows(500), {
		platform: { jobMs },
		run: { maxWaitSeconds: 60 },
	});
	expect(countStatuses(outcomesOf(report))).toEqual({ registered: 475, unknown: 25 });
	expect(outcomesOf(report).find(({ status }) => status === 'unknown')?.jobId).toBe('job-3');
	expect(report.stop?.code).toBe('time_over');
	expect(durationMs).toBeLessThan(65_000);
	expect(report.requests).toBeLessThan(20 + 10);
});

test.each<[Trouble, number, string, number]>([
	['unreachable', 11, 'failed', 12],
	['unreachable', 5_000, 'failed', 24],
	['500', 11, 'unknown', 9],
	['500', 5_000, 'unknown', 13],
	['html', 11, 'unknown', 9],
])(
	'a platform that is %s for all of %i people was not reached',
	async (trouble, count, status, most) => {
		const { report, durationMs } = await simulate(someRows(count), {
			platform: { script: () => trouble },
		});
		expect(report.failureOfRun?.cause).toBe(trouble === 'unreachable' ? trouble : 'platform_error');
		expect(report.stop?.code).toBe(report.failureOfRun?.cause);
		expect(outcomesOf(report)[0]).toMatchObject({ status });
		for (const { reasons } of outcomesOf(report)) expect(reasons[0]?.code).toBe(report.stop?.code);
		expect(report.requests).toBeLessThanOrEqual(most);
		expect(durationMs).toBeLessThan(30_000);
	},
);

test('people whose job was accepted before the platform went away are told so, and the others that they were not sent', async () => {
	const script = (nth: number) => (nth > 30 ? 'unreachable' : undefined);
	const { report } = await simulate(someRows(5_000), { platform: { script } });
	const reasonsOf = (status: string) =>
		new Set(
			outcomesOf(report)
				.filter((outcome) => outcome.status === status)
				.map(({ reasons: [reason] }) => reason?.message),
		);
	expect(Object.keys(countStatuses(outcomesOf(report))).sort()).toEqual(['failed', 'unknown']);
	const accepted =
		/^The platform accepted the person, but did not confirm the registration\. .*'Get Tasks' of 'Job' with the 'job_id', or run the list again/;
	expect(reasonsOf('unknown')).toEqual(new Set([expect.stringMatching(accepted)]));
	expect([...reasonsOf('unknown')].join()).not.toContain('Nothing was changed');
	expect(reasonsOf('failed')).toEqual(new Set([expect.stringMatching(/^Not sent\. /)]));
});

test('people whose request may have arrived before the platform refused are looked for, and not failed', async () => {
	const { report, platform } = await simulate(someRows(20), {
		platform: {
			script: (nth) => (nth === 1 ? 'lost-after' : undefined),
			refuseAfter: { requests: 1, status: 422, onlyPosts: true },
		},
	});
	platform.settle();
	expect(platform.registered.get('session')?.size).toBe(20);
	expect(countStatuses(outcomesOf(report))).toEqual({ already_registered: 20 });
});

test('a cancelled run ends at once, whatever is under way, and tells of everyone', async () => {
	const { report, durationMs } = await simulate(someRows(20_000), {
		platform: { latencyMs: [20_000, 20_000] },
		cancelAfterMs: 3_000,
	});
	expect(durationMs).toBeLessThan(4_000);
	expect(report.stop?.code).toBe('cancelled');
	expect(countStatuses(outcomesOf(report))).toEqual({ unknown: 200, failed: 19_800 });
});

test('people whose request still waits for its turn when the run is cancelled were not sent', async () => {
	const rows = ['a', 'b', 'c', 'd'].flatMap((sessionId) => someRows(50, sessionId));
	const { report, platform } = await simulate(rows, {
		platform: { latencyMs: [20_000, 20_000] },
		cap: 0.5,
		cancelAfterMs: 3_000,
	});
	const messages = outcomesOf(report).map(({ reasons: [reason] }) => reason?.message);
	expect([
		platform.requests,
		new Set(messages.slice(0, 100)),
		new Set(messages.slice(100)),
	]).toEqual([
		2,
		new Set(['Sent, but not confirmed. The run was cancelled.']),
		new Set(['Not sent. The run was cancelled.']),
	]);
});

test('people whose request was rate limited before the run was cancelled were not sent', async () => {
	const { report } = await simulate(someRows(50), {
		platform: { script: () => '429', retryAfterSeconds: 30 },
		cancelAfterMs: 3_000,
	});
	const messages = outcomesOf(report).map(({ reasons: [reason] }) => reason?.message);
	expect(new Set(messages)).toEqual(new Set(['Not sent. The run was cancelled.']));
});

test.each(['specification', 'other'] as const)(
	'people who were registered before cost nothing more, whatever words say so: %s',
	async (words) => {
		const rows = someRows(50);
		const before = rows.slice(1).map(({ sessionId, email = '' }) => ({ sessionId, email }));
		const { report } = await simulate(rows, { before, platform: { words } });
		expect(report.requests).toBe(2);
		expect(countStatuses(outcomesOf(report))).toEqual({ registered: 1, already_registered: 49 });
	},
);

test('progress is told every ten seconds, not more', async () => {
	const lines: string[] = [];
	await simulate(someRows(5_000), { log: (line) => lines.push(line) });
	expect(lines.length).toBeGreaterThanOrEqual(3);
	expect(lines.length).toBeLessThanOrEqual(5);
	expect(lines[0]).toMatch(/^Bulk registration: \d+ of 100 jobs confirmed, [1-9]\d* under way/);
});

test('progress counts the jobs that were confirmed, and never fewer than before', async () => {
	const lines: string[] = [];
	await simulate(someRows(5_000), { log: (line) => lines.push(line) });
	const confirmed = lines.map((line) => Number(/: (\d+) of/.exec(line)?.[1]));
	expect(confirmed).toEqual([...confirmed].sort((earlier, later) => earlier - later));
	expect(confirmed.at(-1)).toBeGreaterThan(50);
});

test('who is registered already, after a lost answer, is so for a reason where nothing shows by whom', async () => {
	/** The second of six requests sends people. */
	const script = (nth: number) => (nth === 2 ? 'lost-after' : undefined);
	const { report } = await simulate(someRows(120), { platform: { script } });
	expect(countStatuses(outcomesOf(report))).toEqual({ registered: 70, already_registered: 50 });
	const reasons = outcomesOf(report).flatMap((outcome) => outcome.reasons.map(({ code }) => code));
	expect(reasons.filter((code) => code === 'answer_lost')).toHaveLength(50);
});

test('reads that fail are tried again by the run alone, and not four times as often', async () => {
	const script = (nth: number) => (nth > 1 ? '500' : undefined);
	const { report } = await simulate(someRows(50), { platform: { script } });
	expect(countStatuses(outcomesOf(report))).toEqual({ unknown: 50 });
	// One to send, and eight reads, each with page parameters and without: those may be what fails.
	expect(report.requests).toBe(1 + 8 * 2);
});
