import { asFailure, Failure } from '../http/failure';
import type { Api } from '../http/ports';
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
export async function confirm(delivery: Delivery, api: Api, deadline: number): Promise<Finding> {
	const { subject, isBorneOut } = kindOf(delivery.kind);
	if (subject === undefined) return { denied: 'The platform shows no record of this type' };
	const path = subjects[subject].path(delivery.record);
	const answer = await api({ method: 'GET', path, deadline, once: true }).catch(asFailure);
	if (answer instanceof Failure) {
		return isDenial(answer) ? { denied: answer.message } : { unclear: answer.message };
	}
	const record = readDelivered(answer.body);
	if (record === undefined) return { unclear: `${path} did not answer with a record` };
	return record.id === delivery.record.id && isBorneOut(record)
		? { confirmed: { ...record, type: record.type || delivery.record.type } }
		: { denied: `${path} says otherwise` };
}

/** The answers that an id gets which the platform never gave out. */
function isDenial({ status = 0 }: Failure): boolean {
	return [400, 404, 410, 422].includes(status);
}
