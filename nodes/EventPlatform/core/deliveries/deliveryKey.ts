import { createHash } from 'node:crypto';
import type { Delivery } from './delivery';
import { kindOf } from './kinds';

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
