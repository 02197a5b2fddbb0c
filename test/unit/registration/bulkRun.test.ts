import { planRun } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import {
	countStatuses,
	outcomesOf,
	type RunOutcome,
} from '../../../nodes/EventPlatform/core/registration/runOutcome';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { runBulk } from '../../../nodes/EventPlatform/core/registration/bulkRun';
import { readPeopleOfJob } from '../../../nodes/EventPlatform/core/jobs/jobPeople';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { timedRun } from '../../support/runs/begunRun';
import { runAgainst } from './bulkRun';
import {
	rowFor,
	someRows,
	modelScene,
	simulate,
	type Circumstances,
} from '../../support/runs/simulation';

const yes = { status: 202, headers: {}, body: { id: 'j', attributes: { status: 'ended' } } };
const of = ({ path }: ApiRequest) => path.split('/')[2];
/** A session, and its event, whose form asks for an email. */
const attributesOfEvent = { event_id: 'e', fields: [{ id: 'email' }] };
const event = {
	status: 200,
	headers: {},
	body: { data: { id: 'e', attributes: attributesOfEvent } },
};
const registered = (request: ApiRequest) => {
	const data = [{ status: 'succeeded' }];
	return request.method === 'POST' ? yes : { status: 200, headers: {}, body: { data } };
};

test('requests end with the time where somebody waits', async () => {
	const [a, b] = ['a', 'b'].map((session) => someRows(1, session));
	const { asked } = await runAgainst([...(a ?? []), ...(b ?? [])], registered);
	const ends = asked.map(({ deadlineAtMs }) => deadlineAtMs);
	expect(new Set(ends)).toEqual(new Set([Date.UTC(2026, 0, 1) + 900_000]));
	const endless = await runAgainst(a ?? [], registered, { needsResults: false });
	expect(endless.asked).toEqual([
		expect.not.objectContaining({ deadlineAtMs: expect.anything() as number }),
	]);
	expect(endless.became('a')).toBe('unknown not_awaited');
});

test('that a job is over stays known where its results cannot be read then, so its state is asked for once', async () => {
	let reads = 0;
	const { became, asked } = await runAgainst(someRows(1, 'a'), (request) => {
		if (!request.path.endsWith('/tasks')) return yes;
		reads += 1;
		// Nothing yet, then a failure in the middle of the step, then the results.
		const rows = reads === 1 ? [] : [{ status: 'succeeded' }];
		return reads === 2
			? new Failure('platform_error', request)
			: { status: 200, headers: {}, body: { data: rows } };
	});
	expect(became('a')).toBe('registered j');
	const paths = asked.map(({ path }) => path.replace('/sessions/a/people', ''));
	expect(paths).toEqual(['/bulk', '/jobs/j/tasks', '/jobs/j', '/jobs/j/tasks', '/jobs/j/tasks']);
});

test('whom a job is for is remembered with the platform that it was sent to', async () => {
	const { clock, parts } = modelScene();
	const apiRoot = 'https://run.test/v1';
	const rows = someRows(2, 'remembered');
	const options = { needsResults: false, mayDivide: true };
	const { jobs } = await clock.run(runBulk(planRun(rows), { ...parts, apiRoot }, options));
	const { ask } = fakePlatform(() => ({ data: rows.map(() => ({ status: 'failed' })) }));
	const people = await readPeopleOfJob(ask, apiRoot, jobs[0]?.id ?? '');
	expect(people.map(({ record }) => record.email)).toEqual(rows.map(({ email }) => email));
});

