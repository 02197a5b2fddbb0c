import type { MadeWebhook, Subscription } from '../../../nodes/EventPlatform/core/webhooks/gap';
import { keyDigest } from '../../../nodes/EventPlatform/core/webhooks/subscriptionKey';
import {
	findSubscriptions,
	hasNoWebhooks,
	judgeHidden,
	noneListed,
	webhooksOf,
	type SubscriptionIdentity,
} from '../../../nodes/EventPlatform/core/webhooks/listedSubscriptions';
import {
	findAndPlan,
	subscribe,
	subscribeTo,
	unsubscribe,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptions';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';

const url = 'https://n8n.example.org/webhook/1';
const key = 'k'.repeat(43);
const keyed = `${url}?key=${key}`;
const nothingStored: SubscriptionIdentity = { url, key, made: [] };

/** On a platform with these subscriptions, as JSON:API attributes; their ids are w-0, w-1 … */
async function find(subscriptions: JsonObject[], identity: Partial<SubscriptionIdentity> = {}) {
	const data = subscriptions.map((attributes, n) => ({ id: `w-${n}`, attributes }));
	const { ask, asked } = fakePlatform(() => ({ data }));
	const found = await findSubscriptions(ask, { ...nothingStored, ...identity }, ['job.ended']);
	expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /webhooks']);
	return found;
}

const nothing = noneListed();
const kept = { ...nothing, kept: { 'job.ended': 'w-0' } };
const useless = { ...nothing, useless: ['w-0'] };
/** A webhook that we made here with the key of today. */
const today: MadeWebhook = { id: 'w-0', url, keyDigest: keyDigest(key) };
const withoutKey = { ...today, keyDigest: undefined };
const movedAway = {
	...today,
	url: 'https://old.example.org/webhook/1',
	keyDigest: keyDigest('former'),
};
const formerly = `${movedAway.url}?key=former`;
const foreign = { ...nothing, foreign: ['w-0'] };
const outdatedOf = (one: MadeWebhook) => ({ ...nothing, outdated: [one] });

test.each<[string, JsonObject, Partial<SubscriptionIdentity>, object]>([
	['marked as disabled is of no use', { url: keyed, disabled: true }, {}, useless],
	['with a time of its end is of no use', { url: keyed, disabled_at: 1_700_000_000 }, {}, useless],
	['that is not enabled is of no use', { url: keyed, enabled: false }, {}, useless],
	['whose status says so is of no use', { url: keyed, status: 'disabled' }, {}, useless],
	['that is not active is of no use', { url: keyed, active: false }, {}, useless],
	['of an event type that is not wanted is of no use', { url: keyed, event: 'x' }, {}, useless],
	[
		'that we made without a key goes when there is a new one',
		{ url },
		{ made: [withoutKey] },
		outdatedOf(withoutKey),
	],
	[
		'that we made at a former address goes as well',
		{ url: formerly },
		{ made: [movedAway] },
		outdatedOf(movedAway),
	],
	['whose key the platform drops stays', { url }, { made: [today] }, kept],
	// Where ids are counted, somebody else may have been given the id of one that is gone.
	['with our old id at another address is not ours', { url: formerly }, { made: [today] }, foreign],
	['with our old id and no URL is not ours', {}, { made: [today] }, foreign],
	[
		'with our old id and a foreign key is not ours',
		{ url: `${url}?key=x` },
		{ made: [today] },
		foreign,
	],
	['with our old id at a longer path is not ours', { url: `${url}/2` }, { made: [today] }, foreign],
])('a subscription %s', async (_, attributes, ours, expected) => {
	expect(await find([{ event: 'job.ended', ...attributes }], ours)).toEqual(expected);
});

test.each([
	[`https://N8N.example.org/webhook/1?key=${key}`, kept],
	[`https://n8n.example.org:443/webhook/1/?key=${key}`, kept],
	[url, nothing],
	[`${url}?key=${'x'.repeat(43)}`, nothing],
	[`https://n8n.example.org/webhook/12?key=${key}`, nothing],
	[`https://n8n.example.org/webhook?key=${key}`, nothing],
	['no URL', nothing],
	['', nothing],
])('what belongs to others is left alone: at "%s" we have %j', async (written, expected) => {
	expect(await find([{ url: written, event: 'job.ended', disabled_at: 0 }])).toEqual(expected);
});

test('of two that are the same one is kept; without a secret to make a key of, the one that was made', async () => {
	const two = (written: string) => [1, 2].map(() => ({ url: written, event: 'job.ended' }));
	expect(await find(two(keyed))).toEqual({ ...kept, useless: ['w-1'] });
	const ours = { key: undefined, made: [{ id: 'w-1', url }] };
	expect(await find(two(url), ours)).toEqual({ ...nothing, kept: { 'job.ended': 'w-1' } });
	// What is in use stays in use.
	const surplus = { ...nothing, kept: { 'job.ended': 'w-1' }, useless: ['w-0'] };
	expect(await find(two(keyed), { made: [{ ...today, id: 'w-1' }] })).toEqual(surplus);
});

test('a UUID is never given again: at our address it is ours, whatever the platform shows of the key', async () => {
	const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
	const at = async (written: string) => {
		const data = [{ id: id.toUpperCase(), attributes: { url: written, event: 'job.ended' } }];
		const { ask } = fakePlatform(() => ({ data }));
		const made = [{ ...today, id }];
		return await findSubscriptions(ask, { ...nothingStored, made }, ['job.ended']);
	};
	expect(await at(`${url}?key=***`)).toMatchObject({ outdated: [{ id }], foreign: [] });
	expect(await at(formerly)).toMatchObject({ outdated: [], foreign: [id] });
});

test('ids that are numbers are compared as texts, on whatever page they stand', async () => {
	const all = Array.from({ length: 120 }, (_, id) => {
		const isOurs = id === 119;
		return { id, attributes: { url: isOurs ? url : 'https://x.example.org', event: 'job.ended' } };
	});
	const { ask, asked } = fakePlatform(({ query }) => pageOf(all, query));
	const made = [119, 7, 500].map((id) => ({ ...today, id: String(id) }));
	expect(await findSubscriptions(ask, { ...nothingStored, made }, ['job.ended'])).toEqual({
		kept: { 'job.ended': '119' },
		useless: [],
		outdated: [],
		foreign: ['7'],
		unlisted: ['500'],
	});
	expect(asked).toHaveLength(3);
});

test('one of ours that the list leaves out is known by its id', async () => {
	const { unlisted } = await find([{ url: keyed, event: 'job.ended' }], {
		made: [today, { ...today, id: 'w-7' }],
	});
	expect(unlisted).toStrictEqual(['w-7']);
});

test('a list that shows none leaves out all that we made', () => {
	expect(noneListed([today, movedAway]).unlisted).toStrictEqual(['w-0', 'w-0']);
});

test('what the list does not show is removed by its id only where nobody else can have it', () => {
	const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
	const listed = { ...nothing, foreign: ['3'], unlisted: ['12', id, 'w-1'] };
	const doubtful = ['3', '12', 'w-1'];
	expect(judgeHidden(listed)).toEqual({ removable: [id], doubtful });
});

test.each<[string, string, boolean]>([
	['the list is not there', '/webhooks', true],
	['one webhook is not there', '/webhooks/7', false],
	['something else is not there', '/events', false],
])('the platform has no webhooks when %s: %s', (_, path, expected) => {
	expect(hasNoWebhooks(new Failure('no_endpoint', { method: 'GET', path }))).toBe(expected);
	expect(hasNoWebhooks(new Failure('forbidden', { method: 'GET', path }))).toBe(false);
});

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
	const show = (...shown: Array<[id: string, event: string]>) => ({
		data: shown.map(([id, event]) => ({ id, attributes: { url: keyed, event } })),
	});
	const both = show(['w-0', 'job.ended'], ['w-1', 'session.ended']);

	/** With these lists, one after the other. */
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
		const one = show(['w-0', 'job.ended']);
		expect(await plan([one, one])).toMatchObject({
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
	const other = { ...movedAway, id: 'w-9' };
	const plan = {
		ids: {},
		heldBack: [],
		useless: [],
		renewed: [],
		missing: ['job.ended', 'session.ended'],
		vanished: ['job.ended'],
		outdated: [other],
		former: [other, today],
	};

	/** Without a secret to make a key of, so that ids alone tell what is ours. */
	async function make(list: (ids: string[]) => object | string, ids = ['7', '8']) {
		const left = [...ids];
		const { ask, asked } = fakePlatform(({ method }) =>
			method === 'GET' ? list(ids) : { data: { id: left.shift() ?? '', attributes: {} } },
		);
		const making = { ids: {}, hiddenEventTypes: [], former: plan.former };
		await subscribeTo(ask, { url, made: [today] }, plan, making);
		return { ...making, requests: asked.map(({ method }) => method) };
	}
	const shown = ([id]: string[]) => ({ data: [{ id, attributes: { url, event: 'job.ended' } }] });
	const made = { 'job.ended': '7', 'session.ended': '8' };
	const requests = ['POST', 'POST', 'GET'];

	test('forgets what was there before, once the list shows the new one', async () => {
		const settled = { ids: made, hiddenEventTypes: [], former: [other], requests };
		expect(await make(shown)).toEqual(settled);
	});

	test.each([
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

test('what was made is all that is in use or was, and nothing where nothing is stored', () => {
	const former = [movedAway];
	const stored = { url, keyDigest: 'd', owner: 'o', madeAt: 0, seenAt: 0, ids: { a: '1' }, former };
	expect(webhooksOf(stored)).toEqual([{ id: '1', url, keyDigest: 'd' }, movedAway]);
	expect(webhooksOf(undefined)).toEqual([]);
});

describe('changing them', () => {
	/** A platform that has these answers to requests for the ids, by their last character. */
	const changing = (causes: Record<string, string> = {}) =>
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
		const removal = { method: 'DELETE', retry: 'safe' };
		expect(asked).toEqual(['a', 'b'].map((id) => ({ ...removal, path: `/webhooks/${id}` })));
		const refusing = changing({ a: 'missing_scope' });
		await expect(unsubscribe(refusing.ask, ['a', 'b'])).rejects.toThrow('missing');
		expect(refusing.asked).toHaveLength(2);
	});
});
