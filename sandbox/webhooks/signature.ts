import { createHash } from 'node:crypto';

/** A plain hash of timestamp, secret and body in a row, not an HMAC: that is how receivers check it. */
export function sign(secret: string, body: string, now: number): string {
	const timestamp = Math.floor(now / 1000);
	const hex = createHash('sha256').update(`${timestamp}${secret}${body}`).digest('hex');
	return `${timestamp},${hex}`;
}
