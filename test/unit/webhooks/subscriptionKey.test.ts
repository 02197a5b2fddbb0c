import {
	keyDigest,
	subscriptionKey,
	withKey,
	withoutKey,
} from '../../../nodes/EventPlatform/core/webhooks/proof';

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
