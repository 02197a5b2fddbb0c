import { createHash } from 'node:crypto';
import { isObject } from '../http/json';
import type { Json } from '../http/ports';
import { kindOf, subjects } from './kinds';
import { readDelivered, type DeliveredRecord } from './record';

/** Something that the sender says has happened. Nothing in it is proven. */
export interface Delivery {
	kind: string;
	record: DeliveredRecord;
}

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

/** Section 6: a job comes without its kind. Others are told by their type when only one kind fits. */
function impliedKind(type: string, chosen: readonly string[]): string | undefined {
	if (type === subjects.job.type) return 'job.ended';
	const candidates = chosen.filter((kind) => {
		const { subject } = kindOf(kind);
		return subject !== undefined && subjects[subject].type === type;
	});
	return candidates.length === 1 ? candidates[0] : undefined;
}

/**
 * A short key of what happened. The platform sends no delivery id, so an event is known by its kind,
 * its record and what tells two events of this kind with the same record apart.
 */
export function deliveryKey({ kind, record }: Delivery): string {
	return shortKey([kind, record.id, ...kindOf(kind).occurrence(record)]);
}

/** 128 bits of it, because what is remembered is stored with the workflow. */
export function shortKey(parts: readonly unknown[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
	return digest.slice(0, 22);
}
