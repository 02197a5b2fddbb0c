import type {
	DeliveryRequest,
	TriggerSettings,
} from '../../../nodes/EventPlatform/core/webhooks/webhookTrigger';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { sign } from '../../../sandbox/webhooks/signature';
import type { FakeAnswer, FakeAnswers } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';
import { key, now, receiver } from './deliveries';

const secret = 'shared';

const job = (attributes: JsonObject = { status: 'ended' }, id = 'j1') => {
	return { type: 'jobs', id, attributes };
};
const session = (attributes: JsonObject = {}) => {
	const meta = { webhook: { event: 'session.ended' } };
	return { data: { type: 'sessions', id: 's1', attributes, meta } };
};
const trigger = (more: Partial<TriggerSettings> = {}, answers: FakeAnswers = () => job()) =>
	receiver(more, answers);

const minutesOfDay = 24 * 60;

/** A trigger on a platform that answers with what it is told to, at first with this. */
function changing(first: FakeAnswer, settings: Partial<TriggerSettings> = {}) {
	const platform = { answer: first };
	return { ...trigger(settings, () => platform.answer), platform };
}

const notFound = () => 'not_found' as const;
const nothing = (reason: string) => ({ status: 200, items: [], reason });
const repeated = nothing('It was received before');
/** Nobody knows yet whether n8n can create the run of its twin. */
const comesAgain = { status: 503, items: [] };

/** People subscribe by hand, and the credential has a secret. */
const manual = { secret, ownKey: undefined };
const tasks = { output: 'tasks' } as const;

describe('where the tasks of the job are read for the run', () => {
	test.each<[string, Partial<TriggerSettings>, Partial<DeliveryRequest>]>([
		['nobody checks', { verify: 'none' }, {}],
		['it has our key', {}, { key }],
	])(
		'a job that is not there is refused after one request where %s',
		async (_, settings, proof) => {
			const { deliver, asked } = trigger({ ...tasks, ...settings }, notFound);
			const { status, reason } = await deliver(job(), proof);
			expect([status, asked.map(({ path }) => path)]).toEqual([401, ['/jobs/j1/tasks']]);
			expect(reason).toContain('GET /jobs/j1/tasks: not');
		},
	);
});

test('a signed job has its tasks read, although others have used the requests up', async () => {
	const { deliver } = trigger({ ...tasks, secret, confirmationsPerMinute: 0 }, () => ({
		data: [{ type: 'tasks', status: 'succeeded', data: {} }],
	}));
	const signature = sign(secret, JSON.stringify(job()), now);
	expect((await deliver(job(), { signature })).items).toHaveLength(1);
});

test.each<[string, FakeAnswer, number]>([
	['cannot be asked: then one a minute tells when it can', 'platform_error', 10],
	['knows none of them', 'not_found', 30],
])('thirty jobs cost lookups where the platform %s', async (_, answer, lookups) => {
	const { deliver, asked } = trigger({}, () => answer);
	for (let id = 0; id < 30; id++) await deliver(job({ status: 'ended' }, `j${id}`));
	expect(asked).toHaveLength(lookups);
});

describe('lookups', () => {
	const invented = (id: number) => job({ status: 'ended' }, `invented-${id}`);
	const numbers = (count: number) => Array.from({ length: count }, (_, id) => id);
	/** So many minutes are a second. */
	const second = 1 / 60;

	test('that prove nothing are 240 in a day, also of deliveries that come at the same moment', async () => {
		const { deliver, asked, later } = trigger({ confirmationsPerMinute: 10_000 }, notFound);
		await Promise.all(numbers(300).map((id) => deliver(invented(id))));
		expect(asked).toHaveLength(240);
		later(24 * 60 - second);
		await deliver(invented(300));
		expect(asked).toHaveLength(240);
		later(second);
		await deliver(invented(300));
		expect(asked).toHaveLength(241);
	});

	test('that prove deliveries are as many as come', async () => {
		const { deliver, asked } = trigger({ confirmationsPerMinute: 10_000 }, ({ path }) =>
			job({ status: 'ended' }, path.split('/').at(-1)),
		);
		for (const id of numbers(300)) expect((await deliver(invented(id))).items).toHaveLength(1);
		expect(asked).toHaveLength(300);
	});

	test('have room again a minute later, also where a clock was set back', async () => {
		const { deliver, asked, later } = trigger({ confirmationsPerMinute: 1 }, notFound);
		const counts: number[] = [];
		for (const minutes of [0, 0, 1 - second, second, -60]) {
			later(minutes);
			await deliver(invented(counts.length));
			counts.push(asked.length);
		}
		expect(counts).toEqual([1, 1, 1, 2, 3]);
	});

	test('that fail together are no outage', async () => {
		let fail = () => {};
		const failed = new Promise<void>((resolve) => (fail = resolve));
		const { deliver, asked, later } = trigger({}, () => failed.then(() => 'platform_error'));
		const together = numbers(10).map((id) => deliver(invented(id)));
		later(second);
		fail();
		await Promise.all(together);
		await deliver(invented(10));
		expect(asked).toHaveLength(11);
	});

	test('of an outage are one a minute after ten, until the first answer', async () => {
		const { deliver, asked, later, platform } = changing('platform_error');
		for (const id of numbers(600)) {
			later(second);
			await deliver(invented(id));
		}
		expect(asked).toHaveLength(10 + 9);
		platform.answer = 'not_found';
		later(1);
		for (const id of numbers(2)) await deliver(invented(600 + id));
		expect(asked).toHaveLength(10 + 9 + 2);
	});
});

