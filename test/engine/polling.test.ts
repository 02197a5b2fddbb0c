import '../support/fasterClock';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { hints, pollingSubtitle } from '../../nodes/EventPlatform/trigger/pollingCost';
import { seededId } from '../../sandbox/seed/ids';
import { PollingHost, SimulatedTime } from '../support/polling';
import { seededEvent, upcomingSession } from '../support/sandbox';
import { TriggerScene, unknownId } from '../support/triggerScene';

const scene = new TriggerScene();
const time = new SimulatedTime();
const otherSession = seededId('session', 2);

async function activated(parameters: INodeParameters = {}): Promise<PollingHost> {
	const host = new PollingHost(scene.sandbox, parameters);
	await host.activate();
	return host;
}

const located = (value: string) => ({ __rl: true, mode: 'id', value });
const emails = (items: IDataObject[]) => items.map(({ email }) => email);

describe('a poll', () => {
	test('starts one run with each registration since the activation, and none twice', async () => {
		await scene.sandbox.register('before@example.org');
		time.pass(1);
		const host = await activated();
		time.pass(5);
		await scene.sandbox.register('ada@example.org');
		await scene.sandbox.register('grace@example.org');
		await host.poll();
		const event = 'people.registered';
		expect(host.runs).toMatchObject([
			['ada', 'grace'].map((name) => ({ event, email: `${name}@example.org` })),
		]);
		await host.poll();
		time.pass(5);
		await scene.sandbox.register('edsger@example.org');
		await host.poll();
		expect(emails(host.items.slice(2))).toEqual(['edsger@example.org']);
		expect(new Set(host.items.map((item) => item.event_key)).size).toBe(3);
	});

	test('restricts itself to a session, or to the sessions of an event', async () => {
		const ofSession = await activated({ sessionId: located(otherSession) });
		const ofEvent = await activated({ eventId: located(seededEvent) });
		const ofAnother = await activated({ eventId: located(seededId('event', 2)) });
		await scene.sandbox.register('here@example.org', {}, otherSession);
		await scene.sandbox.register('there@example.org');
		time.pass(5);
		expect(await scene.calls(() => ofSession.poll())).toEqual([
			`GET /v1/sessions/${otherSession}`,
			`GET /v1/sessions/${otherSession}/people`,
		]);
		await ofEvent.poll();
		expect(await scene.calls(() => ofAnother.poll())).toEqual([
			`GET /v1/events/${seededId('event', 2)}/sessions`,
		]);
		expect(emails(ofSession.items)).toEqual(['here@example.org']);
		expect(emails(ofEvent.items).sort()).toEqual(['here@example.org', 'there@example.org']);
		expect(ofAnother.items).toEqual([]);
	});

	test('that is due while one goes on is left out', async () => {
		const host = await activated();
		await scene.sandbox.register('ada@example.org');
		time.pass(5);
		await Promise.all([host.poll(), host.poll()]);
		expect(host.runs).toHaveLength(1);
	});
});

