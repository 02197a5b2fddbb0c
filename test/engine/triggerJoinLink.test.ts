import { text } from '../../nodes/EventPlatform/core/values/text';
import { PollingHost, SimulatedTime } from '../support/n8n/pollingHost';
import { TriggerScene } from '../support/n8n/triggerScene';
import { eventually } from '../support/time/eventually';

const scene = new TriggerScene();
const time = new SimulatedTime();
const events = ['people.registered', 'session.started'];
const link = expect.stringMatching(
	/^https:.*\/live\?email=ada%40example\.org&key=\w+&s=/,
) as string;

beforeEach(() => {
	const { store } = scene.sandbox.platform;
	for (const { id } of store.all('SELECT id FROM events')) {
		store.update('events', text(id), { estimated_duration: 90 });
	}
});

test.each([true, false])(
	'a delivered person has the join link where it is asked for, Simplify %s',
	async (simplify) => {
		const options = { includeJoinLink: true };
		const host = await scene.listen({ events, simplify, options });
		await scene.sandbox.register('ada@example.org');
		await scene.session('start');
		await eventually(() => host.runs.length === 2);
		const person = host.items.find(({ event }) => event === 'people.registered');
		const session = host.items.find(({ event }) => event === 'session.started');
		expect(person).toMatchObject({ email: 'ada@example.org', join_link: link });
		const google = new URL(text(person?.google_calendar_link));
		expect(google.searchParams.get('location')).toBe(person?.join_link);
		expect(session).not.toHaveProperty('google_calendar_link');
		expect(session).not.toHaveProperty('join_link');
		// The data that n8n keeps with the workflow have no link, nor a part of it.
		expect(JSON.stringify(host.stored)).not.toMatch(/key=|live|ada(?:%40|@)/);
	},
);

test('a polled person has the join link where it is asked for, and nothing stored has it', async () => {
	const host = new PollingHost(scene.sandbox, { options: { includeJoinLink: true } });
	await host.activate();
	time.passMinutes(5);
	await scene.sandbox.register('ada@example.org');
	await host.poll();
	expect(host.items).toMatchObject([{ email: 'ada@example.org', join_link: link }]);
	expect(host.items[0]?.outlook_link).toContain(encodeURIComponent(text(host.items[0]?.join_link)));
	expect(host.items[0]).not.toHaveProperty('estimated_duration');
	expect(JSON.stringify(host.stored)).not.toMatch(/key=|live|ada(?:%40|@)/);
});

test('the entry in the calendar lasts as long as the event is planned', async () => {
	const options = { includeJoinLink: true };
	const host = await scene.listen({ events, options });
	const polled = new PollingHost(scene.sandbox, { options });
	await polled.activate();
	time.passMinutes(5);
	await scene.sandbox.register('ada@example.org');
	await polled.poll();
	await eventually(() => host.runs.length === 1);
	const minutes = [...host.items, ...polled.items].map(({ outlook_link: link }) => {
		const { searchParams } = new URL(text(link));
		const [start, end] = ['startdt', 'enddt'].map((name) => searchParams.get(name) ?? '');
		return (Date.parse(end ?? '') - Date.parse(start ?? '')) / 60_000;
	});
	expect(minutes).toEqual([90, 90]);
});

test('without the option no item of either trigger has a join link', async () => {
	const host = await scene.listen({ events });
	const polled = new PollingHost(scene.sandbox);
	await polled.activate();
	time.passMinutes(5);
	await scene.sandbox.register('ada@example.org');
	await polled.poll();
	await eventually(() => host.runs.length === 1);
	expect(polled.items).toHaveLength(1);
	expect(JSON.stringify([host.items, polled.items])).not.toMatch(
		/join_link|key=|key%3D|calendar_link/,
	);
});
