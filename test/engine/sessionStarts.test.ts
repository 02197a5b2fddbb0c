import type { INodeParameters } from 'n8n-workflow';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { text } from '../../nodes/EventPlatform/core/values/text';
import { byId } from '../support/n8n/locators';
import { PollingHost } from '../support/n8n/pollingHost';
import { TriggerScene } from '../support/n8n/triggerScene';
import { makeEvent } from '../support/platform/platformRecords';
import { seededEvent, unknownId, upcomingSession } from '../support/platform/seededIds';
import { hours, leads, PlannedSessions } from './plannedSessions';

const scene = new TriggerScene();
const sessions = new PlannedSessions(scene);
const { time } = sessions;

const starting = 'session.starting';
const day = hours(24);
const leadsOfKit = leads([2, 'days'], [1, 'days'], [1, 'hours']);

const activated = (parameters?: INodeParameters) => sessions.activated(starting, parameters);

describe('a session that starts soon', () => {
	test('is told an hour before, with what a reminder needs', async () => {
		const host = await activated();
		const id = await sessions.plan(hours(3), { name: 'Morning class', timezone: 'Europe/Paris' });
		expect(await sessions.pollFor(host, hours(2) - 5)).toEqual([]);
		const items = await sessions.pollFor(host, 7);
		expect(items).toEqual([
			expect.objectContaining({
				event: starting,
				event_key: expect.stringMatching(/^[\w-]{22}$/) as string,
				id,
				name: 'Morning class',
				event_title: 'Product Tour: Autumn Release',
				registration_link: expect.stringMatching(/^https?:/) as string,
				starts_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00/) as string,
				starts_in_minutes: 60,
				lead: '1 hour',
				lead_minutes: 60,
			}),
		]);
		expect(items[0]?.starts_at).toBe(items[0]?.estimated_started_at);
		const google = new URL(text(items[0]?.google_calendar_link));
		expect(google.searchParams.get('text')).toBe('Product Tour: Autumn Release – Morning class');
		expect(google.searchParams.get('location')).toBe(items[0]?.registration_link);
		expect(items[0]).toMatchObject({
			outlook_link: expect.stringContaining('https://outlook.live.com/') as string,
			office365_link: expect.stringContaining('https://outlook.office.com/') as string,
		});
		expect(await sessions.pollFor(host, 90)).toEqual([]);
	});

	test('is told once for each lead time, whatever unit it has, and equal ones count once', async () => {
		const host = await activated(
			leads([2, 'days'], [90, 'minutes'], [1.5, 'hours'], [1, 'minutes']),
		);
		await sessions.plan(3 * day);
		const items = await sessions.pollFor(host, 3 * day + 5);
		expect(items.map(({ lead, lead_minutes }) => [lead, lead_minutes])).toEqual([
			['2 days', 2_880],
			['90 minutes', 90],
			['1 minute', 1],
		]);
		expect(new Set(items.map(({ event_key }) => event_key)).size).toBe(3);
	});

	test('has a key made of session, start and lead time: another trigger gives the same one', async () => {
		const [one, another] = [await activated(), await activated(leadsOfKit)];
		await sessions.plan(hours(2));
		const [item] = await sessions.pollFor(one, 62);
		await another.poll();
		expect(another.items).toMatchObject([{ event_key: item?.event_key, lead_minutes: 60 }]);
	});
});

