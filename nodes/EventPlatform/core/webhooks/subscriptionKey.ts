import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseUrl } from '../client/baseUrl';

/* This file makes and judges the key in the URL that we give to the platform alone. A delivery with the key is proven to come from it. */

/**
 * Makes the key of a trigger. It has 256 bits, and is the same in every process of an n8n and after every restart. The test URL has the
 * same origin and webhook id, and so the same key; a copy of the workflow with the same URL has another key, because of its own id.
 */
export function subscriptionKey(
	secret: string,
	{ url, workflowId, webhookId }: Record<'url' | 'workflowId' | 'webhookId', string>,
): string {
	const identity = JSON.stringify([parseUrl(url)?.origin ?? url, webhookId, workflowId]);
	return createHmac('sha256', secret).update(identity).digest('base64url');
}

/** Adds the key to a URL. */
export function withKey({ url, key }: { url: string; key?: string }): string {
	return key === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}key=${key}`;
}

/** Gives the digest of a key, which may be stored: it recognises the key, and does not give it away. */
export function keyDigest(key: string): string {
	return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/**
 * The judgement about the key in the query of a delivery:
 *
 *   own      the key of this trigger
 *   former   the one before the credential's secret changed, which is no forgery but proves nothing
 *   none     there is no key
 *   foreign  any other
 */
export type KeyKind = 'own' | 'former' | 'none' | 'foreign';

/** Judges the key in the query of a delivery. `formerDigest`: the digest of the key with which the webhooks were made. */
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

/** Writes a URL with an ellipsis in place of its key. */
export function withoutKey(url: string): string {
	return url.replace(/([?&]key=)[^&#]*/g, '$1…');
}