describe('what happened while nobody polled', () => {
	test('starts its runs after a restart, also when nothing was stored since the activation', async () => {
		const host = await activated();
		time.pass(5);
		await host.poll();
		time.pass(3 * 24 * 60);
		await scene.sandbox.register('ada@example.org');
		await host.restart();
		await host.restart();
		expect(emails(host.items)).toEqual(['ada@example.org']);
	});

	test('starts no run when the workflow was deactivated, unless a start was asked for', async () => {
		const startFrom = new Date(Date.now() - 60_000).toISOString();
		const host = await activated();
		const asked = await activated({ options: { startFrom } });
		time.pass(60);
		await scene.sandbox.register('meanwhile@example.org');
		time.pass(60);
		await host.activate();
		await asked.activate();
		expect(host.items).toEqual([]);
		expect(emails(asked.items)).toEqual(['meanwhile@example.org']);
		await asked.activate();
		expect(asked.runs).toHaveLength(1);
	});

	test('starts its run once when n8n is killed before it is saved', async () => {
		const host = await activated();
		const all = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.org`);
		for (const email of all) await scene.sandbox.register(email);
		time.pass(5);
		host.isKilled = true;
		await expect(host.poll()).rejects.toThrow('killed');
		await host.restart();
		time.pass(5);
		await host.restart();
		expect(emails(host.items).sort()).toEqual(all);
		expect(host.runs).toHaveLength(1);
	});
});

describe('the test in the editor', () => {
	test('shows the latest real record, and changes nothing', async () => {
		const host = new PollingHost(scene.sandbox);
		await scene.sandbox.register('first@example.org');
		time.pass(5);
		await scene.sandbox.register('latest@example.org', {}, otherSession);
		time.pass(5);
		const calls = await scene.calls(async () => {
			const latest = { event: 'people.registered', email: 'latest@example.org' };
			expect(await host.test()).toMatchObject([latest]);
		});
		expect(calls.length).toBeLessThan(5);
		await host.activate();
		expect(host.items).toEqual([]);
	});

	test('says so when there is none', async () => {
		const sessionId = located(upcomingSession);
		const host = new PollingHost(scene.sandbox, { events: ['session.ended'], sessionId });
		await expect(host.test()).rejects.toThrow('Nothing of this kind was found');
	});
});

const everyX = (value: number, unit = 'minutes') => ({ mode: 'everyX', unit, value });

test.each<[IDataObject[], string[], boolean, string, string | undefined]>([
	[[{ mode: 'everyMinute' }], ['people.registered'], true, '3,333', 'every 14 minutes'],
	[[{ mode: 'everyMinute' }], ['people.registered'], false, '43,200', 'more than the 10,000'],
	[[everyX(15)], ['people.registered'], true, '2,880', undefined],
	[[{ mode: 'everyDay' }, { mode: 'everyHour' }], ['job.ended'], true, '1,500', undefined],
])(
	'the node says what %j and %j cost, limited %s: %s requests a month, and how often it looks: %s',
	(item, events, keepToShare, cost, hinted) => {
		const host = new PollingHost(scene.sandbox, {
			pollTimes: { item } as INodeParameters,
			events,
			options: { jobIds: 'one, two', keepToShare },
		});
		expect(host.evaluate(pollingSubtitle)).toMatch(
			new RegExp(`^${cost} requests a month · [A-Z][a-zA-Z ,]+$`),
		);
		const shown = hints.filter(({ displayCondition = '' }) => host.evaluate(displayCondition));
		expect(shown.map(({ message }) => message)).toEqual(
			hinted === undefined ? [] : [expect.stringContaining(hinted)],
		);
	},
);

test('nothing is said of the cost of a cron expression', () => {
	const pollTimes = { item: [{ mode: 'custom', cronExpression: '0 0 * * * *' }] };
	const host = new PollingHost(scene.sandbox, { pollTimes });
	expect(host.evaluate(pollingSubtitle)).toBe('Person Registered');
});

describe('the share of the month', () => {
	const limited = { options: { keepToShare: true } };

	test('is kept when n8n polls every minute, and what happened is told of with the next look', async () => {
		const host = await activated(limited);
		for (let minute = 1; minute <= 24 * 60; minute++) {
			time.pass(1);
			if (minute === 700) await scene.sandbox.register('ada@example.org');
			await host.poll();
		}
		expect(emails(host.items)).toEqual(['ada@example.org']);
		// A third of 10,000 in 30 days, and a day's share to begin with.
		const asked = (await scene.calls()).filter((call) => call.startsWith('GET'));
		expect(asked).toHaveLength(215);
	});

	test('is kept by a process that crashes and starts again every minute', async () => {
		const host = await activated(limited);
		const hours = 6;
		for (let minute = 0; minute < hours * 60; minute++) {
			time.pass(1);
			await host.restart();
		}
		const asked = (await scene.calls()).filter((call) => call.startsWith('GET'));
		expect(asked.length).toBeLessThanOrEqual(1 + (10_000 / 3 / 31) * (1 + hours / 24));
	});
});

test.each<[INodeParameters, string]>([
	[{ events: [] }, 'No event is chosen'],
	[{ events: ['job.ended'] }, "'Job IDs' is empty"],
	[{ events: ['people.watched_replay'] }, 'does not list people.watched_replay'],
	[{ options: { startFrom: 'soon' } }, 'not a date'],
	[{ sessionId: located(unknownId) }, '(404)'],
])('an activation with %j is refused: %s', async (parameters, message) => {
	await expect(activated(parameters)).rejects.toThrow(message);
});