describe('what it costs', () => {
	test('one list an hour, and one read of the session for each start that is told', async () => {
		const host = await activated();
		await sessions.plan(hours(5));
		await sessions.plan(hours(20));
		const calls = await scene.calls(() => sessions.pollFor(host, day));
		expect(host.items).toHaveLength(2);
		const lists = calls.filter((call) => call === 'GET /v1/sessions');
		expect(lists).toHaveLength(24);
		expect(calls).toHaveLength(24 + 2);
	});

	test('one list an hour, also where the lists of other events cannot be read', async () => {
		const host = await activated({ events: [starting, 'event.created'] });
		time.passMinutes(61);
		const match = { path: '/v1/events' };
		await scene.sandbox.faults([{ match, do: '429', retryAfter: 150 }]);
		const failed = await scene.calls(() => expect(host.poll()).rejects.toThrow('(429)'));
		expect(failed).toEqual(['GET /v1/sessions', 'GET /v1/events']);
		time.passMinutes(3);
		expect(await scene.calls(() => host.poll())).toEqual(['GET /v1/events']);
	});

	test('between the lists nothing is asked, until the next start is due', async () => {
		const host = await activated();
		await sessions.plan(61 + 30);
		time.passMinutes(1);
		await host.activate();
		expect(await scene.calls(() => sessions.pollFor(host, 25))).toEqual([]);
		expect(await scene.calls(() => sessions.pollFor(host, 8))).toHaveLength(1);
		expect(host.items).toHaveLength(1);
	});

	test('keeps to a third of the month with the lists of other events', async () => {
		const host = await sessions.activated('people.registered', {
			events: ['people.registered', starting],
			options: { keepToShare: true },
		});
		for (let session = 2; session < 22; session++) await sessions.plan(hours(session));
		const calls = await scene.calls(() => sessions.pollFor(host, day));
		expect(host.items).toHaveLength(20);
		// A third of 10,000 in 31 days is 107 a day, and a new trigger has half a day at once.
		expect(calls.length).toBeLessThanOrEqual(161);
		expect(calls.length).toBeGreaterThan(100);
	});

	test('a start that is due after a lead time was added is told, and takes one list', async () => {
		// Half past, because at a full hour the restart would have its turn to list them.
		time.passMinutes((90 - new Date().getMinutes()) % 60);
		await sessions.plan(hours(5));
		const host = await activated({ options: { keepToShare: true } });
		// After a start it has nothing left of what a new trigger may spend at once.
		time.passMinutes(hours(2));
		await host.restart();
		Object.assign(host.parameters, leads([177, 'minutes'], [1, 'hours']));
		const calls = await scene.calls(() => host.activate('update'));
		expect(calls).toEqual(['GET /v1/sessions']);
		expect(await sessions.pollFor(host, 30)).toMatchObject([{ lead: '177 minutes' }]);
	});

	test('a start is told in time although the lists have to wait, because requests are owed', async () => {
		const host = await activated({ options: { keepToShare: true } });
		for (let count = 0; count < 40; count++) await sessions.plan(hours(4) + 2 * count);
		// After a start it has nothing left of what a new trigger may spend at once.
		time.passMinutes(hours(1));
		await host.restart();
		const items = await sessions.pollFor(host, hours(4));
		expect(items).toHaveLength(40);
		expect(items.every(({ starts_in_minutes }) => starts_in_minutes === 60)).toBe(true);
	});
});

describe('before it is told the session is read', () => {
	test('and a canceled one is not told', async () => {
		const host = await activated();
		const id = await sessions.plan(90);
		await sessions.pollFor(host, 0);
		time.passMinutes(1);
		await host.activate();
		await sessions.set(id, 'cancel');
		expect(await sessions.pollFor(host, 100)).toEqual([]);
	});

	test('and one that was deleted, or is live already, is not told', async () => {
		const [deleted, live] = [await sessions.plan(90), await sessions.plan(90)];
		const host = await activated();
		await scene.sandbox.api.delete(`/sessions/${deleted}`);
		await sessions.set(live, 'start');
		expect(await sessions.pollFor(host, 100)).toEqual([]);
	});

	test('and one that was moved is told for its new start', async () => {
		const id = await sessions.plan(90);
		const host = await activated();
		await sessions.move(id, 150);
		expect(await sessions.pollFor(host, 85)).toEqual([]);
		expect(await sessions.pollFor(host, 10)).toMatchObject([{ id, starts_in_minutes: 60 }]);
	});
});

test('a session that the platform says it does not know, when its start is due, is asked for once, and told by the next list if it is there', async () => {
	const id = await sessions.plan(90);
	const host = await activated();
	time.passMinutes(31);
	const { store } = scene.sandbox.platform;
	const columns = store.get('SELECT * FROM sessions WHERE id = ?', id) ?? {};
	store.write('DELETE FROM sessions WHERE id = ?', id);
	const calls = await scene.calls(() => sessions.pollFor(host, 20));
	store.insert('sessions', columns);
	expect(calls.filter((call) => call.endsWith(id))).toHaveLength(1);
	expect(await sessions.pollFor(host, 35)).toMatchObject([{ id }]);
});

