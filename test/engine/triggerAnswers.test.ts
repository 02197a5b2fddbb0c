import { sign } from '../../sandbox/webhooks/signature';
import { linesOfLog } from './log';
import { eventually } from '../support/time/eventually';
import { claim, restartedNode, TriggerScene } from '../support/n8n/triggerScene';
import { unknownId } from '../support/platform/seededIds';

const webhookSecret = 'a secret that both know';
const scene = new TriggerScene({ webhookSecret });

test.each(['500', 'reset-after'] as const)(
	'a delivery that the platform cannot be asked about (%s) comes again and starts its run exactly once',
	async (deed) => {
		const host = await scene.listen({ verify: 'api' });
		const match = { path: '/v1/jobs/:id' };
		await scene.sandbox.faults([{ match, times: 2, do: deed, retryAfter: 0 }]);
		const id = await scene.startJob();
		await eventually(() => host.runs.length > 0);
		expect(host.answers).toEqual([503, 503, 200]);
		expect(host.items).toMatchObject([{ id }]);
		expect(await scene.confirmations()).toHaveLength(3);
	},
);

test('a credential that is gone is no reason for a failed run: the platform comes again, and the log says why', async () => {
	const warnings = linesOfLog('warn');
	const host = await scene.start({ authentication: 'oAuth2' });
	const { sent, workflowData } = await host.deliver({ body: claim(unknownId) });
	expect([sent?.status, workflowData]).toEqual([503, undefined]);
	expect(warnings()).toEqual([expect.stringMatching(/answered a delivery with 503: \S/)]);
});

describe('with a signing secret', () => {
	const listen = () => scene.listen({ verify: 'signature' }, { webhookSecret });

	test('what the platform signed starts a run and costs no request', async () => {
		const host = await listen();
		const calls = await scene.calls(async () => {
			await scene.startJob();
			await eventually(() => host.answers.length > 0);
		});
		expect(host.answers).toEqual([200]);
		expect(host.items).toMatchObject([{ event: 'job.ended', status: 'ended' }]);
		expect(calls).toHaveLength(1);
	});

	test.each(['application/vnd.api+json', 'application/x-www-form-urlencoded'])(
		'the body is checked and read as it was sent, not as it was parsed: %s',
		async (type) => {
			const host = await listen();
			const rawBody = JSON.stringify(claim('j-1'), null, 2);
			const signature = sign(webhookSecret, rawBody, Date.now());
			const headers = { 'X-Livestorm-Signature': signature, 'content-type': type };
			await host.deliver({ rawBody, body: {}, headers });
			expect(host.items).toMatchObject([{ id: 'j-1' }]);
		},
	);
});

test('a clock that is wrong refuses what the platform signed, and the log says once what to mend', async () => {
	const warnings = linesOfLog('warn');
	const host = await scene.listen({ verify: 'signature' }, { webhookSecret });
	for (const id of ['j-1', 'j-2']) {
		const body = claim(id);
		const signature = sign(webhookSecret, JSON.stringify(body), Date.now() + 6 * 60_000);
		const { sent } = await host.deliver({ body, headers: { 'X-Livestorm-Signature': signature } });
		expect(sent?.status).toBe(401);
	}
	expect(host.runs).toEqual([]);
	expect(warnings()).toEqual([expect.stringMatching(/signature is right.*set the clock/)]);
});

describe('a forged delivery', () => {
	test.each<[string, unknown, number]>([
		['of a job that does not exist', claim(unknownId), 1],
		['that tries to climb out of the path', claim('../webhooks'), 0],
	])('%s starts nothing, is told nothing and costs at most one request', async (_, body, cost) => {
		const host = await scene.listen();
		const calls = await scene.calls(async () => {
			const { sent, workflowData } = await host.deliver({ body });
			expect(workflowData).toBeUndefined();
			expect(sent).toEqual({ status: cost === 0 ? 200 : 401, body: undefined });
		});
		expect(calls).toHaveLength(cost);
		expect(host.staticData.seen).toBeUndefined();
	});
});

describe('a forged end of a job that is still processing', () => {
	const slow = new TriggerScene({ jobMs: 1_500 });

	test('keeps nothing from starting when the job has ended', async () => {
		const host = await slow.listen();
		const id = await slow.startJob();
		await host.deliver({ body: claim(id) });
		await slow.sandbox.jobEnd(id);
		await host.deliver({ body: claim(id) });
		expect(host.items).toMatchObject([{ id, status: 'ended' }]);
	});
});

