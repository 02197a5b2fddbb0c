import { createHash, timingSafeEqual } from 'node:crypto';
import { parseSignature } from '../dialect/webhooks';
import { unixMs } from '../dialect/time';

/** The sender's clock may be ahead of ours by no more than this. */
const mostAheadMs = 5 * 60_000;

/**
 * A signature may be no older than this. The last attempt comes 22 minutes after the first and may not be signed anew, clocks may
 * differ by 5 more, and the sum is rounded up. Replaying a recorded delivery in that time gains nothing, because the last 10,000
 * events are recognised.
 */
const mostAgeMs = 30 * 60_000;

/** Whether a header signs this body: its digest is the SHA-256 of its Unix time, the secret and the body. */
export function isSignedWith(
	header: unknown,
	body: Uint8Array,
	secret: string,
	now: number,
): boolean {
	const signature = parseSignature(header);
	if (secret === '' || !signature) return false;
	const { time, digest } = signature;
	const ageMs = now - unixMs(Number(time));
	if (ageMs > mostAgeMs || ageMs < -mostAheadMs) return false;
	const expected = createHash('sha256').update(time).update(secret).update(body).digest();
	return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
}
