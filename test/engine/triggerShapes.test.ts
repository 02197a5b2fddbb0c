import type { INodeParameters } from 'n8n-workflow';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { linesOfLog } from './log';
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

	test('starts one run with all that it has, with the key of our own subscription', async () => {
		const host = await scene.listen(replay);
		const [subscription] = await scene.subscriptions();
		const key = new URL(subscription?.url ?? '').searchParams.get('key') ?? '';
		for (let time = 0; time < 2; time++) await host.deliver({ body, query: { key } });
		expect(host.items).toMatchObject([
			{ event: 'people.watched_replay', viewer_email: 'ada@example.org', minutes: 12 },
		]);
	});

	test('is answered well, costs no request and is told once in the log where the API would have to confirm it', async () => {
		const warnings = linesOfLog('warn');
		const host = await scene.start({ ...replay, subscription: 'manual', verify: 'api' });
		for (let minutes = 0; minutes < 3; minutes++) {
			expect((await host.deliver({ body: { minutes } })).sent?.status).toBe(200);
		}
		expect([host.runs, await scene.calls()]).toEqual([[], []]);
		expect(warnings()).toEqual([expect.stringContaining('has no ID that the API could be asked')]);
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

	test.each<[string, string | string[] | undefined, string]>([
		['nothing in the URL', undefined, '?event=session.started'],
		['two events in the URL', ['session.started', 'session.ended'], 'a webhook for each event'],
		['an event that is not chosen', 'session.<b>', 'has to name one chosen event'],
	])(
		'and has %s is told once in the log, which names the node and quotes no markup of the URL',
		async (_, event, words) => {
			const warnings = linesOfLog('warn');
			const host = await scene.start(bothSteps);
			const query = event === undefined ? undefined : { event };
			for (let time = 0; time < 3; time++) await host.deliver({ body: session, query });
			expect(host.runs).toEqual([]);
			expect(warnings()).toEqual([expect.stringContaining(words)]);
			expect(warnings()[0]).toContain('"Platform"');
			expect(warnings()[0]).not.toContain('<b>');
		},
	);
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
