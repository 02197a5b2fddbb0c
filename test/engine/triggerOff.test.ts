import { eventually } from '../support/time/eventually';
import { makeEvent, makeSession } from '../support/platform/platformRecords';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { upcomingSession } from '../support/platform/seededIds';
import { TriggerScene } from '../support/n8n/triggerScene';
import type { WebhookHost } from '../support/n8n/webhookHost';

const eventTypes = [
	'event.created',
	'event.published',
	'people.attended',
	'people.not_attended',
	'people.registered',
	'session.created',
	'session.ended',
	'session.started',
];

const scene = new TriggerScene({}, 'file');
const time = new SimulatedTime('file');

/**
 * In an hour there is an event with a session, for which two people register. At its end the platform has delivered all of it,
 * or given up. Gives what happened, as "event id".
 */
async function passHour(hour: number): Promise<string[]> {
	time.passMinutes(60);
	const { sandbox } = scene;
	const event = await makeEvent(sandbox, { title: `Event ${hour}`, status: 'draft' });
	const published = { type: 'events', id: event, attributes: { status: 'published' } };
	await sandbox.api.patch(`/events/${event}`, { data: published });
	const session = await makeSession(sandbox, event);
	for (const n of [1, 2]) await sandbox.register(`${hour}-${n}@x.org`, {}, session);
	await scene.session('start', session);
	await scene.session('end', session);
	const isOver = async () =>
		(await sandbox.deliveries()).every(({ status }) => !['pending', 'sending'].includes(status));
	await eventually(isOver);
	return [
		`event.created ${event}`,
		`event.published ${event}`,
		`session.created ${session}`,
		`session.started ${session}`,
		`session.ended ${session}`,
		...(await happenedToPeople(session)),
	];
}

interface Person {
	id: string;
	attributes: { role: string; registrant_detail: { attended: boolean } };
}

async function happenedToPeople(session: string): Promise<string[]> {
	const { data } = await scene.sandbox.api.get<{ data: Person[] }>(`/sessions/${session}/people`);
	const participants = data.data.filter(({ attributes }) => attributes.role === 'participant');
	return participants.flatMap(({ id, attributes }) => {
		const { attended } = attributes.registrant_detail;
		return [`people.registered ${id}`, `people.${attended ? '' : 'not_'}attended ${id}`];
	});
}

/** The things that n8n may do first when it can create runs again. */
const returns: Array<[string, (host: WebhookHost) => Promise<void>]> = [
	[
		'is started again',
		async (host) => {
			await host.activate('init');
			await host.poll();
		},
	],
	['looks at the next time', (host) => host.poll()],
];

describe.each(returns)('six hours off, its subscriptions gone, until n8n %s', (_, comeBack) => {
	let host: WebhookHost;
	/** The events that happened, as "event id". */
	let happened: string[];
	let runsBefore: number;
	let runsAfter: number;
	/** The requests that n8n made when it came back. */
	let calls: string[];
	const started = () => host.items.map(({ event, id }) => `${event as string} ${id as string}`);

	beforeAll(async () => {
		await scene.sandbox.reset();
		host = await scene.listen({ events: eventTypes });
		happened = [];
		for (let hour = 1; hour <= 2; hour++) happened.push(...(await passHour(hour)));
		host.failures = Infinity;
		for (let hour = 3; hour <= 8; hour++) happened.push(...(await passHour(hour)));
		runsBefore = host.runs.length;
		host.failures = 0;
		time.passMinutes(60);
		calls = await scene.calls(() => comeBack(host));
		runsAfter = host.runs.length;
	});

	test('has started runs for the two hours before alone', () => {
		expect(runsBefore).toBe(2 * 9);
	});

	test('starts one run with what is missing', () => {
		expect(runsAfter).toBe(runsBefore + 1);
	});

	test('has started all that happened, each once', () => {
		expect(started().sort()).toEqual([...happened].sort());
	});

	test('costs a request for each page of events and sessions, one for each session, and those to subscribe', () => {
		const sessions = 8 + 10;
		expect(calls.length).toBeLessThanOrEqual(sessions + eventTypes.length + 5);
	});

	test('starts nothing again six hours later', async () => {
		const before = started();
		time.passMinutes(6 * 60);
		await host.poll();
		expect(started()).toEqual(before);
	});
});

test('what failed before a late attempt that arrives is caught up, too', async () => {
	await scene.sandbox.reset();
	const host = await scene.listen({ events: ['people.registered'] });
	time.passMinutes(60);
	host.failures = Infinity;
	await scene.sandbox.register('failed@x.org');
	await eventually(async () => (await scene.sandbox.deliveries())[0]?.status === 'failed');
	const [failed] = await scene.sandbox.deliveries();
	time.passMinutes(12);
	await scene.sandbox.register('late@x.org');
	time.passMinutes(11);
	host.failures = 0;
	const key = new URL(failed?.url ?? '').searchParams.get('key') ?? '';
	const path = `/sessions/${upcomingSession}/people?filter[email]=late@x.org`;
	const { data } = await scene.sandbox.api.get<{ data: object[] }>(path);
	const meta = { webhook: { event: 'people.registered' } };
	await host.deliver({ body: { data: { ...data.data[0], meta } }, query: { key } });
	expect(host.items).toMatchObject([{ email: 'late@x.org' }]);
	time.passMinutes(6 * 60);
	await host.poll();
	expect(host.items.map(({ email }) => email)).toEqual(['late@x.org', 'failed@x.org']);
});

test('what was delivered is caught up by no second run where repeated deliveries start one', async () => {
	await scene.sandbox.reset();
	const host = await scene.listen({
		events: ['people.registered'],
		options: { deduplicate: false },
	});
	time.passMinutes(60);
	await scene.sandbox.register('delivered@x.org');
	await eventually(() => Promise.resolve(host.items.length > 0));
	await scene.redeliver();
	await eventually(() => Promise.resolve(host.items.length > 1));
	time.passMinutes(5);
	await scene.loseSubscriptions();
	await scene.sandbox.register('missed@x.org');
	time.passMinutes(60);
	await host.poll();
	expect(host.items.map(({ email }) => email)).toEqual([
		'delivered@x.org',
		'delivered@x.org',
		'missed@x.org',
	]);
});