describe('a session that moves', () => {
	test('after it was told is told for its new start, and not again for a start that was told', async () => {
		const host = await activated();
		const id = await sessions.plan(100);
		const first = await sessions.pollFor(host, 62);
		await sessions.move(id, hours(4));
		const second = await sessions.pollFor(host, hours(3) + 2);
		expect([first.length, second.length]).toEqual([1, 1]);
		expect(second[0]?.event_key).not.toBe(first[0]?.event_key);
	});

	test('away and back is told once', async () => {
		const id = await sessions.plan(hours(5));
		const host = await activated(leads([4, 'hours']));
		expect(await sessions.pollFor(host, 62)).toHaveLength(1);
		const { data } = await scene.sandbox.api.get<{
			data: { attributes: { estimated_started_at: number } };
		}>(`/sessions/${id}`);
		const before = data.data.attributes.estimated_started_at;
		await sessions.move(id, hours(6));
		await sessions.pollFor(host, 60);
		const back = new Date(before * 1_000).toISOString();
		await sessions.change(id, { estimated_started_at: back });
		await sessions.pollFor(host, 100);
		expect(host.items).toHaveLength(1);
	});

	test('into the lead time is told until its start', async () => {
		const id = await sessions.plan(hours(10));
		const host = await activated(leads([3, 'hours']));
		await sessions.pollFor(host, hours(4));
		await sessions.move(id, 90);
		expect(await sessions.pollFor(host, 61)).toMatchObject([{ id, lead_minutes: 180 }]);
	});
});

describe('once', () => {
	test('across restarts, before and after it is told', async () => {
		const host = await activated();
		await sessions.plan(hours(6));
		await sessions.pollFor(host, hours(4));
		await host.restart();
		await sessions.pollFor(host, 62);
		expect(host.items).toHaveLength(1);
		for (let restart = 0; restart < 10; restart++) {
			await host.restart();
			await sessions.pollFor(host, 5);
		}
		expect(host.items).toHaveLength(1);
	});

	test('when n8n restarts every minute, and with few requests', async () => {
		const host = await activated();
		await sessions.plan(hours(2));
		const calls = await scene.calls(async () => {
			for (let minute = 0; minute < 120; minute++) {
				time.passMinutes(1);
				await host.restart();
			}
		});
		expect(host.items).toHaveLength(1);
		expect(calls.length).toBeLessThanOrEqual(2 + 1);
	});

	test('when n8n is killed before what it has told is saved: then it was not told, and the next start tells it', async () => {
		await sessions.plan(100);
		const host = await activated();
		time.passMinutes(45);
		host.isKilled = true;
		await expect(host.poll()).rejects.toThrow('killed');
		expect(host.items).toEqual([]);
		await host.restart();
		await sessions.pollFor(host, 30);
		expect(host.items).toMatchObject([{ starts_in_minutes: 55 }]);
	});

	test('when the workflow is published again', async () => {
		await sessions.plan(2 * day - 30);
		const host = await activated(leadsOfKit);
		await sessions.pollFor(host, day + 2);
		await host.activate();
		await sessions.pollFor(host, hours(23) + 2);
		await host.activate();
		await sessions.pollFor(host, 30);
		expect(host.items.map(({ lead }) => lead)).toEqual(['1 day', '1 hour']);
	});

	test("with n8n's durable scheduler, in which each poll stands alone", async () => {
		const host = new PollingHost(scene.sandbox, { events: [starting] });
		host.hasDurableCursors = true;
		await host.activate();
		await sessions.plan(hours(3));
		const calls = await scene.calls(() => sessions.pollFor(host, hours(3)));
		expect(host.items).toHaveLength(1);
		expect(calls).toHaveLength(3 + 1);
	});

	test('also where what is stored is no schedule: then it begins anew', async () => {
		await sessions.plan(90);
		const host = new PollingHost(scene.sandbox, { events: [starting] });
		host.startProcess();
		host.stored = '{"node:Platform":{"schedule":{"listedAt":1,"told":7}}}';
		await host.activate('init');
		await sessions.pollFor(host, 35);
		expect(host.items).toHaveLength(1);
	});

	test('when two polls overlap', async () => {
		await sessions.plan(90);
		const host = await activated();
		time.passMinutes(35);
		await Promise.all([host.poll(), host.poll()]);
		await host.poll();
		expect(host.items).toHaveLength(1);
	});
});

