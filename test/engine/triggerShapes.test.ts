import type { INodeParameters } from 'n8n-workflow';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { warningsOfLog } from './log';
import { TriggerScene } from '../support/n8n/triggerScene';
import { eventually } from '../support/time/eventually';

const scene = new TriggerScene();
const replay: INodeParameters = { events: ['people.watched_replay'] };
const bothSteps: INodeParameters = {
	subscription: 'manual',
	verify: 'none',
	events: ['session.started', 'session.ended'],
};
/** A session as the vendor's own app sends it. Nothing says what happened to the session. */
const session = { data: { type: 'sessions', id: 's-1', attributes: { ended_at: 5 } } };

describe('a replay that is delivered in a shape of its own', () => {
	const body = { viewer: { email: 'ada@example.org' }, minutes: 12 };
	const unchecked: INodeParameters = { ...replay, subscription: 'manual', verify: 'none' };
	const confirmed: INodeParameters = { ...replay, subscription: 'manual', verify: 'api' };

	test('starts a run with all that it has where nobody checks deliveries', async () => {
		const host = await scene.start(unchecked);
		await host.deliver({ body });
		expect(host.items).toMatchObject([
			{ event: 'people.watched_replay', viewer_email: 'ada@example.org', minutes: 12 },
		]);
	});

	test('starts no second run when it comes again', async () => {
		const host = await scene.start(unchecked);
		await host.deliver({ body });
		await host.deliver({ body });
		expect(host.runs).toHaveLength(1);
	});

	test('starts a run with the key of our own subscription', async () => {
		const host = await scene.listen(replay);
		const [subscription] = await scene.subscriptions();
		const key = new URL(subscription?.url ?? '').searchParams.get('key') ?? '';
		await host.deliver({ body, query: { key } });
		expect(host.items).toMatchObject([{ minutes: 12 }]);
	});

	test('is answered well and starts no run where the API would have to confirm it', async () => {
		const host = await scene.start(confirmed);
		const { sent } = await host.deliver({ body });
		expect([sent?.status, host.runs]).toEqual([200, []]);
	});

	test('is told once in the log where the API would have to confirm it', async () => {
		const warnings = warningsOfLog();
		const host = await scene.start(confirmed);
		for (let minutes = 0; minutes < 3; minutes++) await host.deliver({ body: { minutes } });
		expect(warnings()).toEqual([expect.stringContaining('has no ID that the API could be asked')]);
	});

	test.each([
		['nobody checks it', unchecked],
		['the API would have to confirm it', confirmed],
	])('costs no request where %s', async (_, parameters) => {
		const host = await scene.start(parameters);
		await host.deliver({ body });
		expect(await scene.calls()).toEqual([]);
	});
});

describe('a delivery that does not say which of two events it is', () => {
	test('is prevented by doing what the notice of Manual says', () => {
		const { properties } = new EventPlatformTrigger().description;
		const notice = properties.find(({ type, displayOptions }) => {
			return type === 'notice' && displayOptions?.show?.subscription?.includes('manual');
		});
		expect(notice?.displayName).toContain('Add the event to each URL, e.g. ?event=session.ended');
	});

	test('starts a run of the event that the URL names', async () => {
		const host = await scene.start(bothSteps);
		await host.deliver({ body: session, query: { event: 'session.ended' } });
		expect(host.items).toMatchObject([{ event: 'session.ended', id: 's-1' }]);
	});

	test('starts a run of the event that the URL names where the API confirms it', async () => {
		const host = await scene.start({ ...bothSteps, verify: 'auto' });
		await scene.session('start');
		await scene.session('end');
		const { data } = await scene.sandbox.api.get<{ data: Array<{ id: string }> }>('/sessions', {
			params: { 'filter[status]': 'past' },
		});
		const id = data.data[0]?.id;
		const body = { data: { type: 'sessions', id } };
		await host.deliver({ body, query: { event: 'session.ended' } });
		expect(host.items).toMatchObject([{ event: 'session.ended', id }]);
	});

	test('is not proven by the event in the URL', async () => {
		const host = await scene.start({ ...bothSteps, verify: 'auto' });
		await host.deliver({ body: session, query: { event: 'session.ended' } });
		expect(host.runs).toEqual([]);
	});

	describe.each<[string, string | string[] | undefined, string]>([
		['nothing in the URL', undefined, '?event=session.started'],
		['two events in the URL', ['session.started', 'session.ended'], 'names several events'],
		['an event that is not chosen', 'people.attended', 'is not chosen, or belongs'],
		['an event that there is not', 'session.<b>', 'is not chosen, or belongs'],
	])('and has %s', (_, event, words) => {
		const query = event === undefined ? undefined : { event };

		test('is answered well and starts no run', async () => {
			const host = await scene.start(bothSteps);
			const { sent } = await host.deliver({ body: session, query });
			expect([sent?.status, host.runs]).toEqual([200, []]);
		});

		test('is told once in the log, which names the node', async () => {
			const warnings = warningsOfLog();
			const host = await scene.start(bothSteps);
			for (let time = 0; time < 3; time++) await host.deliver({ body: session, query });
			expect(warnings()).toEqual([expect.stringContaining(words)]);
			expect(warnings()[0]).toContain('"Platform"');
		});
	});

	test('writes no markup of the URL into the log', async () => {
		const warnings = warningsOfLog();
		const host = await scene.start(bothSteps);
		await host.deliver({ body: session, query: { event: 'session.<b>' } });
		expect(warnings().join()).not.toContain('<b>');
	});
});

test('a delivery that says which event it is, is what it says, whatever the URL names', async () => {
	const host = await scene.listen({ ...bothSteps });
	const url = `${host.url}?event=session.started`;
	const attributes = { url, event: 'session.ended' };
	await scene.sandbox.api.post('/webhooks', { data: { type: 'webhooks', attributes } });
	await scene.session('start');
	await scene.session('end');
	await eventually(() => host.runs.length > 0);
	expect(host.items).toMatchObject([{ event: 'session.ended' }]);
});
