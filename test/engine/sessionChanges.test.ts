import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../support/n8n/locators';
import { PollingHost } from '../support/n8n/pollingHost';
import { TriggerScene } from '../support/n8n/triggerScene';
import { makeEvent } from '../support/platform/platformRecords';
import { upcomingSession } from '../support/platform/seededIds';
import { hours, leads, PlannedSessions } from './plannedSessions';

const scene = new TriggerScene();
const sessions = new PlannedSessions(scene);
const { time } = sessions;

const changed = 'session.changed';
const activated = (parameters?: INodeParameters) => sessions.activated(changed, parameters);

describe('a session that was changed', () => {
	test.each<[string, (id: string) => Promise<unknown>, object]>([
		[
			'moved',
			(id) => sessions.move(id, hours(40)),
			{ changes: 'moved', previous_name: 'Planned', name: 'Planned' },
		],
		[
			'renamed',
			(id) => sessions.change(id, { name: 'Another name' }),
			{ changes: 'renamed', previous_name: 'Planned', name: 'Another name' },
		],
		[
			'canceled',
			(id) => sessions.set(id, 'cancel'),
			{ changes: 'canceled', previous_name: 'Planned', status: 'canceled' },
		],
		[
			'moved and renamed',
			async (id) => {
				await sessions.move(id, hours(50));
				await sessions.change(id, { name: 'Later' });
			},
			{ changes: 'moved, renamed', previous_name: 'Planned', name: 'Later' },
		],
	])('is told by the next list when it was %s, and once', async (_, change, expected) => {
		const id = await sessions.plan(hours(30));
		const host = await activated();
		const unchanged = await host.test();
		await change(id);
		expect(await sessions.pollFor(host, 55)).toEqual([]);
		const items = await sessions.pollFor(host, 6);
		expect(items).toMatchObject([{ event: changed, id, ...expected }]);
		const [item] = items;
		expect(item?.previous_starts_at).toBe(unchanged[0]?.starts_at);
		expect(item?.starts_at).toBe(item?.estimated_started_at);
		expect(item?.registration_link).toMatch(/^https?:/);
		expect(item?.event_title).toBe('Product Tour: Autumn Release');
		expect(await sessions.pollFor(host, hours(3))).toEqual([]);
		await host.restart();
		expect(await sessions.pollFor(host, hours(3))).toEqual([]);
	});

	test('is told when it is reopened', async () => {
		const id = await sessions.plan(hours(30));
		await sessions.set(id, 'cancel');
		const host = await activated();
		expect(await sessions.pollFor(host, hours(2))).toEqual([]);
		await sessions.set(id, 'reopen');
		expect(await sessions.pollFor(host, 61)).toMatchObject([{ id, changes: 'reopened' }]);
	});

	test('and changed back is told again, with a key of its own', async () => {
		const id = await sessions.plan(hours(30));
		const host = await activated();
		for (const name of ['One', 'Planned', 'One']) {
			await sessions.change(id, { name });
			await sessions.pollFor(host, 61);
		}
		expect(host.items.map(({ previous_name }) => previous_name)).toEqual([
			'Planned',
			'One',
			'Planned',
		]);
		expect(new Set(host.items.map(({ event_key }) => event_key)).size).toBe(3);
	});

	test('and has no name of its own is renamed by the title of its event', async () => {
		const id = await makeEvent(scene.sandbox, { title: 'Before' });
		await sessions.plan(hours(30), { name: null }, id);
		const host = await activated();
		const data = { type: 'events', id, attributes: { title: 'After' } };
		await scene.sandbox.api.patch(`/events/${id}`, { data });
		expect(await sessions.pollFor(host, 61)).toMatchObject([
			{ changes: 'renamed', previous_name: 'Before', event_title: 'After' },
		]);
	});

	test('just before its start is told although the next list comes after it', async () => {
		const id = await sessions.plan(90);
		const host = await activated();
		await sessions.pollFor(host, 61);
		await sessions.set(id, 'cancel');
		expect(await sessions.pollFor(host, 61)).toMatchObject([{ id, changes: 'canceled' }]);
	});

	test('just before its start is told, too, where another start is told before the next list', async () => {
		const id = await sessions.plan(90);
		await sessions.plan(95 + 60);
		const host = await activated({ events: [changed, 'session.starting'] });
		await sessions.pollFor(host, 61);
		await sessions.set(id, 'cancel');
		expect(await sessions.pollFor(host, 61)).toMatchObject([
			{ event: 'session.starting', lead: '1 hour' },
			{ event: changed, id, changes: 'canceled' },
		]);
	});

	test('just before its start is told although the list cannot be read for hours after it', async () => {
		const id = await sessions.plan(100);
		const host = await activated();
		await sessions.pollFor(host, 90);
		await sessions.move(id, hours(30));
		await scene.sandbox.faults([
			{ match: { path: '/v1/sessions' }, do: 'reset-before', times: 1_000 },
		]);
		for (let minute = 0; minute < hours(4); minute++) {
			time.passMinutes(1);
			await host.poll().catch(() => undefined);
		}
		await scene.sandbox.web.delete('/_sandbox/faults');
		const items = await sessions.pollFor(host, 61);
		expect(items).toMatchObject([{ id, event: changed, changes: 'moved' }]);
	});

	describe('after its planned start, while its host is late,', () => {
		test('is told, where a list has shown it since that start', async () => {
			const id = await sessions.plan(115);
			const host = await activated();
			await sessions.pollFor(host, 122);
			await sessions.move(id, 30);
			expect(await sessions.pollFor(host, 61)).toMatchObject([{ id, changes: 'moved' }]);
		});

		test('is told, where the next list comes more than an hour after that start', async () => {
			const id = await sessions.plan(45);
			const host = await activated();
			await sessions.pollFor(host, 80);
			await sessions.set(id, 'cancel');
			expect(await sessions.pollFor(host, 61)).toMatchObject([{ id, changes: 'canceled' }]);
			expect(await sessions.pollFor(host, 130)).toEqual([]);
		});

		test('is told, where each poll lists the sessions', async () => {
			const moved = await sessions.plan(90);
			const canceled = await sessions.plan(90);
			const events = [changed, 'people.registered', 'session.starting'];
			const host = await activated({ events });
			await sessions.pollFor(host, 92);
			await sessions.move(moved, 30);
			await sessions.set(canceled, 'cancel');
			const items = await sessions.pollFor(host, 2);
			const told = items.map(({ id, changes }) => ({ id, changes }));
			expect(new Set(told)).toEqual(
				new Set([
					{ id: moved, changes: 'moved' },
					{ id: canceled, changes: 'canceled' },
				]),
			);
			// The reminder of an hour before was told of the former start.
			expect(await sessions.pollFor(host, 40)).toEqual([]);
		});
	});

	test('while n8n was off for a day is told at its start', async () => {
		const id = await sessions.plan(hours(60));
		const host = await activated();
		time.passMinutes(hours(24));
		await sessions.move(id, hours(30));
		await host.restart();
		expect(host.items).toMatchObject([{ id, changes: 'moved' }]);
	});

	test('is told at the moment of a reminder that reads it', async () => {
		const id = await sessions.plan(90);
		const host = await activated({ events: [changed, 'session.starting'] });
		await sessions.move(id, 95);
		expect(await sessions.pollFor(host, 33)).toMatchObject([{ event: changed, changes: 'moved' }]);
		expect(await sessions.pollFor(host, 6)).toMatchObject([
			{ event: 'session.starting', id, starts_in_minutes: 60 },
		]);
	});
});

