import { isObject } from '../transport/json';
import { isId, type DeliveredRecord } from './deliveries';

/** The session that a session or a person in a session belongs to. */
export function sessionOf(record: DeliveredRecord): string | undefined {
	return record.type === 'sessions' ? record.id : linked(record, 'session');
}

/** The event that an event, a session or a person in a session belongs to. */
export function eventOf(record: DeliveredRecord): string | undefined {
	return record.type === 'events' ? record.id : linked(record, 'event');
}

function linked({ attributes, relationships }: DeliveredRecord, name: string): string | undefined {
	const detail = attributes.registrant_detail;
	const relation = relationships[name];
	const candidates = [
		isObject(detail) ? detail[`${name}_id`] : undefined,
		attributes[`${name}_id`],
		isObject(relation) && isObject(relation.data) ? relation.data.id : undefined,
	];
	return candidates.find(isId);
}
