import { personOf, until } from '../support/sandbox';
import { TriggerScene } from '../support/triggerScene';
import type { WebhookHost } from '../support/webhooks';

const hourMs = 3_600_000;
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
const realNow = Date.now;
let aheadMs = 0;
/** What happened, as "kind id". */
let happened: string[] = [];

beforeEach(() => {
	aheadMs = 0;
	happened = [];
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs);
});
afterEach(() => jest.restoreAllMocks());

async function post(path: string, body: unknown): Promise<string> {
	const { data } = await scene.sandbox.api.post<{ data: { id: string } }>(path, body);
	return data.data.id;
}

/** In an hour there is an event with a session, for which four people register. */
async function anHour(number: number): Promise<void> {
	aheadMs = number * hourMs;
	const event = await post('/events', {
		data: { type: 'events', attributes: { title: `Event ${number}`, status: 'draft' } },
	});
	await scene.sandbox.api.patch(`/events/${event}`, {
		data: { type: 'events', id: event, attributes: { status: 'published' } },
	});
	const attributes = { estimated_started_at: '2027-01-01 10:00:00', timezone: 'UTC' };
	const session = await post(`/events/${event}/sessions`, {
		data: { type: 'sessions', attributes },
	});
	for (const n of [1, 2, 3, 4]) {
		const person = await post(`/sessions/${session}/people`, personOf(`${number}-${n}@x.org`));
		happened.push(`people.registered ${person}`);
	}
	for (const step of ['start', 'end']) {
		await scene.sandbox.web.post(`/_sandbox/sessions/${session}/${step}`, {});
	}
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
		happened.push(`people.${attended ? 'attended' : 'not_attended'} ${id}`);
	}
}

const runsOf = ({ items }: WebhookHost) =>
	items.map(({ event, id }) => `${event as string} ${id as string}`).sort();

test.each(['is started again', 'looks at the next time'])(
	'a day off, its subscriptions gone: all that happened is there once, in one run, once n8n %s',
	async (way) => {
		const host = await scene.listen({ events: kinds });
		for (let hour = 1; hour <= 3; hour++) await anHour(hour);
		host.failures = Infinity;
		for (let hour = 4; hour <= 27; hour++) await anHour(hour);
		await until(async () => (await scene.subscriptions()).length === 0);
		const before = host.runs.length;
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThan(happened.length);

		host.failures = 0;
		aheadMs += hourMs;
		const calls = (await scene.calls()).length;
		if (way === 'is started again') await host.activate('init');
		await host.poll();
		const requests = (await scene.calls()).length - calls;
		expect(host.runs).toHaveLength(before + 1);
		expect(runsOf(host)).toEqual(happened.sort());
		// A page for every 50 events and sessions, one for each session, and those to subscribe
		const sessions = 27 + 10;
		expect(requests).toBeLessThanOrEqual(sessions + kinds.length + 5);
		aheadMs += 6 * hourMs;
		await host.poll();
		expect(runsOf(host)).toEqual(happened);
	},
	120_000,
);
