import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseUrl } from '../client/baseUrl';
import { unixMs } from '../values/json';

/* What shows that the platform sent a delivery: a key in the URL that we gave to it alone, or a signature. */

/**
 * 256 bits, the same in every process of an n8n and after every restart. The origin and the webhook's id also belong to
 * the test URL; the workflow tells a copy of it that has the same URL.
 */
export function subscriptionKey(
	secret: string,
	{ url, workflowId, webhookId }: Record<'url' | 'workflowId' | 'webhookId', string>,
): string {
	const belongsTo = JSON.stringify([parseUrl(url)?.origin ?? url, webhookId, workflowId]);
	return createHmac('sha256', secret).update(belongsTo).digest('base64url');
}

export function withKey({ url, key }: { url: string; key?: string }): string {
	return key === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}key=${key}`;
}

/** What may be stored of a key: enough to recognise it, too little to have it. */
export function keyDigest(key: string): string {
	return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/** Undefined: none is given, or the one before the credential's secret changed, which is no forgery but proves nothing. */
export function isOurKey(given: unknown, key: string, formerDigest = ''): boolean | undefined {
	if (given === undefined) return undefined;
	if (typeof given !== 'string') return false;
	if (isSame(given, key)) return true;
	return isSame(keyDigest(given), formerDigest) ? undefined : false;
}

/** In constant time. Of digests, because they have the same length whatever is compared. */
function isSame(one: string, other: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}

export function withoutKey(url: string): string {
	return url.replace(/([?&]key=)[^&#]*/g, '$1…');
}

/** What clocks differ by. */
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
