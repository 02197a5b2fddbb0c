import { createHash, timingSafeEqual } from 'node:crypto';
import { parseSignature } from '../dialect/webhooks';
import { unixMs } from '../values/time';

/** Clocks differ by so much. */
const aheadMs = 5 * 60_000;

/**
 * The last attempt comes 22 minutes after the first and may not be signed anew; 5 more for clocks, rounded up.
 * Replaying a recorded delivery gains nothing in that time, because the last 10,000 events are recognised.
 */
const behindMs = 30 * 60_000;

/** The signature is a Unix time and the SHA-256 of time, secret and body. */
export function isGenuine(header: unknown, body: Uint8Array, secret: string, now: number): boolean {
	const signature = parseSignature(header);
	if (secret === '' || !signature) return false;
	const { time, digest } = signature;
	const ageMs = now - unixMs(Number(time));
	if (ageMs > behindMs || ageMs < -aheadMs) return false;
	const expected = createHash('sha256').update(time).update(secret).update(body).digest();
	return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
}