test('with a Start From, what changed while the workflow was unpublished is told', async () => {
	const id = await sessions.plan(hours(30));
	const startFrom = new Date(Date.now() - 60_000).toISOString();
	const host = await activated({ options: { startFrom } });
	await sessions.change(id, { name: 'Another name' });
	time.passMinutes(hours(5));
	await host.activate();
	expect(host.items).toMatchObject([{ id, changes: 'renamed' }]);
	await host.activate();
	expect(await sessions.pollFor(host, hours(2))).toEqual([]);
});

test('after another Start From, a change before it is not told', async () => {
	const id = await sessions.plan(hours(30));
	const host = await activated();
	await sessions.change(id, { name: 'Another name' });
	time.passMinutes(hours(5));
	host.parameters.options = { keepToShare: false, startFrom: new Date().toISOString() };
	await host.activate('update');
	expect(await sessions.pollFor(host, hours(2))).toEqual([]);
});

describe('no change is', () => {
	test('a session that is new, that begins, that somebody registers for, or that was deleted', async () => {
		const started = await sessions.plan(hours(3));
		const deleted = await sessions.plan(hours(30));
		const host = await activated();
		await sessions.plan(hours(20));
		await scene.sandbox.register('ada@example.org');
		await sessions.set(started, 'start');
		await scene.sandbox.api.delete(`/sessions/${deleted}`);
		const calls = await scene.calls(() => sessions.pollFor(host, hours(5)));
		expect(host.items).toEqual([]);
		// The deleted one is looked for once.
		expect(calls.filter((call) => call.includes(deleted))).toHaveLength(1);
		expect(calls).toHaveLength(6);
	});

	test('another time zone for the same moment', async () => {
		const id = await sessions.plan(hours(30), { timezone: 'Europe/Paris' });
		const host = await activated();
		await sessions.change(id, { timezone: 'America/New_York' });
		expect(await sessions.pollFor(host, 61)).toEqual([]);
	});

	test('what happened while the workflow was unpublished', async () => {
		const id = await sessions.plan(hours(30));
		const host = await activated();
		await sessions.change(id, { name: 'Another name' });
		time.passMinutes(hours(5));
		await host.activate();
		expect(await sessions.pollFor(host, hours(2))).toEqual([]);
	});
});

