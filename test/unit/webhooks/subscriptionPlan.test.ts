import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import {
	webhooksOf,
	type MadeWebhook,
	type Subscription,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptionMemory';
import { keyDigest } from '../../../nodes/EventPlatform/core/webhooks/proof';
import {
	planSubscription,
	type SubscriptionIdentity,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptionPlan';
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

/** Judges a list of these webhooks, given by their attributes. Their ids are w-0, w-1 … */
function judge(webhooks: JsonObject[], identity: Partial<SubscriptionIdentity> = {}): object {
	const listed = webhooks.map((attributes, n) => ({ id: `w-${n}`, attributes }));
	const ours = { ...nothingStored, ...identity };
	const plan = planSubscription(ours, listed, ['job.ended'], undefined, 0);
	const { ids, needless, outdated, gone } = plan;
	return { ids, needless, outdated, gone };
}

const nothing = { ids: {}, needless: [], outdated: [], gone: [] };
const working = { ...nothing, ids: { 'job.ended': 'w-0' } };
const needless = { ...nothing, needless: ['w-0'] };
const formerly = `${movedAway.url}?key=former`;
const gone = { ...nothing, gone: ['w-0'] };
const outdatedOf = (webhook: MadeWebhook) => ({ ...nothing, outdated: [webhook] });

test.each<[string, JsonObject, Partial<SubscriptionIdentity>, object]>([
	['marked as disabled is needless', { url: keyed, disabled: true }, {}, needless],
	['with a time of its end is needless', { url: keyed, disabled_at: 1_700_000_000 }, {}, needless],
	['that is not enabled is needless', { url: keyed, enabled: false }, {}, needless],
	['whose status says so is needless', { url: keyed, status: 'disabled' }, {}, needless],
	['that is not active is needless', { url: keyed, active: false }, {}, needless],
	['of an event type that is not wanted is needless', { url: keyed, event: 'x' }, {}, needless],
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
	['whose key the platform drops stays', { url }, { made: [today] }, working],
	// Where ids are counted, somebody else may have been given the id of one that is gone.
	['with our old id at another address is not ours', { url: formerly }, { made: [today] }, gone],
	['with our old id and no URL is not ours', {}, { made: [today] }, gone],
	[
		'with our old id and a foreign key is not ours',
		{ url: `${url}?key=x` },
		{ made: [today] },
		gone,
	],
	['with our old id at a longer path is not ours', { url: `${url}/2` }, { made: [today] }, gone],
])('a webhook %s', (_, attributes, ours, expected) => {
	expect(judge([{ event: 'job.ended', ...attributes }], ours)).toEqual(expected);
});

test.each([
	[`https://N8N.example.org/webhook/1?key=${key}`, working],
	[`https://n8n.example.org:443/webhook/1/?key=${key}`, working],
	[url, nothing],
	[`${url}?key=${'x'.repeat(43)}`, nothing],
	[`https://n8n.example.org/webhook/12?key=${key}`, nothing],
	[`https://n8n.example.org/webhook?key=${key}`, nothing],
	['no URL', nothing],
	['', nothing],
])('what belongs to others is left alone: at "%s" we have %j', (written, expected) => {
	expect(judge([{ url: written, event: 'job.ended', disabled_at: 0 }])).toEqual(expected);
});

test('of two that are the same one is kept; without a secret to make a key of, the one that was made', () => {
	const two = (written: string) => [1, 2].map(() => ({ url: written, event: 'job.ended' }));
	expect(judge(two(keyed))).toEqual({ ...working, needless: ['w-1'] });
	const ours = { key: undefined, made: [{ id: 'w-1', url }] };
	expect(judge(two(url), ours)).toEqual({ ...nothing, ids: { 'job.ended': 'w-1' } });
	// A webhook that is in use stays in use.
	const surplus = { ...nothing, ids: { 'job.ended': 'w-1' }, needless: ['w-0'] };
	expect(judge(two(keyed), { made: [{ ...today, id: 'w-1' }] })).toEqual(surplus);
});

test('ids that are numbers are compared as texts', () => {
	const made = [119, 7].map((id) => ({ ...today, id: String(id) }));
	const listed = [{ id: 119, attributes: { url, event: 'job.ended' } }];
	const plan = planSubscription({ ...nothingStored, made }, listed, ['job.ended'], undefined, 0);
	expect(plan).toMatchObject({ ids: { 'job.ended': '119' }, gone: ['7'] });
});

test('one of ours that is not there is known by its id', () => {
	const made = [today, { ...today, id: 'w-7' }];
	expect(judge([{ url: keyed, event: 'job.ended' }], { made })).toEqual({
		...working,
		gone: ['w-7'],
	});
});

test('what was made is all that is in use or outdated, and nothing where nothing is stored', () => {
	const ids = { a: '1', b: '2' };
	const outdated = [movedAway];
	const stored = { url, keyDigest: 'd', owner: 'o', madeAt: 0, seenAt: 0, ids, outdated };
	const inUse = [
		{ id: '1', url, keyDigest: 'd' },
		{ id: '2', url, keyDigest: 'd' },
	];
	expect(webhooksOf(stored)).toEqual([...inUse, movedAway]);
	expect(webhooksOf(undefined)).toEqual([]);
});

describe('where webhooks were made before, a plan', () => {
	const eventTypes = ['job.ended', 'session.ended'];
	const stored: Subscription = {
		url,
		keyDigest: keyDigest(key),
		owner: 'o',
		madeAt: 0,
		seenAt: 0,
		ids: { 'job.ended': 'w-0', 'session.ended': 'w-1' },
	};
	const first = { id: 'w-0', attributes: { url: keyed, event: 'job.ended' } };
	const second = { id: 'w-1', attributes: { url: keyed, event: 'session.ended' } };
	const now = 40 * dayMs;

	/** Plans by what the list shows and what is stored. */
	function plan(listed: JsonObject[], more: Partial<Subscription> = {}) {
		const subscription = { ...stored, ...more };
		const identity = { ...nothingStored, made: webhooksOf(subscription) };
		return planSubscription(identity, listed, eventTypes, subscription, now);
	}

	test('asks for nothing as long as all are there', () => {
		const { madeAgainAt, ...nothingToDo } = plan([first, second]);
		const { ids } = stored;
		const none = { needless: [], toMake: [], outdated: [], gone: [], interrupted: [] };
		expect(nothingToDo).toEqual({ ids, ...none });
		expect(madeAgainAt).toBeUndefined();
	});

	test.each([undefined, now - dayMs, now + dayMs])(
		'makes what is gone, where that was not done within a day: %s',
		(madeAgainAt) => {
			expect(plan([first], { madeAgainAt })).toMatchObject({
				ids: { 'job.ended': 'w-0' },
				toMake: ['session.ended'],
				interrupted: ['session.ended'],
				madeAgainAt: now,
			});
		},
	);

	test('waits with what is gone where one was made again today, and what was missed is read nevertheless', () => {
		const madeAgainAt = now - dayMs + 1;
		expect(plan([first], { madeAgainAt })).toMatchObject({
			ids: stored.ids,
			toMake: [],
			interrupted: ['session.ended'],
			madeAgainAt,
		});
	});

	test.each([{ url: 'https://old.example.org' }, { keyDigest: 'another' }])(
		'makes all where they were made as others: %j',
		(changed) => {
			expect(plan([], { madeAgainAt: now, ...changed })).toMatchObject({ toMake: eventTypes });
		},
	);

	test('makes all where they were removed, at any time', () => {
		expect(plan([], { madeAgainAt: now, ids: {} })).toMatchObject({ toMake: eventTypes });
	});

	test('makes anew what the list shows as disabled, which was there, at any time', () => {
		const disabled = { ...second, attributes: { ...second.attributes, disabled: true } };
		expect(plan([first, disabled], { madeAgainAt: now })).toMatchObject({
			needless: ['w-1'],
			toMake: ['session.ended'],
		});
	});
});
