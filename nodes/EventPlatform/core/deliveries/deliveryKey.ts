import { createHash } from 'node:crypto';
import { isObject } from '../http/json';
import { sessionOf, type Delivery } from './delivery';

/**
 * A short key of what happened. The platform sends no delivery id, so an event is known by its kind,
 * its record and what can make it happen to the same record again.
 */
export function deliveryKey({ kind, record }: Delivery): string {
	const parts = [kind, record.id, ...distinguishing({ kind, record })];
	// 128 bits, because what is remembered is stored with the workflow.
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
	return digest.slice(0, 22);
}

function distinguishing({ kind, record }: Delivery): unknown[] {
	const { attributes } = record;
	const registration = isObject(attributes.registrant_detail) ? attributes.registrant_detail : {};
	const session = sessionOf(record);
	switch (kind) {
		case 'job.ended':
		case 'event.created':
		case 'session.created':
			return [];
		case 'event.published':
			return [attributes.published_at];
		case 'session.started':
			return [attributes.started_at];
		case 'session.ended':
			return [attributes.ended_at];
		case 'people.registered':
		case 'people.attended':
		case 'people.not_attended':
			return session === undefined ? [attributes] : [session, registration.created_at];
		case 'people.watched_replay':
			// A person may come back for the replay.
			return [session, registration.updated_at, attributes.updated_at];
		default:
			return [attributes];
	}
}
