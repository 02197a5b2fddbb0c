import '../support/time/fasterClock';
import type { INodeParameters } from 'n8n-workflow';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { finishedJob, type Page } from '../support/platform/requests';
import { guestAddresses, personOf, type TestSandbox } from '../support/platform/sandbox';
import { claim, TriggerScene } from '../support/n8n/triggerScene';
import { WebhookHost } from '../support/n8n/webhookHost';
import { exactPlatform } from './scene';
import { eventually } from '../support/time/eventually';
import { upcomingSession, unknownId } from '../support/platform/seededIds';

/** Where triggers subscribe by themselves. */
const scene = new TriggerScene();
let exact: TestSandbox;
/** A platform whose jobs do not end while the tests go on. */
let slow: TestSandbox;
beforeAll(async () => {
	exact = await exactPlatform();
	slow = await exactPlatform({ jobMs: 600_000 });
});

/** A trigger whose URL somebody has entered on the platform of the specification. */
async function listenByHand(event: string, parameters: INodeParameters = {}) {
	const manual = { events: [event], subscription: 'manual', ...parameters };
	const host = await WebhookHost.start(exact, { parameters: manual });
	await host.activate();
	await exact.subscribeByHand(host.url, event);
	return host;
}

async function watchReplay(sandbox: TestSandbox): Promise<void> {
	const path = `/sessions/${upcomingSession}/people`;
	await sandbox.api.post(path, personOf('replay@example.org'));
	const { data } = await sandbox.api.get<Page>(`${path}?filter[email]=replay@example.org`);
	const personPath = `${upcomingSession}/people/${data.data[0]?.id}`;
	await sandbox.web.post(`/_sandbox/sessions/${personPath}/watch_replay`, {});
}

describe('6 Events', () => {
	test('Events are delivered as webhooks', async () => {
		const host = await scene.listen();
		await scene.startJob();
		await eventually(() => host.answers.length > 0);
		expect(host.answers).toEqual([200]);
		expect(host.runs).toHaveLength(1);
	});

	test('`job.ended` is sent when a job ends with success', async () => {
		const host = await listenByHand('job.ended');
		const id = await exact.startJob(guestAddresses(2, 'success'));
		await eventually(() => host.runs.length > 0);
		expect(host.items).toMatchObject([{ event: 'job.ended', id, status: 'ended' }]);
	});

	test('`job.ended` is sent when a job ends with errors', async () => {
		const host = await listenByHand('job.ended');
		const id = await exact.startJob([...guestAddresses(2, 'errors'), '']);
		await eventually(() => host.runs.length > 0);
		expect(host.items).toMatchObject([{ event: 'job.ended', id, status: 'failed' }]);
	});

	test('`job.ended` carries what GET /jobs/:id shows, with the final status', async () => {
		const host = await scene.listen();
		const id = await scene.startJob(['a@example.org', 'not an address']);
		await eventually(() => host.answers.length > 0);
		expect(host.items).toEqual([
			{
				event: 'job.ended',
				event_key: expect.stringMatching(/^[\w-]{22}$/) as string,
				received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d$/) as string,
				id,
				type: 'jobs',
				status: 'failed',
				total_items: 2,
				total_processed_items: 2,
				total_success: 1,
				total_fail: 1,
			},
		]);
		// The delivery itself says it all.
		expect(await scene.confirmations()).toEqual([]);
	});

	test('`people.watched_replay` is a kind of webhook', async () => {
		// A kind that is not offered could be typed as well, so that its run alone proves nothing.
		const { properties } = new EventPlatformTrigger().description;
		const { options } = properties.find(({ name }) => name === 'events') ?? {};
		expect(options).toContainEqual({
			name: 'Person Watched Replay',
			value: 'people.watched_replay',
		});
		const host = await scene.listen({ events: ['people.watched_replay'] });
		expect(await scene.eventTypesOf(host.url)).toEqual(['people.watched_replay']);
		await watchReplay(scene.sandbox);
		await eventually(() => host.runs.length > 0);
		expect(host.items).toMatchObject([{ event: 'people.watched_replay', type: 'people' }]);
	});

	const payloads = [
		{ data: { id: 'p1', type: 'people', attributes: { email: 'a@example.org' } } },
		{ id: 'p1', email: 'a@example.org' },
		{ data: { attributes: { email: 'a@example.org' } } },
		{ email: 'a@example.org', minutes: 3 },
	];
	test.each(payloads)(
		'What `people.watched_replay` carries is not specified: it is handed on as it came (%j)',
		async (body) => {
			const host = await listenByHand('people.watched_replay', { verify: 'none' });
			await host.deliver({ body });
			expect(host.items).toMatchObject([
				{ event: 'people.watched_replay', email: 'a@example.org' },
			]);
		},
	);

	test('More kinds may exist: any other can be named', async () => {
		const parameters: INodeParameters = {
			events: [],
			subscription: 'manual',
			verify: 'none',
			options: { otherEvents: 'people.unsubscribed' },
		};
		const host = await WebhookHost.start(exact, { parameters });
		await host.activate();
		const webhook = { event: 'people.unsubscribed' };
		const data = { id: 'p1', type: 'people', attributes: { reason: 'x' }, meta: { webhook } };
		await host.deliver({ body: { data } });
		expect(host.items).toMatchObject([{ event: 'people.unsubscribed', id: 'p1', reason: 'x' }]);
	});

	// By itself with an address and an event, as public pages have it, or by hand.
	test('How webhooks are subscribed is not specified', async () => {
		const host = await scene.listen({ events: ['job.ended', 'people.registered'] });
		expect(await scene.eventTypesOf(host.url)).toEqual(['job.ended', 'people.registered']);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
		const before = (await exact.requests()).length;
		await listenByHand('job.ended');
		expect(await exact.requests()).toHaveLength(before);
	});

	test('How deliveries are signed is not specified: without a proof the platform itself is asked', async () => {
		const host = await listenByHand('job.ended');
		await host.deliver({ body: claim(unknownId) });
		expect(host.runs).toEqual([]);
		const processing = await slow.startJob(guestAddresses(1, 'processing'));
		const early = await WebhookHost.start(slow, { parameters: { subscription: 'manual' } });
		await early.deliver({ body: claim(processing) });
		expect(early.runs).toEqual([]);
		const { id } = await finishedJob(exact, guestAddresses(1, 'asked'));
		await host.deliver({ body: claim(id) });
		expect(host.items).toMatchObject([{ id }]);
	});

	test('How deliveries are repeated is not specified: one that comes again starts no second run', async () => {
		const host = await scene.listen();
		await scene.startJob();
		await eventually(() => host.answers.length === 1);
		await scene.redeliver();
		await eventually(() => host.answers.length === 2);
		expect(host.answers).toEqual([200, 200]);
		expect(host.runs).toHaveLength(1);
	});
});
