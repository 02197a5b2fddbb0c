import type { INodeParameters } from 'n8n-workflow';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { WebhookHost, type HostOptions } from '../support/webhooks';

let sandbox: TestSandbox;
beforeAll(async () => {
	// Fast, and said so: the connector keeps to the limit that it is told.
	sandbox = await sandboxForTests({ rate: 500 });
});
beforeEach(() => sandbox.reset());

const fourKinds = ['job.ended', 'people.registered', 'session.started', 'session.ended'];

function start(parameters: INodeParameters = {}, more: HostOptions = {}): Promise<WebhookHost> {
	return WebhookHost.start(sandbox, { parameters, ...more });
}

interface Subscription {
	id: string;
	attributes: { url: string; event: string };
}

async function subscriptions(): Promise<Subscription[]> {
	const { data } = await sandbox.api.get<{ data: Subscription[] }>('/webhooks?page[size]=50');
	return data.data;
}

async function kindsOf(url: string): Promise<string[]> {
	const ours = (await subscriptions()).filter(({ attributes }) => attributes.url === url);
	return ours.map(({ attributes }) => attributes.event).sort();
}

async function subscribe(url: string, event: string): Promise<string> {
	const body = { data: { type: 'webhooks', attributes: { url, event } } };
	const { data } = await sandbox.api.post<{ data: Subscription }>('/webhooks', body);
	return data.data.id;
}

/** What was asked of the API since the sandbox was reset. */
async function calls(): Promise<string[]> {
	return (await sandbox.requests()).map(({ method, path }) => `${method} ${path}`);
}

describe('activation', () => {
	test('subscribes to each chosen kind, and deactivation leaves nothing', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		expect(await kindsOf(host.url)).toEqual([...fourKinds].sort());
		await host.deactivate();
		expect(await subscriptions()).toEqual([]);
		expect(host.staticData.subscription).toBeUndefined();
	});

	test('a restart finds the subscriptions again and makes no second one', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		const before = await subscriptions();
		await host.activate('init');
		expect(await subscriptions()).toEqual(before);
	});

	test('a restart costs one request', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		const before = (await calls()).length;
		await host.activate('init');
		expect((await calls()).slice(before)).toEqual(['GET /v1/webhooks']);
	});

	test('subscriptions are found by URL and kind when what n8n stored is lost', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		const before = await subscriptions();
		host.stored = '{}';
		await host.activate('init');
		expect(await subscriptions()).toEqual(before);
		await host.deactivate();
		expect(await subscriptions()).toEqual([]);
	});

	test('one of several that was lost is made anew, and only that one', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		const before = await subscriptions();
		const [lost, ...kept] = before;
		await sandbox.api.delete(`/webhooks/${lost?.id}`);
		await host.activate('init');
		const after = await subscriptions();
		expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(kept.map(({ id }) => id)));
		expect(await kindsOf(host.url)).toEqual([...fourKinds].sort());
		await host.deactivate();
		expect(await subscriptions()).toEqual([]);
	});

	test('when the third of four cannot be made, the first two are removed and the reason is told', async () => {
		const host = await start({ events: fourKinds });
		const match = { method: 'POST', path: '/v1/webhooks' };
		await sandbox.faults([{ match, after: 2, times: 1, do: '500' }]);
		await expect(host.subscribe()).rejects.toThrow('(500)');
		const removed = (await calls()).filter((call) => call.startsWith('DELETE'));
		expect(removed).toHaveLength(2);
		expect(await subscriptions()).toEqual([]);
	});

	test('one that was made although its answer got lost is removed as well', async () => {
		const host = await start({ events: fourKinds });
		const match = { method: 'POST', path: '/v1/webhooks' };
		await sandbox.faults([{ match, after: 2, times: 1, do: 'reset-after' }]);
		await expect(host.subscribe()).rejects.toThrow();
		expect(await subscriptions()).toEqual([]);
		await host.activate();
		expect(await kindsOf(host.url)).toEqual([...fourKinds].sort());
	});

	test('after a failure the next activation works', async () => {
		const host = await start({ events: fourKinds });
		const match = { method: 'POST', path: '/v1/webhooks' };
		await sandbox.faults([{ match, after: 1, times: 1, do: 'html-502' }]);
		await expect(host.activate()).rejects.toThrow();
		await host.activate();
		expect(await kindsOf(host.url)).toEqual([...fourKinds].sort());
	});

	test('subscriptions of our own URL to kinds that are not chosen any more go away', async () => {
		const host = await start({ events: ['job.ended'] });
		await subscribe(host.url, 'people.registered');
		await subscribe(`${host.url}/`, 'job.ended');
		await subscribe(host.url, 'job.ended');
		await host.activate();
		const ours = (await subscriptions()).map(({ attributes }) => attributes.event);
		expect(ours).toEqual(['job.ended']);
	});

	test('subscriptions of others stay, whatever happens', async () => {
		const other = await subscribe('https://elsewhere.example.org/hook', 'job.ended');
		const host = await start({ events: fourKinds });
		await host.activate();
		await host.deactivate();
		host.stored = '{}';
		await host.deactivate();
		expect((await subscriptions()).map(({ id }) => id)).toEqual([other]);
	});

	test('subscriptions beyond the first page are found', async () => {
		for (let other = 0; other < 60; other++) {
			await subscribe(`https://elsewhere.example.org/${other}`, 'job.ended');
		}
		const host = await start({ events: ['job.ended'] });
		await host.activate();
		const before = await subscriptions();
		host.stored = '{}';
		await host.activate('init');
		expect(await subscriptions()).toEqual(before);
		await host.deactivate();
		const { data } = await sandbox.api.get<{ meta: { record_count: number } }>('/webhooks');
		expect(data.meta.record_count).toBe(60);
	});

	test('those of a former address of this n8n are removed', async () => {
		const host = await start({ events: ['job.ended'] });
		const former = await subscribe('https://old.example.org/webhook/1', 'job.ended');
		const subscription = {
			url: 'https://old.example.org/webhook/1',
			ids: { 'job.ended': former },
		};
		host.stored = JSON.stringify({ 'node:Platform': { subscription } });
		await host.activate('init');
		expect((await subscriptions()).map(({ attributes }) => attributes.url)).toEqual([host.url]);
	});
});

