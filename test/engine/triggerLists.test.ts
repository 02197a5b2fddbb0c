import type { INodeParameters } from 'n8n-workflow';
import { tokenCredential } from '../support/n8n/engineConsent';
import { linesOfLog } from './log';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { restartedNode, TriggerScene } from '../support/n8n/triggerScene';
import { WebhookList, type ListedWebhook } from './webhookList';
import type { WebhookHost } from '../support/n8n/webhookHost';

interface ActiveTrigger {
	/** The platform's list of webhooks, with one for each event of the trigger. */
	list: WebhookList;
	host: WebhookHost;
}

const scene = new TriggerScene();
const time = new SimulatedTime();
const parameters: INodeParameters = { events: ['session.ended', 'session.started'] };

async function active(namesNoId = false): Promise<ActiveTrigger> {
	const list = await WebhookList.start();
	list.namesNoId = namesNoId;
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

describe('a list that shows none of our webhooks', () => {
	/** Each check of four days, and what n8n restarts. */
	async function fourDays(isRestarted = false, namesNoId = false): Promise<ActiveTrigger> {
		const { list, host } = await active(namesNoId);
		list.emptyLists = Infinity;
		for (let hours = 6; hours <= 96; hours += 6) {
			time.passMinutes(6 * 60);
			if (isRestarted) await restart(host);
			await host.poll();
		}
		return { list, host };
	}

	test.each([
		[false, false],
		[true, false],
		[false, true],
		[true, true],
	])(
		'leads to one webhook more a day for each event, n8n restarted at each check: %s, made without an id: %s',
		async (isRestarted, namesNoId) => {
			const { list } = await fourDays(isRestarted, namesNoId);
			expect(list.posts).toBe(2 + 2 * 4);
		},
	);

	test.each([false, true])(
		'leaves one webhook for each event once it shows them, and nothing when the workflow is unpublished, made without an id: %s',
		async (namesNoId) => {
			const { list, host } = await fourDays(false, namesNoId);
			list.emptyLists = 0;
			await restart(host);
			expect(list.webhooks.map(({ event }) => event).sort()).toEqual(parameters.events);
			await host.deactivate();
			expect(list.webhooks).toEqual([]);
		},
	);

	test.each([false, true])(
		'has what was made told to a person when the workflow is unpublished, made without an id: %s',
		async (namesNoId) => {
			const { host } = await fourDays(false, namesNoId);
			const warnings = linesOfLog('warn');
			await host.deactivate();
			expect(warnings()).toEqual([expect.stringContaining('did not delete 2 webhooks')]);
		},
	);
});

test('webhooks made without an id are deleted by their key, of which no person is told', async () => {
	const { list, host } = await active(true);
	const warnings = linesOfLog('warn');
	await host.deactivate();
	expect(list.webhooks).toEqual([]);
	expect(warnings()).toEqual([]);
});

test('a webhook made without an id that is not listed is told to a person, and no other one', async () => {
	const { list, host } = await active(true);
	list.webhooks = list.webhooks.slice(1);
	const warnings = linesOfLog('warn');
	await host.deactivate();
	expect(list.webhooks).toEqual([]);
	expect(warnings()).toEqual([expect.stringContaining('did not delete 1 webhooks')]);
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

	test('is neither deleted nor kept as ours when the workflow is unpublished, and the log tells of it', async () => {
		const { list, host } = await replaced();
		const warnings = linesOfLog('warn');
		await host.deactivate();
		expect(list.webhooks).toEqual([foreign]);
		expect(list.requests).not.toContain('DELETE 1');
		expect(warnings()).toEqual([expect.stringContaining('did not delete 1 webhooks')]);
	});

	test('has ours made anew at the next start, and stays when the workflow is unpublished then', async () => {
		const { list, host } = await replaced();
		await restart(host);
		expect(list.webhooks).toHaveLength(3);
		await host.deactivate();
		expect(list.webhooks).toEqual([foreign]);
	});
});

test('webhooks that the list leaves out when the workflow is unpublished are left to a person, because their ids may belong to others', async () => {
	const { list, host } = await active();
	list.emptyLists = 1;
	const warnings = linesOfLog('warn');
	await host.deactivate();
	expect(list.requests.join()).not.toContain('DELETE');
	const words = 'Delete on the platform what still has this URL';
	expect(warnings()).toEqual([expect.stringContaining(words)]);
});
