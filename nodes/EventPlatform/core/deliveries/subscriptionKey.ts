import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseUrl } from '../http/baseUrl';

/** What a key belongs to: the same in every process of an n8n, and after every restart. */
export interface Keyed {
	/** The webhook's URL, without its key. */
	url: string;
	/** Tells this trigger from a copy of it that has the same URL. */
	workflowId: string;
	/** The webhook's id in n8n: the test URL has it as well. */
	webhookId: string;
}

/** 256 bits. A delivery that brings it was sent to the URL that we gave to the platform alone. */
export function subscriptionKey(secret: string, { url, workflowId, webhookId }: Keyed): string {
	const origin = parseUrl(url)?.origin ?? url;
	const belongsTo = JSON.stringify([origin, webhookId, workflowId]);
	return createHmac('sha256', secret).update(belongsTo).digest('base64url');
}

/** Where the platform is to deliver. */
export function withKey({ url, key }: { url: string; key?: string }): string {
	return key === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}key=${key}`;
}

/** What may be stored of a key: enough to recognise it, too little to have it. */
export function keyDigest(key: string): string {
	return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/**
 * Whether what a delivery brings as its `key` is ours. Undefined: it brings none, or the one before the
 * credential's secret changed, which proves nothing but is no forgery.
 */
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

/** The URL as it may be shown. */
export function withoutKey(url: string): string {
	return url.replace(/([?&]key=)[^&#]*/g, '$1…');
}