describe('where the API does not show people and sessions, and no delivery brings a proof', () => {
	const events = ['people.registered', 'session.ended', 'job.ended'];
	const byHand = { events, subscription: 'manual' };

	beforeEach(() => scene.sandbox.changeWorld({ endpoints: 'specified' }));

	test('genuine deliveries are answered well and start no run, because anybody may have sent them, and the log says once what to choose', async () => {
		const warnings = linesOfLog('warn');
		// Somebody has entered its URL on the platform.
		const host = await scene.listen(byHand);
		await scene.sandbox.subscribeByHand(host.url, 'people.registered');
		await scene.sandbox.register('ada@example.org');
		await scene.sandbox.register('grace@example.org');
		await eventually(() => host.answers.length === 2);
		expect([host.answers, host.runs]).toEqual([[200, 200], []]);
		expect(warnings()).toEqual([
			expect.stringMatching(/does not show the people.*'Subscription'.*Signing Secret/),
		]);
	});
});

describe('a repeated delivery', () => {
	test('is no repetition while n8n could not create the run, although the platform has hung up', async () => {
		const id = await scene.endedJob();
		const host = await scene.listen();
		host.failures = 2;
		const answers: Array<number | undefined> = [];
		for (let time = 0; time < 4; time++) {
			answers.push((await host.deliver({ body: claim(id) })).sent?.status);
		}
		expect(answers).toEqual([500, 500, undefined, 200]);
		expect(host.items.map((item) => item.id)).toEqual([id]);
	});

	test('is no repetition where n8n ended before it could create the run, although others were stored meanwhile', async () => {
		const [id, other] = [await scene.endedJob(), await scene.endedJob()];
		const host = await scene.listen();
		host.failures = 1;
		host.whileFailing = async () => void (await host.deliver({ body: claim(other) }));
		await host.deliver({ body: claim(id) });
		host.node = restartedNode();
		await host.deliver({ body: claim(id) });
		expect(host.items.map((item) => item.id)).toEqual([other, id]);
	});

	test('starts no second run after a restart, once a later delivery has come', async () => {
		const id = await scene.endedJob();
		const host = await scene.listen();
		await host.deliver({ body: claim(id) });
		await host.deliver({ body: {} });
		host.node = restartedNode();
		await host.deliver({ body: claim(id) });
		expect(host.runs).toHaveLength(1);
	});

	test('starts no second run although a save that was begun earlier ends last and takes back what later ones stored', async () => {
		const ids = await Promise.all(Array.from({ length: 3 }, () => scene.endedJob()));
		const host = await scene.listen();
		const storedAtFirst = host.stored;
		const deliveries = Array.from({ length: 12 }, (_, index) => ids[index % ids.length] ?? '');
		const handled = await Promise.all(deliveries.map((id) => host.deliver({ body: claim(id) })));
		expect(host.items.map(({ id }) => id).sort()).toEqual([...ids].sort());
		// Each job starts one run; the other deliveries of it are answered well.
		expect(handled.filter(({ sent }) => sent?.status === 200)).toHaveLength(9);
		// The database knows of no delivery any more; the process still knows them all.
		host.stored = storedAtFirst;
		await Promise.all(ids.map((id) => host.deliver({ body: claim(id) })));
		expect(host.runs).toHaveLength(ids.length);
	});

	test('starts a run again where the editor listens, which gets it at its own URL', async () => {
		const host = await scene.start();
		const stop = await host.listenForTest();
		await scene.startJob();
		await eventually(() => host.runs.length === 1);
		await scene.redeliver();
		await eventually(() => host.runs.length === 2);
		expect(host.runs.every(({ isTest }) => isTest)).toBe(true);
		expect(host.stored).toBe('{}');
		await stop();
	});

	test.each(['manual', 'webhook'] as const)(
		'shows that the subscription works, unless the editor listens: %s',
		async (mode) => {
			const host = await scene.listen({ events: ['session.ended'], verify: 'none' });
			const attributes = { ended_at: Math.floor(Date.now() / 1_000) };
			await host.deliver({ body: { type: 'sessions', id: 'a', attributes } }, mode);
			// With the next delivery it is stored.
			await host.deliver({ body: {} });
			expect(Object.keys(host.staticData.arrived ?? {})).toEqual(
				mode === 'manual' ? [] : ['session.ended'],
			);
		},
	);
});
