import { SimulatedTime } from '../support/n8n/pollingHost';
import { TriggerScene } from '../support/n8n/triggerScene';
import { makeEvent, makeSession } from '../support/platform/platformRecords';
import { eventually } from '../support/time/eventually';

const scene = new TriggerScene();
const time = new SimulatedTime();
const filtered = {
	events: ['people.registered'],
	options: { eventTitleContains: 'launch' },
};

async function register(count: number, session: string, name: string): Promise<void> {
	for (let n = 0; n < count; n++) {
		await scene.sandbox.register(`${name}-${n}@example.org`, {}, session);
	}
}

async function rename(event: string, title: string): Promise<void> {
	const data = { type: 'events', id: event, attributes: { title } };
	await scene.sandbox.api.patch(`/events/${event}`, { data });
}

async function reschedule(session: string, estimated_started_at: string): Promise<void> {
	const data = { type: 'sessions', id: session, attributes: { estimated_started_at } };
	await scene.sandbox.api.patch(`/sessions/${session}`, { data });
}

const reads = (session: string) => async () =>
	(await scene.calls()).filter((call) => call === `GET /v1/sessions/${session}`).length;

describe('an event that is renamed', () => {
	test.each([
		['a moment ago', 0],
		['an hour ago', 60],
	])('%s so that it passes the filter loses nobody who registers', async (_, minutes) => {
		const event = await makeEvent(scene.sandbox, { title: 'A party' });
		const session = await makeSession(scene.sandbox, event);
		const host = await scene.listen(filtered);
		await register(1, session, 'before');
		await eventually(() => host.answers.length === 1);
		await rename(event, 'The Launch');
		time.passMinutes(minutes);
		await register(5, session, 'after');
		await eventually(() => host.answers.length === 6);
		expect(host.items.map(({ event_title }) => event_title)).toEqual(
			Array.from({ length: 5 }, () => 'The Launch'),
		);
	});

	test('so that it passes the filter no more starts no run three minutes later', async () => {
		const event = await makeEvent(scene.sandbox, { title: 'The Launch' });
		const session = await makeSession(scene.sandbox, event);
		const host = await scene.listen(filtered);
		await register(1, session, 'before');
		await eventually(() => host.answers.length === 1);
		await rename(event, 'A party');
		time.passMinutes(3);
		await register(1, session, 'after');
		await eventually(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ email: 'before-0@example.org' }]);
	});

	test('while its session cannot be read loses nobody: the platform comes again', async () => {
		const event = await makeEvent(scene.sandbox, { title: 'A party' });
		const session = await makeSession(scene.sandbox, event);
		const host = await scene.listen(filtered);
		await register(1, session, 'before');
		await eventually(() => host.answers.length === 1);
		await rename(event, 'The Launch');
		await scene.sandbox.faults([{ match: { path: '/v1/sessions/:id' }, times: 2, do: '500' }]);
		await register(1, session, 'after');
		await eventually(() => host.runs.length === 1);
		expect(host.answers).toEqual([200, 503, 503, 200]);
	});
});

test('a session that is rescheduled has its new start in the items three minutes later', async () => {
	const session = await makeSession(scene.sandbox);
	const host = await scene.listen({ events: ['people.registered'] });
	await register(1, session, 'before');
	await eventually(() => host.answers.length === 1);
	await reschedule(session, '2027-03-02 10:00:00');
	time.passMinutes(3);
	await register(1, session, 'after');
	await eventually(() => host.answers.length === 2);
	const starts = host.items.map(({ session_started_at }) =>
		new Date(session_started_at as string).toISOString(),
	);
	expect(starts).toEqual(['2027-03-01T09:00:00.000Z', '2027-03-02T09:00:00.000Z']);
});

describe('thirty people who register for one session within three minutes', () => {
	test('cost one request to read it where it passes the filter', async () => {
		const event = await makeEvent(scene.sandbox, { title: 'The Launch' });
		const session = await makeSession(scene.sandbox, event);
		const host = await scene.listen(filtered);
		await register(30, session, 'guest');
		await eventually(() => host.runs.length === 30);
		expect(await reads(session)()).toBe(1);
	});

	test('cost five requests to read it where the filter excludes it', async () => {
		const session = await makeSession(scene.sandbox);
		const host = await scene.listen(filtered);
		await register(30, session, 'guest');
		await eventually(() => host.answers.length === 30);
		expect([host.runs.length, await reads(session)()]).toEqual([0, 5]);
	});
});