describe('deactivation', () => {
	test('one that is gone already is fine', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		const [gone] = await subscriptions();
		await sandbox.api.delete(`/webhooks/${gone?.id}`);
		await host.deactivate();
		expect(await subscriptions()).toEqual([]);
	});

	test('any other refusal is told, the others are removed, and the next try finishes', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		const match = { method: 'DELETE', path: '/v1/webhooks/:id' };
		await sandbox.faults([{ match, times: 4, do: '500' }]);
		await expect(host.deactivate()).rejects.toThrow();
		expect(await subscriptions()).toHaveLength(1);
		await host.deactivate();
		expect(await subscriptions()).toEqual([]);
	}, 15_000);

	test('events that were seen are remembered, so that what is under way is no surprise later', async () => {
		const host = await start();
		await host.activate();
		host.stored = JSON.stringify({
			'node:Platform': { ...host.staticData, seen: ['key'] },
		});
		await host.deactivate();
		expect(host.staticData).toEqual({ seen: ['key'] });
	});
});

describe('a manual subscription', () => {
	test('makes no call at all', async () => {
		const host = await start({ subscription: 'manual', events: fourKinds });
		await host.activate();
		await host.activate('init');
		await host.deactivate();
		expect(await calls()).toEqual([]);
	});

	test('that was automatic before does not leave the old subscriptions behind', async () => {
		const host = await start({ events: fourKinds });
		await host.activate();
		host.parameters = { ...host.parameters, subscription: 'manual' };
		await host.deactivate();
		expect(await subscriptions()).toEqual([]);
	});
});

describe('a test in the editor', () => {
	test('has its own URL and leaves the production subscriptions alone', async () => {
		const host = await start({ events: ['job.ended', 'session.ended'] });
		await host.activate();
		const production = await subscriptions();
		const stop = await host.listenForTest();
		expect(await kindsOf(host.testUrl)).toEqual(['job.ended', 'session.ended']);
		await stop();
		expect(await subscriptions()).toEqual(production);
	});

	test('leaves nothing behind when the editor lost what it stored', async () => {
		const host = await start();
		await host.listenForTest();
		const stop = await host.listenForTest();
		await stop();
		expect(await subscriptions()).toEqual([]);
	});
});

describe('what cannot work is told on activation', () => {
	test.each<[string, INodeParameters, string]>([
		['no event', { events: [] }, 'No event is chosen'],
		['signatures without a secret', { verify: 'signature' }, 'no secret'],
		[
			'signatures without a secret, entered by hand',
			{ verify: 'signature', subscription: 'manual' },
			'no secret',
		],
		[
			'a kind that the API cannot confirm',
			{ options: { otherEvents: 'poll.closed' } },
			'cannot confirm poll.closed',
		],
	])('%s', async (_, parameters, words) => {
		const host = await start(parameters);
		await expect(host.activate()).rejects.toThrow(words);
		const changes = (await calls()).filter((call) => call.startsWith('POST'));
		expect(changes).toEqual([]);
	});

	test('a secret of blanks is no secret', async () => {
		const host = await start({ verify: 'signature' }, { webhookSecret: '  \n' });
		await expect(host.activate()).rejects.toThrow('no secret');
	});

	test('with a secret, signatures can be checked', async () => {
		const host = await start({ verify: 'signature' }, { webhookSecret: 'secret' });
		await host.activate();
		expect(await kindsOf(host.url)).toEqual(['job.ended']);
	});

	test('an unknown kind is the platform’s to refuse', async () => {
		const host = await start({ events: ['job.ended'], options: { otherEvents: 'people.cloned' } });
		await expect(host.activate()).rejects.toThrow('refused the request as invalid');
		expect(await subscriptions()).toEqual([]);
	});

	test('a kind that is typed and chosen is subscribed once', async () => {
		const host = await start({
			events: ['job.ended'],
			options: { otherEvents: ' job.ended, session.started ' },
		});
		await host.activate();
		expect(await kindsOf(host.url)).toEqual(['job.ended', 'session.started']);
	});

	test('a blocked workspace is told as such', async () => {
		const host = await start();
		await sandbox.web.post('/_sandbox/workspace', { blocked: true });
		await expect(host.activate()).rejects.toThrow('workspace is blocked');
		expect(await sandbox.web.post('/_sandbox/workspace', { blocked: false })).toHaveProperty(
			'status',
			200,
		);
	});
});

describe('the address', () => {
	test('that the platform does not accept is explained', async () => {
		const strict = await sandboxForTests({ allowHttpWebhooks: false });
		const host = await WebhookHost.start(strict);
		await expect(host.activate()).rejects.toMatchObject({
			message: expect.stringContaining(`refuses to deliver to ${host.url}`) as string,
			description: expect.stringMatching(/WEBHOOK_URL.*Manual/) as string,
		});
	});
});
