import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { isSignedWith } from '../../../nodes/EventPlatform/core/webhooks/proof';

const secret = 'whsec of the workspace';
const now = Date.parse('2026-11-21T08:00:00Z');
const body = Buffer.from('{"type":"jobs","id":"a1"}');

const hash = (time: string, key = secret, sent: Uint8Array = body) =>
	createHash('sha256').update(`${time}${key}`).update(sent).digest('hex');

const seconds = (at: number) => String(Math.floor(at / 1_000));
const signed = (time: string) => `${time},${hash(time)}`;
const check = (header: unknown, key = secret) => isSignedWith(header, body, key, now);

test.each([
	['seconds, then the digest', signed(seconds(now))],
	['the digest first', `${hash(seconds(now))},${seconds(now)}`],
	['milliseconds', signed(String(now))],
	['spaces around the parts', ` ${seconds(now)} , ${hash(seconds(now))} `],
	['capital letters in the digest', `${seconds(now)},${hash(seconds(now)).toUpperCase()}`],
	['the age of the last attempt of the platform', signed(seconds(now - 22 * 60_000))],
	['a clock that is ahead', signed(seconds(now + 299_000))],
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
	['an age of thirty minutes and a second', signed(seconds(now - 1_801_000))],
	['a time five minutes ahead', signed(seconds(now + 301_000))],
	['a time in scientific notation', signed(`${seconds(now)}e0`)],
])('a signature is not valid with %s', (_, header) => expect(check(header)).toBe(false));

test('whatever one byte of the body becomes, the signature does not hold for it', () => {
	const time = seconds(now);
	const header = `${time},${hash(time)}`;
	fc.assert(
		fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
			const forged = Buffer.from(body);
			forged[at] = (forged[at] ?? 0) ^ change;
			return !isSignedWith(header, forged, secret, now);
		}),
	);
});

test('any body, text or not, is valid with its own signature', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 500 }), fc.string({ minLength: 1 }), (sent, key) => {
			const time = seconds(now);
			return isSignedWith(`${time},${hash(time, key, sent)}`, sent, key, now);
		}),
	);
});

test('no header makes it throw, and an empty secret is never valid, even for who signs with it', () => {
	expect(check(`${seconds(now)},${hash(seconds(now), '')}`, '')).toBe(false);
	fc.assert(fc.property(fc.anything(), (header) => !check(header)));
	fc.assert(fc.property(fc.string(), fc.string(), (a, b) => !check(`${a},${b}`)));
});