describe('a poll that comes late', () => {
	test('tells it until the start, with the minutes that are left', async () => {
		await sessions.plan(hours(3));
		const host = await activated();
		time.passMinutes(hours(3) - 9);
		await host.restart();
		expect(host.items).toMatchObject([{ starts_in_minutes: 9, lead_minutes: 60 }]);
	});

	test('never tells it after the start', async () => {
		await sessions.plan(hours(3));
		const host = await activated();
		time.passMinutes(hours(3) + 2);
		await host.restart();
		await sessions.pollFor(host, 70);
		expect(host.items).toEqual([]);
	});

	test('because n8n was off for a day tells of each session what is still to come, once, by the shortest lead time', async () => {
		const plannedHours = [12, 30, 50, 100];
		const ids: string[] = [];
		for (const count of plannedHours) ids.push(await sessions.plan(hours(count)));
		const host = await activated(leads([1, 'days'], [1, 'hours']));
		time.passMinutes(hours(29) + 16);
		await host.restart();
		expect(
			host.items.map(({ id, lead, starts_in_minutes: minutes }) => [id, lead, minutes]),
		).toEqual([
			[ids[2], '1 day', hours(20) + 44],
			[ids[1], '1 hour', 44],
		]);
		await sessions.pollFor(host, 30);
		expect(host.items).toHaveLength(2);
	});
});

describe('not told is', () => {
	test('what was due before the trigger was activated', async () => {
		await sessions.plan(hours(30));
		time.passMinutes(hours(10));
		const host = await activated(leadsOfKit);
		const items = await sessions.pollFor(host, hours(20));
		expect(items.map(({ lead }) => lead)).toEqual(['1 hour']);
	});

	test('what was due while the workflow was unpublished', async () => {
		await sessions.plan(hours(3));
		const host = await activated();
		time.passMinutes(hours(2) + 30);
		await host.activate();
		await sessions.pollFor(host, 30);
		expect(host.items).toEqual([]);
	});

	test('what was due before the published workflow got another lead time or lost a filter', async () => {
		const [id, another] = [await sessions.plan(hours(60)), await sessions.plan(hours(60))];
		const host = await activated({ ...leads([1, 'hours']), sessionId: byId(id) });
		time.passMinutes(hours(20));
		Object.assign(host.parameters, leadsOfKit, { sessionId: byId('') });
		await host.activate('update');
		expect(host.items).toEqual([]);
		time.passMinutes(hours(17));
		const items = await sessions.pollFor(host, 10);
		expect(items).toMatchObject([
			{ id, lead: '1 day' },
			{ id: another, lead: '1 day' },
		]);
	});

	test('what was due before the session existed', async () => {
		const host = await activated(leadsOfKit);
		time.passMinutes(30);
		await sessions.plan(hours(10));
		const items = await sessions.pollFor(host, hours(10));
		expect(items.map(({ lead }) => lead)).toEqual(['1 hour']);
	});

	test('a session without a planned start, a draft, or one that is canceled', async () => {
		const draft = await makeEvent(scene.sandbox, { status: 'draft' });
		await sessions.plan(undefined);
		await sessions.plan(hours(3), {}, draft);
		const canceled = await sessions.plan(hours(3));
		await sessions.set(canceled, 'cancel');
		const host = await activated();
		const calls = await scene.calls(() => sessions.pollFor(host, hours(4)));
		expect(host.items).toEqual([]);
		expect(calls).toHaveLength(4);
	});
});

test('a Start From in the past tells what was due since then, until the start', async () => {
	await sessions.plan(hours(3));
	time.passMinutes(hours(2) + 30);
	const startFrom = new Date(Date.now() - 3_600_000).toISOString();
	const host = await activated({ options: { startFrom } });
	expect(host.items).toMatchObject([{ starts_in_minutes: expect.any(Number) as number }]);
	await host.activate();
	expect(host.items).toHaveLength(1);
});

test('a Start From in the past does not tell at once what was due before a lead time was added', async () => {
	await sessions.plan(hours(40));
	time.passMinutes(hours(20));
	const startFrom = new Date(Date.now() - 30 * 24 * 3_600_000).toISOString();
	const host = await activated({ options: { startFrom } });
	await sessions.pollFor(host, 10);
	Object.assign(host.parameters, leads([1, 'days'], [19, 'hours'], [1, 'hours']));
	await host.activate('update');
	expect(host.items).toEqual([]);
	const items = await sessions.pollFor(host, 62);
	expect(items).toMatchObject([{ lead: '19 hours', lead_minutes: hours(19) }]);
});

