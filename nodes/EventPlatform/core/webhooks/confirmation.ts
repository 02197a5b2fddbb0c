import { withDeadline } from '../client/request';
import { asFailure, Failure } from '../client/failure';
import { deliveryKey } from '../events/delivery';
import { eventTypeOf, pathOf } from '../events/eventTypes';
import { meaningOf } from '../failures/meaning';
import { readDelivered } from '../records/record';
import {
	askForAttention,
	callForged,
	ignoreUnproven,
	retryLater,
	type OtherDecision,
} from './decision';
import type { DeliveryHistory } from './history';
import { longestWaitMs } from './lookupBudget';
import type { Arrival, BelievedEvent, Trigger } from './trigger';

/** Looks the record of a delivery up with one request, and gives the event with the record that the platform shows. */
export async function confirm(
	arrival: Arrival,
	{ connect, history }: Trigger,
): Promise<BelievedEvent | OtherDecision> {
	const { eventType, record: sentRecord } = arrival.delivery;
	const path = pathOf(arrival.delivery);
	const { type = '' } = eventTypeOf(eventType);
	if (path === undefined) return askForProof('shows no record of this type');
	const { api, clock } = await connect();
	const ask = withDeadline(api, clock.now() + longestWaitMs);
	const response = await ask({ method: 'GET', path, retry: 'never' }).catch(asFailure);
	if (response instanceof Failure) {
		if (!meaningOf(response).isIdUnknown) return retryLater(response.message);
		// Section 4.3 names the path of a job alone. Of others the platform may show none, or may have shown one that is gone.
		return type === 'jobs'
			? callForged(response.message)
			: askForProof(`does not show the ${type} that it is about`);
	}
	const record = readDelivered(response.body);
	if (record === undefined) return retryLater(`${path} did not answer with a record`);
	if (record.id !== sentRecord.id || eventTypeOf(eventType).isConfirmedBy?.(record) === false) {
		return deny(`${path} does not confirm it`, arrival, history);
	}
	const delivery = { eventType, record: { ...record, type: record.type || sentRecord.type } };
	// The delivery may be a variation of an event that came before, as the key of the record that the platform shows tells.
	const keys = [arrival.key, deliveryKey(delivery)];
	return { kind: 'believed', delivery, isConfirmed: true, keys };
}

/** What people can choose so that deliveries are believed without the API. */
export const howToProve =
	"choose 'Automatic' under 'Subscription' and 'Verify', enter the 'Webhook Signing Secret' in the credential, or choose 'None' under 'Verify' to accept any request";

/** Ignores a delivery of which nobody can tell whether it is genuine. An error would make the platform give up a subscription that works. */
function askForProof(shortcoming: string): OtherDecision {
	const reason = `The platform's API ${shortcoming}, so nothing proves it. If no such delivery starts a run, ${howToProve}`;
	return { ...askForAttention(reason), isUnproven: true };
}

/** Refuses a delivery that the platform does not confirm. A person may have been unregistered since, or an event deleted; a job never is. */
function deny(reason: string, { delivery, key }: Arrival, history: DeliveryHistory): OtherDecision {
	const mayBeGone = eventTypeOf(delivery.eventType).type !== 'jobs';
	const endsNow = mayBeGone && history.noteFailedAttempt(key).isLast;
	return endsNow ? ignoreUnproven(reason) : callForged(reason);
}
