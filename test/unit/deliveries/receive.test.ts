import type { Settings } from '../../../nodes/EventPlatform/core/deliveries/receive';
import { keyDigest } from '../../../nodes/EventPlatform/core/deliveries/subscriptionKey';
import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import type { ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import { sign } from '../../../sandbox/webhooks/signature';
import { key, now, receiver, type Answers } from '../../support/receiving';

const secret = 'shared';

const job = (attributes: JsonObject = { status: 'ended' }, id = 'j1') => ({
	type: 'jobs',
	id,
	attributes,
});
const session = (attributes: JsonObject = {}, id = 's1') => ({
	data: { type: 'sessions', id, attributes, meta: { webhook: { event: 'session.ended' } } },
});

const trigger = (more: Partial<Settings> = {}, answers: Answers = () => job()) =>
	receiver(more, answers);

const notFound = (request: ApiRequest) => new Failure('not_found', request, { status: 404 });
const down = (request: ApiRequest) => new Failure('platform_error', request, { status: 500 });

const signature = sign(secret, JSON.stringify(job()), now);
const starts = '200 job.ended starts a run';
const unsigned = '401 The signature is not valid';
const tasks = { output: 'tasks' } as const;
test.each<[string, Partial<Settings>, object, string, number]>([
	['our key', {}, { key }, starts, 0],
	[
		'another key, whatever else',
		{ secret },
		{ key: 'another', signature },
		'401 The key is not the one of this trigger',
		0,
	],
	['the key of before', { formerKeyDigest: keyDigest('former') }, { key: 'former' }, starts, 1],
	['a signature', { secret }, { signature }, starts, 0],
	['a signature, which decides', { verify: 'signature', secret }, { signature }, starts, 0],
	// The key alone may come out of the log of a proxy.
	['our key without a signature', { secret }, { key }, unsigned, 0],
	['no signature where it decides', { verify: 'signature', secret }, { key }, unsigned, 0],
	[
		'a key of theirs and a signature, where people subscribe by hand',
		{ secret, key: undefined },
		{ key: 'theirs', signature },
		starts,
		0,
	],
	['only a key of theirs', { secret, key: undefined }, { key: 'theirs' }, unsigned, 0],
	[
		'anything, where there is no secret to check it with',
		{ verify: 'signature' },
		{ key },
		'503 There is no signing secret to check deliveries with',
		0,
	],
	['our key, where the API decides', { verify: 'api' }, { key }, starts, 1],
	['nothing, where nobody checks', { verify: 'none' }, {}, starts, 0],
	[
		'nothing, where it costs requests',
		{ verify: 'none', ...tasks },
		{},
		'401 GET /jobs/j1: not_found',
		1,
	],
])('a delivery that brings %s', async (_, settings, brings, expected, requests) => {
	const { deliver, asked } = trigger(settings, (request) => {
		return settings.output === 'tasks' ? notFound(request) : job();
	});
	const { status, reason, records } = await deliver(job(), brings);
	expect(`${status} ${reason}`).toContain(expected);
	expect(records.map(({ event, id }) => [event, id])).toEqual(
		expected === starts ? [['job.ended', 'j1']] : [],
	);
	expect(asked.length).toBe(requests);
	for (const request of asked) expect(request.deadline).toBe(now + 10_000);
});

test('our key and invented ids cost no more than the budget, and a real job starts its run', async () => {
	const answers = ({ path }: ApiRequest) =>
		path.includes('/real/')
			? { data: [{ type: 'tasks', status: 'succeeded', data: {} }] }
			: new Failure('not_found', { method: 'GET', path }, { status: 404 });
	const settings = { output: 'tasks', confirmationsPerMinute: 120 } as const;
	const { deliver, asked } = trigger(settings, answers);
	expect((await deliver(job({ status: 'ended' }, 'real'), { key })).records).toHaveLength(1);
	for (let id = 0; id < 200; id++) await deliver(job({}, `invented-${id}`), { key });
	expect(asked.length).toBeLessThanOrEqual(120);
});

describe('what starts nothing and is answered well', () => {
	test.each<[string, unknown, Partial<Settings>, string]>([
		['what has no id', { type: 'jobs' }, {}, 'This is not an event'],
		[
			'another job',
			job(),
			{ filters: { jobIds: ['j2'], onlyWithFailures: false, sessionId: '', eventId: '' } },
			'The filters exclude it',
		],
		[
			'another kind',
			job(),
			{ kinds: ['session.ended'] },
			'The trigger does not listen to this kind',
		],
	])('is %s', async (_, body, settings, reason) => {
		const { deliver, asked } = trigger(settings);
		expect(await deliver(body, { key })).toEqual({ status: 200, records: [], reason });
		expect(asked).toEqual([]);
	});

	test('is what came before', async () => {
		const { deliver, asked } = trigger();
		await deliver(job());
		expect(await deliver(job())).toEqual({
			status: 200,
			records: [],
			reason: 'It was received before',
		});
		expect(await deliver(job(), { key })).toMatchObject({ records: [] });
		expect(asked).toHaveLength(1);
	});

	test('is what came at the same time', async () => {
		const { deliver, asked } = trigger();
		const both = await Promise.all([deliver(job()), deliver(job())]);
		expect(both.map(({ records, reason }) => [records.length, reason])).toEqual([
			[1, 'job.ended starts a run'],
			[0, 'It is being processed already'],
		]);
		expect(asked).toHaveLength(1);
	});

	test.each([0, 1])(
		'is not what a test in the editor receives at the same time: %i',
		async (first) => {
			const { deliver } = trigger();
			const both = [{ deduplicate: false }, { deduplicate: true }];
			if (first) both.reverse();
			const all = await Promise.all(both.map((settings) => deliver(job(), {}, settings)));
			expect(all.map(({ records }) => records.length)).toEqual([1, 1]);
		},
	);

	test('is a job without tasks, where a run starts with its tasks', async () => {
		const { deliver } = trigger({ output: 'tasks' }, () => ({ data: [] }));
		expect(await deliver(job(), { key })).toEqual({
			...{ status: 200, records: [], reason: 'No item is left to start a run with' },
		});
	});
});

test('what the filters leave out once it is confirmed starts nothing', async () => {
	const filters = { jobIds: [], onlyWithFailures: true, sessionId: '', eventId: '' };
	const { deliver } = trigger({ filters }, () => job({ status: 'ended', total_fail: 0 }));
	expect(await deliver(job({ status: 'failed' }))).toMatchObject({ status: 200, records: [] });
});

test('every delivery starts a run where repetitions are wanted', async () => {
	const { deliver } = trigger({ deduplicate: false });
	const runs = [await deliver(job()), await deliver(job())];
	expect(runs.map(({ records }) => records.length)).toEqual([1, 1]);
});

test.each(['<html>', '{"type":"jobs","id":"', '['.repeat(500_000)])(
	'a body that is no JSON is refused as such: %.9s',
	async (body) => {
		expect(await trigger().deliver(body, { key })).toEqual({
			...{ status: 400, records: [], reason: 'The body is not JSON' },
		});
	},
);

describe('a delivery that is looked up', () => {
	test('starts the run with what the platform says', async () => {
		const { deliver } = trigger({}, () => job({ status: 'failed', total_fail: 3 }));
		const { records } = await deliver(job({ status: 'ended', total_fail: 0 }));
		expect(records).toMatchObject([{ status: 'failed', total_fail: 3 }]);
	});

	test('is refused when the platform does not know it, and comes to nothing later', async () => {
		const { deliver, later } = trigger({}, notFound);
		expect((await deliver(job())).status).toBe(401);
		later(9);
		// A job is never deleted, so a late one is no less forged.
		expect((await deliver(job())).status).toBe(401);
	});

	test('may be of a session that was deleted since: its last attempt is answered well', async () => {
		const { deliver, later } = trigger({}, notFound);
		expect((await deliver(session())).status).toBe(401);
		later(8);
		expect((await deliver(session())).status).toBe(401);
		later(1);
		const { status, records } = await deliver(session());
		expect({ status, records }).toEqual({ status: 200, records: [] });
	});

	test('is to come again when the platform cannot be asked', async () => {
		let answer: Answers = down;
		const { deliver } = trigger({}, (request) => answer(request));
		expect(await deliver(job())).toMatchObject({ status: 503, records: [] });
		answer = () => job();
		expect((await deliver(job())).records).toHaveLength(1);
	});

	test('counts as unanswered when asking fails in a way that nobody foresaw', async () => {
		const { deliver, asked } = trigger({}, () => Promise.reject(new TypeError('ours')));
		for (let n = 0; n < 10; n++) {
			await expect(deliver(job({}, `j${n}`))).rejects.toThrow('ours');
		}
		// After ten in a row one a minute tells when it is over.
		expect((await deliver(job({}, 'last'))).status).toBe(503);
		expect(asked).toHaveLength(10);
	});

	test('says what was not checked of a kind that nobody knows', async () => {
		const body = { data: { type: 'people', id: 'p1', meta: { webhook: { event: 'people.odd' } } } };
		const { deliver } = trigger({}, () => ({ data: { type: 'people', id: 'p1' } }));
		const [record] = (await deliver(body)).records;
		expect(record?.not_checked).toContain('"people.odd"');
		const believed = trigger({ verify: 'none' });
		expect((await believed.deliver(body)).records[0]).not.toHaveProperty('not_checked');
	});

	test('is to come again when the requests of the minute are used up', async () => {
		const { deliver, asked, later } = trigger({ confirmationsPerMinute: 1 }, notFound);
		await deliver(job({}, 'forged'));
		const { status, reason } = await deliver(job());
		expect(status).toBe(503);
		expect(reason).toContain('are used up');
		expect(asked).toHaveLength(1);
		later(1);
		expect((await deliver(job())).status).toBe(401);
	});

	test('and is a variation of one that came before starts no second run', async () => {
		const { deliver, asked, history } = trigger({}, () => session({ ended_at: 5 }));
		const spent = () => history.budget.spent.level.lookups;
		expect((await deliver(session({ ended_at: 5 }))).records).toHaveLength(1);
		expect(spent()).toBe(0);
		expect(await deliver(session({ ended_at: 6 }))).toMatchObject({
			...{ status: 200, records: [], reason: 'It was received before' },
		});
		// And one for the titles of the session, whose record is read once.
		expect(asked.filter(({ query }) => query === undefined)).toHaveLength(2);
		// It proves nothing of whoever sent it.
		expect(spent()).toBe(1);
		await deliver(session({ ended_at: 6 }));
		expect(asked).toHaveLength(3);
	});

	test('of a session whose titles are not there costs as much as a forged one', async () => {
		const { deliver, history } = trigger({}, notFound);
		expect((await deliver(session(), { key })).records).toHaveLength(1);
		expect(history.budget.spent.level.lookups).toBe(1);
	});

	test('does not hold up one that is proven', async () => {
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		const { deliver } = trigger({}, () => held.then(() => job()));
		const slow = deliver(job());
		expect((await deliver(job(), { key })).records).toHaveLength(1);
		release();
		expect((await slow).records).toEqual([]);
	});

	test('at the same time as another of its id is not looked up, and comes again if that was denied', async () => {
		let answer: Answers = notFound;
		const { deliver, asked } = trigger({}, (request) => answer(request));
		const all = await Promise.all(Array.from({ length: 50 }, () => deliver(job())));
		expect(all.map(({ status }) => status)).toEqual(all.map(() => 401));
		expect(asked).toHaveLength(1);
		answer = () => job();
		expect((await deliver(job())).records).toHaveLength(1);
	});
});

describe('a job whose tasks are read', () => {
	const result = { status: 'succeeded', data: { id: 'p1' } };
	const told = { status: 'ended', total_items: 2 };
	const jobAnd =
		(tasks: JsonObject[]): Answers =>
		({ path }) =>
			path.endsWith('/tasks') ? { data: tasks } : job(told);

	test('starts the run when all results are there', async () => {
		const { deliver, asked, history } = trigger({ output: 'tasks' }, jobAnd([result, result]));
		expect((await deliver(job(told), { key })).records).toHaveLength(2);
		expect(asked).toMatchObject([{ path: '/jobs/j1/tasks', deadline: now + 10_000 }]);
		// What is genuine uses up nothing of what forgeries may cost.
		expect(history.budget.spent.level.lookups).toBe(0);
	});

	test('is to come again while results are missing, until its last attempt', async () => {
		const { deliver, later } = trigger({ output: 'tasks' }, jobAnd([result]));
		expect(await deliver(job(told), { key })).toEqual({
			...{ status: 503, records: [], reason: '1 results of the job are not there yet' },
		});
		later(9);
		const { status, records } = await deliver(job(told), { key });
		expect(status).toBe(200);
		expect(records.map((record) => record.status)).toEqual(['succeeded', 'unknown']);
	});

	test('starts one run, although a proven delivery of it came while another was looked up', async () => {
		const gate: { open?: () => void } = {};
		const held = new Promise<void>((resolve) => (gate.open = resolve));
		const answers = jobAnd([result, result]);
		const { deliver } = trigger({ output: 'tasks' }, async (request) => {
			if (request.path.endsWith('/tasks')) await held;
			return answers(request);
		});
		const both = [deliver(job(told), { key }), deliver(job(told))];
		gate.open?.();
		const outcomes = await Promise.all(both);
		expect(outcomes.map(({ records }) => records.length).sort()).toEqual([0, 2]);
		expect(outcomes.find(({ records }) => records.length === 0)).toMatchObject({
			...{ status: 200, reason: 'It is being processed already' },
		});
	});

	test('is refused when it is believed but the platform does not know it', async () => {
		const { deliver } = trigger({ output: 'tasks' }, notFound);
		expect((await deliver(job(), { key })).status).toBe(401);
	});

	test('is to come again when it was confirmed but its results are not there at all', async () => {
		const { deliver } = trigger({ output: 'tasks' }, (request) =>
			request.path.endsWith('/tasks') ? notFound(request) : job(told),
		);
		expect((await deliver(job(told))).status).toBe(503);
	});
});

test('a run that n8n could not create is not remembered', async () => {
	const { deliver } = trigger();
	const first = await deliver(job(), { key });
	expect((await deliver(job(), { key })).records).toEqual([]);
	first.settle?.(false);
	expect((await deliver(job(), { key })).records).toHaveLength(1);
});
