import { submit } from '../../../nodes/EventPlatform/core/bulk/job';
import { meaningOf } from '../../../nodes/EventPlatform/core/failures/causes';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/client/failure';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { candidates } from '../../support/runs/simulation';
import { runAgainst } from '../../support/runs/bulkRun';

const request = { method: 'POST', path: '/sessions/s%201/people/bulk' } as const;
const tracking = { referrer: 'https://example.com', utm_source: 'newsletter' };
const people = candidates(3).map((one) => ({ ...one, wanted: { ...one.wanted, tracking } }));
const chunk = { sessionId: 's 1', people: [2, 0, 7] };

test('the people of a chunk are sent as tasks, in its order', async () => {
	const asked: ApiRequest[] = [];
	const tasks = ['p2@example.com', 'p0@example.com'].map((value) => ({
		fields: [{ id: 'email', value }],
		...tracking,
	}));
	const submitted = await submit(chunk, people, (sent) => {
		asked.push(sent);
		return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1', attributes: {} } });
	});
	expect(submitted).toMatchObject({ id: 'j1' });
	const body = { data: { type: 'jobs', attributes: { tasks } } };
	expect(asked).toEqual([{ ...request, body, contentType: 'application/vnd.api+json' }]);
});

test('an answer without a job leaves open what the platform does', async () => {
	const answer = { status: 202, headers: {}, body: 'ok' };
	await expect(submit(chunk, people, () => Promise.resolve(answer))).rejects.toMatchObject({
		reason: 'unexpected_shape',
		status: 202,
		request,
	});
});

const yes = { status: 202, headers: {}, body: { id: 'j', attributes: { status: 'ended' } } };
const of = ({ path }: ApiRequest) => path.split('/')[2];
const registered = (request: ApiRequest) => {
	const data = [{ status: 'succeeded' }];
	return request.method === 'POST' ? yes : { status: 200, headers: {}, body: { data } };
};

test('requests are counted by session, and end with the time where somebody waits', async () => {
	const [a, b] = ['a', 'b'].map((session) => candidates(1, session));
	const { report, asked } = await runAgainst([...(a ?? []), ...(b ?? [])], registered);
	expect(report.sessionOfEach).toEqual(['a', 'b', 'a', 'b']);
	const ends = asked.map(({ deadline }) => deadline);
	expect(new Set(ends)).toEqual(new Set([Date.UTC(2026, 0, 1) + 900_000]));
	const endless = await runAgainst(a ?? [], registered, { waits: false });
	expect(endless.asked).toEqual([
		expect.not.objectContaining({ deadline: expect.anything() as number }),
	]);
	expect(endless.became('a')).toBe('unknown not_awaited');
});

test('what is refused for one session is sent to the others; what is refused at all, to nobody', async () => {
	const others = Array.from({ length: 100 }, (_, index) => candidates(1, `b${index}`)).flat();
	const refusing = (cause: Cause) =>
		runAgainst([...candidates(1, 'a'), ...others], (request) =>
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

test('jobs are still read when nothing more is sent', async () => {
	const { became } = await runAgainst(
		[...candidates(1, 'a'), ...candidates(5_000, 'b')],
		(request) => (of(request) === 'b' ? new Failure('unauthorized', request) : registered(request)),
	);
	expect([became('a'), became('b')]).toEqual(['registered j', 'failed unauthorized']);
});

test.each([
	['the job', /bulk/, 'unknown time_over', 0],
	['its results', /jobs/, 'unknown time_over j', 1],
])(
	'when the time is over, %s is waited for three seconds, and then it is too late',
	async (...given) => {
		const [, slow, told, jobs] = given;
		const run = (ms: number) =>
			runAgainst(candidates(1, 'a'), registered, {
				maxWaitSeconds: 10,
				latencyMs: (path) => (slow.test(path) ? ms : 100),
			});
		const { became, report } = await run(20_000);
		expect([became('a'), report.jobs.length, report.seconds]).toEqual([told, jobs, 13]);
		expect(report.jobs.map(({ status }) => status)).toEqual(Array(jobs).fill('processing'));
		expect((await run(11_000)).report.jobs).toHaveLength(1);
	},
);

test('a mistake of ours ends the run, and those whom it concerns are unknown', async () => {
	const { report, became } = await runAgainst(
		[...candidates(1, 'a'), ...candidates(5_000, 'b')],
		(request) => (of(request) === 'a' ? new Error('Oops') : new Failure('refused', request)),
	);
	expect([became('a'), report.stop?.code]).toEqual(['unknown unexpected', 'unexpected']);
});

test('a request that was tried often enough is given up, and the others are sent', async () => {
	const { report, became, sent } = await runAgainst(
		[...candidates(1, 'a'), ...candidates(1, 'b')],
		(request) =>
			of(request) === 'a' ? new Failure('platform_error', request) : registered(request),
	);
	expect([became('a'), became('b')]).toEqual(['unknown platform_error', 'registered j']);
	expect([sent.filter((path) => path.includes('/a/')).length, report.stop]).toEqual([8, undefined]);
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
			candidates(1, 'a'),
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

test.each<[Cause[], string]>([
	[['refused', 'unprocessable', 'already_exists', 'page_out_of_range'], 'refused'],
	[['platform_error', 'unconfirmed', 'not_json', 'unexpected_shape'], 'again perhaps'],
	[['unreachable', 'rate_limited'], 'again unsent'],
	[['not_found', 'forbidden'], 'unsent session'],
	[['unauthorized', 'reconnect', 'missing_scope', 'workspace_blocked'], 'unsent run'],
	[['allowance_spent', 'quota_spent', 'time_over'], 'unsent run'],
])('"%s" means "%s"', (causes, meaning) => {
	const meant = causes.map((cause) => {
		const { again, person, ends } = meaningOf(new Failure(cause, request));
		return [again && 'again', person, ends].filter(Boolean).join(' ');
	});
	expect(meant).toEqual(causes.map(() => meaning));
});

test('a value is sent whole, however long it is', async () => {
	const fields = [{ id: 'about', value: 'x'.repeat(100_000) }];
	const long = candidates(1).map((one) => ({ ...one, wanted: { fields, tracking: {} } }));
	let sent: unknown;
	await submit({ sessionId: 's', people: [0] }, long, ({ body }) => {
		sent = body;
		return Promise.resolve({ status: 202, headers: {}, body: { id: 'j1' } });
	});
	expect(sent).toEqual({ data: { type: 'jobs', attributes: { tasks: [{ fields }] } } });
});
