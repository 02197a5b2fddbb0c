import { asFailure, Failure } from '../client/failure';
import { eventTypeOf, pathOf } from '../events/eventTypes';
import { meaningOf } from '../failures/meaning';
import { readDelivered } from '../records/record';
import { callForged, ignore, retryLater, type DeliveryDecision } from './decision';
import { startRunOnce, type BelievedDelivery, type WeighedDecision } from './start';
import { longestWaitMs, type RecordReceiver } from './trigger';

/** Asks the platform about a delivery, as far as the budget of the trigger goes. */
export async function confirmWithinBudget(
	asSent: BelievedDelivery,
	receiver: RecordReceiver,
): Promise<DeliveryDecision> {
	const { history, proof, confirmationsPerMinute } = receiver;
	const ask = () => (proof === 'key' ? startRunOnce(asSent, receiver) : lookUp(receiver));
	const weighed = await history.budget.lookUp(confirmationsPerMinute, ask, ({ worth }) => worth);
	return (
		weighed?.decision ??
		retryLater('The requests for confirmations are used up; a key or a signature would cost none')
	);
}

/** Looks a record up with one request, and starts the run with what the platform shows. */
async function lookUp(receiver: RecordReceiver): Promise<WeighedDecision> {
	const { eventType, record: claimed } = receiver.delivery;
	const path = pathOf(receiver.delivery);
	if (path === undefined) return deny('The platform shows no record of this type', receiver);
	const { api } = await receiver.connect(longestWaitMs);
	const response = await api({ method: 'GET', path, retry: 'never' }).catch(asFailure);
	if (response instanceof Failure) {
		const { message } = response;
		if (meaningOf(response).deniesId) return deny(message, receiver);
		return { decision: retryLater(message), worth: 'unclear' };
	}
	const record = readDelivered(response.body);
	if (record === undefined) {
		return { decision: retryLater(`${path} did not answer with a record`), worth: 'unclear' };
	}
	if (record.id !== claimed.id || eventTypeOf(eventType).isConfirmedBy?.(record) === false) {
		return deny(`${path} does not confirm it`, receiver);
	}
	record.type ||= claimed.type;
	return await startRunOnce({ delivery: { eventType, record }, isConfirmed: true }, receiver);
}

/** Refuses a delivery that the platform does not confirm. A person may have been unregistered since, or an event deleted; a job never is. */
function deny(reason: string, { delivery, key, history }: RecordReceiver): WeighedDecision {
	const mayBeGone = eventTypeOf(delivery.eventType).type !== 'jobs';
	const isLast = mayBeGone && history.isLastAttempt(key);
	return { decision: isLast ? ignore(reason) : callForged(reason), worth: 'forged' };
}
