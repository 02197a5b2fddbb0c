import * as fc from 'fast-check';
import {
	keyDigest,
	keyState,
	subscriptionKey,
	withKey,
	withoutKey,
} from '../../../nodes/EventPlatform/core/deliveries/subscriptionKey';

const belongsTo = {
	url: 'https://n8n.example.org/webhook/1/webhook',
	workflowId: 'w-1',
	webhookId: '1',
};
const key = subscriptionKey('secret', belongsTo);

test('the key is 256 bits that fit into a URL, and the same every time', () => {
	expect(key).toMatch(/^[\w-]{43}$/);
	expect(subscriptionKey('secret', { ...belongsTo })).toBe(key);
});

test.each([
	['another secret', subscriptionKey('other', belongsTo)],
	['another workflow', subscriptionKey('secret', { ...belongsTo, workflowId: 'w-2' })],
	['another webhook', subscriptionKey('secret', { ...belongsTo, webhookId: '2' })],
	['another address', subscriptionKey('secret', { ...belongsTo, url: 'https://other.example' })],
])('%s has another key', (_, other) => expect(other).not.toBe(key));

test('a delivery with the key is believed, with the former one looked up, with another refused', () => {
	const former = keyDigest('former');
	expect(keyState(key, key, former)).toBe('right');
	expect(keyState('former', key, former)).toBe('former');
	expect(keyState(undefined, key, former)).toBe('absent');
	expect(keyState('', key, former)).toBe('wrong');
	expect(keyState([key, key], key, former)).toBe('wrong');
	expect(keyState(`${key} `, key, undefined)).toBe('wrong');
	expect(keyState(former, key, former)).toBe('wrong');
	expect(keyState('undefined', undefined, undefined)).toBe('wrong');
});

test('nothing but the key is right, and nothing makes the comparison throw', () => {
	fc.assert(
		fc.property(fc.anything(), (given) => keyState(given, key, keyDigest('former')) !== 'right'),
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
	['https://a.example/1?key=x&key=y#z', 'https://a.example/1?key=…&key=…#z'],
])('%s is shown without its key', (url, shown) => expect(withoutKey(url)).toBe(shown));
