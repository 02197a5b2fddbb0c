import {
	findOurs,
	subscribe,
	unsubscribe,
	type Ours,
} from '../../../nodes/EventPlatform/core/deliveries/subscriptions';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import type { Api, ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const url = 'https://n8n.example.org/webhook/1';
const key = 'k'.repeat(43);
const keyed = `${url}?key=${key}`;
const nothingStored: Ours = { url, key, made: new Set(), madeWithKey: false };

/** A platform with these subscriptions, as JSON:API attributes; their ids are w-0, w-1 … */
function platform(subscriptions: JsonObject[]): Api {
	const data = subscriptions.map((attributes, n) => ({
		id: `w-${n}`,
		type: 'webhooks',
		attributes,
	}));
	const call = ({ method, path }: ApiRequest) => {
		expect([method, path]).toEqual(['GET', '/webhooks']);
		return Promise.resolve({ status: 200, headers: {}, body: { data } });
	};
	return Object.assign(call, { usage: { requests: 0, perSecond: 5 } });
}

const find = (subscriptions: JsonObject[], ours: Partial<Ours> = {}) =>
	findOurs(platform(subscriptions), { ...nothingStored, ...ours }, ['job.ended']);

const nothing = { kept: {}, useless: [], outdated: [] };

test.each<[string, JsonObject]>([
	['disabled', { disabled: true }],
	['disabled since', { disabled_at: 1_700_000_000 }],
	['not enabled', { enabled: false }],
	['of that status', { status: 'disabled' }],
	['not active', { active: false }],
])('a subscription that is marked as %s is of no use', async (_, mark) => {
	expect(await find([{ url: keyed, event: 'job.ended', ...mark }])).toEqual({
		...nothing,
		useless: ['w-0'],
	});
});

test.each([
	`https://N8N.example.org/webhook/1?key=${key}`,
	`https://n8n.example.org:443/webhook/1/?key=${key}`,
])('our URL is recognised as %s', async (written) => {
	expect(await find([{ url: written, event: 'job.ended', disabled_at: 0 }])).toEqual({
		...nothing,
		kept: { 'job.ended': 'w-0' },
	});
});

test.each([
	url,
	`${url}?key=${'x'.repeat(43)}`,
	`https://n8n.example.org/webhook/12?key=${key}`,
	`https://n8n.example.org/webhook?key=${key}`,
	'no URL',
	'',
])('the URL "%s" is not ours, and what belongs to others is left alone', async (written) => {
	expect(await find([{ url: written, event: 'job.ended' }, {}])).toEqual(nothing);
});

test('without a secret to make a key of, only what was made is ours', async () => {
	const both = [
		{ url, event: 'job.ended' },
		{ url, event: 'job.ended' },
	];
	const ours = { key: undefined, made: new Set(['w-1']), madeWithKey: true };
	expect(await find(both, ours)).toEqual({ ...nothing, kept: { 'job.ended': 'w-1' } });
});

test('a second one and a kind that is not wanted are of no use', async () => {
	const found = await find([
		{ url: keyed, event: 'job.ended' },
		{ url: keyed, event: 'job.ended' },
		{ url: keyed, event: 'session.ended' },
	]);
	expect(found).toEqual({
		kept: { 'job.ended': 'w-0' },
		useless: ['w-1', 'w-2'],
		outdated: [],
	});
});

test.each<[string, string]>([
	['without a key', url],
	['at a former address', 'https://old.example.org/webhook/1?key=former'],
])('one that we made %s goes when there is a new one', async (_, written) => {
	const made = new Set(['w-0']);
	expect(await find([{ url: written, event: 'job.ended' }], { made })).toEqual({
		...nothing,
		outdated: ['w-0'],
	});
});

test('where the platform drops the key from the URL, what we made with it stays', async () => {
	const ours = { made: new Set(['w-0']), madeWithKey: true };
	expect(await find([{ url, event: 'job.ended' }], ours)).toEqual({
		...nothing,
		kept: { 'job.ended': 'w-0' },
	});
});

describe('changing them', () => {
	/** A platform that has these answers to requests for the ids, by their last character. */
	function changing(failures: Record<string, Cause> = {}) {
		const asked: ApiRequest[] = [];
		const call = (request: ApiRequest) => {
			asked.push(request);
			const cause = failures[request.path.slice(-1)];
			if (cause) return Promise.reject(new Failure(cause, request));
			return Promise.resolve({
				status: 200,
				headers: {},
				body: { data: { id: 7, attributes: {} } },
			});
		};
		return { asked, api: Object.assign(call, { usage: { requests: 0, perSecond: 5 } }) as Api };
	}

	test('a new one is asked for by address and kind, and known by its id', async () => {
		const { api, asked } = changing();
		expect(await subscribe(api, nothingStored, 'job.ended')).toBe('7');
		const attributes = { url: keyed, event: 'job.ended' };
		const body = { data: { type: 'webhooks', attributes } };
		// No error shows the key.
		expect(asked).toEqual([{ method: 'POST', path: '/webhooks', body, secret: key }]);
	});

	test('it does no harm when one of no use is gone already', async () => {
		const { api, asked } = changing({ b: 'not_found' });
		await unsubscribe(api, ['a', 'b']);
		const removal = { method: 'DELETE', repeatable: true };
		expect(asked).toEqual(['a', 'b'].map((id) => ({ ...removal, path: `/webhooks/${id}` })));
	});

	test('what cannot be removed is told when the others are', async () => {
		const { api, asked } = changing({ a: 'forbidden', b: 'platform_error' });
		await expect(unsubscribe(api, ['a', 'b', 'c'])).rejects.toThrow('forbidden');
		expect(asked).toHaveLength(3);
	});
});
