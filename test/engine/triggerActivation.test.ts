import '../support/fasterClock';
import type { INodeParameters } from 'n8n-workflow';
import { anyServer } from '../support/anyServer';
import { tokenCredential } from '../support/engine';
import { sandboxForTests } from '../support/sandbox';
import { TriggerScene } from '../support/triggerScene';
import { WebhookHost } from '../support/webhooks';

const scene = new TriggerScene();
const fourKinds = ['job.ended', 'people.registered', 'session.started', 'session.ended'];

describe('a manual subscription', () => {
	test('makes no call at all', async () => {
		const host = await scene.start({ subscription: 'manual', events: fourKinds });
		await host.activate();
		await host.activate('init');
		await host.deactivate();
		expect(await scene.calls()).toEqual([]);
	});

	test('that was automatic before does not leave the old subscriptions behind', async () => {
		const host = await scene.start({ events: fourKinds });
		await host.activate();
		host.parameters = { ...host.parameters, subscription: 'manual' };
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});
});

describe('a test in the editor', () => {
	test('has its own URL and leaves the production subscriptions alone', async () => {
		const host = await scene.start({ events: ['job.ended', 'session.ended'] });
		await host.activate();
		const production = await scene.subscriptions();
		const stop = await host.listenForTest();
		expect(await scene.kindsOf(host.testUrl)).toEqual(['job.ended', 'session.ended']);
		await stop();
		expect(await scene.subscriptions()).toEqual(production);
	});
});

describe('what cannot work is told on activation', () => {
	test.each<[string, INodeParameters, string]>([
		['no event', { events: [] }, 'No event is chosen'],
		['signatures without a secret', { verify: 'signature' }, 'no secret'],
		[
			'a kind that the API cannot confirm',
			{ verify: 'api', options: { otherEvents: 'poll.closed' } },
			'cannot confirm poll.closed',
		],
	])('%s', async (_, parameters, words) => {
		const host = await scene.start(parameters);
		await expect(host.activate()).rejects.toThrow(words);
		const changes = (await scene.calls()).filter((call) => call.startsWith('POST'));
		expect(changes).toEqual([]);
	});

	test('a kind that is typed and chosen is subscribed once', async () => {
		const host = await scene.start({
			events: ['job.ended'],
			options: { otherEvents: ' job.ended, session.started ' },
		});
		await host.activate();
		expect(await scene.kindsOf(host.url)).toEqual(['job.ended', 'session.started']);
	});
});

describe('the address', () => {
	const help = /^(?=.*Polling Trigger)(?=.*WEBHOOK_URL)(?=.*Manual)/s;

	test('that the platform does not accept is explained', async () => {
		const strict = await sandboxForTests({ allowHttpWebhooks: false });
		const host = await WebhookHost.start(strict);
		await expect(host.activate()).rejects.toMatchObject({
			message: expect.stringContaining(`refuses to deliver to ${host.url}`) as string,
			description: expect.stringMatching(help) as string,
		});
	});

	test('that the platform refuses without a word about it is explained where it cannot be reached', async () => {
		const { baseUrl } = await anyServer((response, { method }) => {
			const isNew = method === 'POST';
			response.writeHead(isNew ? 422 : 200, { 'content-type': 'application/json' });
			response.end(isNew ? '{"errors":[{"title":"Invalid"}]}' : '{"data":[]}');
		});
		const credential = tokenCredential({ baseUrl, apiToken: 'token' });
		const host = await scene.start({}, { credential });
		await expect(host.activate()).rejects.toMatchObject({
			message: expect.stringContaining('only this machine or its own network') as string,
			description: expect.stringMatching(help) as string,
		});
	});

	test('of this machine is no use to a platform on the internet, which is told before anything is sent', async () => {
		// A name that nobody can register: a request would end in an error of another kind.
		const credential = tokenCredential({
			baseUrl: 'https://api.platform.invalid',
			apiToken: 'token',
		});
		const host = await scene.start({}, { credential });
		await expect(host.activate()).rejects.toMatchObject({
			message: `The platform cannot reach ${host.url}: only this machine or its own network can reach it`,
			description: expect.stringMatching(help) as string,
		});
	});
});
