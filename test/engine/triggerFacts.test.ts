import type { INodeParameters, INodeType } from 'n8n-workflow';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { restartedNode, TriggerScene } from '../support/n8n/triggerScene';
import type { WebhookHost } from '../support/n8n/webhookHost';
import { makeEvent, makeSession } from '../support/platform/platformRecords';
import { eventually } from '../support/time/eventually';
import { linesOfLog } from './log';

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

async function reschedule(session: string, estimated_started_at: string): Promise<void> {
	const data = { type: 'sessions', id: session, attributes: { estimated_started_at } };
	await scene.sandbox.api.patch(`/sessions/${session}`, { data });
}

const reads = (session: string) => async () =>
	(await scene.calls()).filter((call) => call === `GET /v1/sessions/${session}`).length;

describe('while the platform shows no session', () => {
	const noSession = [{ match: { path: '/v1/sessions/:id' }, times: 1_000, do: '500' as const }];

	test('the title that was read before decides, however old it is', async () => {
		const launch = await makeSession(
			scene.sandbox,
			await makeEvent(scene.sandbox, { title: 'The Launch' }),
		);
		const party = await makeSession(
			scene.sandbox,
			await makeEvent(scene.sandbox, { title: 'A party' }),
		);
		const host = await scene.listen(filtered);
		for (const session of [launch, party]) await register(1, session, `before-${session}`);
		await eventually(() => host.answers.length === 2);
		await scene.sandbox.faults(noSession);
		time.passMinutes(3 * 24 * 60);
		for (const session of [launch, party]) await register(2, session, `after-${session}`);
		await eventually(() => host.answers.length === 6);
		expect(host.answers).toEqual([200, 200, 200, 200, 200, 200]);
		expect(host.items.map(({ event_title }) => event_title)).toEqual(
			Array.from({ length: 3 }, () => 'The Launch'),
		);
	});

	/**
	 * Registers somebody of whom no attempt can tell the title. The last one but one comes ten minutes after the first. Somebody else has
	 * registered before the workflow was published. `receiving`: another process of n8n takes the deliveries.
	 */
	async function registrationThatNobodyJudges(
		more: INodeParameters = {},
		receiving?: INodeType,
	): Promise<WebhookHost> {
		const event = await makeEvent(scene.sandbox, { title: 'The Launch' });
		const session = await makeSession(scene.sandbox, event);
		await register(1, session, 'before-the-publication');
		time.passMinutes(5);
		const host = await scene.listen({ ...filtered, ...more });
		await host.poll();
		host.node = receiving ?? host.node;
		await scene.sandbox.faults(noSession);
		await register(1, session, 'unread');
		await eventually(() => host.answers.length === 1);
		time.passMinutes(10);
		await eventually(() => host.answers.at(-1) === 200);
		expect(new Set(host.answers.slice(0, -1))).toEqual(new Set([503]));
		expect(host.runs).toEqual([]);
		return host;
	}

	test('a registration comes again, and the next check reads it where that was in vain', async () => {
		const host = await registrationThatNobodyJudges();
		await scene.sandbox.web.delete('/_sandbox/faults');
		time.passMinutes(6 * 60);
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'unread-0@example.org' }]);
		await scene.redeliver();
		time.passMinutes(6 * 60);
		await host.poll();
		expect(host.runs).toHaveLength(1);
	});

	test('a registration that comes in vain is said to be lost, where the subscription is never checked', async () => {
		const warnings = linesOfLog('warn');
		await registrationThatNobodyJudges({ pollTimes: {} });
		expect(warnings()).toContainEqual(
			expect.stringContaining("Add a time under 'Check Subscription'"),
		);
	});

	test('a registration that comes in vain to a process without checks is read after the next start, and the log says so', async () => {
		const warnings = linesOfLog('warn');
		const host = await registrationThatNobodyJudges({}, restartedNode());
		expect(warnings()).toContainEqual(expect.stringContaining('after the next start of n8n'));
		await scene.sandbox.web.delete('/_sandbox/faults');
		host.node = restartedNode();
		await host.activate('init');
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'unread-0@example.org' }]);
	});

	test('a registration is read by a later check, where the next one cannot read either and n8n ends meanwhile', async () => {
		const host = await registrationThatNobodyJudges();
		time.passMinutes(6 * 60);
		await scene.sandbox.faults([{ match: { path: '/v1/sessions' }, times: 1_000, do: '500' }]);
		await expect(host.poll()).rejects.toThrow('(500)');
		await scene.sandbox.web.delete('/_sandbox/faults');
		host.node = restartedNode();
		await host.activate('init');
		time.passMinutes(6 * 60);
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'unread-0@example.org' }]);
	});
});

test('a session that is rescheduled has its new start in the items an hour later', async () => {
	const session = await makeSession(scene.sandbox);
	const host = await scene.listen({ events: ['people.registered'] });
	await register(1, session, 'before');
	await eventually(() => host.answers.length === 1);
	await reschedule(session, '2027-03-02 10:00:00');
	time.passMinutes(60);
	await register(1, session, 'after');
	await eventually(() => host.answers.length === 2);
	const starts = host.items.map(({ session_started_at }) =>
		new Date(session_started_at as string).toISOString(),
	);
	expect(starts).toEqual(['2027-03-01T09:00:00.000Z', '2027-03-02T09:00:00.000Z']);
});

test.each([
	['passes the filter', 'The Launch', 30],
	['is excluded by the filter', 'A party', 0],
])(
	'thirty people who register for a session that %s cost one request to read it',
	async (_, title, runs) => {
		const event = await makeEvent(scene.sandbox, { title });
		const session = await makeSession(scene.sandbox, event);
		const host = await scene.listen(filtered);
		await register(30, session, 'guest');
		await eventually(() => host.answers.length === 30);
		expect([host.runs.length, await reads(session)()]).toEqual([runs, 1]);
	},
);

test('triggers with one token share what they read of a session', async () => {
	const session = await makeSession(scene.sandbox);
	const hosts = [
		await scene.listen(filtered),
		await scene.listen({ events: ['people.registered'] }),
		await scene.listen({ events: ['people.registered'] }),
	];
	await register(3, session, 'guest');
	await eventually(() => hosts.every(({ answers }) => answers.length === 3));
	expect([hosts.map(({ runs }) => runs.length), await reads(session)()]).toEqual([[0, 3, 3], 1]);
});
