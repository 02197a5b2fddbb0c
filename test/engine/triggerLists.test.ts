import '../support/time/fasterClock';
import type { INodeParameters } from 'n8n-workflow';
import { tokenCredential } from '../support/n8n/engineConsent';
import { warningsOfLog } from './log';
import { restartedNode, TriggerScene } from '../support/n8n/triggerScene';
import { WebhookList, type ListedWebhook } from './webhookList';
import type { WebhookHost } from '../support/n8n/webhookHost';

interface ActiveTrigger {
	/** The platform's list of webhooks, with one for each event of the trigger. */
	list: WebhookList;
	host: WebhookHost;
}

const scene = new TriggerScene();
const parameters: INodeParameters = { events: ['session.ended', 'session.started'] };

async function active(): Promise<ActiveTrigger> {
	const list = await WebhookList.start();
	const credential = tokenCredential({ baseUrl: list.baseUrl, apiToken: 'token' });
	const host = await scene.listen(parameters, { credential });
	return { list, host };
}

async function restart(host: WebhookHost, times = 1): Promise<void> {
	for (let start = 0; start < times; start++) {
		host.node = restartedNode();
		await host.activate('init');
	}
}

const realNow = Date.now;

/** Makes the time so many hours later than it really is. */
function passHours(hours: number): void {
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + hours * 3_600_000);
}

describe('where the list of webhooks does not tell the truth', () => {
	describe('a list that comes back empty once at each start', () => {
		/** Five starts, at each of which the first list is empty. */
		async function restartedOften(): Promise<ActiveTrigger> {
			const { list, host } = await active();
			for (let start = 0; start < 5; start++) {
				list.emptyLists = 1;
				await restart(host);
			}
			return { list, host };
		}

		test('is asked for again, and no webhook is made twice', async () => {
			const { list } = await restartedOften();
			expect(list.posts).toBe(2);
		});

		test('leaves nothing behind when the workflow is unpublished', async () => {
			const { list, host } = await restartedOften();
			await host.deactivate();
			expect(list.webhooks).toEqual([]);
		});
	});

	describe('a list that is empty at five starts', () => {
		async function restartedBlind(): Promise<ActiveTrigger> {
			const { list, host } = await active();
			list.emptyLists = Infinity;
			await restart(host, 5);
			return { list, host };
		}

		/** After a sixth start, at which the list shows all that was made. */
		async function restartedSeeing(): Promise<ActiveTrigger> {
			const { list, host } = await restartedBlind();
			list.emptyLists = 0;
			await restart(host);
			return { list, host };
		}

		test('leads to one webhook more for each event', async () => {
			const { list } = await restartedBlind();
			expect(list.posts).toBe(4);
		});

		test('is told at each start', async () => {
			const warnings = warningsOfLog();
			await restartedBlind();
			const unlisted = warnings().filter((line) =>
				line.includes('the platform does not list them'),
			);
			expect(unlisted).toHaveLength(5);
		});

		test('has one webhook left for each event once it shows them', async () => {
			const { list } = await restartedSeeing();
			expect(list.webhooks.map(({ event }) => event).sort()).toEqual(parameters.events);
		});

		test('makes no more webhooks once it shows them', async () => {
			const { list } = await restartedSeeing();
			expect(list.posts).toBe(4);
		});

		test('has webhooks made again that were shown and are gone', async () => {
			const { list, host } = await restartedSeeing();
			list.webhooks = [];
			await restart(host);
			expect(list.webhooks.map(({ event }) => event).sort()).toEqual(parameters.events);
		});

		test('leaves nothing behind when the workflow is unpublished', async () => {
			const { list, host } = await restartedSeeing();
			await host.deactivate();
			expect(list.webhooks).toEqual([]);
		});

		test('has what was made told to a person when the workflow is unpublished', async () => {
			const { host } = await restartedBlind();
			const warnings = warningsOfLog();
			await host.deactivate();
			expect(warnings()).toEqual([expect.stringContaining('did not delete 2 webhooks')]);
		});
	});

	test('a list that is empty at each check leads to one webhook more for each event, though n8n saves no check', async () => {
		const { list, host } = await active();
		list.emptyLists = Infinity;
		for (let hours = 6; hours <= 24; hours += 6) {
			passHours(hours);
			await host.poll();
		}
		expect(list.posts).toBe(4);
	});

	test('a list that hides the keys leads to no more than one webhook more for each event', async () => {
		const { list, host } = await active();
		list.shownUrl = (url) => url.replace(/key=.*/, 'key=***');
		await restart(host, 5);
		expect(list.webhooks.length).toBeLessThanOrEqual(4);
	});
});

