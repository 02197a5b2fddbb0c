import type { INodeParameters } from 'n8n-workflow';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { Engine, runWorkflow } from '../support/n8n/engine';
import { eventually } from '../support/time/eventually';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { connectThroughConsent } from '../support/n8n/engineConsent';
import { hourMs } from '../support/time/units';
import { restartedNode, TriggerScene } from '../support/n8n/triggerScene';
import type { WebhookHost } from '../support/n8n/webhookHost';
import { upcomingSession } from '../support/platform/seededIds';
import { linesOfLog } from './log';

const scene = new TriggerScene();
const time = new SimulatedTime();
const fourEventTypes = ['job.ended', 'people.registered', 'session.ended', 'session.started'];

/** Checks after so many minutes. */
async function later(
	host: WebhookHost,
	minutes = 6 * 60,
	check = () => host.poll(),
): Promise<string[]> {
	time.passMinutes(minutes);
	return await scene.calls(check);
}

describe('the check of the subscriptions', () => {
	test('costs one request when nothing is wrong, and none right after an activation, which has just looked', async () => {
		const host = await scene.listen({ events: fourEventTypes });
		expect(await scene.calls(() => host.poll())).toEqual([]);
		expect(await later(host)).toEqual(['GET /v1/webhooks']);
	});

	test('subscribes again to what is gone, and its deliveries start their runs', async () => {
		const host = await scene.listen({ events: fourEventTypes });
		const [gone, ...kept] = await scene.subscriptions();
		await scene.sandbox.api.delete(`/webhooks/${gone?.id}`);
		await later(host);
		expect(await scene.eventTypesOf(host.url)).toEqual(fourEventTypes);
		expect(await scene.subscriptions()).toEqual(expect.arrayContaining(kept));
		const id = await scene.startJob();
		await eventually(() => host.items.some((item) => item.id === id));
		// The titles of the session are read once; no delivery is asked about.
		const asked = await scene.confirmations();
		expect(asked.filter((path) => !path.endsWith(upcomingSession))).toEqual([]);
	});

	test.each<INodeParameters>([{}, { verify: 'none' }])(
		'goes on after tests in the editor, and the webhooks go with the publication: %j',
		async (parameters) => {
			const host = await scene.listen({ events: fourEventTypes, ...parameters });
			time.passMinutes(1);
			const stopFirst = await host.listenForTest();
			await stopFirst();
			await scene.loseSubscriptions();
			await later(host);
			expect(await scene.eventTypesOf(host.url)).toEqual(fourEventTypes);
			time.passMinutes(1);
			const stop = await host.listenForTest();
			await stop();
			await host.deactivate();
			expect(await scene.subscriptions()).toEqual([]);
		},
	);

	test('finds at the next time what could not be made at this one', async () => {
		const host = await scene.listen({ events: fourEventTypes });
		await scene.loseSubscriptions();
		const match = { method: 'POST', path: '/v1/webhooks' };
		await scene.sandbox.faults([{ match, after: 2, times: 1, do: '500' }]);
		await expect(later(host)).rejects.toThrow('(500)');
		expect(await scene.eventTypesOf(host.url)).toHaveLength(2);
		await later(host);
		expect(await scene.eventTypesOf(host.url)).toEqual(fourEventTypes);
		expect(await scene.subscriptions()).toHaveLength(4);
	});

	test('that subscribed anew leaves nothing behind on deactivation, although n8n did not save it', async () => {
		const host = await scene.listen({ events: fourEventTypes });
		await scene.loseSubscriptions();
		await later(host);
		expect(await scene.subscriptions()).toHaveLength(4);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('that coincides with another one, or with an activation, subscribes once', async () => {
		const host = await scene.listen({ events: fourEventTypes });
		await scene.loseSubscriptions();
		time.passMinutes(6 * 60);
		await Promise.all([host.poll(), host.activate('update'), host.poll()]);
		expect(await scene.subscriptions()).toHaveLength(4);
	});

	test.each<[string, INodeParameters]>([
		['without a time', { pollTimes: {} }],
		['with a manual subscription', { subscription: 'manual' }],
	])('is never made %s', async (_, parameters) => {
		const host = await scene.listen(parameters);
		expect(await later(host)).toEqual([]);
	});
});

describe('what happened while the platform had no subscription', () => {
	test('is read from the last check on, also after a restart', async () => {
		const host = await scene.listen();
		await later(host);
		await scene.startJob();
		await eventually(() => host.runs.length === 1);
		const { seenAt } = host.staticData.subscription as { seenAt: number };
		expect(seenAt).toBeGreaterThan(Date.now() - hourMs);
	});

	/** Somebody registers while there is no subscription, and the next check cannot read the sessions. */
	async function registrationThatIsNotReadAtOnce(): Promise<WebhookHost> {
		const host = await scene.listen({ events: ['people.registered'] });
		await scene.loseSubscriptions();
		await scene.sandbox.register('missed@example.org');
		await scene.sandbox.faults([{ match: { path: '/v1/sessions' }, times: 4, do: '500' }]);
		await expect(later(host)).rejects.toThrow('(500)');
		expect(host.runs).toEqual([]);
		return host;
	}

	test('names the scope of what it could not read', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		await scene.loseSubscriptions();
		await scene.sandbox.register('missed@example.org');
		const match = { path: '/v1/sessions/*' };
		await scene.sandbox.faults([{ match, times: 4, do: 'empty-403' }]);
		const description = expect.stringContaining('lacks the scope events:read') as string;
		await expect(later(host)).rejects.toMatchObject({ description });
	});

	test('is told in the log, and left to the next check, where it took all the time to subscribe again', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		await scene.loseSubscriptions();
		await scene.sandbox.register('missed@example.org');
		const match = { method: 'POST', path: '/v1/webhooks' };
		await scene.sandbox.faults([{ match, do: '429', retryAfter: 1 }]);
		host.budgetMs = 900;
		const warnings = linesOfLog('warn');
		const calls = await later(host);
		expect(calls.filter((call) => !call.endsWith('/webhooks'))).toEqual([]);
		expect(warnings().join()).toContain('may have missed people.registered');
		host.budgetMs = undefined;
		await later(host);
		expect(host.items).toMatchObject([{ email: 'missed@example.org' }]);
	});

	test('starts its run with the next check when it cannot be read at once and n8n ends meanwhile', async () => {
		const host = await registrationThatIsNotReadAtOnce();
		host.node = restartedNode();
		await later(host, 1, () => host.activate('init'));
		await later(host, 1);
		expect(host.items).toMatchObject([{ email: 'missed@example.org' }]);
	});

	describe('and n8n could not subscribe when it was started', () => {
		const posted = { method: 'POST', path: '/v1/webhooks' };
		const events = ['people.registered', 'session.ended'];

		/** One of two webhooks is gone when n8n starts, somebody has registered meanwhile, and the webhook cannot be made. */
		async function failedStart(): Promise<WebhookHost> {
			const host = await scene.listen({ events });
			const gone = (await scene.subscriptions()).find(({ event }) => event === events[0]);
			await scene.sandbox.api.delete(`/webhooks/${gone?.id}`);
			await scene.sandbox.register('missed@example.org');
			host.node = restartedNode();
			await scene.sandbox.faults([{ match: posted, times: 1, do: '500' }]);
			await expect(host.activate('init')).rejects.toThrow('(500)');
			return host;
		}

		test('is read after the next try, and the webhook that was there has stayed', async () => {
			const host = await failedStart();
			const kept = await scene.subscriptions();
			expect(kept).toMatchObject([{ event: 'session.ended' }]);
			await host.activate('init');
			expect(await scene.subscriptions()).toEqual(expect.arrayContaining(kept));
			await later(host);
			expect(host.items).toMatchObject([{ email: 'missed@example.org' }]);
		});

		test('is forgotten when a person unpublishes the workflow, which leaves no webhook behind', async () => {
			const host = await failedStart();
			await host.deactivate();
			expect(await scene.subscriptions()).toEqual([]);
			await host.activate();
			await later(host);
			expect(host.items).toEqual([]);
		});
	});

	test.each([
		['before', 1],
		['before', 2],
		['after', 1],
		['after', 3],
	] as const)(
		'is read where another trigger %s it in the workflow fails at a start, %s times, and n8n clears the webhooks of both',
		async (other, failures) => {
			const events = ['people.registered', 'session.ended'];
			const host = await scene.listen({ events });
			host.node = restartedNode();
			const emails: string[] = [];
			await later(host, 1, async () => {
				await host.startBesideFailing(other, failures, async () => {
					emails.push(`missed-${emails.length}@example.org`);
					await scene.sandbox.register(emails.at(-1) ?? '');
				});
				await host.poll();
			});
			expect(await scene.eventTypesOf(host.url)).toEqual(events);
			expect(host.items.map(({ email }) => email).sort()).toEqual(emails);
		},
	);

	test.each([1, 2])(
		'is read where n8n clears the webhooks of both for the failure of another trigger, and ends before it has tried again, %s times',
		async (ends) => {
			const events = ['people.registered', 'session.ended'];
			const host = await scene.listen({ events });
			const emails: string[] = [];
			time.passMinutes(60);
			for (let end = 0; end < ends; end++) {
				host.node = restartedNode();
				await host
					.startBesideFailing('after', 1, async () => {
						emails.push(`missed-${end}@example.org`);
						await scene.sandbox.register(emails.at(-1) ?? '');
						throw new Error('n8n ends');
					})
					.catch(() => {});
				time.passMinutes(60);
			}
			host.node = restartedNode();
			await host.activate('init');
			await host.poll();
			expect(await scene.eventTypesOf(host.url)).toEqual(events);
			expect(host.items.map(({ email }) => email).sort()).toEqual(emails);
		},
	);

	test('is read up to the new subscription, where checks come within a minute and the first one could not subscribe', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		await scene.loseSubscriptions();
		const match = { method: 'POST', path: '/v1/webhooks' };
		await scene.sandbox.faults([{ match, times: 1, do: '500' }]);
		await expect(later(host)).rejects.toThrow('(500)');
		const emails = ['first@example.org', 'second@example.org'];
		for (const email of emails) {
			await scene.sandbox.register(email);
			await later(host, 5 / 6);
		}
		await later(host, 2);
		await eventually(() => host.items.length === 2);
		expect(host.items.map(({ email }) => email)).toEqual(emails);
	});

	test('is read once the credential is connected again, and meanwhile what is delivered with our key starts runs', async () => {
		const { credential } = await connectThroughConsent(scene.sandbox);
		const host = await scene.listen({ events: ['people.registered'] }, { credential });
		await scene.sandbox.web.post('/_sandbox/oauth/revoke', {});
		await scene.sandbox.register('delivered@example.org');
		await eventually(() => host.items.length === 1);
		await scene.loseSubscriptions();
		await scene.sandbox.register('missed@example.org');
		await expect(later(host)).rejects.toThrow('has to be connected again');
		const connected = await connectThroughConsent(scene.sandbox);
		host.changeCredential(connected.credential.data);
		await later(host);
		const emails = host.items.map(({ email }) => email);
		expect(emails).toEqual(['delivered@example.org', 'missed@example.org']);
	});

	test('is read by the process that takes over from the one that has ended, and not by that one when it begins again', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		const leader = host.node;
		await scene.loseSubscriptions();
		await scene.sandbox.register('missed@example.org');
		host.node = restartedNode();
		await later(host, 60, () => host.activate('leadershipChange'));
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'missed@example.org' }]);
		host.node = leader;
		await later(host, 60, () => host.activate('leadershipChange'));
		await host.poll();
		await later(host);
		expect(host.runs).toHaveLength(1);
		expect(await scene.subscriptions()).toHaveLength(1);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('starts no run when the workflow was unpublished, although a delivery under way was saved after that', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		const { stored } = host;
		await host.deactivate();
		host.stored = stored;
		await scene.sandbox.register('meanwhile@example.org');
		await later(host, 6 * 60, () => host.activate());
		await later(host, 6);
		expect(host.items).toEqual([]);
	});

	test('starts no run when the workflow was unpublished, and published on the command line, which a start of n8n follows', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		await later(host);
		await host.deactivate();
		await scene.sandbox.register('meanwhile@example.org');
		time.passMinutes(5);
		host.node = restartedNode();
		await host.activate('init');
		await later(host, 1);
		await scene.loseSubscriptions();
		await later(host, 5);
		expect(host.items).toEqual([]);
	});
});