test.each(['auto', 'none'] as const)(
	'invented ids cost no more than the budget, and a real job starts its run: %s',
	async (verify) => {
		const real = { data: [{ type: 'tasks', status: 'succeeded', data: {} }] };
		const settings = { ...tasks, verify, confirmationsPerMinute: 120 };
		const { deliver, asked } = trigger(settings, ({ path }) =>
			path.includes('/real/') ? real : 'not_found',
		);
		expect((await deliver(job({ status: 'ended' }, 'real'), { key })).items).toHaveLength(1);
		for (let id = 0; id < 200; id++) await deliver(job({}, `invented-${id}`), { key });
		expect(asked.length).toBeLessThanOrEqual(120);
	},
);

describe('a job with our key whose people are read', () => {
	const people = (count: number) => ({
		data: Array.from({ length: count }, () => ({ status: 'succeeded', data: {} })),
	});

	test('starts its run, however many deliveries strangers have invented', async () => {
		const { deliver, asked } = trigger({ ...tasks, confirmationsPerMinute: 10_000 }, ({ path }) =>
			path === '/jobs/real/tasks' ? people(1) : 'not_found',
		);
		for (let id = 0; id < 300; id++) await deliver(job({}, `invented-${id}`));
		expect(asked).toHaveLength(240);
		expect((await deliver(job({ status: 'ended' }, 'real'), { key })).items).toHaveLength(1);
	});

	test('that is delivered again all day, and that the platform refuses to show, costs no more than 240 requests in a day', async () => {
		const settings = { ...tasks, confirmationsPerMinute: 10_000 };
		const { deliver, asked, later } = trigger(settings, () => 'forbidden');
		for (let attempt = 0; attempt < minutesOfDay; attempt++, later(1)) {
			await deliver(job({ status: 'ended', total_items: 1 }, 'j1'), { key });
		}
		expect(asked).toHaveLength(240);
	});

	test.each<[string, FakeAnswer]>([
		['are not found', 'not_found'],
		['cannot be read', 'refused'],
		['lag behind', { data: [] }],
	])('costs no more than 240 requests in a day where results %s', async (_, answer) => {
		const settings = { ...tasks, confirmationsPerMinute: 10_000 };
		const { deliver, asked, later } = trigger(settings, () => answer);
		for (let id = 0; id < minutesOfDay; id++, later(1)) {
			await deliver(job({ status: 'ended', total_items: 1 }, `invented-${id}`), { key });
		}
		expect(asked).toHaveLength(240);
	});
});