describe('a webhook of others that was given our old id', () => {
	const foreign: ListedWebhook = {
		id: 1,
		url: 'https://others.example.org/hook',
		event: 'session.ended',
	};

	/** The first of our webhooks is gone. */
	async function replaced(): Promise<ActiveTrigger> {
		const { list, host } = await active();
		list.webhooks = [foreign, ...list.webhooks.slice(1)];
		return { list, host };
	}

	test('stays when the workflow is unpublished', async () => {
		const { list, host } = await replaced();
		await host.deactivate();
		expect(list.webhooks).toEqual([foreign]);
	});

	test('is not even asked to be deleted', async () => {
		const { list, host } = await replaced();
		await host.deactivate();
		expect(list.requests).not.toContain('DELETE 1');
	});

	test('is told in the log', async () => {
		const { host } = await replaced();
		const warnings = warningsOfLog();
		await host.deactivate();
		expect(warnings()).toEqual([expect.stringContaining('did not delete 1 webhooks')]);
	});

	test('does not keep the subscription in what is stored', async () => {
		const { host } = await replaced();
		await host.deactivate();
		expect(host.staticData.subscription).toBeUndefined();
	});

	test('has ours made anew at the next start', async () => {
		const { list, host } = await replaced();
		await restart(host);
		expect(list.webhooks).toHaveLength(3);
	});

	test('stays when the workflow is unpublished after a start', async () => {
		const { list, host } = await replaced();
		await restart(host);
		await host.deactivate();
		expect(list.webhooks).toEqual([foreign]);
	});
});

describe('webhooks that the list leaves out when the workflow is unpublished', () => {
	async function unpublishedBlind(emptyLists: number): Promise<WebhookList> {
		const { list, host } = await active();
		list.emptyLists = emptyLists;
		await host.deactivate();
		return list;
	}

	test('go where it shows them when it is asked once more', async () => {
		const list = await unpublishedBlind(1);
		expect(list.webhooks).toEqual([]);
	});

	test('are not asked to be deleted, because their ids may belong to others', async () => {
		const list = await unpublishedBlind(Infinity);
		expect(list.requests.join()).not.toContain('DELETE');
	});

	test('are left to a person, and the log says how to find them', async () => {
		const warnings = warningsOfLog();
		await unpublishedBlind(Infinity);
		const words = 'Delete on the platform what still has this URL';
		expect(warnings()).toEqual([expect.stringContaining(words)]);
	});
});

describe('on a platform without webhooks', () => {
	const bare = new TriggerScene({ endpoints: 'specified' });
	// n8n shows the message alone where a workflow cannot be published.
	const message =
		"This platform has no endpoint for webhooks (404). Set 'Subscription' to 'Manual', or use the Event Platform Polling Trigger";

	test('an activation says so, and what to do', async () => {
		const host = await bare.start(parameters);
		await expect(host.activate()).rejects.toThrow(message);
		await expect(host.activate()).rejects.toThrow('enter the URL of this node');
	});

	test('an activation that failed leaves nothing stored', async () => {
		const host = await bare.start(parameters);
		await host.activate().catch(() => {});
		await host.deactivate();
		expect(host.staticData).toEqual({});
	});

	test('a trigger whose webhooks are entered by hand can be activated', async () => {
		const host = await bare.start({ ...parameters, subscription: 'manual' });
		await expect(host.activate()).resolves.toBeUndefined();
	});

	describe('a workflow that was active before', () => {
		async function moved(): Promise<ActiveTrigger> {
			const trigger = await active();
			const { baseUrl, apiToken } = bare.sandbox;
			trigger.host.changeCredential({ baseUrl, apiToken });
			return trigger;
		}

		test('fails its check with the same words', async () => {
			const { host } = await moved();
			passHours(6);
			await expect(host.poll()).rejects.toMatchObject({ message });
		});

		test('can be unpublished', async () => {
			const { host } = await moved();
			await host.deactivate();
			expect(host.staticData.subscription).toBeUndefined();
		});

		test('says what is left on the platform from before', async () => {
			const { host } = await moved();
			const warnings = warningsOfLog();
			await host.deactivate();
			expect(warnings()).toHaveLength(1);
		});
	});
});
