import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import {
	judgeSignature,
	keyDigest,
	subscriptionKey,
	withKey,
	withoutKey,
} from '../../../nodes/EventPlatform/core/webhooks/proof';
import type {
	DeliveryRequest,
	TriggerSettings,
} from '../../../nodes/EventPlatform/core/webhooks/webhookTrigger';
import { sign } from '../../../sandbox/webhooks/signature';
import type { FakeAnswers } from '../../support/platform/fakePlatform';
import { key, now, receiver } from './deliveries';

const secret = 'shared';
const job = () => ({ type: 'jobs', id: 'j1', attributes: { status: 'ended' } });
const notFound = () => 'not_found' as const;
const signature = sign(secret, JSON.stringify(job()), now);
const bySignature = { verify: 'signature', secret, ownKey: undefined } as const;
/** People subscribe by hand, and the credential has a secret. */
const manual = { secret, ownKey: undefined };

/** The settings of a trigger, and the proof that a delivery of a job brings. */
type ProofCase = [string, Partial<TriggerSettings>, Partial<DeliveryRequest>];

/** A trigger that had another key before. */
function rekeyed(settings: Partial<TriggerSettings>, answers: FakeAnswers = job) {
	const receiving = receiver(settings, answers);
	receiving.history.subscriptionMemory.note({
		url: '',
		ids: { 'job.ended': 'made-before' },
		madeAt: 0,
		seenAt: 0,
		owner: '',
		keyDigest: keyDigest('former'),
	});
	return receiving;
}

test.each<ProofCase>([
	['our key', {}, { key }],
	['a signature', { secret }, { signature }],
	['a signature, which decides', bySignature, { signature }],
	['a key of theirs and a signature', manual, { key: 'theirs', signature }],
	['nothing, where nobody checks', { verify: 'none', secret }, {}],
])('a delivery that brings %s starts a run, and costs no request', async (_, settings, proof) => {
	const { deliver, asked } = rekeyed(settings);
	const { items } = await deliver(job(), proof);
	expect(items).toMatchObject([{ event: 'job.ended', id: 'j1' }]);
	expect(asked).toEqual([]);
});

describe.each<ProofCase>([
	['the key of before', {}, { key: 'former' }],
	['our key, where the API decides', { verify: 'api' }, { key }],
])('a delivery that brings %s', (_, settings, proof) => {
	test('starts a run when the platform confirms it, for one request, whose answer is waited for ten seconds', async () => {
		const { deliver, asked } = rekeyed(settings);
		const { items } = await deliver(job(), proof);
		expect(items).toMatchObject([{ event: 'job.ended', id: 'j1' }]);
		expect(asked).toMatchObject([{ path: '/jobs/j1', deadlineAtMs: now + 10_000 }]);
	});

	test('starts none when the platform does not', async () => {
		const { deliver } = rekeyed(settings, notFound);
		expect(await deliver(job(), proof)).toMatchObject({ status: 401, items: [] });
	});
});

const unsigned = 'The signature is not valid';
const wrongKey = 'The key is not the one of this trigger';

test.each<[...ProofCase, string]>([
	['an empty key', {}, { key: '' }, wrongKey],
	['two keys, of which each is ours', {}, { key: [key, key] }, wrongKey],
	['our key and a space', {}, { key: `${key} ` }, wrongKey],
	['the digest of the key of before', {}, { key: keyDigest('former') }, wrongKey],
	['another key, whatever else', { secret }, { key: 'another', signature }, wrongKey],
	['no signature where it decides', bySignature, { key }, unsigned],
	['only a key of theirs', manual, { key: 'theirs' }, unsigned],
])(
	'a delivery that brings %s is refused as forged, and costs no request',
	async (_, settings, proof, reason) => {
		const { deliver, asked } = rekeyed(settings);
		expect(await deliver(job(), proof)).toMatchObject({ status: 401, reason, items: [] });
		expect(asked).toEqual([]);
	},
);

test.each<ProofCase>([
	// The key alone may come out of the log of a proxy.
	['no signature', { secret }, { key }],
	['a signature with another secret', { secret: 'mistyped' }, { key, signature }],
])(
	'a delivery that brings our key and %s is refused, and somebody is told',
	async (_, settings, proof) => {
		const { deliver, asked } = rekeyed(settings);
		const reason = expect.stringContaining("the 'Webhook Signing Secret'") as string;
		const refused = { status: 401, items: [], reason, needsAttention: true };
		expect(await deliver(job(), proof)).toMatchObject(refused);
		expect(asked).toEqual([]);
	},
);

