import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { MadeWebhook, Subscription } from '../../../nodes/EventPlatform/core/webhooks/gap';
import { keyDigest } from '../../../nodes/EventPlatform/core/webhooks/proof';
import type { SubscriptionIdentity } from '../../../nodes/EventPlatform/core/webhooks/listedSubscriptions';
import {
	findAndPlan,
	subscribe,
	subscribeTo,
	unsubscribe,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptions';
import { fakePlatform } from '../../support/platform/fakePlatform';

const url = 'https://n8n.example.org/webhook/1';
const key = 'k'.repeat(43);
const keyed = `${url}?key=${key}`;
const nothingStored: SubscriptionIdentity = { url, key, made: [] };

/** A webhook that we made here with the key of today. */
const today: MadeWebhook = { id: 'w-0', url, keyDigest: keyDigest(key) };
const movedAway = {
	...today,
	url: 'https://old.example.org/webhook/1',
	keyDigest: keyDigest('former'),
};

describe('a plan', () => {
	const eventTypes = ['job.ended', 'session.ended'];
	const stored: Subscription = {
		url,
		keyDigest: keyDigest(key),
		owner: 'o',
		madeAt: 0,
		seenAt: 0,
		ids: { 'job.ended': 'w-0', 'session.ended': 'w-1' },
	};
	const made = Object.values(stored.ids).map((id) => ({ ...today, id }));
	const show = (...webhooks: Array<[id: string, event: string]>) => ({
		data: webhooks.map(([id, event]) => ({ id, attributes: { url: keyed, event } })),
	});
	const both = show(['w-0', 'job.ended'], ['w-1', 'session.ended']);

	/** Plans with these lists, which the platform shows one after the other. */
	async function plan(lists: object[], more: Partial<Subscription> = {}) {
		const { ask, asked } = fakePlatform((_, nth) => lists[nth - 1]);
		const planned = await findAndPlan(ask, { ...nothingStored, made }, eventTypes, {
			...stored,
			...more,
		});
		return { ...planned, lists: asked.length };
	}

	test('asks for nothing as long as all are there, and once more when one is not', async () => {
		const nothingToDo = { ids: stored.ids, missing: [], renewed: [], heldBack: [], former: [] };
		expect(await plan([both])).toMatchObject({ ...nothingToDo, lists: 1 });
		expect(await plan([show(), both])).toMatchObject({ ...nothingToDo, lists: 2 });
	});

	test('makes what is still not there, and remembers what was', async () => {
		const firstOnly = show(['w-0', 'job.ended']);
		expect(await plan([firstOnly, firstOnly])).toMatchObject({
			lists: 2,
			ids: { 'job.ended': 'w-0' },
			former: [made[1]],
			missing: ['session.ended'],
			vanished: ['session.ended'],
			renewed: ['session.ended'],
		});
	});

	test('makes no further one where the list never shows any, unless the address or the key is another', async () => {
		const hidden = { hiddenEventTypes: ['job.ended'] };
		expect(await plan([show(), show()], hidden)).toMatchObject({
			ids: { 'job.ended': 'w-0' },
			missing: ['session.ended'],
			heldBack: ['job.ended'],
			renewed: ['session.ended'],
			former: [made[1]],
		});
		expect(await plan([both], hidden)).toMatchObject({ heldBack: [], missing: [] });
		for (const changed of [{ url: 'https://old.example.org' }, { keyDigest: 'another' }]) {
			const moved = await plan([show(), show()], { ...hidden, ...changed });
			expect(moved).toMatchObject({ heldBack: [], missing: eventTypes });
		}
	});

	test('forgets what the list leaves out while nothing else speaks against the list', async () => {
		const { ask } = fakePlatform(() => both);
		const all = [...made, { ...today, id: 'w-5' }];
		const planned = await findAndPlan(ask, { ...nothingStored, made: all }, eventTypes, stored);
		expect(planned.former).toEqual([]);
	});

	test('remembers what else the list leaves out while it does not show one in use', async () => {
		const { ask } = fakePlatform(() => show());
		const former = { ...today, id: 'w-5' };
		const planned = await findAndPlan(
			ask,
			{ ...nothingStored, made: [...made, former] },
			eventTypes,
			{ ...stored, hiddenEventTypes: eventTypes },
		);
		expect(planned.former).toEqual([former]);
	});

	test('asks once where the list shows that one is disabled', async () => {
		const disabled = show(['w-0', 'job.ended'], ['w-1', 'session.ended']);
		Object.assign(disabled.data[1]?.attributes ?? {}, { disabled: true });
		expect(await plan([disabled])).toMatchObject({
			lists: 1,
			useless: ['w-1'],
			missing: ['session.ended'],
			vanished: [],
			former: [],
		});
	});
});

describe('subscribing to what is missing', () => {
	const movedToo = { ...movedAway, id: 'w-9' };
	const plan = {
		ids: {},
		heldBack: [],
		useless: [],
		renewed: [],
		missing: ['job.ended', 'session.ended'],
		vanished: ['job.ended'],
		outdated: [movedToo],
		former: [movedToo, today],
	};

	/** Subscribes without a secret to make a key of, so that ids alone tell which webhooks are ours. */
	async function make(list: (ids: string[]) => object | Cause, ids = ['7', '8']) {
		const left = [...ids];
		const { ask, asked } = fakePlatform(({ method }) =>
			method === 'GET' ? list(ids) : { data: { id: left.shift() ?? '', attributes: {} } },
		);
		const making = { ids: {}, hiddenEventTypes: [], former: plan.former };
		await subscribeTo(ask, { url, made: [today] }, plan, making);
		return { ...making, requests: asked.map(({ method }) => method) };
	}
	const listWith = ([id]: string[]) => ({
		data: [{ id, attributes: { url, event: 'job.ended' } }],
	});
	const made = { 'job.ended': '7', 'session.ended': '8' };
	const requests = ['POST', 'POST', 'GET'];

	test('forgets what was there before, once the list shows the new one', async () => {
		const settled = { ids: made, hiddenEventTypes: [], former: [movedToo], requests };
		expect(await make(listWith)).toEqual(settled);
	});

	test.each<[string, () => object | Cause]>([
		['does not show it', () => ({ data: [] })],
		['cannot be read', () => 'platform_error'],
	])('remembers both where the list %s', async (_, list) => {
		const inDoubt = { ids: made, hiddenEventTypes: ['job.ended'], former: plan.former, requests };
		expect(await make(list)).toEqual(inDoubt);
	});

	test('does not read the list again where none had vanished', async () => {
		const { ask, asked } = fakePlatform(() => ({ data: { id: '7', attributes: {} } }));
		const making = { ids: {}, hiddenEventTypes: [], former: [] };
		await subscribeTo(ask, { url, made: [] }, { ...plan, vanished: [] }, making);
		expect(asked.map(({ method }) => method)).toEqual(['POST', 'POST']);
	});

	test('remembers none that the platform gave no id', async () => {
		expect(await make(() => ({ data: [] }), [])).toMatchObject({ ids: {}, hiddenEventTypes: [] });
	});
});

describe('changing them', () => {
	/** A platform that has these answers to requests for the ids, by their last character. */
	const changing = (causes: Record<string, Cause> = {}) =>
		fakePlatform(({ path }) => causes[path.slice(-1)] ?? { data: { id: 7, attributes: {} } });

	test('a new one is asked for by address and eventType, and known by its id', async () => {
		const { ask, asked } = changing();
		expect(await subscribe(ask, nothingStored, 'job.ended')).toBe('7');
		const body = { data: { type: 'webhooks', attributes: { url: keyed, event: 'job.ended' } } };
		// No error shows the key.
		expect(asked).toEqual([{ method: 'POST', path: '/webhooks', body, secret: key }]);
	});

	test('it does no harm when one of no use is gone already', async () => {
		const { ask, asked } = changing({ b: 'not_found' });
		await unsubscribe(ask, ['a', 'b']);
		expect(asked).toEqual(
			['a', 'b'].map((id) => ({ method: 'DELETE', retry: 'safe', path: `/webhooks/${id}` })),
		);
		const refusing = changing({ a: 'missing_scope' });
		await expect(unsubscribe(refusing.ask, ['a', 'b'])).rejects.toThrow('missing');
		expect(refusing.asked).toHaveLength(2);
	});
});
