import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type {
	MadeWebhook,
	Subscription,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptionMemory';
import { keyDigest } from '../../../nodes/EventPlatform/core/webhooks/proof';
import {
	findOurs,
	hasNoWebhooks,
	planSubscriptions,
	storedWebhooks,
	subscribeTo,
	unsubscribe,
	type OurWebhooks,
	type SubscriptionIdentity,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptions';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { dayMs } from '../../support/time/units';

const url = 'https://n8n.example.org/webhook/1';
const key = 'k'.repeat(43);
const keyed = `${url}?key=${key}`;
const nothingStored: SubscriptionIdentity = { url, key, made: [] };

/** A webhook that we made here with the key of today. */
const today: MadeWebhook = { id: 'w-0', url, keyDigest: keyDigest(key) };
const withoutKey = { ...today, keyDigest: undefined };
const movedAway = {
	...today,
	url: 'https://old.example.org/webhook/1',
	keyDigest: keyDigest('former'),
};

/** Reads the list of a platform with these subscriptions, as JSON:API attributes. Their ids are w-0, w-1 … */
async function find(subscriptions: JsonObject[], identity: Partial<SubscriptionIdentity> = {}) {
	const data = subscriptions.map((attributes, n) => ({ id: `w-${n}`, attributes }));
	const { ask } = fakePlatform(() => ({ data }));
	return await findOurs(ask, { ...nothingStored, ...identity }, ['job.ended']);
}

const nothing: OurWebhooks = { kept: {}, useless: [], outdated: [], notThere: [] };
const kept = { ...nothing, kept: { 'job.ended': 'w-0' } };
const useless = { ...nothing, useless: ['w-0'] };
const formerly = `${movedAway.url}?key=former`;
const notThere = { ...nothing, notThere: ['w-0'] };
const outdatedOf = (webhook: MadeWebhook) => ({ ...nothing, outdated: [webhook] });

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
	[
		'with our old id at another address is not ours',
		{ url: formerly },
		{ made: [today] },
		notThere,
	],
	['with our old id and no URL is not ours', {}, { made: [today] }, notThere],
	[
		'with our old id and a foreign key is not ours',
		{ url: `${url}?key=x` },
		{ made: [today] },
		notThere,
	],
	[
		'with our old id at a longer path is not ours',
		{ url: `${url}/2` },
		{ made: [today] },
		notThere,
	],
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
	// A webhook that is in use stays in use.
	const surplus = { ...nothing, kept: { 'job.ended': 'w-1' }, useless: ['w-0'] };
	expect(await find(two(keyed), { made: [{ ...today, id: 'w-1' }] })).toEqual(surplus);
});

test('ids that are numbers are compared as texts, on whatever page they stand', async () => {
	const all = Array.from({ length: 120 }, (_, id) => {
		const isOurs = id === 119;
		return { id, attributes: { url: isOurs ? url : 'https://x.example.org', event: 'job.ended' } };
	});
	const { ask, asked } = fakePlatform(({ query }) => pageOf(all, query));
	const made = [119, 7, 500].map((id) => ({ ...today, id: String(id) }));
	expect(await findOurs(ask, { ...nothingStored, made }, ['job.ended'])).toEqual({
		kept: { 'job.ended': '119' },
		useless: [],
		outdated: [],
		notThere: ['7', '500'],
	});
	expect(asked).toHaveLength(3);
});

test('one of ours that is not there is known by its id', async () => {
	const made = [today, { ...today, id: 'w-7' }];
	expect(await find([{ url: keyed, event: 'job.ended' }], { made })).toEqual({
		...kept,
		notThere: ['w-7'],
	});
});

test.each<[string, string, boolean]>([
	['the list is not there', '/webhooks', true],
	['one webhook is not there', '/webhooks/7', false],
	['something else is not there', '/events', false],
])('the platform has no webhooks when %s: %s', (_, path, expected) => {
	expect(hasNoWebhooks(new Failure('no_endpoint', { method: 'GET', path }))).toBe(expected);
	expect(hasNoWebhooks(new Failure('forbidden', { method: 'GET', path }))).toBe(false);
});