test('what is refused for one session is sent to the others; what is refused at all, to nobody', async () => {
	const rowsOfOthers = Array.from({ length: 100 }, (_, index) => someRows(1, `b${index}`)).flat();
	const refusing = (cause: Cause) =>
		runAgainst([...someRows(1, 'a'), ...rowsOfOthers], (request) =>
			of(request) === 'a' ? new Failure(cause, request, { status: 400 }) : registered(request),
		);
	const gone = await refusing('not_found');
	expect([gone.became('a'), gone.report.stop]).toEqual(['failed not_found', undefined]);
	expect(gone.sent).toHaveLength(101);
	const stopped = await refusing('unauthorized');
	const unauthorized = ['failed unauthorized', 'unauthorized'];
	expect([stopped.became('a'), stopped.report.stop?.code]).toEqual(unauthorized);
	// Those that were under way.
	expect(stopped.sent.length).toBeLessThan(30);
});

describe('while refused people are tried in another way', () => {
	const rows = someRows(500, 'a').map((row) => {
		const registration = { ...row.registration, tracking: { utm_medium: 'mail' } };
		return { ...row, registration };
	});
	const answer = (request: ApiRequest) => {
		const isRefused = JSON.stringify(request.body).includes('utm_medium');
		return isRefused ? new Failure('refused', request, { status: 400 }) : yes;
	};

	test('the others of their session wait for how it is taken', async () => {
		const { report, sent } = await runAgainst(rows, answer, { needsResults: false });
		expect(report.jobs).toHaveLength(10);
		expect(sent).toHaveLength(11);
	});

	test('those for whom that took too long, and who are refused as well, are sent once more in that way', async () => {
		// The first is refused after three seconds and accepted at once then; the others hear of it later.
		const latencies = [3_000, ...Array<number>(9).fill(10_000)];
		const latencyMs = () => latencies.shift() ?? 100;
		const options = { needsResults: false, mayDivide: false, latencyMs };
		const { became, sent } = await runAgainst(rows, answer, options);
		expect(became('a')).toBe('unknown not_awaited');
		expect(sent).toHaveLength(20);
	});
});

describe('the results of tasks', () => {
	const run = async (tasks: JsonObject[], emails: string[], counts: JsonObject = {}) => {
		const rows = emails.map((email) => rowFor('a', email));
		const { report } = await runAgainst(rows, (request) => {
			if (request.method === 'POST') return yes;
			const job = {
				id: 'j',
				attributes: {
					status: 'processing',
					total_items: 2,
					total_processed_items: 2,
					...counts,
				},
			};
			return {
				status: 200,
				headers: {},
				body: request.path.endsWith('/tasks') ? { data: tasks } : job,
			};
		});
		return outcomesOf(report);
	};
	const person = (email: string): JsonObject => ({
		id: email,
		type: 'people',
		attributes: { email },
	});
	const failed: JsonObject = {
		status: 'failed',
		errors: [
			{ code: 'one', detail: 'The first' },
			{ code: 'two', detail: 'The second' },
		],
	};

	test('belong to people however capitals are written', async () => {
		const tasks = [failed, { status: 'succeeded', data: person('ada@example.com') }];
		const outcomes = await run(tasks, ['Ada@Example.COM', 'bob@example.com']);
		expect(outcomes.map(({ status }) => status)).toEqual(['registered', 'failed']);
	});

	test('tell all errors of one task', async () => {
		const outcomes = await run([failed], ['ada@example.com']);
		expect(outcomes[0]?.reasons).toEqual([
			{ code: 'one', message: 'The first' },
			{ code: 'two', message: 'The second' },
		]);
	});

	test('with a person and with errors are those of the status', async () => {
		const errors = [{ code: 'late', detail: 'Confirmed later' }];
		const tasks = [{ status: 'succeeded', data: person('ada@example.com'), errors }];
		expect(await run(tasks, ['ada@example.com'])).toMatchObject([
			{ status: 'registered', reasons: [] },
		]);
	});

	test('are believed where the job still says processing, whatever it counts by then', async () => {
		const banned: JsonObject = { status: 'failed', errors: [{ code: 'banned' }] };
		const outcomes = await run(
			[{ status: 'succeeded', data: person('ada@example.com') }, banned, banned],
			['ada@example.com', 'bob@example.com', 'eve@example.com'],
			{ total_success: 0 },
		);
		expect(outcomes.map(({ status }) => status)).toEqual(['registered', 'failed', 'failed']);
	});

	test('are waited for as long as the job says processing, although it counts all of its tasks', async () => {
		const outcomes = await run([], ['ada@example.com', 'bob@example.com']);
		expect(outcomes.map(({ status, reasons: [reason] }) => [status, reason?.code])).toEqual(
			Array(2).fill(['unknown', 'time_over']),
		);
	});
});

