import { createHash } from 'node:crypto';
import { afterAttempt } from '../../sandbox/webhooks/schedule';
import { openReceiver, type Delivery } from '../support/receiver';
import { until, sandboxForTests } from '../support/sandbox';
import {
	closeAfterwards,
	crowd,
	finishedJob,
	type One,
	openSandbox,
	type Page,
	registration,
	type Visitor,
} from './visitor';
import { receiver, register, runJob, shown, subscribe } from './webhookSubscriber';

describe('deliveries', () => {
	let visitor: Visitor;
	beforeAll(async () => {
		visitor = await openSandbox({ webhookSecret: 'a shared secret' });
	});
	beforeEach(() => visitor.sandbox.reset());

	async function subscribe(events: string[], answer?: (delivery: Delivery, nth: number) => number) {
		const receiver = await openReceiver(answer);
		closeAfterwards(receiver.close);
		for (const event of events) {
			await visitor.api.post('/v1/webhooks', {
				data: { type: 'webhooks', attributes: { url: receiver.url, event } },
			});
		}
		return receiver;
	}

	const deliveries = async () => {
		type Made = { event: string; status: string; attempts: unknown[] };
		return (await visitor.api.get<Made[]>('/_sandbox/deliveries')).data;
	};

	const kindOf = ({ body }: Delivery) =>
		(body as { data: { meta: { webhook: { event: string } } } }).data.meta.webhook.event;

	test('each kind is delivered when it happens, in the shape of the contract', async () => {
		const kinds = [
			'event.created',
			'event.published',
			'session.created',
			'session.started',
			'session.ended',
			'people.registered',
			'people.watched_replay',
		];
		const attendance = ['people.attended', 'people.not_attended'];
		const receiver = await subscribe([...kinds, ...attendance]);
		const delivered = (...of: string[]) =>
			receiver.deliveries.filter((one) => of.includes(kindOf(one)));
		const session = await visitor.sessionId();
		const person = await visitor.api.post<One>(
			`/v1/sessions/${session}/people`,
			registration({ email: 'ada@example.org' }),
		);
		await visitor.control(`sessions/${session}/start`);
		await visitor.control(`sessions/${session}/end`);
		await visitor.control(`sessions/${session}/people/${person.data.data.id}/watch_replay`);
		await until(() => kinds.every((kind) => delivered(kind).length > 0));
		await until(() => delivered(...attendance).length > 0);

		// Its sandbox checks what it sends against the contract, and the visitor that there was no fault.
		const mediaTypes = receiver.deliveries.map(({ headers }) => headers['content-type']);
		expect(new Set(mediaTypes)).toEqual(new Set(['application/json']));
		for (const kind of kinds) expect([kind, delivered(kind).length]).toEqual([kind, 1]);
		expect(delivered(...attendance)).toHaveLength(1);
	});

	test.each([400, 404, 410, 456, 500, 503, 511])(
		'a %i is tried again, until it is taken',
		async (status) => {
			const receiver = await subscribe(['job.ended'], (_, nth) => (nth < 3 ? status : 200));
			await finishedJob(visitor.api, await visitor.sessionId(), crowd(1));
			await until(() => receiver.deliveries.length === 3);
			expect(new Set(receiver.deliveries.map(({ raw }) => raw)).size).toBe(1);
			const { data } = await visitor.api.get<Page>('/v1/webhooks');
			expect(data.meta.record_count).toBe(1);
		},
	);

	test.each([301, 460, 512])(
		'a %i is not tried again, and costs no subscription',
		async (status) => {
			await subscribe(['job.ended'], () => status);
			await finishedJob(visitor.api, await visitor.sessionId(), crowd(1));
			await until(async () => (await deliveries())[0]?.attempts.length === 1);
			expect(await deliveries()).toMatchObject([{ status: 'dropped', attempts: [{ status }] }]);
			const { data } = await visitor.api.get<Page>('/v1/webhooks');
			expect(data.meta.record_count).toBe(1);
		},
	);

	test('after the last try the subscription is disabled, and nothing more comes', async () => {
		const receiver = await subscribe(['job.ended'], () => 500);
		const session = await visitor.sessionId();
		await finishedJob(visitor.api, session, crowd(1, 'first'));
		await until(async () => {
			const { data } = await visitor.api.get<Page>('/v1/webhooks');
			return data.meta.record_count === 0;
		});
		expect(receiver.deliveries).toHaveLength(6);
		await finishedJob(visitor.api, session, crowd(1, 'second'));
		expect(receiver.deliveries).toHaveLength(6);
	});
});

describe('what is delivered', () => {
	test('job.ended can be sent like the other kinds, as an independent client has seen it', async () => {
		const sandbox = await sandboxForTests();
		const { url, deliveries } = await receiver();
		await subscribe(sandbox, url, 'job.ended');
		await sandbox.web.post('/_sandbox/webhooks', { jobPayload: 'wrapped' });
		const job = await runJob(sandbox, ['a@example.com']);
		await until(() => deliveries.length > 0);
		expect(deliveries[0]?.body).toEqual({
			data: {
				...job,
				meta: { webhook: { event: 'job.ended', organization_id: expect.any(String) as string } },
			},
		});
		expect((await sandbox.web.post('/_sandbox/webhooks', { jobPayload: 'flat' })).status).toBe(400);
		await sandbox.reset();
		await subscribe(sandbox, url, 'job.ended');
		const next = await runJob(sandbox, ['a@example.com']);
		await until(() => deliveries.length > 1);
		expect(deliveries[1]?.body).toEqual(next);
	});

	test('with a secret every attempt is signed anew, over the body as it is sent', async () => {
		const secret = 'whsec-é-1';
		const sandbox = await sandboxForTests({ webhookSecret: secret });
		const { url, deliveries } = await receiver((_, nth) => (nth === 1 ? 500 : 200));
		await subscribe(sandbox, url, 'people.registered');
		await register(sandbox, 'ada@example.com', { first_name: 'Zoë "the" \\ 日本' });
		await until(() => deliveries.length === 2);
		for (const { headers, raw, at } of deliveries) {
			const signature = String(headers['x-livestorm-signature']);
			const [, timestamp = '', hex] = /^(\d{10}),([0-9a-f]{64})$/.exec(signature) ?? [];
			expect(hex).toBe(createHash('sha256').update(`${timestamp}${secret}${raw}`).digest('hex'));
			expect(Number(timestamp)).toBeLessThanOrEqual(at / 1000);
			expect(Number(timestamp)).toBeGreaterThan(at / 1000 - 60);
		}
		const page = (await sandbox.web.get<unknown>('/_sandbox/page')).data;
		const everything = [page, await shown(sandbox), await sandbox.state()];
		expect(JSON.stringify(everything)).not.toContain(secret);
	});
});

describe('retries', () => {
	// Retries wait, and machines are slow.
	test('what fails is tried after 30 s, 1 m, 2.5 m, 6 m and 12 m, and then no more', () => {
		const failed = { status: 500, error: null } as const;
		const waits = [1, 2, 3, 4, 5].map((attempt) => afterAttempt(failed, attempt, 1));
		expect(waits).toEqual([30, 60, 150, 360, 720].map((s) => ({ retryInMs: s * 1000 })));
		expect(afterAttempt(failed, 6, 1)).toBe('failed');
		expect(afterAttempt(failed, 1, 0.01)).toEqual({ retryInMs: 300 });
	});
});
