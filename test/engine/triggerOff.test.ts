import { until } from '../support/platform/sandbox';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { TriggerScene } from '../support/n8n/triggerScene';

const kinds = [
	'event.created',
	'event.published',
	'people.attended',
	'people.not_attended',
	'people.registered',
	'session.created',
	'session.ended',
	'session.started',
];

const scene = new TriggerScene();
const time = new SimulatedTime();
/** What happened, as "kind id". */
let happened: string[] = [];

beforeEach(() => (happened = []));

async function post(path: string, type: string, attributes: object): Promise<string> {
	const body = { data: { type, attributes } };
	return (await scene.sandbox.api.post<{ data: { id: string } }>(path, body)).data.data.id;
}

/** In an hour there is an event with a session, for which four people register. */
async function anHour(number: number): Promise<void> {
	time.pass(60);
	const event = await post('/events', 'events', { title: `Event ${number}`, status: 'draft' });
	const published = { type: 'events', id: event, attributes: { status: 'published' } };
	await scene.sandbox.api.patch(`/events/${event}`, { data: published });
	const planned = { estimated_started_at: '2027-01-01 10:00:00', timezone: 'UTC' };
	const session = await post(`/events/${event}/sessions`, 'sessions', planned);
	for (const n of [1, 2, 3, 4]) await scene.sandbox.register(`${number}-${n}@x.org`, {}, session);
	await scene.session('start', session);
	await scene.session('end', session);
	happened.push(`event.created ${event}`, `event.published ${event}`, `session.created ${session}`);
	happened.push(`session.started ${session}`, `session.ended ${session}`);
	interface Person {
		id: string;
		attributes: { role: string; registrant_detail: { attended: boolean } };
	}
	const { data } = await scene.sandbox.api.get<{ data: Person[] }>(`/sessions/${session}/people`);
	for (const { id, attributes } of data.data) {
		if (attributes.role !== 'participant') continue;
		const { attended } = attributes.registrant_detail;
		happened.push(`people.registered ${id}`, `people.${attended ? '' : 'not_'}attended ${id}`);
	}
}

test.each(['is started again', 'looks at the next time'])(
	'a day off, its subscriptions gone: all that happened is there once, in one run, once n8n %s',
	async (way) => {
		const host = await scene.listen({ events: kinds });
		const told = () => host.items.map(({ event, id }) => `${event as string} ${id as string}`);
		for (let hour = 1; hour <= 3; hour++) await anHour(hour);
		host.failures = Infinity;
		for (let hour = 4; hour <= 27; hour++) await anHour(hour);
		await until(async () => (await scene.subscriptions()).length === 0);
		const before = host.runs.length;
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThan(happened.length);

		host.failures = 0;
		time.pass(60);
		const calls = await scene.calls(async () => {
			if (way === 'is started again') await host.activate('init');
			await host.poll();
		});
		expect(host.runs).toHaveLength(before + 1);
		expect(told().sort()).toEqual(happened.sort());
		// A page for every 50 events and sessions, one for each session, and those to subscribe
		const sessions = 27 + 10;
		expect(calls.length).toBeLessThanOrEqual(sessions + kinds.length + 5);
		time.pass(6 * 60);
		await host.poll();
		expect(told().sort()).toEqual(happened);
	},
	120_000,
);
