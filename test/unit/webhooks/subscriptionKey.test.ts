import * as fc from 'fast-check';
import {
	judgeKey,
	keyDigest,
	subscriptionKey,
	withKey,
	withoutKey,
} from '../../../nodes/EventPlatform/core/webhooks/subscriptionKey';

const belongsTo = {
	url: 'https://n8n.example.org/webhook/1/webhook',
	workflowId: 'w-1',
	webhookId: '1',
};
const key = subscriptionKey('secret', belongsTo);

const keyWith = (secret: string, more: object) =>
	subscriptionKey(secret, { ...belongsTo, ...more });

test('the key is 256 bits that fit into a URL, the same every time and for the test URL of the webhook', () => {
	expect(key).toMatch(/^[\w-]{43}$/);
	const url = 'https://n8n.example.org/webhook-test/1/webhook';
	expect([keyWith('secret', {}), keyWith('secret', { url })]).toEqual([key, key]);
});

test('another secret, workflow, webhook or address has another key', () => {
	const changes = [{ workflowId: 'w-2' }, { webhookId: '2' }, { url: 'https://other.example' }];
	const otherKeys = changes.map((change) => keyWith('secret', change));
	expect([keyWith('other', {}), ...otherKeys]).not.toContain(key);
});

test('a key is ours, the former one, none or foreign', () => {
	const former = keyDigest('former');
	expect(judgeKey(key, key, former)).toBe('own');
	expect(judgeKey('former', key, former)).toBe('former');
	expect(judgeKey(undefined, key, former)).toBe('none');
	for (const forged of ['', [key, key], `${key} `, former]) {
		expect(judgeKey(forged, key, former)).toBe('foreign');
	}
	expect(judgeKey('former', key)).toBe('foreign');
});

test('nothing but the key is ours, and nothing makes the comparison throw', () => {
	fc.assert(
		fc.property(fc.anything(), (value) => judgeKey(value, key, keyDigest('former')) !== 'own'),
	);
});

test('what is stored of a key is not the key', () => {
	expect(keyDigest(key)).toMatch(/^[\w-]{22}$/);
	expect(key).not.toContain(keyDigest(key));
});

test('the key is a part of where the platform delivers', () => {
	const { url } = belongsTo;
	expect(withKey({ url, key })).toBe(`${url}?key=${key}`);
	expect(withKey({ url })).toBe(url);
	expect(withKey({ url: `${url}?a=1`, key })).toBe(`${url}?a=1&key=${key}`);
});

test.each([
	[withKey({ url: 'https://a.example/1', key }), 'https://a.example/1?key=…'],
	[withKey({ url: 'https://a.example/1?b=2', key }), 'https://a.example/1?b=2&key=…'],
	['https://a.example/1?monkey=x', 'https://a.example/1?monkey=x'],
	['https://a.example/1?key=x&key=y#z', 'https://a.example/1?key=…&key=…#z'],
])('%s is shown without its key', (url, expected) => expect(withoutKey(url)).toBe(expected));