describe('a session that takes nobody any more', () => {
	const rows = [...someRows(150, 'a'), ...someRows(1, 'b')];

	test('costs one request, and everybody has its reason', async () => {
		const { became, sent, report } = await runAgainst(rows, (request) => {
			const errors = [{ code: 'session_past' }];
			return of(request) === 'a'
				? new Failure('session_closed', request, { status: 422, errors })
				: registered(request);
		});
		expect([became('a'), became('b')]).toEqual(['failed session_closed', 'registered j']);
		expect(sent.filter((path) => path.includes('/a/'))).toHaveLength(1);
		const messages = outcomesOf(report)
			.slice(0, 150)
			.map(({ reasons: [reason] }) => reason?.message);
		expect(new Set(messages)).toEqual(
			new Set([expect.stringMatching(/^Not sent\. The session is over: nobody can register/)]),
		);
	});
});

describe('what something in front of the platform refuses', () => {
	const withBad = (rows: Row[], bad: readonly number[]) =>
		rows.map((row, nth) => (bad.includes(nth) ? rowFor(row.sessionId, `refuse${nth}@x.org`) : row));
	const behindFirewall = (rows: readonly Row[], run = {}) =>
		simulate(rows, { platform: { refusal: 'page' }, run });
	const reasonsIn = (report: RunOutcome) => {
		const outcomes = outcomesOf(report).filter(({ status }) => status === 'failed');
		return new Set(outcomes.flatMap(({ reasons }) => reasons.map(({ code }) => code)));
	};

	test.each([
		[1, 1, 1],
		[1, 3, 5],
		[1, 50, 6],
		[1, 120, 6],
		[1, 2_000, 6],
		[40, 50, 9],
	])(
		'where that is everything, a run of %i sessions with %i people each takes %i requests at most',
		async (sessions, each, requests) => {
			const rows = Array.from({ length: sessions * each }, (_, nth) =>
				rowFor(`s${nth % sessions}`, `refuse${nth}@x.org`),
			);
			const { report } = await behindFirewall(rows);
			expect(report.requests).toBeLessThanOrEqual(requests);
			expect(countStatuses(outcomesOf(report))).toEqual({ failed: rows.length });
			expect([...reasonsIn(report)]).toEqual(['not_from_api']);
		},
	);

	test.each([
		[1, [0], 1],
		[50, [0], 20],
		[50, [49], 20],
		[2_000, [7], 100],
		[2_000, [60, 1_710], 120],
		[2_000, [7, 60], 130],
		[2_000, [7, 8, 60, 110, 145, 190, 1_000], 180],
		[2_000, Array.from({ length: 14 }, (_, nth) => 100 * nth), 320],
	])(
		'where that are %i people with %j, who have written something that looks like code, the others are registered in %i requests',
		async (count, bad, requests) => {
			const { report } = await behindFirewall(withBad(someRows(count), bad));
			const failed = report.people.flatMap(({ outcome }, nth) =>
				outcome.status === 'registered' ? [] : [nth],
			);
			expect(failed).toEqual(bad);
			expect([...reasonsIn(report)]).toEqual(['not_from_api']);
			expect(report.stop).toBeUndefined();
			expect(report.requests).toBeLessThanOrEqual(requests);
		},
	);

	test('is not divided where nothing is: those of the request are not sent, and the others are', async () => {
		const { report } = await behindFirewall(withBad(someRows(120), [7]), { mayDivide: false });
		expect(countStatuses(outcomesOf(report))).toEqual({ failed: 50, registered: 70 });
	});
});

