import { createHash, timingSafeEqual } from 'node:crypto';
import { unixMs } from '../values/time';

/** Clocks differ by so much. */
const aheadMs = 5 * 60_000;

/**
 * The last attempt comes 22 minutes after the first and may not be signed anew; 5 more for clocks, rounded up.
 * Replaying a recorded delivery gains nothing in that time, because the last 10,000 events are recognised.
 */
const behindMs = 30 * 60_000;

/** The header is a Unix time and a hexadecimal SHA-256 of time, secret and body, in either order. */
export function isGenuine(header: unknown, body: Uint8Array, secret: string, now: number): boolean {
	if (secret === '' || typeof header !== 'string') return false;
	const parts = header.split(',').map((part) => part.trim());
	const [time = '', digest = '', ...more] = parts.sort((a, b) => a.length - b.length);
	if (!/^\d{9,14}$/.test(time) || !/^[\da-f]{64}$/i.test(digest) || more.length > 0) return false;
	const ageMs = now - unixMs(Number(time));
	if (ageMs > behindMs || ageMs < -aheadMs) return false;
	const expected = createHash('sha256').update(time).update(secret).update(body).digest();
	return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
}
