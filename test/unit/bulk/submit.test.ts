import { submit } from '../../../nodes/EventPlatform/core/bulk/requests';
import { meaningOf } from '../../../nodes/EventPlatform/core/failures/causes';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/http/ports';
import { candidates } from '../../support/simulation';
import { runState } from '../../support/runState';

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
	expect(asked).toEqual([
		{
			...request,
			body: { data: { type: 'jobs', attributes: { tasks } } },
			contentType: 'application/vnd.api+json',
		},
	]);
});

test('an answer without a job leaves open what the platform does', async () => {
	const answer = { status: 202, headers: {}, body: 'ok' };
	await expect(submit(chunk, people, () => Promise.resolve(answer))).rejects.toMatchObject({
		...{ reason: 'unexpected_shape', status: 202, request },
	});
});

const said = { errors: [{ detail: 'Because.' }] };

test('requests are counted by session, and end with the time', async () => {
	const ok = () => Promise.resolve({ status: 200, headers: {}, body: {} });
	const { run, clock, asked } = runState([], ok, { maxWaitSeconds: 9 });
	await run.meter.askFor('a')(request);
	await run.meter.askFor('a')(request);
	await run.meter.askFor('b')(request);
	expect([...run.meter.spent().requestsBySession]).toEqual([
		['a', 2],
		['b', 1],
	]);
	expect(asked[0]).toEqual({ ...request, deadline: clock.now() + 9_000 });
	const endless = runState([], ok, { waits: false });
	await endless.run.meter.askFor('a')(request);
	expect(endless.asked).toEqual([request]);
});

describe('a 403', () => {
	/** One person for each of eight sessions, sent until nothing is left; what each answer is. */
	async function sent(...answers: Array<'no' | 'no session' | 'yes'>) {
		const scene = runState(
			answers.flatMap((_, session) => candidates(1, `${session}`)),
			({ path }) => {
				const answer = answers[scene.asked.length - 1];
				if (answer === 'yes')
					return Promise.resolve({ status: 202, headers: {}, body: { id: path } });
				const errors = answer === 'no' ? [] : [{ detail: 'Not for this session' }];
				return Promise.reject(new Failure('forbidden', request, { status: 403, errors }));
			},
		);
		for (let next; (next = scene.run.toSend.take(Infinity));) await scene.run.send(next);
		return scene.asked.length;
	}

	test('without a word of a session is asked once more of another one, and then stops the run', async () => {
		expect(await sent('no', 'no', 'no', 'no')).toBe(2);
		expect(await sent('no', 'no session', 'no', 'no')).toBe(3);
	});

	test('that others do not get, or that speaks of the session, concerns that session', async () => {
		expect(await sent('no', 'yes', 'no', 'yes', 'no', 'yes')).toBe(6);
		expect(await sent('no session', 'no session', 'no session')).toBe(3);
	});
});

describe('what a run learns from sending', () => {
	/** Sixty people of a and one of b; the first request of a comes to this. */
	async function sent(...reasons: Array<[Cause, status?: number]>) {
		const both = [...candidates(60, 'a'), ...candidates(1, 'b')];
		const failures = reasons.map(([cause, status]) => new Failure(cause, request, { status }));
		const scene = runState(both, () => Promise.reject(failures.shift() ?? new Error('No more')));
		for (let nth = 0; nth < reasons.length; nth++) {
			const shipment = scene.run.toSend.take(Infinity);
			if (shipment) await scene.run.send(shipment);
		}
		const statuses = scene.run.outcomes.all().map(({ errors: [why] }) => why?.code);
		const { toSend, stopped, isReading, health } = scene.run;
		return { toSend, stopped, isReading, health, statuses };
	}

	test('what is refused for a session is sent to others', async () => {
		const { toSend, statuses, stopped, isReading } = await sent(['not_found', 404]);
		expect(toSend.size).toBe(1);
		expect(new Set(statuses.slice(0, 60))).toEqual(new Set(['not_found']));
		expect(statuses[60]).toBe('not_awaited');
		expect(stopped).toBeUndefined();
		expect(isReading).toBe(true);
	});

	test('what was never sent is no answer of the platform', async () => {
		const { health, stopped } = await sent(['unreachable'], ['time_over']);
		expect([health.unreached?.reason, stopped?.code]).toEqual(['unreachable', 'time_over']);
	});

	test('what is refused at all is sent to nobody, and jobs are still read', async () => {
		const { toSend, statuses, stopped, isReading } = await sent(['unauthorized', 401]);
		expect(toSend.size).toBe(0);
		expect(new Set(statuses)).toEqual(new Set(['unauthorized']));
		expect(stopped?.code).toBe('unauthorized');
		expect(isReading).toBe(true);
	});
});

test('a request that was tried often enough is given up, and the others are sent', async () => {
	const { run } = runState(candidates(60, 'a'), (sent) =>
		Promise.reject(new Failure('platform_error', sent, { status: 500 })),
	);
	const [first] = run.toSend.withdraw();
	if (first) await run.send({ ...first, tries: 7 });
	expect(run.outcomes.all()[0]).toMatchObject({ errors: [{ code: 'platform_error' }] });
	expect(run.stopped).toBeUndefined();
});

test('a pause that is too long to wait for stops the run', async () => {
	const { run } = runState(candidates(60, 'a'), (sent) =>
		Promise.reject(new Failure('rate_limited', sent, { status: 429, retryAt: Infinity })),
	);
	const first = run.toSend.take(0);
	if (first) await run.send(first);
	expect([run.stopped?.code, run.toSend.size]).toEqual(['rate_limited', 0]);
});

test.each([
	[0, false],
	[120_000, false],
	[120_001, true],
])('a pause of %i ms is too long to wait for: %s', (pauseMs, isPointless) => {
	const { run } = runState([], () => Promise.reject(new Error('Not asked')));
	const retryAt = run.now + pauseMs;
	expect(run.isPointless(new Failure('rate_limited', request, { retryAt }))).toBe(isPointless);
	expect(run.isPointless(new Failure('rate_limited', request))).toBe(false);
});

test.each<[Cause, string]>([
	['refused', 'refused'],
	['unprocessable', 'refused'],
	['already_exists', 'refused'],
	['page_out_of_range', 'refused'],
	['platform_error', 'again perhaps'],
	['unconfirmed', 'again perhaps'],
	['not_json', 'again perhaps'],
	['unexpected_shape', 'again perhaps'],
	['unreachable', 'again unsent'],
	['rate_limited', 'again unsent'],
	['not_found', 'unsent session'],
	['forbidden', 'unsent session'],
	['unauthorized', 'unsent run'],
	['reconnect', 'unsent run'],
	['missing_scope', 'unsent run'],
	['workspace_blocked', 'unsent run'],
	['allowance_spent', 'unsent run'],
	['quota_spent', 'unsent run'],
	['time_over', 'unsent run'],
])('"%s" means "%s"', (cause, meaning) => {
	const failure = new Failure(cause, request, said);
	const { again, person, ends } = meaningOf(failure);
	expect([again && 'again', person, ends].filter(Boolean).join(' ')).toBe(meaning);
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

test('a pause beyond the time of the run is too long as well', () => {
	const { run } = runState([], () => Promise.reject(new Error('Not asked')), { maxWaitSeconds: 5 });
	const at = (pauseMs: number) =>
		new Failure('rate_limited', request, { retryAt: run.now + pauseMs });
	expect(run.isPointless(at(5_000))).toBe(false);
	expect(run.isPointless(at(5_001))).toBe(true);
});