test('a delivery is to come again where a signature decides and there is no secret', async () => {
	const reason = 'There is no signing secret to check deliveries with';
	const { deliver } = rekeyed({ verify: 'signature' });
	expect(await deliver(job(), { key })).toMatchObject({ status: 503, reason, items: [] });
});

test('the key of before is forged where none is stored', async () => {
	const { deliver } = receiver({}, job);
	expect((await deliver(job(), { key: 'former' })).status).toBe(401);
});

test('nothing but our key or the one of before is taken for one, whatever it is', async () => {
	const { deliver } = rekeyed({});
	await fc.assert(
		fc.asyncProperty(fc.anything(), async (other) => {
			const { status } = await deliver(job(), { key: other ?? '' });
			return status === 401;
		}),
	);
});

describe('a signature', () => {
	const secret = 'whsec of the workspace';
	const now = Date.parse('2026-11-21T08:00:00Z');
	const body = Buffer.from('{"type":"jobs","id":"a1"}');

	const hash = (time: string, key = secret, sent: Uint8Array = body) =>
		createHash('sha256').update(`${time}${key}`).update(sent).digest('hex');

	const seconds = (at: number) => String(Math.floor(at / 1_000));
	const signed = (time: string) => `${time},${hash(time)}`;
	const judge = (header: unknown) => judgeSignature(header, body, secret, now);
	const check = (header: unknown, key = secret) =>
		judgeSignature(header, body, key, now) === 'valid';

	test.each([
		['seconds, then the digest', signed(seconds(now))],
		['the digest first', `${hash(seconds(now))},${seconds(now)}`],
		['milliseconds', signed(String(now))],
		['spaces around the parts', ` ${seconds(now)} , ${hash(seconds(now))} `],
		['capital letters in the digest', `${seconds(now)},${hash(seconds(now)).toUpperCase()}`],
		['the age of the last attempt of the platform', signed(seconds(now - 22 * 60_000))],
		['a clock that is ahead by five minutes', signed(seconds(now + 300_000))],
		['an age of thirty minutes', signed(seconds(now - 1_800_000))],
	])('a signature is valid with %s', (_, header) => expect(check(header)).toBe(true));

	test.each([
		['no header', undefined],
		['two headers in a list', [signed(seconds(now)), signed(seconds(now))]],
		['two headers joined', `${signed(seconds(now))}, ${signed(seconds(now))}`],
		['no digest', `${seconds(now)},`],
		['another digest', `${signed(seconds(now))},${hash(seconds(now))}`],
		['a digest that is too long', `${signed(seconds(now))}00`],
		['only a digest', hash(seconds(now))],
		['a digest that is cut off', `${seconds(now)},${hash(seconds(now)).slice(0, 62)}`],
		['the digest of another secret', `${seconds(now)},${hash(seconds(now), 'other')}`],
		['the digest of an empty secret', `${seconds(now)},${hash(seconds(now), '')}`],
		['another time than the signed one', `${seconds(now + 1_000)},${hash(seconds(now))}`],
		['a time in scientific notation', signed(`${seconds(now)}e0`)],
	])('a signature is not valid with %s', (_, header) => expect(check(header)).toBe(false));

	test.each([
		['is older than thirty minutes', now - 1_801_000],
		['is more than five minutes ahead', now + 301_000],
	])('a right signature that %s is told from a forged one', (_, at) => {
		expect(judge(signed(seconds(at)))).toBe('untimely');
		expect(judge(`${seconds(at)},${hash(seconds(now))}`)).toBe('invalid');
	});

	test('whatever one byte of the body becomes, the signature does not hold for it', () => {
		const time = seconds(now);
		const header = `${time},${hash(time)}`;
		fc.assert(
			fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
				const forged = Buffer.from(body);
				forged[at] = (forged[at] ?? 0) ^ change;
				return judgeSignature(header, forged, secret, now) === 'invalid';
			}),
		);
	});

	test('any body, text or not, is valid with its own signature', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 500 }), fc.string({ minLength: 1 }), (sent, key) => {
				const time = seconds(now);
				const header = `${time},${hash(time, key, sent)}`;
				return judgeSignature(header, sent, key, now) === 'valid';
			}),
		);
	});

	test('no header makes it throw, and an empty secret is never valid, even for who signs with it', () => {
		expect(check(`${seconds(now)},${hash(seconds(now), '')}`, '')).toBe(false);
		fc.assert(fc.property(fc.anything(), (header) => !check(header)));
		fc.assert(fc.property(fc.string(), fc.string(), (a, b) => !check(`${a},${b}`)));
	});
});

describe('the key of a trigger', () => {
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

	test('an address that is no URL has a key of its own', () => {
		expect(keyWith('secret', { url: 'nowhere' })).toMatch(/^[\w-]{43}$/);
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
});