test('what was made is all that is in use or was, and nothing where nothing is stored', () => {
	const former = [movedAway];
	const ids = { a: '1', b: '2' };
	const stored = { url, keyDigest: 'd', owner: 'o', madeAt: 0, seenAt: 0, ids, former };
	expect(storedWebhooks(stored)).toEqual({
		made: [{ id: '1', url, keyDigest: 'd' }, { id: '2', url, keyDigest: 'd' }, movedAway],
	});
	expect(storedWebhooks(undefined)).toEqual({ made: [] });
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
	const both = { ...nothing, kept: stored.ids };

	const now = 40 * dayMs;

	/** Plans by what is there and what is stored. */
	function plan(ours: OurWebhooks, more: Partial<Subscription> = {}) {
		const subscription = { ...stored, ...more };
		const identity = { ...nothingStored, ...storedWebhooks(subscription) };
		return planSubscriptions(ours, identity, eventTypes, subscription, now);
	}

	test('asks for nothing as long as all are there', () => {
		expect(plan(both)).toMatchObject({ ids: stored.ids, missing: [], lost: [] });
		expect(plan(both).madeAgainAt).toBeUndefined();
	});

	const ours = { ...nothing, kept: { 'job.ended': 'w-0' }, notThere: ['w-1'] };

	test.each([undefined, now - dayMs, now + dayMs])(
		'makes what is gone, where that was not done within a day: %s',
		(madeAgainAt) => {
			expect(plan(ours, { madeAgainAt })).toMatchObject({
				ids: { 'job.ended': 'w-0' },
				missing: ['session.ended'],
				lost: ['session.ended'],
				madeAgainAt: now,
			});
		},
	);

	test('waits with what is gone where one was made again today, and what was missed is read nevertheless', () => {
		const madeAgainAt = now - dayMs + 1;
		expect(plan(ours, { madeAgainAt })).toMatchObject({
			ids: stored.ids,
			missing: [],
			lost: ['session.ended'],
			madeAgainAt,
		});
	});

	test.each([{ url: 'https://old.example.org' }, { keyDigest: 'another' }])(
		'makes all where they were made as others: %j',
		(changed) => {
			const gone = { ...nothing, notThere: ['w-0', 'w-1'] };
			expect(plan(gone, { madeAgainAt: now, ...changed })).toMatchObject({ missing: eventTypes });
		},
	);

	test('makes anew what the list shows as disabled, which was there, at any time', () => {
		const disabled = { ...nothing, kept: { 'job.ended': 'w-0' }, useless: ['w-1'] };
		expect(plan(disabled, { madeAgainAt: now })).toMatchObject({
			useless: ['w-1'],
			missing: ['session.ended'],
		});
	});
});

describe('subscribing to what is missing', () => {
	test('remembers none that the platform gave no id', async () => {
		const { ask } = fakePlatform(() => ({ data: { attributes: {} } }));
		const ids = {};
		await subscribeTo(ask, nothingStored, ['job.ended'], ids);
		expect(ids).toEqual({});
	});

	test('asks by address and event type, and lets no error show the key', async () => {
		const { ask, asked } = fakePlatform(() => ({ data: { id: 7, attributes: {} } }));
		const ids = {};
		await subscribeTo(ask, nothingStored, ['job.ended'], ids);
		const body = { data: { type: 'webhooks', attributes: { url: keyed, event: 'job.ended' } } };
		expect(asked).toEqual([{ method: 'POST', path: '/webhooks', body, secret: key }]);
		expect(ids).toEqual({ 'job.ended': '7' });
	});
});

test('it does no harm when one of no use is gone already', async () => {
	const { ask, asked } = fakePlatform(({ path }) => (path.endsWith('b') ? 'not_found' : {}));
	await unsubscribe(ask, ['a', 'b']);
	expect(asked).toEqual(
		['a', 'b'].map((id) => ({ method: 'DELETE', retry: 'idempotent', path: `/webhooks/${id}` })),
	);
});

test('what cannot be removed keeps nothing else from being removed', async () => {
	const { ask, asked } = fakePlatform(({ path }) => (path.endsWith('a') ? 'missing_scope' : {}));
	await expect(unsubscribe(ask, ['a', 'b'])).rejects.toThrow('missing');
	expect(asked).toHaveLength(2);
});
