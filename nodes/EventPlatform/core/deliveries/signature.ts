import { createHash, timingSafeEqual } from 'node:crypto';
import { unixMs } from '../http/unixMs';

export interface Signed {
	/** The value of `x-livestorm-signature`. */
	header: unknown;
	/** The body as it was sent, byte for byte. */
	body: Uint8Array;
}

/** What clocks differ by. */
const aheadMs = 5 * 60_000;

/**
 * The platform's last attempt comes 22 minutes after its first (0.5 + 1 + 2.5 + 6 + 12), and whether
 * it signs each anew is not documented: 22, and 5 for clocks, rounded up. Replaying a recorded
 * delivery gains nothing in that time, because the last 10,000 events are recognised.
 */
const behindMs = 30 * 60_000;

/**
 * The header is a Unix time and a hexadecimal SHA-256 of time, secret and body, in either order.
 * Without a secret nothing is ever valid.
 */
export function isGenuine({ header, body }: Signed, secret: string, now: number): boolean {
	if (secret === '' || typeof header !== 'string') return false;
	const [first = '', second = '', ...more] = header.split(',').map((part) => part.trim());
	const [time, digest] = isDigest(first) ? [second, first] : [first, second];
	if (more.length > 0 || !/^\d{9,14}$/.test(time) || !isDigest(digest)) return false;
	const ageMs = now - unixMs(Number(time));
	if (ageMs > behindMs || ageMs < -aheadMs) return false;
	const expected = createHash('sha256').update(time).update(secret).update(body).digest();
	return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
}

function isDigest(part: string): boolean {
	return /^[\da-f]{64}$/i.test(part);
}
