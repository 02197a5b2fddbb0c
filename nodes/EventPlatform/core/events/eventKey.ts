/* The key of an event, by which a workflow and the triggers recognise it however often it comes. */
import { digestOf } from '../values/text';
import { eventTypeOf, type Delivery } from './eventTypes';

/**
 * Makes the key of an event out of its event type, its record and the facts that tell two such events apart, because the platform
 * sends no delivery id.
 */
export function deliveryKey({ eventType, record }: Delivery): string {
	return shortKey([eventType, record.id, ...(eventTypeOf(eventType).occurrence?.(record) ?? [])]);
}

/**
 * Where many keys are stored, each is its first 48 bits, eight characters of six bits each: among 100,000 of them a new event is taken for
 * one that was seen once in three billion times.
 */
export function shortened(key: string): string {
	return key.slice(0, 8);
}

export function seenKey(event: Delivery): string {
	return shortened(deliveryKey(event));
}

/** People store the keys of items for years, and no two events may share one. */
export function shortKey(parts: readonly unknown[]): string {
	return digestOf(JSON.stringify(parts));
}

export function readKeys(text: unknown): Set<string> {
	return new Set(typeof text === 'string' ? text.match(/.{8}/g) : []);
}

export function writeKeys(keys: Iterable<string>): string {
	return [...new Set(keys)].join('');
}
