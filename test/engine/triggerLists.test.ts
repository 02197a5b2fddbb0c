import '../support/time/fasterClock';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { tokenCredential } from '../support/n8n/engine';
import { restartedNode, TriggerScene } from '../support/n8n/triggerScene';
import { WebhookList } from '../support/platform/webhookList';
import type { WebhookHost } from '../support/n8n/webhookHost';

const scene = new TriggerScene();
const parameters: INodeParameters = { events: ['session.ended', 'session.started'] };

/** An active trigger on a platform with such ids. */
async function activeOn(ids: 'counted' | 'uuid') {
	const list = await WebhookList.start(ids);
	const credential = tokenCredential({ baseUrl: list.baseUrl, apiToken: 'token' });
	const host = await scene.listen(parameters, { credential });
	return { list, host };
}

async function restart(host: WebhookHost): Promise<void> {
	host.node = restartedNode();
	await host.activate('init');
}

/** The warnings of n8n's log, which stay silent. */
function warnings(): () => string[] {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
	return () => warn.mock.calls.map(([line]) => line);
}

function passHours(hours: number): void {
	jest.restoreAllMocks();
	const realNow = Date.now;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + hours * 3_600_000);
}

afterEach(() => jest.restoreAllMocks());

describe.each(['counted', 'uuid'] as const)('on a platform with ids that are %s', (ids) => {
	test('a list that comes back empty once is asked for again, and nothing is made twice', async () => {
		const { list, host } = await activeOn(ids);
		for (let start = 0; start < 5; start++) {
			list.emptyLists = 1;
			await restart(host);
		}
		expect(list.posts).toBe(2);
		expect(list.webhooks).toHaveLength(2);
		await host.deactivate();
		expect(list.webhooks).toEqual([]);
	});

	test('a list that is empty at five starts leads to one more of each, which goes when the list shows it', async () => {
		const lines = warnings();
		const { list, host } = await activeOn(ids);
		list.emptyLists = Infinity;
		for (let start = 0; start < 5; start++) await restart(host);
		expect(list.posts).toBe(4);
		expect(lines().filter((line) => line.includes('the platform does not list them'))).toHaveLength(
			5,
		);
		list.emptyLists = 0;
		await restart(host);
		expect(list.posts).toBe(4);
		expect(list.webhooks.map(({ event }) => event).sort()).toEqual(parameters.events);
		// What is gone now was seen to be gone: it is made again.
		list.webhooks = [];
		await restart(host);
		expect(list.posts).toBe(6);
		expect(list.webhooks).toHaveLength(2);
		await host.deactivate();
		expect(list.webhooks).toEqual([]);
	});

	test('a list that is empty at each check makes no more than one more of each, though n8n saves no check', async () => {
		const { list, host } = await activeOn(ids);
		list.emptyLists = Infinity;
		for (let hours = 6; hours <= 24; hours += 6) {
			passHours(hours);
			await host.poll();
		}
		expect(list.posts).toBe(4);
	});

	test('keys that the list does not show lead to no more than one more of each', async () => {
		const { list, host } = await activeOn(ids);
		list.shownUrl = (url) => url.replace(/key=.*/, 'key=***');
		for (let start = 0; start < 5; start++) await restart(host);
		expect(list.webhooks.length).toBeLessThanOrEqual(4);
	});
});

describe('when a workflow is unpublished', () => {
	test('a webhook of others that has our old id stays', async () => {
		const lines = warnings();
		const { list, host } = await activeOn('counted');
		const foreign = { id: 1, url: 'https://others.example.org/hook', event: 'session.ended' };
		list.webhooks = [foreign, ...list.webhooks.slice(1)];
		await host.deactivate();
		expect(list.webhooks).toEqual([foreign]);
		expect(list.requests).not.toContain('DELETE 1');
		expect(lines()).toEqual([expect.stringContaining('did not delete 1 webhooks')]);
		expect(host.staticData.subscription).toBeUndefined();
	});

	test('and when it is started: its own is made anew, and only that is removed', async () => {
		const { list, host } = await activeOn('counted');
		const foreign = { id: 1, url: 'https://others.example.org/hook', event: 'session.ended' };
		list.webhooks = [foreign, ...list.webhooks.slice(1)];
		await restart(host);
		expect(list.webhooks).toHaveLength(3);
		await host.deactivate();
		expect(list.webhooks).toEqual([foreign]);
	});

	test.each([
		['counted', 2],
		['uuid', 0],
	] as const)(
		'webhooks that the list leaves out go only where ids are not %s',
		async (ids, left) => {
			const lines = warnings();
			const { list, host } = await activeOn(ids);
			list.emptyLists = Infinity;
			await host.deactivate();
			expect(list.webhooks).toHaveLength(left);
			const told = [expect.stringContaining('Delete on the platform what still has this URL')];
			expect(lines()).toEqual(left > 0 ? told : []);
		},
	);
});

describe('on a platform without webhooks', () => {
	const bare = new TriggerScene({ endpoints: 'specified' });
	// n8n shows the message alone where a workflow cannot be published.
	const message =
		"This platform has no endpoint for webhooks (404). Set 'Subscription' to 'Manual', or use the Event Platform Polling Trigger";

	test('an activation says so, and what to do', async () => {
		const host = await bare.start(parameters);
		const description = expect.stringContaining('enter the URL of this node') as string;
		await expect(host.activate()).rejects.toMatchObject({ message, description });
		await host.deactivate();
		expect(host.staticData).toEqual({});
		host.parameters = { ...parameters, subscription: 'manual' };
		await host.activate();
	});

	test.each(['counted', 'uuid'] as const)(
		'a workflow that was active before (ids: %s) fails its check with the same words and can be unpublished',
		async (ids) => {
			const { list, host } = await activeOn(ids);
			const { baseUrl, apiToken } = bare.sandbox;
			host.changeCredential({ baseUrl, apiToken });
			passHours(6);
			await expect(host.poll()).rejects.toMatchObject({ message });
			const lines = warnings();
			await host.deactivate();
			expect(host.staticData.subscription).toBeUndefined();
			expect(lines().length).toBe(ids === 'counted' ? 1 : 0);
			expect(list.webhooks).toHaveLength(2);
		},
	);
});
