/*
 * What happens on the platform, and how a workflow hears of it. Begin here.
 *
 * 1. What: `kinds.ts` is the table of what can happen, a row a kind; `core/records` reads what it happened to.
 * 2. Delivered: `receive.ts` decides what a delivery is worth, by `proof.ts`, or by a question to the platform within
 *    `core/month/lookupBudget.ts`. `deliveryHistory.ts` knows what came before. `subscriptions.ts` makes our webhooks.
 * 3. Polled: `polling.ts` finds what is new in the platform's lists, since what `cursor.ts` remembers, as often as
 *    `core/month` allows. `gap.ts` finds by the same poll what was not delivered.
 * 4. Told: `output.ts` makes items of it.
 *
 * Here a delivery is read, and gets the key by which it is known however often it comes.
 */
import { createHash } from 'node:crypto';
import { isObject, type Json } from '../http/json';
import { kindOf, deliveryKinds, type Delivery } from './kinds';
import { readDelivered } from '../records/record';

/**
 * Reads both forms: the specification's (the record itself, flat) and the one that clients have seen
 * (the record in `data`, the kind in its `meta`). `chosen` are the kinds that this trigger listens to.
 */
export function readDelivery(body: unknown, chosen: readonly string[]): Delivery | undefined {
	const record = readDelivered(body);
	if (record === undefined || !isObject(body)) return undefined;
	const inner = isObject(body.data) ? body.data.meta : undefined;
	const kind = statedKind(inner) ?? statedKind(body.meta) ?? impliedKind(record.type, chosen);
	return kind === undefined ? undefined : { kind, record };
}

function statedKind(meta: Json | undefined): string | undefined {
	const event = isObject(meta) && isObject(meta.webhook) ? meta.webhook.event : undefined;
	return typeof event === 'string' && event !== '' ? event : undefined;
}

/** A type that has one kind only, as section 6 has it of jobs, or of which only one kind is chosen. */
function impliedKind(type: string, chosen: readonly string[]): string | undefined {
	const ofType = (names: readonly string[]) => names.filter((name) => kindOf(name).type === type);
	const candidates = [ofType(Object.keys(deliveryKinds)), ofType(chosen)];
	return candidates.find(({ length }) => length === 1)?.[0];
}

/** Of its kind, its record and what tells two such events apart, because the platform sends no delivery id. */
export function deliveryKey({ kind, record }: Delivery): string {
	return shortKey([kind, record.id, ...(kindOf(kind).occurrence?.(record) ?? [])]);
}

/** The first 48 bits, because many of them are stored. */
export function seenKey(event: Delivery): string {
	return deliveryKey(event).slice(0, 8);
}

/** 128 bits, because what is remembered is stored with the workflow. */
export function shortKey(parts: readonly unknown[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
	return digest.slice(0, 22);
}

/** Of keys that are stored one after the other. */
export function readKeys(text: unknown): Set<string> {
	return new Set(typeof text === 'string' ? text.match(/.{8}/g) : []);
}

export function writeKeys(keys: Iterable<string>): string {
	return [...new Set(keys)].join('');
}
