import { until } from '../support/sandbox';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readDocument } from '../support/readDocument';
import { openReceiver, type Delivery } from '../support/receiver';
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

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema({ $id: 'contract', components: { schemas: readDocument().components.schemas } });

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

	for (const delivery of receiver.deliveries) {
		const [resource] = kindOf(delivery).split('.');
		const schema = { event: 'Event', session: 'Session', people: 'Person' }[resource ?? ''];
		const check = ajv.compile({ $ref: `contract#/components/schemas/${schema}Delivery` });
		check(delivery.body);
		expect([kindOf(delivery), check.errors]).toEqual([kindOf(delivery), null]);
	}
	for (const kind of kinds) expect([kind, delivered(kind).length]).toEqual([kind, 1]);
	expect(delivered(...attendance)).toHaveLength(1);
});

test('a subscription hears of its own event only, from the whole workspace', async () => {
	const receiver = await subscribe(['people.registered']);
	for (const email of ['one@example.org', 'two@example.org']) {
		const path = `/v1/sessions/${await visitor.sessionId()}/people`;
		await visitor.api.post(path, registration({ email }));
	}
	await until(() => receiver.deliveries.length === 2);
	expect(receiver.deliveries.map(kindOf)).toEqual(['people.registered', 'people.registered']);
});

test('a job announces every person whom it registered, and no other', async () => {
	const receiver = await subscribe(['people.registered', 'job.ended']);
	const people = [...crowd(3), { email: 'no address' }];
	await finishedJob(visitor.api, await visitor.sessionId(), people);
	await until(() => receiver.deliveries.length === 4);
	expect(receiver.deliveries.filter(({ body }) => 'data' in body)).toHaveLength(3);
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

test.each([301, 460, 512])('a %i is not tried again, and costs no subscription', async (status) => {
	await subscribe(['job.ended'], () => status);
	await finishedJob(visitor.api, await visitor.sessionId(), crowd(1));
	await until(async () => (await deliveries())[0]?.attempts.length === 1);
	expect(await deliveries()).toMatchObject([{ status: 'dropped', attempts: [{ status }] }]);
	const { data } = await visitor.api.get<Page>('/v1/webhooks');
	expect(data.meta.record_count).toBe(1);
});

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

test('a subscription that was ended hears nothing more', async () => {
	const receiver = await subscribe(['job.ended']);
	const { data } = await visitor.api.get<Page>('/v1/webhooks');
	await visitor.api.delete(`/v1/webhooks/${data.data[0]?.id}`);
	const other = await subscribe(['job.ended']);
	await finishedJob(visitor.api, await visitor.sessionId(), crowd(1));
	await until(() => other.deliveries.length === 1);
	expect(receiver.deliveries).toEqual([]);
});

test('deliveries can be seen', async () => {
	const receiver = await subscribe(['job.ended']);
	await finishedJob(visitor.api, await visitor.sessionId(), crowd(1));
	await until(() => receiver.deliveries.length === 1);
	await until(async () => (await deliveries())[0]?.status === 'delivered');
	expect(await deliveries()).toMatchObject([{ event: 'job.ended', attempts: [{ status: 200 }] }]);
});
