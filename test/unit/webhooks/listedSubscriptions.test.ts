import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { MadeWebhook } from '../../../nodes/EventPlatform/core/webhooks/gap';
import {
	findSubscriptions,
	hasNoWebhooks,
	judgeHidden,
	noneListed,
	webhooksOf,
	type SubscriptionIdentity,
} from '../../../nodes/EventPlatform/core/webhooks/listedSubscriptions';
import { keyDigest } from '../../../nodes/EventPlatform/core/webhooks/proof';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';

const url = 'https://n8n.example.org/webhook/1';
const key = 'k'.repeat(43);
const keyed = `${url}?key=${key}`;
const nothingStored: SubscriptionIdentity = { url, key, made: [] };

/** Reads the list of a platform with these subscriptions, as JSON:API attributes. Their ids are w-0, w-1 … */
async function find(subscriptions: JsonObject[], identity: Partial<SubscriptionIdentity> = {}) {
	const data = subscriptions.map((attributes, n) => ({ id: `w-${n}`, attributes }));
	const { ask, asked } = fakePlatform(() => ({ data }));
	const listed = await findSubscriptions(ask, { ...nothingStored, ...identity }, ['job.ended']);
	expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /webhooks']);
	return listed;
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
	// A webhook that is in use stays in use.
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

test('what was made is all that is in use or was, and nothing where nothing is stored', () => {
	const former = [movedAway];
	const stored = { url, keyDigest: 'd', owner: 'o', madeAt: 0, seenAt: 0, ids: { a: '1' }, former };
	expect(webhooksOf(stored)).toEqual([{ id: '1', url, keyDigest: 'd' }, movedAway]);
	expect(webhooksOf(undefined)).toEqual([]);
});