test('a first request that hangs holds the others of its session back for two seconds', async () => {
	const answeredAt: number[] = [];
	let posts = 0;
	await runAgainst(
		someRows(100, 'a'),
		(request, now) => {
			if (request.method === 'POST') answeredAt.push(now - Date.UTC(2026, 0, 1));
			return request.method === 'POST' ? yes : registered(request);
		},
		{
			latencyMs: (path) => {
				if (path.endsWith('/bulk')) posts += 1;
				return path.endsWith('/bulk') && posts === 1 ? 30_000 : 100;
			},
		},
	);
	expect(answeredAt).toEqual([2_100, 30_000]);
});

test.each([true, false])(
	'the others of a session follow its first answer at once, whether results are awaited or not: %s',
	async (needsResults) => {
		const answeredAt: number[] = [];
		await runAgainst(
			someRows(150, 'a'),
			(request, now) => {
				if (request.method === 'POST') answeredAt.push(now - Date.UTC(2026, 0, 1));
				return request.method === 'POST' ? yes : registered(request);
			},
			{ needsResults },
		);
		expect(answeredAt).toEqual([100, 200, 200]);
	},
);

test('jobs are still read when nothing more is sent', async () => {
	const { became } = await runAgainst([...someRows(1, 'a'), ...someRows(5_000, 'b')], (request) =>
		of(request) === 'b' ? new Failure('unauthorized', request) : registered(request),
	);
	expect([became('a'), became('b')]).toEqual(['registered j', 'failed unauthorized']);
});

describe('people who are refused when nothing more is sent', () => {
	const refusedWith = async (tracking: Row['registration']['tracking']) => {
		const refused = someRows(2, 'a').map((row) => ({
			...row,
			registration: { ...row.registration, tracking },
		}));
		const rows = [...refused, ...someRows(1, 'b')];
		const { report, sent } = await runAgainst(
			rows,
			(request) => {
				if (of(request) === 'b') return new Failure('unauthorized', request, { status: 401 });
				const errors = [{ code: 'invalid_value', detail: 'Something is wrong' }];
				return new Failure('refused', request, { status: 400, errors });
			},
			{ latencyMs: (path) => (path.includes('/a/') ? 200 : 100) },
		);
		expect(sent).toHaveLength(2);
		const [first] = outcomesOf(report);
		return { status: first?.status, messages: first?.reasons.map(({ message }) => message) };
	};

	test.each([
		['are', {}],
		['whose plain form could not leave any more are', { utm_medium: 'mail' }],
	])('%s told what was refused, and not that they were not sent', async (_, tracking) => {
		expect(await refusedWith(tracking)).toEqual({
			status: 'failed',
			messages: [
				'The platform refused a request with 2 people, and the request was not split to find out whose values are wrong.',
				'Something is wrong',
			],
		});
	});
});

test.each([
	{ what: 'the job', slow: /bulk/, outcome: 'unknown time_over', jobs: 0 },
	{ what: 'its results', slow: /jobs/, outcome: 'unknown time_over j', jobs: 1 },
])(
	'when the time is over, $what is waited for three seconds, and then it is too late',
	async ({ slow, outcome, jobs }) => {
		const run = (ms: number) =>
			runAgainst(someRows(1, 'a'), registered, {
				maxWaitSeconds: 10,
				latencyMs: (path) => (slow.test(path) ? ms : 100),
			});
		const { became, report } = await run(20_000);
		expect([became('a'), report.jobs.length, report.seconds]).toEqual([outcome, jobs, 13]);
		expect(report.jobs.map(({ status }) => status)).toEqual(Array(jobs).fill('processing'));
		expect((await run(11_000)).report.jobs).toHaveLength(1);
	},
);

test('a mistake of ours ends the run, and those whom it concerns are unknown', async () => {
	const { report, became } = await runAgainst(
		[...someRows(1, 'a'), ...someRows(5_000, 'b')],
		(request) => (of(request) === 'a' ? new Error('Oops') : new Failure('refused', request)),
	);
	expect([became('a'), report.stop?.code]).toEqual(['unknown unexpected', 'unexpected']);
});

