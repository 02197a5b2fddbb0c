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

const kept = { ...nothing, kept: { 'job.ended': 'w-0' } };
const useless = { ...nothing, useless: ['w-0'] };
const outdated = { ...nothing, outdated: ['w-0'] };
const made = new Set(['w-0']);

test.each<[string, JsonObject, Partial<Ours>, object]>([
	...Object.entries({
		...{ disabled: true, disabled_at: 1_700_000_000, enabled: false },
		...{ status: 'disabled', active: false },
	}).map((mark): [string, JsonObject, Partial<Ours>, object] => [
		`one that is marked with ${mark.join(' ')} is of no use`,
		{ url: keyed, [mark[0]]: mark[1] },
		{},
		useless,
	]),
	['one of a kind that is not wanted is of no use', { url: keyed, event: 'x' }, {}, useless],
	...[
		`https://N8N.example.org/webhook/1?key=${key}`,
		`https://n8n.example.org:443/webhook/1/?key=${key}`,
	].map((written): [string, JsonObject, Partial<Ours>, object] => [
		`our URL is recognised as ${written}`,
		{ url: written, disabled_at: 0 },
		{},
		kept,
	]),
	...[
		url,
		`${url}?key=${'x'.repeat(43)}`,
		`https://n8n.example.org/webhook/12?key=${key}`,
		`https://n8n.example.org/webhook?key=${key}`,
		'no URL',
		'',
	].map((written): [string, JsonObject, Partial<Ours>, object] => [
		`the URL "${written}" is not ours, and what belongs to others is left alone`,
		{ url: written },
		{},
		nothing,
	]),
	['one that we made without a key goes when there is a new one', { url }, { made }, outdated],
	[
		'so does one at a former address',
		{ url: 'https://old.example.org/webhook/1?key=former' },
		{ made },
		outdated,
	],
	[
		'where the platform drops the key from the URL, what we made with it stays',
		{ url },
		{ made, madeWithKey: true },
		kept,
	],
])('%s', async (_, attributes, ours, expected) => {
	expect(await find([{ event: 'job.ended', ...attributes }], ours)).toEqual(expected);
});

test('of two that are the same one is kept; without a secret to make a key of, the one that was made', async () => {
	const two = (written: string) => [1, 2].map(() => ({ url: written, event: 'job.ended' }));
	expect(await find(two(keyed))).toEqual({ ...kept, useless: ['w-1'] });
	const ours = { key: undefined, made: new Set(['w-1']), madeWithKey: true };
	expect(await find(two(url), ours)).toEqual({ ...nothing, kept: { 'job.ended': 'w-1' } });
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