describe('a delivery of another shape', () => {
	const replay = { eventTypes: ['people.watched_replay'] };
	const body = { email: 'ada@example.org', session_id: 's1' };
	const unconfirmed = 'no ID that the API could be asked about';

	const signed = { signature: sign(secret, JSON.stringify(body), now) };

	test.each<[where: string, Partial<TriggerSettings>, Partial<DeliveryRequest>]>([
		['nobody checks', { verify: 'none' }, {}],
		['it has our key', {}, { key }],
		['it is signed', { secret }, signed],
	])('starts a run as it came where %s', async (_, settings, request) => {
		const { deliver, asked } = trigger({ ...replay, ...settings });
		const { items, reason, needsAttention } = await deliver(body, request);
		expect(items).toMatchObject([{ event: 'people.watched_replay', ...body }]);
		expect({ reason, needsAttention }).toEqual({ reason: 'It starts a run' });
		expect(asked).toMatchObject([{ path: '/sessions/s1' }]);
	});

	test.each<
		[where: string, Partial<TriggerSettings>, why: string, needsAttention: true | undefined]
	>([
		['the API would have to confirm it', { verify: 'api' }, unconfirmed, true],
		['it has no proof, and there is a secret', manual, 'The signature is not valid', undefined],
		['it has no proof, and there is no secret', { ownKey: undefined }, unconfirmed, true],
	])('starts no run where %s', async (_, settings, why, needsAttention) => {
		const { deliver, asked } = trigger({ ...replay, ...settings });
		const reason = expect.stringContaining(why) as string;
		expect(await deliver(body)).toMatchObject({ items: [], reason, needsAttention });
		expect(asked).toEqual([]);
	});

	test('starts one run however often it comes, and as many as there are bodies', async () => {
		const { deliver } = trigger(replay);
		const first = await deliver(body, { key });
		const twin = { session_id: 's1', email: body.email };
		expect(await deliver(twin, { key })).toMatchObject(comesAgain);
		expect((await deliver({ ...body, session_id: 's2' }, { key })).items).toHaveLength(1);
		// n8n could not create the run: the platform comes again.
		first.settle?.(false);
		const again = await deliver(body, { key });
		expect(first.items).toMatchObject([{ event_key: expect.any(String) as string }]);
		expect(again.items).toEqual(first.items);
	});

	test('starts a run for each body, also where a record would have one event', async () => {
		const { deliver, asked } = trigger({ eventTypes: ['session.created'] });
		const bodies = ['Morning', 'Evening'].map((name) => ({ data: { name, room: { seats: 9 } } }));
		for (const each of bodies) {
			const { items, settle } = await deliver(each, { key });
			settle?.(true);
			expect(items).toMatchObject([{ id: null, name: each.data.name, room_seats: 9 }]);
		}
		// Its made id is none of a session.
		const { items } = await deliver({ data: { type: 'sessions', name: 'Night' } }, { key });
		expect(items).toMatchObject([{ id: null, name: 'Night' }]);
		expect(asked).toEqual([]);
		expect(await deliver(bodies[0], { key })).toEqual(repeated);
	});

	test('that nothing proves starts nothing and says so, although it came before with our key', async () => {
		const { deliver } = trigger(replay);
		await deliver(body, { key });
		expect((await deliver(body)).reason).toContain(unconfirmed);
	});

	test('that nothing proves is answered well, however deep it is', async () => {
		const deep = `{"email":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
		const { deliver } = trigger(replay);
		expect(await deliver(deep)).toMatchObject({ status: 200, needsAttention: true });
	});

	test('of a job is handed on, where a run starts with the tasks of jobs', async () => {
		const { deliver, asked } = trigger({ ...tasks, eventTypes: ['job.noted'] });
		expect((await deliver({ note: 'late' }, { key })).items).toMatchObject([{ note: 'late' }]);
		expect(asked).toEqual([]);
	});

	test.each([
		['s1', 1],
		['s2', 0],
	])('passes a filter of session %s when it says so', async (sessionId, runs) => {
		const { deliver } = trigger({ ...replay, filters: { ...noFilters, sessionId } });
		expect((await deliver(body, { key })).items).toHaveLength(runs);
	});
});

describe('a delivery that does not say what happened', () => {
	const silent = { data: { type: 'sessions', id: 's1', attributes: {} } };
	const both = { eventTypes: ['session.started', 'session.ended'], verify: 'none' } as const;

	test('starts a run of the event type that the URL names', async () => {
		const { items, status, needsAttention } = await trigger(both).deliver(silent, {
			event: 'session.ended',
		});
		expect([status, needsAttention]).toEqual([200, undefined]);
		expect(items.map((record) => record.event)).toEqual(['session.ended']);
	});

	test.each([
		['names nothing', undefined, 'It may be session.started or session.ended. Set'],
		['names two', ['session.started', 'session.ended'], 'a webhook for each event'],
		[
			'names another',
			'people.attended',
			'has to name one chosen event in ?event=, and one of such records. Chosen are session.started, session.ended.',
		],
	])('starts no run where the URL %s, and the log says what to do', async (_, event, advice) => {
		expect(await trigger(both).deliver(silent, { event })).toMatchObject({
			status: 200,
			items: [],
			needsAttention: true,
			reason: expect.stringContaining(advice) as string,
		});
	});

	test('proves nothing by what the URL names', async () => {
		const { deliver } = trigger({ ...both, verify: 'auto' }, notFound);
		expect((await deliver(silent, { event: 'session.ended' })).items).toEqual([]);
	});
});

describe('a delivery that nobody can read', () => {
	test('is answered well, and its members are named without their values', async () => {
		const { deliver, asked } = trigger();
		const body = { type: 'jobs', attributes: { email: 'ada@example.org' }, 'ada@x.org': 1 };
		expect(await deliver(body, { key })).toMatchObject({
			status: 200,
			items: [],
			needsAttention: true,
			reason: 'This is not an event that the trigger can read',
			members: 'type, attributes, attributes.email',
		});
		expect(asked).toEqual([]);
	});

	test('names no more than forty members, three levels deep', async () => {
		const { deliver } = trigger();
		const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
		const wide = Object.fromEntries(names.map((name) => [name, 1]));
		const { members = '' } = await deliver({ a: { b: { c: { d: 1 } } }, ...wide }, { key });
		expect(members.split(', ').slice(0, 5)).toEqual(['a', 'a.b', 'a.b.c', 'n0', 'n1']);
		expect(members.split(', ')).toHaveLength(40);
	});
});

describe('what starts nothing and is answered well', () => {
	test.each<[string, unknown, Partial<TriggerSettings>, string]>([
		['another job', job(), { filters: { ...noFilters, jobIds: ['j2'] } }, 'The filters exclude it'],
		[
			'another event type',
			job(),
			{ eventTypes: ['session.ended'] },
			'The trigger does not listen to this event type',
		],
	])('is %s', async (_, body, settings, reason) => {
		const { deliver, asked } = trigger(settings);
		expect(await deliver(body, { key })).toEqual(nothing(reason));
		expect(asked).toEqual([]);
	});

	test('is what came before', async () => {
		const { deliver, asked } = trigger();
		(await deliver(job())).settle?.(true);
		expect(await deliver(job())).toEqual(repeated);
		expect(await deliver(job(), { key })).toMatchObject({ items: [] });
		expect(asked).toHaveLength(1);
	});

	test.each([
		[true, false],
		[false, true],
	])('is not what a test in the editor receives at the same time: %s', async (...both) => {
		const { deliver } = trigger();
		const all = await Promise.all(
			both.map((needsDeduplication) => deliver(job(), {}, { needsDeduplication })),
		);
		expect(all.map(({ items }) => items.length)).toEqual([1, 1]);
	});

	test('is a job without tasks, where a run starts with its tasks', async () => {
		const { deliver, asked } = trigger(tasks, () => ({ data: [] }));
		expect(await deliver(job(), { key })).toEqual(nothing('No item is left to start a run with'));
		expect(await deliver(job(), { key })).toEqual(repeated);
		expect(asked).toHaveLength(1);
	});

	test('is what the filters leave out once it is confirmed', async () => {
		const settings = { filters: { ...noFilters, needsFailedTasks: true } };
		const { deliver } = trigger(settings, () => job({ status: 'ended', total_fail: 0 }));
		expect(await deliver(job({ status: 'failed' }))).toMatchObject({ status: 200, items: [] });
	});
});

test.each(['', '<html>', '\u0000', '{"type":"jobs","id":"', '['.repeat(500_000)])(
	'a body that is no JSON is refused as such: %.9s',
	async (body) => {
		const refused = { status: 400, items: [], reason: 'The body is not JSON' };
		expect(await trigger().deliver(body, { key })).toMatchObject(refused);
	},
);

describe('a delivery that is looked up', () => {
	test('starts the run with what the platform says', async () => {
		const { deliver } = trigger({}, () => job({ status: 'failed', total_fail: 3 }));
		const { items } = await deliver(job({ status: 'ended', total_fail: 0 }));
		expect(items).toMatchObject([{ status: 'failed', total_fail: 3 }]);
	});

	test('is refused when the platform does not know it, and starts nothing at its last attempts', async () => {
		const { deliver, spent, later } = trigger({}, notFound);
		expect((await deliver(job())).status).toBe(401);
		expect(spent()).toBe(1);
		later(9);
		expect(await deliver(job())).toMatchObject({ status: 200, items: [] });
		expect(spent()).toBe(2);
	});

	test('may be of a session that the platform does not show: it is answered well and starts no run', async () => {
		const { deliver, spent } = trigger({}, notFound);
		expect(await deliver(session())).toMatchObject({
			status: 200,
			items: [],
			needsAttention: true,
			reason: expect.stringContaining('does not show the sessions') as string,
		});
		expect(spent()).toBe(1);
	});

	test('starts one run where its twin comes at the same moment', async () => {
		const { deliver } = trigger();
		const both = await Promise.all([deliver(job()), deliver(job())]);
		expect(both.map(({ items }) => items.length)).toEqual([1, 0]);
		expect(both[1]).toMatchObject(comesAgain);
	});

	test('and that the record of its session denies is refused, until its last attempt', async () => {
		const { deliver, spent, later } = trigger({}, () => session({ ended_at: 0 }));
		expect((await deliver(session())).status).toBe(401);
		later(8);
		expect((await deliver(session())).status).toBe(401);
		later(1);
		expect(await deliver(session())).toMatchObject({ status: 200, items: [] });
		expect(spent()).toBe(3);
	});

	test('is to come again when the platform cannot be asked', async () => {
		const { deliver, spent, platform } = changing('platform_error');
		expect(await deliver(job())).toMatchObject({ status: 503, items: [] });
		platform.answer = job();
		expect((await deliver(job())).items).toHaveLength(1);
		// The first lookup proved nothing.
		expect(spent()).toBe(1);
	});

	test('that nobody could judge is accepted at the last attempts, because the platform would disable the webhook', async () => {
		const { deliver, later } = trigger({}, () => 'platform_error');
		expect((await deliver(session())).status).toBe(503);
		later(8);
		expect((await deliver(session())).status).toBe(503);
		later(2);
		const accepted = { status: 200, items: [], needsAttention: true };
		expect(await deliver(session())).toMatchObject(accepted);
	});

	test('that the budget kept from being judged is accepted at the last attempts, too', async () => {
		const { deliver, later } = trigger({ confirmationsPerMinute: 0 }, notFound);
		expect((await deliver(session())).status).toBe(503);
		later(10);
		expect(await deliver(session())).toMatchObject({ status: 200, needsAttention: true });
	});

	test('says what was not checked of an event type that nobody knows', async () => {
		const person = { type: 'people', id: 'p1' };
		const body = { data: { ...person, meta: { webhook: { event: 'people.odd' } } } };
		const [record] = (await trigger({}, () => ({ data: person })).deliver(body)).items;
		expect(record?.not_checked).toContain('"people.odd"');
		const believed = await trigger({ verify: 'none' }).deliver(body);
		expect(believed.items[0]).not.toHaveProperty('not_checked');
	});

	test('is to come again when the requests of the minute are used up', async () => {
		const { deliver, asked, later } = trigger({ confirmationsPerMinute: 1 }, notFound);
		await deliver(job({}, 'forged'));
		const reason =
			'The requests for confirmations are used up; a key or a signature would cost none';
		expect(await deliver(job())).toMatchObject({ status: 503, reason });
		expect(asked).toHaveLength(1);
		later(1);
		expect((await deliver(job())).status).toBe(401);
	});

	test('and is a variation of one that came before starts no second run', async () => {
		const { deliver, asked, spent } = trigger({}, () => session({ ended_at: 1_800_000_005 }));
		const { items, settle } = await deliver(session({ ended_at: 1_800_000_005 }));
		settle?.(true);
		expect([items.length, spent()]).toEqual([1, 0]);
		expect(await deliver(session({ ended_at: 1_800_000_006 }))).toEqual(repeated);
		const lookups = asked.filter(({ deadlineAtMs }) => deadlineAtMs === now + 10_000);
		// And one for the titles of the session, whose record is read once.
		expect([lookups.length, asked.length]).toEqual([2, 3]);
		// It proves nothing about the sender.
		expect(spent()).toBe(1);
	});

	test('of a session whose titles are not there counts as no forged one', async () => {
		const { deliver, asked, spent } = trigger({}, notFound);
		expect((await deliver(session(), { key })).items).toHaveLength(1);
		expect(asked).toMatchObject([{ deadlineAtMs: now + 3_000, retry: 'onlyWhenRateLimited' }]);
		expect(spent()).toBe(0);
	});

	test('does not hold up one that is proven', async () => {
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		const { deliver } = trigger({}, () => held.then(() => job()));
		const slow = deliver(job());
		expect((await deliver(job(), { key })).items).toHaveLength(1);
		release();
		expect((await slow).items).toEqual([]);
	});

	test('and denied starts its run when it comes again and is confirmed', async () => {
		const { deliver, platform } = changing('not_found');
		expect((await deliver(job())).status).toBe(401);
		platform.answer = job();
		expect((await deliver(job())).items).toHaveLength(1);
	});
});

describe('a job whose tasks are read', () => {
	const result = { status: 'succeeded', data: { id: 'p1' } };
	const endedJob = job({ status: 'ended', total_items: 2 });
	const ofTasks = ({ path }: { path: string }) => path.endsWith('/tasks');
	const jobAnd = (data: JsonObject[]) => (request: { path: string }) =>
		ofTasks(request) ? { data } : endedJob;

	test('starts the run when all results are there', async () => {
		const { deliver, asked, spent } = trigger(tasks, jobAnd([result, result]));
		expect((await deliver(endedJob, { key })).items).toHaveLength(2);
		expect(asked).toMatchObject([{ path: '/jobs/j1/tasks', deadlineAtMs: now + 10_000 }]);
		// A genuine delivery uses up nothing of the budget that forgeries have.
		expect(spent()).toBe(0);
	});

	test('is to come again while results are missing, until its last attempt', async () => {
		const { deliver, later } = trigger(tasks, jobAnd([result]));
		const reason = '1 results of the job are not there yet';
		expect(await deliver(endedJob, { key })).toMatchObject({ status: 503, items: [], reason });
		later(9);
		const items = [{ status: 'succeeded' }, { status: 'unknown' }];
		expect(await deliver(endedJob, { key })).toMatchObject({ status: 200, items });
	});

	test.each([1e9, 1e10])('that counts %d results stops nothing', async (total_items) => {
		const { deliver, later } = trigger(tasks, jobAnd([result]));
		const countless = job({ status: 'ended', total_items });
		const reason = '1000 results of the job are not there yet';
		expect(await deliver(countless, { key })).toMatchObject({ status: 503, reason });
		later(9);
		expect((await deliver(countless, { key })).items).toHaveLength(1_001);
	});

	test('starts one run, although a proven delivery of it came while another was looked up', async () => {
		let open = () => {};
		const held = new Promise<void>((resolve) => (open = resolve));
		const { deliver } = trigger(tasks, async (request) => {
			if (ofTasks(request)) await held;
			return jobAnd([result, result])(request);
		});
		const both = [deliver(endedJob, { key }), deliver(endedJob)];
		open();
		const [first, second] = await Promise.all(both);
		expect(first?.items).toHaveLength(2);
		expect(second).toMatchObject(comesAgain);
	});

	test('is to come again when its results cannot be read now', async () => {
		const { deliver, spent, later } = trigger(tasks, () => 'platform_error');
		expect((await deliver(endedJob, { key })).status).toBe(503);
		expect(spent()).toBe(1);
		later(10);
		expect(await deliver(endedJob, { key })).toMatchObject({ status: 200, needsAttention: true });
	});

	test('is not read where the platform confirms a job that the filters leave out', async () => {
		const filters = { ...noFilters, needsFailedTasks: true };
		const { deliver, asked } = trigger({ ...tasks, filters }, () => job({ status: 'ended' }));
		expect(await deliver(job({ status: 'failed' }))).toMatchObject({ status: 200, items: [] });
		expect(asked.map(({ path }) => path)).toEqual(['/jobs/j1']);
	});

	test('is to come again when it was confirmed but its results are not there at all', async () => {
		const { deliver } = trigger(tasks, (request) => (ofTasks(request) ? 'not_found' : endedJob));
		expect((await deliver(endedJob)).status).toBe(503);
	});
});

describe('the facts of the session', () => {
	const product = {
		data: { id: 's1', type: 'sessions', attributes: { name: 'Tour', event_id: 'e1' } },
		included: [{ id: 'e1', type: 'events', attributes: { title: 'Product' } }],
	};

	test('are added to the item', async () => {
		const { items } = await trigger({}, () => product).deliver(session(), { key });
		expect(items).toMatchObject([{ event_title: 'Product' }]);
	});

	test('are read once more an hour later, and not because a clock was set back', async () => {
		const { deliver, asked, later } = trigger({ needsDeduplication: false }, () => product);
		const reads: number[] = [];
		for (const minutes of [0, -10, 5, 65]) {
			later(minutes);
			await deliver(session(), { key });
			reads.push(asked.length);
		}
		expect(reads).toEqual([1, 1, 1, 2]);
	});

	test.each<[string, Partial<TriggerSettings>, FakeAnswer, string[]]>([
		['cannot be read', {}, 'platform_error', ['/sessions/s1']],
		['are not in the budget', { confirmationsPerMinute: 0 }, product, []],
	])('hold up no run where they %s', async (_, settings, answer, paths) => {
		const { deliver, asked } = trigger(settings, () => answer);
		const { items } = await deliver(session(), { key });
		expect(items).toMatchObject([{ event_title: null }]);
		expect(asked.map(({ path }) => path)).toEqual(paths);
	});

	describe('whose event the platform does not show', () => {
		const refusals: Cause[] = ['forbidden', 'not_found', 'missing_scope'];
		const titled = (eventTitleContains: string) => ({
			filters: { ...noFilters, eventTitleContains },
		});
		const tour = { name: 'Tour', event_id: 'e1', started_at: now / 1_000 };
		const showsSession = (refusal: Cause) => {
			return ({ path }: { path: string }) =>
				path === '/sessions/s1'
					? { data: { id: 's1', type: 'sessions', attributes: tour } }
					: refusal;
		};
		const inSession = { email: 'ada@example.org', session_id: 's1' };
		const replay = { eventTypes: ['people.watched_replay'], needsDeduplication: false };

		test.each(refusals)('are those of the session, read once: %s', async (refusal) => {
			const { deliver, asked } = trigger(replay, showsSession(refusal));
			for (let time = 0; time < 3; time++) {
				const { items } = await deliver(inSession, { key });
				expect(items).toMatchObject([{ event_title: null, session_name: 'Tour' }]);
			}
			expect(asked.map(({ path }) => path)).toEqual(['/sessions/s1', '/events/e1']);
		});

		test.each(refusals)('tell no title to look for a text in, read once: %s', async (refusal) => {
			const { deliver, asked, later } = trigger(titled('launch'), showsSession(refusal));
			expect((await deliver(session(), { key })).status).toBe(503);
			later(9);
			const last = await deliver(session(), { key });
			expect(last).toMatchObject({ status: 200, items: [], needsAttention: true });
			expect(asked.map(({ path }) => path)).toEqual(['/sessions/s1', '/events/e1']);
		});
	});
});

describe('sessions that cannot be read', () => {
	const sessionOf = (id: number) => {
		const { data } = session();
		return { data: { ...data, id: `s${id}` } };
	};
	const jobsOnly = (): FakeAnswers => {
		return ({ path }) => (path.startsWith('/jobs/') ? job() : 'platform_error');
	};

	/** Lets so many deliveries arrive with our key, one a minute, each about another session. */
	async function deliverSessions({ deliver, later }: ReturnType<typeof trigger>, count: number) {
		for (let id = 0; id < count; id++, later(1)) {
			expect((await deliver(sessionOf(id), { key })).status).toBe(200);
		}
	}

	test('use up no request that proves a delivery', async () => {
		const scene = trigger({}, jobsOnly());
		await deliverSessions(scene, 300);
		expect((await scene.deliver(job())).status).toBe(200);
		expect(scene.spent()).toBe(0);
	});

	test('are read at most 240 times a day, no matter who sends the deliveries', async () => {
		const scene = trigger({}, jobsOnly());
		await deliverSessions(scene, minutesOfDay);
		expect(scene.asked).toHaveLength(240);
	});

	test('cost nothing where strangers send the deliveries, who cost what proves nothing', async () => {
		const { deliver, asked, later } = trigger({}, notFound);
		for (let id = 0; id < 300; id++, later(1)) await deliver(sessionOf(id));
		expect(asked).toHaveLength(240);
	});
});

describe('the dates of items, in the zone of the workflow', () => {
	const view = { columns: 'all', zone: 'Europe/Paris' } as const;
	const noon = { received_at: '2026-11-21T13:00:00+01:00' };

	test('are those of tasks', async () => {
		const answers = () => ({ data: [{ status: 'succeeded', data: { type: 'people', id: 'p' } }] });
		const { items } = await trigger({ ...tasks, view }, answers).deliver(job(), { key });
		expect(items).toMatchObject([noon]);
	});

	test('are those of a delivery without an id', async () => {
		const body = { session_id: 's1', ended_at: now / 1_000, name: 'Late' };
		const { deliver } = trigger({ eventTypes: ['session.ended'], view });
		const { items } = await deliver(body, { key });
		expect(items).toMatchObject([{ ...noon, ended_at: noon.received_at, name: 'Late' }]);
	});
});

describe('how many lookups a delivery uses up of those that may prove nothing in a day', () => {
	const ended = { status: 'ended', total_items: 2 };
	const oneTask = { data: [{ type: 'tasks', status: 'succeeded', data: {} }] };
	const byTasks = (list: FakeAnswer): FakeAnswers => {
		return ({ path }) => (path.endsWith('/tasks') ? list : job(ended));
	};
	const failed = { filters: { ...noFilters, needsFailedTasks: true } };
	const launch = { filters: { ...noFilters, eventTitleContains: 'launch' } };
	const untitled = () => session();

	test.each<[number, string, object, Partial<TriggerSettings>, FakeAnswers]>([
		[0, 'a job that the platform confirms', job(), {}, () => job()],
		[
			0,
			'a confirmed job that the filters leave out',
			job({ status: 'failed' }),
			failed,
			() => job(),
		],
		[0, 'a confirmed session whose event has another title', session(), launch, untitled],
		[
			0,
			'a confirmed job without tasks',
			job(),
			tasks,
			({ path }) => (path.endsWith('/tasks') ? { data: [] } : job()),
		],
		[1, 'a job that is not there', job(), {}, notFound],
		[1, 'a job that is not over', job(), {}, () => job({ status: 'queued' })],
		[1, 'a job that cannot be read now', job(), {}, () => 'platform_error'],
		[1, 'an answer without a record', job(), {}, () => ({ data: [] })],
		[
			1,
			'an event type that the platform shows no record of',
			{ data: { type: 'polls', id: 'p', meta: { webhook: { event: 'poll.closed' } } } },
			{ eventTypes: ['poll.closed'] },
			notFound,
		],
		[1, 'a confirmed job whose results are not there yet', job(), tasks, byTasks(oneTask)],
		[1, 'a confirmed job whose tasks cannot be read', job(), tasks, byTasks('not_found')],
	])('%s by %s', async (unproven, _, body, settings, answers) => {
		const { deliver, spent } = trigger(settings, answers);
		await deliver(body);
		expect(spent()).toBe(unproven);
	});

	test('one by tasks that our key names and that are not there', async () => {
		const { deliver, spent } = trigger(tasks, notFound);
		await deliver(job(), { key });
		expect(spent()).toBe(1);
	});

	test('one by each attempt for a session that was deleted, also by the last', async () => {
		const { deliver, spent, later } = trigger({}, notFound);
		await deliver(session());
		later(9);
		await deliver(session());
		expect(spent()).toBe(2);
	});
});

test.each(['auto', 'api'] as const)(
	'an attempt is to come again while n8n creates the run of the one before, verified by %s',
	async (verify) => {
		const { deliver } = trigger({ verify });
		const { settle } = await deliver(job(), { key });
		expect(await deliver(job(), { key })).toMatchObject(comesAgain);
		settle?.(false);
		expect((await deliver(job(), { key })).items).toHaveLength(1);
	},
);

test('a run that n8n could not create is not remembered', async () => {
	const { deliver, history } = trigger();
	const first = await deliver(job(), { key });
	expect((await deliver(job(), { key })).items).toEqual([]);
	first.settle?.(false);
	expect(history.subscriptionMemory.arrived).toEqual({});
	expect((await deliver(job(), { key })).items).toHaveLength(1);
});

test('an event starts a run each time where people want that, and is remembered for what is caught up', async () => {
	const { deliver, history } = trigger({ needsDeduplication: false });
	for (let time = 0; time < 2; time++) {
		const { items, settle } = await deliver(job(), { key });
		settle?.(true);
		expect(items).toHaveLength(1);
	}
	expect(history.toStored().seen).toHaveLength(8);
});

describe('a text that the title of the event has to contain', () => {
	const filters = { ...noFilters, eventTitleContains: 'launch' };
	const withTitle = (title: string) => () => ({
		data: { type: 'sessions', id: 's1', attributes: { event_id: 'e1' } },
		included: [{ type: 'events', id: 'e1', attributes: { title } }],
	});

	test.each([
		['The Launch', 1],
		['A party', 0],
	])('is looked for in "%s" before a run starts', async (title, runs) => {
		const { deliver, asked } = trigger({ filters }, withTitle(title));
		const first = await deliver(session({ ended_at: 5 }), { key });
		expect(first).toMatchObject({ status: 200 });
		expect(first.items).toHaveLength(runs);
		await deliver(session({ ended_at: 6 }), { key });
		expect(asked).toHaveLength(1);
	});

	test('is looked for in the title that was read within the last hour', async () => {
		const { deliver, platform, later } = changing(withTitle('A party')(), { filters });
		await deliver(session(), { key });
		platform.answer = withTitle('The Launch')();
		later(59);
		expect((await deliver(session({ ended_at: 6 }), { key })).items).toEqual([]);
		later(1);
		expect((await deliver(session({ ended_at: 7 }), { key })).items).toHaveLength(1);
	});

	test('is looked for in the event itself where it was delivered', async () => {
		const created = (title: string) => ({
			data: {
				type: 'events',
				id: title,
				attributes: { title },
				meta: { webhook: { event: 'event.created' } },
			},
		});
		const { deliver, asked } = trigger({ filters, eventTypes: ['event.created'] });
		expect((await deliver(created('launch-day'), { key })).items).toHaveLength(1);
		expect((await deliver(created('party'), { key })).items).toEqual([]);
		expect(asked).toEqual([]);
	});

	describe('on a platform that does not send the event along', () => {
		const records = ({ path }: { path: string }) =>
			path === '/events/e1'
				? { data: { type: 'events', id: 'e1', attributes: { title: 'The Launch' } } }
				: { data: { type: 'sessions', id: 's1', attributes: { event_id: 'e1' } } };

		test('is looked for in the event, which is read', async () => {
			const { deliver } = trigger({ filters }, records);
			expect((await deliver(session(), { key })).items).toMatchObject([{ id: 's1' }]);
		});

		test('is not the only reason to read the event, whose title is in the items', async () => {
			const { deliver, asked } = trigger({}, records);
			await deliver(session(), { key });
			expect(asked.map(({ path }) => path)).toEqual(['/sessions/s1', '/events/e1']);
		});
	});

	test('makes a delivery come again while the title cannot be read, until its last attempt', async () => {
		const { deliver, later } = trigger({ filters }, () => 'platform_error');
		const reason = "The title of the event could not be read, which 'Event Title Contains' needs";
		expect(await deliver(session(), { key })).toMatchObject({ status: 503, reason });
		later(9);
		expect(await deliver(session(), { key })).toMatchObject({ status: 200, items: [] });
	});

	describe('of a delivery of another shape, in a session', () => {
		const replay = { filters, eventTypes: ['people.watched_replay'] };
		const body = { email: 'ada@example.org', session_id: 's1' };

		test.each([
			['The Launch', 1],
			['A party', 0],
		])('is looked for in the title of the event of the session: "%s"', async (title, runs) => {
			const { deliver } = trigger(replay, withTitle(title));
			const decision = await deliver(body, { key });
			expect([decision.status, decision.items.length]).toEqual([200, runs]);
		});

		test('makes it come again while the title cannot be read', async () => {
			const { deliver } = trigger(replay, () => 'platform_error');
			expect((await deliver(body, { key })).status).toBe(503);
		});

		test('starts one run where it comes twice before the title is read', async () => {
			const { deliver } = trigger(replay, withTitle('The Launch'));
			const twins = await Promise.all([deliver(body, { key }), deliver(body, { key })]);
			expect(twins).toMatchObject([{ items: [body] }, comesAgain]);
		});

		test('starts the next run where n8n could not create that of its twin', async () => {
			const { deliver } = trigger(replay, withTitle('The Launch'));
			const twins = [deliver(body, { key }), deliver(body, { key })];
			for (const { settle } of await Promise.all(twins)) settle?.(false);
			expect((await deliver(body, { key })).items).toHaveLength(1);
		});
	});

	test('lets jobs pass', async () => {
		const { deliver } = trigger({ filters });
		expect((await deliver(job(), { key })).items).toHaveLength(1);
	});
});
