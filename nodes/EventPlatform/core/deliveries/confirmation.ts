import { asFailure, Failure } from '../http/failure';
import { isObject } from '../http/json';
import type { Api } from '../http/ports';
import { pathTo } from '../http/path';
import {
	subjectOf,
	sessionOf,
	readDelivered,
	type DeliveredRecord,
	type Delivery,
} from './delivery';

export type Finding =
	| { confirmed: DeliveredRecord }
	/** The platform does not know of it. */
	| { denied: string }
	/** The platform could not be asked. */
	| { unclear: string };

/** Whether the platform itself says what the delivery says. Costs one request, whatever comes back. */
export async function confirm(delivery: Delivery, api: Api, deadline: number): Promise<Finding> {
	const path = pathOf(delivery);
	if (path === undefined) return { denied: 'The platform shows no record of this type' };
	const answer = await api({ method: 'GET', path, deadline, once: true }).catch(asFailure);
	if (answer instanceof Failure) {
		return isDenial(answer) ? { denied: answer.message } : { unclear: answer.message };
	}
	const record = readDelivered(answer.body);
	if (record === undefined) return { unclear: `${path} did not answer with a record` };
	const isSame = record.id === delivery.record.id && saysTheSame(delivery.kind, record);
	return isSame
		? { confirmed: { ...record, type: record.type || delivery.record.type } }
		: { denied: `${path} says otherwise` };
}

/** Where the platform shows the record: a person as they are in the session, if that is known. */
function pathOf({ kind, record }: Delivery): string | undefined {
	switch (subjectOf(kind)) {
		case 'job':
			return pathTo`/jobs/${record.id}`;
		case 'session':
			return pathTo`/sessions/${record.id}`;
		case 'event':
			return pathTo`/events/${record.id}`;
		case 'people': {
			const session = sessionOf(record);
			if (session === undefined) return pathTo`/people/${record.id}`;
			return pathTo`/sessions/${session}/people/${record.id}`;
		}
		case undefined:
			return undefined;
	}
}

function saysTheSame(kind: string, { attributes }: DeliveredRecord): boolean {
	const registration = isObject(attributes.registrant_detail) ? attributes.registrant_detail : {};
	switch (kind) {
		case 'job.ended':
			return attributes.status === 'ended' || attributes.status === 'failed';
		case 'event.published':
			return mayBe(attributes.published_at);
		case 'session.started':
			return mayBe(attributes.started_at);
		case 'session.ended':
			return mayBe(attributes.ended_at);
		case 'people.attended':
			return mayBe(registration.attended);
		case 'people.not_attended':
			return registration.attended !== true;
		case 'people.watched_replay':
			return mayBe(registration.has_viewed_replay);
		default:
			return true;
	}
}

/** A field that the platform does not send proves nothing. 0 is an unset time. */
function mayBe(value: unknown): boolean {
	return value === undefined || (value !== null && value !== false && value !== 0);
}

/** The answers that an id gets which the platform never gave out. */
function isDenial({ status = 0 }: Failure): boolean {
	return [400, 404, 410, 422].includes(status);
}