describe('the filters', () => {
	test.each<[string, () => INodeParameters, string]>([
		['Session', () => ({ sessionId: byId(upcomingSession) }), `/v1/sessions/${upcomingSession}`],
		['Event', () => ({ eventId: byId(seededEvent) }), `/v1/events/${seededEvent}/sessions`],
		['Event Title Contains', () => ({ eventTitleContains: 'PRODUCT tour' }), '/v1/sessions'],
	])('%s leaves out other sessions', async (_, parameters, path) => {
		await sessions.plan(hours(3), {}, await makeEvent(scene.sandbox, { title: 'Another' }));
		await sessions.move(upcomingSession, hours(3));
		const host = await activated(parameters());
		const [first] = await scene.calls(() => sessions.pollFor(host, hours(3)));
		expect(first).toBe(`GET ${path}`);
		expect(host.items).toMatchObject([{ id: upcomingSession }]);
	});
});

describe('many sessions', () => {
	test('a thousand of them cost no more lists, and each is told once', async () => {
		sessions.planMany(1_000, 120);
		const host = await activated({ options: { keepToShare: true } });
		const calls = await scene.calls(() => sessions.pollFor(host, day));
		expect(host.items).toHaveLength(12);
		// Where a list is due at the same moment, it shows the session.
		expect(calls.length).toBeGreaterThanOrEqual(24);
		expect(calls.length).toBeLessThanOrEqual(24 + 12);
	});
});

describe('time', () => {
	test('what is due just after the activation is told, although our clock is ahead', async () => {
		await scene.sandbox.changeWorld({ clockAheadMs: -7 * 60_000 });
		// On the platform's clock it starts in 73 minutes, and is due three minutes after the activation.
		await sessions.plan(66);
		time.passMinutes(10);
		const host = await activated();
		expect(await sessions.pollFor(host, 5)).toMatchObject([{ starts_in_minutes: 60 }]);
	});

	test.each([7, -7])(
		'a clock of the platform that is %s minutes ahead changes nothing',
		async (ahead) => {
			await scene.sandbox.changeWorld({ clockAheadMs: ahead * 60_000 });
			// On the platform's clock it starts in three hours.
			await sessions.plan(hours(3) + ahead);
			const host = await activated();
			const calls = await scene.calls(async () => {
				expect(await sessions.pollFor(host, hours(2) - 3)).toEqual([]);
				expect(await sessions.pollFor(host, 6)).toMatchObject([{ starts_in_minutes: 60 }]);
			});
			expect(calls.length).toBeLessThanOrEqual(4);
		},
	);
});

describe('the fetch button', () => {
	test('shows the next session with the lead time that comes next', async () => {
		const id = await sessions.plan(hours(20), { name: 'Next' });
		const host = new PollingHost(scene.sandbox, { events: [starting], ...leadsOfKit });
		expect(await host.test()).toMatchObject([
			{ id, event: starting, lead: '1 hour', starts_in_minutes: hours(20) },
		]);
		await sessions.set(id, 'cancel');
		expect(await host.test()).toMatchObject([{ id: upcomingSession, lead: '2 days' }]);
		expect(host.stored).toBe('{}');
	});

	test('says so when no session is to come', async () => {
		const sessionId = byId(await sessions.plan(undefined));
		const host = new PollingHost(scene.sandbox, { events: [starting], sessionId });
		await expect(host.test()).rejects.toThrow('Nothing of this kind was found');
	});
});

test('a platform without a list of sessions says so at the activation', async () => {
	await scene.sandbox.changeWorld({ endpoints: 'specified' });
	await expect(activated()).rejects.toThrow(/^This platform has no endpoint for sessions \(404\)/);
});

test.each<[string, INodeParameters, string]>([
	['no lead time', { leadTimes: {} }, "'Lead Times' is empty. Add at least one, such as 1 hour."],
	['no amount', leads([0, 'hours']), "'Lead Times': 0 hours is no time before a start. Give"],
	['an unknown unit', leads([1, 'weeks']), "'Lead Times': 1 weeks is no time before a start"],
	['more than a year', leads([400, 'days']), "'Lead Times': 400 days is no time before a start"],
	['an unknown session', { sessionId: byId(unknownId) }, '(404)'],
])('an activation with %s is refused', async (_, parameters, message) => {
	await expect(activated(parameters)).rejects.toThrow(message);
});

test('a webhook tells no start and no change: the other trigger does not offer them', () => {
	const { properties } = new EventPlatformTrigger().description;
	expect(JSON.stringify(properties)).not.toMatch(/session\.(?:starting|changed)/);
});