test('nothing of a run goes on that fails by a mistake of ours', async () => {
	const log = () => {
		throw new Error('Oops');
	};
	const { clock, parts } = modelScene({ log });
	const run = runBulk(planRun(someRows(5_000)), ...timedRun(parts));
	await expect(clock.run(run)).rejects.toThrow('Oops');
	const failedAt = clock.now();
	await expect(clock.run(new Promise(() => {}))).rejects.toThrow('Nothing is under way');
	expect(clock.now() - failedAt).toBeLessThan(60_000);
});

test('a request that was tried often enough is given up, and the others are sent', async () => {
	const { report, became, sent } = await runAgainst(
		[...someRows(1, 'a'), ...someRows(1, 'b')],
		(request) => {
			if (request.path === '/sessions/a' || request.path.startsWith('/events/')) return event;
			return of(request) === 'a' ? new Failure('platform_error', request) : registered(request);
		},
	);
	expect([became('a'), became('b')]).toEqual(['unknown platform_error', 'registered j']);
	expect([sent.filter((path) => path.includes('/a/')).length, report.stop]).toEqual([8, undefined]);
});

test('at a public event, too, nothing more is sent to a platform that has gone away for good', async () => {
	const form = { data: { id: 'e', attributes: { event_id: 'e', fields: [] } } };
	let posts = 0;
	const answer = (request: ApiRequest) => {
		if (request.method === 'POST') posts += 1;
		// The answer to the second request gets lost, so the form is read while the platform still responds.
		const isLost = request.method === 'POST' && posts === 2;
		if (isLost || posts > 10) return new Failure('unconfirmed', request);
		const isOfForm = request.method === 'GET' && !request.path.startsWith('/jobs/');
		return isOfForm ? { status: 200, headers: {}, body: form } : registered(request);
	};
	const { report, sent } = await runAgainst(someRows(5_000, 'a'), answer, { needsResults: false });
	expect([report.stop?.code, sent.length < 50]).toEqual(['unconfirmed', true]);
	expect(countStatuses(outcomesOf(report)).failed).toBeGreaterThan(2_500);
});

test.each([
	['replaces', [], 600],
	['keeps', [{ id: 'email' }], 100],
])(
	'of an event that %s emails few people are unknown, too, where the platform takes no requests with people any more',
	async (_, fields, most) => {
		const form = { data: { id: 'e', attributes: { event_id: 'e', fields } } };
		const { report } = await runAgainst(someRows(5_000, 'a'), (request) =>
			request.method === 'POST'
				? new Failure('platform_error', request, { status: 503 })
				: { status: 200, headers: {}, body: form },
		);
		const { unknown = 0, failed } = countStatuses(outcomesOf(report));
		expect([report.stop?.code, failed]).toEqual(['platform_error', 5_000 - unknown]);
		expect(unknown).toBeLessThanOrEqual(most);
	},
);

test('a platform that has answered before the run sends anybody, and then fails, is waited for', async () => {
	const { clock, parts } = modelScene({
		platform: { script: (nth) => (nth > 1 ? '500' : undefined) },
	});
	await clock.run(parts.sessions.read('session'));
	const report = await clock.run(runBulk(planRun(someRows(5_000)), ...timedRun(parts)));
	expect(report.failureOfRun).toBeUndefined();
	expect(report.seconds).toBeGreaterThan(60);
});

test('an outage, and a firewall that then refuses one request, end nothing', async () => {
	let posts = 0;
	const answer = (request: ApiRequest) => {
		posts += 1;
		if (posts < 6) return new Failure('unreachable', request);
		return posts === 6
			? new Failure('not_from_api', request, { status: 403 })
			: registered(request);
	};
	const { report, sent } = await runAgainst(someRows(2, 'a'), answer, { needsResults: false });
	// Each of the two people alone after the refusal.
	expect([report.stop, sent.length]).toEqual([undefined, 6 + 2]);
});

