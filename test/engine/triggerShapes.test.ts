import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { until } from '../support/platform/sandbox';
import { TriggerScene } from '../support/n8n/triggerScene';

const scene = new TriggerScene();
const replay: INodeParameters = { events: ['people.watched_replay'] };
const bothSteps: INodeParameters = {
	subscription: 'manual',
	verify: 'none',
	events: ['session.started', 'session.ended'],
};
/** As the vendor's own app sends it: nothing says what happened to the session. */
const session = { data: { type: 'sessions', id: 's-1', attributes: { ended_at: 5 } } };

/** The warnings of n8n's log, which stay silent. */
function warnings(): () => string[] {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
	return () => warn.mock.calls.map(([line]) => line);
}

afterEach(() => jest.restoreAllMocks());

describe('a replay that is delivered in a shape of its own', () => {
	const body = { viewer: { email: 'ada@example.org' }, minutes: 12 };

	test('starts a run where nobody checks deliveries, with all that it has', async () => {
		const host = await scene.start({ ...replay, subscription: 'manual', verify: 'none' });
		await host.deliver({ body });
		const shown = { viewer_email: 'ada@example.org', minutes: 12 };
		expect(host.items).toMatchObject([{ event: 'people.watched_replay', ...shown }]);
		await host.deliver({ body });
		expect(host.runs).toHaveLength(1);
		expect(await scene.calls()).toEqual([]);
	});

	test('starts a run with the key of our own subscription', async () => {
		const host = await scene.listen(replay);
		const [subscription] = await scene.subscriptions();
		const key = new URL(subscription?.url ?? '').searchParams.get('key') ?? '';
		await host.deliver({ body, query: { key } });
		expect(host.items).toMatchObject([{ minutes: 12 }]);
	});

	test('starts none where the API would have to confirm it; the log says why, once', async () => {
		const lines = warnings();
		const host = await scene.start({ ...replay, subscription: 'manual', verify: 'api' });
		const answers = [];
		for (let minutes = 0; minutes < 3; minutes++) {
			answers.push((await host.deliver({ body: { minutes } })).sent?.status);
		}
		expect(answers).toEqual([200, 200, 200]);
		expect(host.runs).toEqual([]);
		expect(lines()).toEqual([expect.stringContaining('has no ID that the API could be asked')]);
		expect(await scene.calls()).toEqual([]);
	});
});

describe('a delivery that does not say which of two events it is', () => {
	test('starts a run of the one that the URL names', async () => {
		const host = await scene.start(bothSteps);
		await host.deliver({ body: session, query: { event: 'session.ended' } });
		expect(host.items).toMatchObject([{ event: 'session.ended', id: 's-1' }]);
	});

	test('also where the API confirms it, which a name in the URL cannot replace', async () => {
		const host = await scene.start({ ...bothSteps, verify: 'auto' });
		await scene.session('start');
		await scene.session('end');
		const { data } = await scene.sandbox.api.get<{ data: Array<{ id: string }> }>('/sessions', {
			params: { 'filter[status]': 'past' },
		});
		const query = { event: 'session.ended' };
		await host.deliver({ body: { data: { type: 'sessions', id: data.data[0]?.id } }, query });
		expect(host.items).toMatchObject([{ event: 'session.ended', id: data.data[0]?.id }]);
		expect((await host.deliver({ body: session, query })).sent?.status).toBe(401);
	});

	test.each<[string, string | string[] | undefined, string]>([
		['nothing in the URL', undefined, '?event=session.started'],
		['two events in the URL', ['session.started', 'session.ended'], 'names several events'],
		['an event that is not chosen', 'people.attended', 'is not chosen, or belongs'],
		['an event that there is not', 'session.<b>', 'is not chosen, or belongs'],
	])('is answered well and told once in the log: %s', async (_, event, words) => {
		const lines = warnings();
		const host = await scene.start(bothSteps);
		for (let time = 0; time < 3; time++) {
			const query = event === undefined ? undefined : { event };
			expect((await host.deliver({ body: session, query })).sent?.status).toBe(200);
		}
		expect(host.runs).toEqual([]);
		expect(lines()).toEqual([expect.stringContaining(words)]);
		expect(lines()[0]).toContain('"Platform"');
		expect(lines()[0]).not.toContain('<b>');
	});

	test('that says another one than the URL is what it says', async () => {
		const host = await scene.listen({ ...bothSteps });
		const url = `${host.url}?event=session.started`;
		const attributes = { url, event: 'session.ended' };
		await scene.sandbox.api.post('/webhooks', { data: { type: 'webhooks', attributes } });
		await scene.session('start');
		await scene.session('end');
		await until(() => host.runs.length > 0);
		expect(host.items).toMatchObject([{ event: 'session.ended' }]);
	});
});
