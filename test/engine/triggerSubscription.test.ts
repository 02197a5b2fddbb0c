import '../support/time/fasterClock';
import type { INodeParameters } from 'n8n-workflow';
import { tokenCredential } from '../support/n8n/engineConsent';
import { linesOfLog } from './log';
import { TriggerScene } from '../support/n8n/triggerScene';
import type { WebhookHost } from '../support/n8n/webhookHost';

const scene = new TriggerScene();
const events = ['job.ended', 'people.registered', 'session.ended', 'session.started'];
const posted = { method: 'POST', path: '/v1/webhooks' };

describe('activation', () => {
	test.each<[string, (host: WebhookHost) => unknown, number]>([
		['to each chosen kind, once, also where it is typed as well', () => {}, 4],
		['to nothing anew when what n8n stored is lost', (host) => (host.stored = '{}'), 4],
		['at a changed public URL', (host) => (host.address = 'https://new.example.org'), 8],
	])('subscribes %s, and deactivation leaves nothing behind', async (_, change, made) => {
		const host = await scene.listen({ events, options: { otherEvents: ' job.ended, ' } });
		change(host);
		await host.activate('init');
		expect(await scene.eventTypesOf(host.url)).toEqual(events);
		expect(await scene.subscriptions()).toHaveLength(4);
		expect((await scene.calls()).filter((call) => call.startsWith('POST'))).toHaveLength(made);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
		expect(host.staticData.subscription).toMatchObject({ ids: {}, outdated: [] });
	});

	test('removes the first two and tells the reason when the third of four cannot be made', async () => {
		const host = await scene.start({ events });
		await scene.sandbox.faults([{ match: posted, after: 2, times: 1, do: '500' }]);
		await expect(host.activate()).rejects.toThrow('(500)');
		const removed = (await scene.calls()).filter((call) => call.startsWith('DELETE'));
		expect(removed).toHaveLength(2);
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('subscribes to what is chosen anew although what is not wanted any more cannot be removed, which the log says and a check does', async () => {
		const warnings = linesOfLog('warn');
		const host = await scene.listen({ events });
		const [former, ...kept] = events;
		const wanted = [...kept, 'session.created'].sort();
		host.parameters = { ...host.parameters, events: wanted };
		await scene.sandbox.faults([
			{ match: { method: 'DELETE', path: '/v1/webhooks/:id' }, times: 1, do: 'empty-403' },
		]);
		await host.activate('update');
		expect(await scene.eventTypesOf(host.url)).toEqual([former, ...wanted].sort());
		expect(warnings()).toEqual([expect.stringContaining('could not delete its former webhooks')]);
		await host.activate('init');
		expect(await scene.eventTypesOf(host.url)).toEqual(wanted);
	});

	test('that fails removes one that was made although its answer got lost as well', async () => {
		const host = await scene.start({ events });
		await scene.sandbox.faults([{ match: posted, after: 2, times: 1, do: 'reset-after' }]);
		await expect(host.activate()).rejects.toThrow();
		expect(await scene.subscriptions()).toEqual([]);
		await host.activate();
		expect(await scene.eventTypesOf(host.url)).toEqual(events);
	});
});

describe('a copy of the workflow leaves the subscriptions of the original alone', () => {
	test('at the same URL', async () => {
		const original = await scene.listen({ events });
		const before = await scene.subscriptions();
		for (const stored of ['{}', original.stored]) {
			const copy = await scene.start({ events }, { copyOf: original });
			copy.stored = stored;
			await copy.deactivate();
			expect(await scene.subscriptions()).toEqual(before);
			await copy.activate();
			await copy.deactivate();
			expect(await scene.subscriptions()).toEqual(before);
		}
	});

	test('in another n8n', async () => {
		const original = await scene.listen();
		const before = await scene.subscriptions();
		const copy = await scene.start();
		copy.stored = original.stored;
		await copy.deactivate();
		await copy.activate('init');
		expect(await scene.eventTypesOf(copy.url)).toEqual(['job.ended']);
		await copy.deactivate();
		expect(await scene.subscriptions()).toEqual(before);
	});

	test('so does a test in the editor, which has its own URL, also when it fails', async () => {
		const host = await scene.listen({ events });
		const production = await scene.subscriptions();
		host.parameters = { events, verify: 'signature' };
		await expect(host.listenForTest()).rejects.toThrow('no secret');
		expect(await scene.subscriptions()).toEqual(production);
		host.parameters = { events };
		const stop = await host.listenForTest();
		expect(await scene.eventTypesOf(host.testUrl)).toEqual(events);
		await stop();
		expect(await scene.subscriptions()).toEqual(production);
	});
});

describe('deactivation', () => {
	test('tells what cannot be removed, removes the others, and finishes at the next try', async () => {
		const host = await scene.listen({ events });
		const match = { method: 'DELETE', path: '/v1/webhooks/:id' };
		await scene.sandbox.faults([{ match, times: 4, do: '500' }]);
		await expect(host.deactivate()).rejects.toThrow();
		expect(await scene.subscriptions()).toHaveLength(1);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('remembers the events that were seen, so that what is under way is no surprise later', async () => {
		const host = await scene.listen();
		host.stored = JSON.stringify({ 'node:Platform': { ...host.staticData, seen: ['key'] } });
		await host.deactivate();
		expect(host.staticData).toMatchObject({ seen: ['key'] });
	});
});

describe('a manual subscription', () => {
	test('makes no call at all', async () => {
		const host = await scene.listen({ subscription: 'manual', events });
		await host.activate('init');
		await host.deactivate();
		expect(await scene.calls()).toEqual([]);
	});

	test('that was automatic before does not leave the old subscriptions behind', async () => {
		const host = await scene.listen({ events });
		host.parameters = { ...host.parameters, subscription: 'manual' };
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});
});

test.each<[string, INodeParameters, string]>([
	['no event', { events: [] }, "No event is chosen. Choose at least one under 'Trigger On'."],
	['signatures without a secret', { verify: 'signature' }, 'no secret'],
	[
		'a kind that the API cannot confirm',
		{ verify: 'api', options: { otherEvents: 'poll.closed' } },
		'cannot confirm poll.closed',
	],
])('what cannot work is told on activation: %s', async (_, parameters, words) => {
	const host = await scene.start(parameters);
	await expect(host.activate()).rejects.toThrow(words);
	expect((await scene.calls()).filter((call) => call.startsWith('POST'))).toEqual([]);
});

test.each(['activate', 'init', 'update'] as const)(
	'the message of an activation (%s) says what to do, because n8n shows nothing else',
	async (mode) => {
		const credential = tokenCredential({ ...scene.sandbox, apiToken: 'wrong-token' });
		const host = await scene.start({}, { credential });
		await expect(host.activate(mode)).rejects.toMatchObject({
			message: expect.stringMatching(/\(401\)\. .*Test the credential/) as string,
			description: undefined,
		});
	},
);

describe('an address is explained', () => {
	async function isExplained(host: WebhookHost, message: string): Promise<void> {
		const help = /^(?=.*Polling Trigger)(?=.*WEBHOOK_URL)(?=.*Manual)/s;
		await expect(host.activate()).rejects.toMatchObject({
			message: expect.stringMatching(help) as string,
		});
		await expect(host.activate()).rejects.toThrow(message);
	}
	const at = (baseUrl: string) =>
		scene.start({}, { credential: tokenCredential({ baseUrl, apiToken: 'token' }) });

	test.each([
		['of this machine', undefined, 'only this machine or its own network can reach it'],
		['without HTTPS', 'http://n8n.example.org', 'the platform only delivers to HTTPS addresses'],
	])('%s, before anything is sent to a platform on the internet', async (_, address, obstacle) => {
		// A name that nobody can register: a request would end in an error of another kind.
		const host = await at('https://api.platform.invalid');
		host.address = address;
		await isExplained(host, `The platform cannot reach ${host.url}: ${obstacle}`);
	});

	test('in the words that are searched for, where the credential leads to Livestorm', async () => {
		const host = await at('https://api.livestorm.co/v1');
		await isExplained(host, `Livestorm cannot reach ${host.url}: `);
	});
});