test.each([
	[120_000, 900, 'registered j'],
	[120_001, 900, 'failed rate_limited'],
	[5_000, 5.1, 'failed time_over'],
	[5_001, 5.1, 'failed rate_limited'],
])(
	'a pause of %i ms in a run of %d s: everybody is %s',
	async (pauseMs, maxWaitSeconds, status) => {
		let isRefused = true;
		const { became } = await runAgainst(
			someRows(1, 'a'),
			(request, now) => {
				if (!isRefused) return registered(request);
				isRefused = false;
				return new Failure('rate_limited', request, { status: 429, retryAt: now + pauseMs });
			},
			{ maxWaitSeconds },
		);
		expect(became('a')).toBe(status);
	},
);

test.each([
	['is the only one', false],
	['left before another one that is over', true],
])(
	'an hour that the platform asks to wait ends the run, also where the failure that says so %s',
	async (_, mayFail) => {
		let isFailing = mayFail;
		const latencies = { a: 1_000, b: 100, c: 200, d: 2_000 };
		const rows = [...'abc'].flatMap((session) => someRows(1, session));
		const { report, sent } = await runAgainst(
			[...rows, ...someRows(5_000, 'd')],
			(request, now) => {
				if (of(request) === 'b' && isFailing) {
					isFailing = false;
					return new Failure('unreachable', request);
				}
				if (of(request) !== 'a') return yes;
				return new Failure('platform_error', request, { status: 503, retryAt: now + 3_600_000 });
			},
			{
				needsResults: false,
				latencyMs: (path) => latencies[path.split('/')[2] as keyof typeof latencies],
			},
		);
		expect(report.stop?.code).toBe('platform_error');
		expect(sent.length).toBeLessThan(30);
	},
);

/** The first of every fifty is not welcome. */
const rows = someRows(100).map((row, index) =>
	index % 50 === 0 ? rowFor('session', `banned${index}@example.com`) : row,
);

test('people whose job has the id of another are not told what became of the others', async () => {
	const { report, platform } = await simulate(someRows(100), {
		platform: { repeatedIds: 1, emails: 'absent' },
	});
	expect(platform.registered.get('session')?.size).toBe(50);
	expect(countStatuses(outcomesOf(report))).toEqual({ unknown: 100 });
	expect(outcomesOf(report)[0]?.reasons[0]?.code).toBe('contradictory');
});

test('of two jobs with one id that were not read to their end, people are told why, and of no contradiction', async () => {
	const { became } = await runAgainst(someRows(100, 'a'), registered, {
		maxWaitSeconds: 10,
		latencyMs: (path) => (path.startsWith('/jobs/') ? 60_000 : 100),
	});
	expect(became('a')).toBe('unknown time_over j');
});

test('people whose job has the id of another are not told of the others at a public event either', async () => {
	const { report } = await simulate(someRows(100), {
		platform: { repeatedIds: 1, emails: 'made-up' },
	});
	expect(countStatuses(outcomesOf(report))).toEqual({ unknown: 100 });
});

test('at a public event results are read in the order of the people, and nobody is looked for by the address', async () => {
	const { report, findings } = await simulate(rows, { platform: { emails: 'made-up' } });
	expect(countStatuses(outcomesOf(report))).toEqual({ registered: 98, failed: 2 });
	expect(outcomesOf(report)[0]?.status).toBe('failed');
	expect(findings.emailsAre('session')).toBe('replaced');
	expect(report.requests).toBe(2 * 2);
});

test('of half a list known and some refused, nobody is unknown where the order is kept', async () => {
	const list = Array.from({ length: 500 }, (_, index) =>
		rowFor('session', `${index % 50 === 7 ? 'banned' : 'p'}${index}@example.com`),
	);
	const before = list
		.filter((_, index) => index % 2 === 0)
		.map(({ sessionId, email }) => ({ sessionId, email }));
	const { report } = await simulate(list, { before });
	expect(countStatuses(outcomesOf(report))).toEqual({
		registered: 240,
		already_registered: 250,
		failed: 10,
	});
});

