import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseUrl } from '../client/baseUrl';

/* Two things prove that the platform sent a delivery: a key in the URL that we gave to it alone, or a signature. */

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

/** Gives the part of a key that may be stored: enough to recognise it, too little to have it. */
export function keyDigest(key: string): string {
	return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/**
 * The kinds of a key in the query of a delivery:
 *
 *   own      the key of this trigger
 *   former   the one before the credential's secret changed, which is no forgery but proves nothing
 *   none     there is no key
 *   foreign  any other
 */
export type KeyKind = 'own' | 'former' | 'none' | 'foreign';

export function judgeKey(queryKey: unknown, key: string, formerDigest = ''): KeyKind {
	if (queryKey === undefined) return 'none';
	if (typeof queryKey !== 'string') return 'foreign';
	if (isEqualInConstantTime(queryKey, key)) return 'own';
	return isEqualInConstantTime(keyDigest(queryKey), formerDigest) ? 'former' : 'foreign';
}

/** Whether two texts are equal, in a time that tells nothing of them. Digests are compared, because all have the same length. */
function isEqualInConstantTime(first: string, second: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(first), digest(second));
}

export function withoutKey(url: string): string {
	return url.replace(/([?&]key=)[^&#]*/g, '$1…');
}