test('a filter leaves out the changes of other sessions', async () => {
	const other = await sessions.plan(hours(30));
	const host = await activated({ sessionId: byId(upcomingSession) });
	await sessions.change(other, { name: 'Another name' });
	await sessions.change(upcomingSession, { name: 'This one' });
	const calls = await scene.calls(() => sessions.pollFor(host, 61));
	expect(host.items).toMatchObject([{ id: upcomingSession, changes: 'renamed' }]);
	expect(calls).toEqual([`GET /v1/sessions/${upcomingSession}`]);
});

test('a thousand sessions are listed less often, so that they keep to a third of the month', async () => {
	sessions.planMany(1_000, 120);
	const host = await activated({ options: { keepToShare: true } });
	const calls = await scene.calls(() => sessions.pollFor(host, hours(24)));
	// A list has 21 pages. A third of 10,000 in 31 days is 107 a day, and a new trigger has half a day at once.
	expect(calls.length).toBeGreaterThanOrEqual(4 * 21);
	expect(calls.length).toBeLessThanOrEqual(161);
	expect(host.items).toEqual([]);
});

test('more changes than one run takes are told by the next list', async () => {
	sessions.planMany(2_010, 30);
	const host = await activated();
	scene.sandbox.platform.store.write("UPDATE sessions SET name = 'Another name'");
	await sessions.pollFor(host, 61);
	expect(host.items).toHaveLength(2_000);
	await sessions.pollFor(host, 61);
	// The seeded sessions changed as well.
	expect(new Set(host.items.map(({ id }) => id)).size).toBe(host.items.length);
	expect(host.items.length).toBeGreaterThanOrEqual(2_010);
});

test('the fetch button shows the next session, of which nothing has changed', async () => {
	const id = await sessions.plan(hours(20), { name: 'Next' });
	const host = new PollingHost(scene.sandbox, { events: [changed] });
	const [item] = await host.test();
	expect(item).toMatchObject({ id, event: changed, changes: '', previous_name: 'Next' });
	expect(item?.previous_starts_at).toBe(item?.starts_at);
	const both = new PollingHost(scene.sandbox, {
		events: [changed, 'session.starting'],
		...leads([2, 'hours']),
	});
	expect(await both.test()).toMatchObject([{ id, event: 'session.starting', lead: '2 hours' }]);
});

describe('on a platform on which an empty list has no page 0', () => {
	const strict = new TriggerScene({ emptyPage: '400', seedEvents: 0 });

	test('no session to come is no failure', async () => {
		const host = new PollingHost(strict.sandbox, { events: [changed, 'session.starting'] });
		await host.activate();
		await sessions.pollFor(host, hours(2));
		expect(host.items).toEqual([]);
	});
});
