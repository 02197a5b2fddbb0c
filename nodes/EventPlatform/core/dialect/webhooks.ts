import { isObject, type Json, type JsonObject } from '../values/json';
import { minuteMs } from '../values/units';
import { contentOf } from './envelope';

/*
 * What this rests on: section 6 shows the payload of job.ended alone. A public client reads `data.meta.webhook`. Two public clients differ in the
 * order of the parts of a signature, and in seconds or milliseconds. The vendor's pages say that a webhook is disabled after
 * failures, and not how a list shows it.
 */

/*
 * The platform tries to deliver an event 0, 0.5, 1.5, 4, 10 and 22 minutes after it, as the vendor's pages say. When the last attempt
 * fails, it disables the webhook.
 */

export const lastAttemptMs = 22 * minuteMs;

/** An attempt that fails this long after the first one is one of the last two. It is a minute less, because the first one may have come late. */
export const nearlyLastAttemptMs = 10 * minuteMs - minuteMs;

/** The name of the header that signs a delivery, as n8n writes names of headers. */
export const signatureHeader = 'x-livestorm-signature';

/**
 * Reads the event type that a delivery states in its `meta`, which stands beside `data` or in it; undefined where it states none. Only
 * the payload of an ended job is specified (section 6), and that states nothing.
 */
export function statedEventType(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	return eventTypeIn(contentOf(body)?.meta) ?? eventTypeIn(body.meta);
}

function eventTypeIn(meta: Json | undefined): string | undefined {
	const event = isObject(meta) && isObject(meta.webhook) ? meta.webhook.event : undefined;
	return typeof event === 'string' && event !== '' ? event : undefined;
}

interface Signature {
	/** The time when it was made, in the digits that were signed. */
	time: string;
	digest: string;
}

/** Reads the header of a signature: a Unix time and a digest, in either order; undefined where it is something else. */
export function parseSignature(header: unknown): Signature | undefined {
	if (typeof header !== 'string') return undefined;
	const parts = header.split(',').map((part) => part.trim());
	const [time = '', digest = '', ...more] = parts.sort((a, b) => a.length - b.length);
	if (!/^\d{9,14}$/.test(time) || !/^[\da-f]{64}$/i.test(digest) || more.length > 0)
		return undefined;
	return { time, digest };
}

/**
 * The platform stops using a webhook after the last failed attempt of a delivery. Nobody has seen how its list shows that, so the usual
 * ways are read: a disabled webhook that counted as working would lose all further events without a word.
 */
export function isDisabled({
	disabled,
	disabled_at,
	enabled,
	active,
	status,
}: JsonObject): boolean {
	const isMarked = disabled === true || status === 'disabled' || Boolean(disabled_at);
	return isMarked || enabled === false || active === false;
}