describe('where our clock is an hour ahead', () => {
	const behind = new TriggerScene({ clockAheadMs: -3_600_000 });

	test('what is stored of the webhooks has the times of the platform, and an activation counts as a look', async () => {
		const host = await behind.listen();
		const { madeAt, seenAt } = host.staticData.subscription as Record<string, number>;
		const minutesAgo = [madeAt, seenAt].map((at = 0) => Math.round((Date.now() - at) / 60_000));
		expect(minutesAgo).toEqual([60, 60]);
		expect(await behind.calls(() => host.poll())).toEqual([]);
	});
});

test.each<INodeParameters>([{}, { subscription: 'manual' }])(
	'a workflow saved with %j is checked every six hours',
	(parameters) => {
		const { node } = new Engine({ node: new EventPlatformTrigger(), parameters });
		const item = [{ mode: 'everyX', value: 6, unit: 'hours' }];
		expect(node.parameters.pollTimes).toEqual({ item });
	},
);

test('a run from the editor has what the webhook started it with, though the node can poll', async () => {
	const items = ['a', 'b'].map((id) => ({ event: 'job.ended', id }));
	const outcome = await runWorkflow({ node: new EventPlatformTrigger(), items });
	expect(outcome.error).toBeUndefined();
	expect(outcome.items.map(({ json }) => json)).toEqual(items);
});
