import { meaningOf } from '../failures/causes';
import { asFailure, Failure } from '../http/failure';
import type { Ask } from '../http/ports';
import type { Delivery } from './delivery';
import { kindOf, subjects } from './kinds';
import { readDelivered, type DeliveredRecord } from './record';

export type Finding =
	| { confirmed: DeliveredRecord }
	/** The platform does not know of it. */
	| { denied: string }
	/** The platform could not be asked. */
	| { unclear: string };

/** Whether the platform itself says what the delivery says. Costs one request, whatever comes back. */
export async function confirm(delivery: Delivery, api: Ask, deadline: number): Promise<Finding> {
	const { subject, isBorneOut } = kindOf(delivery.kind);
	if (subject === undefined) return { denied: 'The platform shows no record of this type' };
	const path = subjects[subject].path(delivery.record);
	const answer = await api({ method: 'GET', path, deadline, once: true }).catch(asFailure);
	if (answer instanceof Failure) {
		const { message } = answer;
		return meaningOf(answer).denies ? { denied: message } : { unclear: message };
	}
	const record = readDelivered(answer.body);
	if (record === undefined) return { unclear: `${path} did not answer with a record` };
	return record.id === delivery.record.id && isBorneOut(record)
		? { confirmed: { ...record, type: record.type || delivery.record.type } }
		: { denied: `${path} does not confirm it` };
}
