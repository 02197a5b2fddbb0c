import {
	findOurs,
	subscribe,
	unsubscribe,
	type Ours,
} from '../../../nodes/EventPlatform/core/deliveries/subscriptions';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/json';
import { asking } from '../../support/asking';

const url = 'https://n8n.example.org/webhook/1';
const key = 'k'.repeat(43);
const keyed = `${url}?key=${key}`;
const nothingStored: Ours = { url, key, made: new Set(), madeWithKey: false };

/** On a platform with these subscriptions, as JSON:API attributes; their ids are w-0, w-1 … */
async function find(subscriptions: JsonObject[], ours: Partial<Ours> = {}) {
	const data = subscriptions.map((attributes, n) => ({ id: `w-${n}`, attributes }));
	const { ask, asked } = asking(() => ({ data }));
	const found = await findOurs(ask, { ...nothingStored, ...ours }, ['job.ended']);
	expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /webhooks']);
	return found;
}

const nothing = { kept: {}, useless: [], outdated: [] };
const kept = { ...nothing, kept: { 'job.ended': 'w-0' } };
const useless = { ...nothing, useless: ['w-0'] };
const outdated = { ...nothing, outdated: ['w-0'] };
const made = new Set(['w-0']);
const formerly = 'https://old.example.org/webhook/1?key=former';

test.each<[string, JsonObject, Partial<Ours>, object]>([
	['marked as disabled is of no use', { url: keyed, disabled: true }, {}, useless],
	['with a time of its end is of no use', { url: keyed, disabled_at: 1_700_000_000 }, {}, useless],
	['that is not enabled is of no use', { url: keyed, enabled: false }, {}, useless],
	['whose status says so is of no use', { url: keyed, status: 'disabled' }, {}, useless],
	['that is not active is of no use', { url: keyed, active: false }, {}, useless],
	['of a kind that is not wanted is of no use', { url: keyed, event: 'x' }, {}, useless],
	['that we made without a key goes when there is a new one', { url }, { made }, outdated],
	['that we made at a former address goes as well', { url: formerly }, { made }, outdated],
	['whose key the platform drops stays', { url }, { made, madeWithKey: true }, kept],
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
	const ours = { key: undefined, made: new Set(['w-1']), madeWithKey: true };
	expect(await find(two(url), ours)).toEqual({ ...nothing, kept: { 'job.ended': 'w-1' } });
});

describe('changing them', () => {
	/** A platform that has these answers to requests for the ids, by their last character. */
	const changing = (causes: Record<string, string> = {}) =>
		asking(({ path }) => causes[path.slice(-1)] ?? { data: { id: 7, attributes: {} } });

	test('a new one is asked for by address and kind, and known by its id', async () => {
		const { ask, asked } = changing();
		expect(await subscribe(ask, nothingStored, 'job.ended')).toBe('7');
		const body = { data: { type: 'webhooks', attributes: { url: keyed, event: 'job.ended' } } };
		// No error shows the key.
		expect(asked).toEqual([{ method: 'POST', path: '/webhooks', body, secret: key }]);
	});

	test('it does no harm when one of no use is gone already', async () => {
		const { ask, asked } = changing({ b: 'not_found' });
		await unsubscribe(ask, ['a', 'b']);
		const removal = { method: 'DELETE', repeatable: true };
		expect(asked).toEqual(['a', 'b'].map((id) => ({ ...removal, path: `/webhooks/${id}` })));
		const refusing = changing({ a: 'missing_scope' });
		await expect(unsubscribe(refusing.ask, ['a', 'b'])).rejects.toThrow('missing');
		expect(refusing.asked).toHaveLength(2);
	});
});