test('an address is no proof where the id stands for people of two sessions', async () => {
	const { report } = await simulate([...someRows(10, 'a'), ...someRows(10, 'b')], {
		platform: { repeatedIds: 1 },
	});
	expect(
		outcomesOf(report)
			.slice(10)
			.map(({ status }) => status),
	).toEqual(Array(10).fill('unknown'));
});

test.each([
	[10_000, { registered: 50 }],
	[60_000, { registered: 25, unknown: 25 }],
])(
	'results that lag %i ms behind the end of their job are read up to four times more',
	async (lagMs, statuses) => {
		const { report } = await simulate(someRows(50), { platform: { lagMs } });
		expect(countStatuses(outcomesOf(report))).toEqual(statuses);
		expect(report.requests).toBeLessThanOrEqual(9);
	},
);

test('results that move from page to page make nobody registered who is not', async () => {
	let known = 0;
	for (let seed = 1; seed <= 20; seed++) {
		const { report, platform } = await simulate(rows, {
			platform: { order: 'changing', pageSize: 20, emails: 'absent', seed },
		});
		for (const [index, { email = '' }] of rows.entries()) {
			const isThere = platform.isRegistered('session', email);
			const status = outcomesOf(report)[index]?.status;
			if (status === 'unknown') continue;
			known += 1;
			expect(status).toBe(isThere ? 'registered' : 'failed');
		}
	}
	expect(known).toBeGreaterThan(100);
});

test('a session full of bad rows leaves another its own splits', async () => {
	const bad = Array.from({ length: 1_000 }, (_, index) => rowFor('bad', `refuse${index}@x.io`));
	const good = someRows(200).map((row, index) =>
		index % 50 === 3 ? rowFor('session', `refuse${index}@example.com`) : row,
	);
	const { report } = await simulate([...bad, ...good]);
	expect(countStatuses(outcomesOf(report))).toEqual({ failed: 1_004, registered: 196 });
});

const view = { columns: ['type'] };
const emails = Array.from({ length: 60 }, (_, index) =>
	index % 7 === 0 ? `bad${index}@example.com` : `p${index}@example.com`,
);

test.each<[string, Circumstances['platform']]>([
	['their result', {}],
	['the list of who is registered', { emails: 'absent', order: 'shuffled' }],
])('of a person who is known by %s, only what is shown is kept', async (_, platform) => {
	const { clock, parts } = modelScene({ platform });
	const plan = planRun(emails.map((email) => rowFor('s', email)));
	const report = await clock.run(runBulk(plan, ...timedRun({ ...parts, view })));
	const kept = outcomesOf(report).map(({ status, person }) => ({ status, person }));
	expect(kept).toEqual(
		emails.map((email) =>
			email.startsWith('bad')
				? { status: 'failed' }
				: { status: 'registered', person: { id: expect.anything() as unknown, type: 'people' } },
		),
	);
});

test.each([
	[60, 'stops by its time'],
	[900, 'has no patience any more'],
])(
	'a run of %i s whose platform fails every request %s, and says what it answered',
	async (maxWaitSeconds) => {
		const script = (nth: number) => (nth > 4 ? '500' : undefined);
		const { report } = await simulate(someRows(1_000), {
			platform: { script },
			run: { maxWaitSeconds },
		});
		const outcomes = outcomesOf(report);
		const words = [report.stop?.message, ...outcomes.map(({ reasons }) => reasons[0]?.message)];
		for (const message of words) {
			expect(message).toContain('(500)');
			expect(message).not.toContain('Max Wait');
		}
		if (maxWaitSeconds > 60) return;
		expect(report.stop?.message).toMatch(
			/^The time for this run ran out\. For the last (?:5\d|60) s every request had failed\. /,
		);
	},
);
