import { attributesOf } from '../client/document';
import { asFailure, Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { eventTypeOf, isInSession, hasTitleOfFilter, type Delivery } from '../events/eventTypes';
import { needsTasks, readTaskItems, recordOf } from '../events/item';
import {
	readEventOf,
	sessionFactsOf,
	withEventFacts,
	type SessionFacts,
} from '../events/sessionFacts';
import { idOf } from '../records/record';
import { askForSession } from '../sessions/readSession';
import type { JsonObject } from '../values/json';
import { callForged, excluded, ignore, retryLater, type OtherDecision } from './decision';
import type { Worth } from './lookupBudget';
import { longestWaitMs, type ReceivingTrigger, type RecordReceiver } from './trigger';

/** A run starts without the title of its event rather than later than this. */
const factsPatienceMs = 3_000;

/** The items of a run; or the decision about the delivery where they cannot be read. */
type ItemsResult =
	| { kind: 'read'; items: JsonObject[] }
	| { kind: 'decided'; decision: OtherDecision; worth: Worth };

/** Reads the items that the run of a delivery starts with. `isConfirmed`: the record is the one that the platform shows. */
export async function readItems(
	{ delivery, isConfirmed }: { delivery: Delivery; isConfirmed: boolean },
	receiver: RecordReceiver,
): Promise<ItemsResult> {
	const { key, arrivedAt, output, view } = receiver;
	if (needsTasks(delivery.eventType, output)) {
		return await readItemsOfTasks(delivery, isConfirmed, receiver);
	}
	const sessionFacts = await readSessionFacts(delivery, receiver);
	const decision = decideByTitle(delivery, sessionFacts, key, receiver);
	if (decision !== undefined) return decided(decision, worthOfOther(decision));
	const { notChecked } = eventTypeOf(delivery.eventType);
	const event = { ...delivery, sessionFacts };
	const record = recordOf(event, arrivedAt, view, isConfirmed ? notChecked : undefined);
	return { kind: 'read', items: [record] };
}

async function readItemsOfTasks(
	delivery: Delivery,
	isConfirmed: boolean,
	{ connect, key, arrivedAt, output, history }: RecordReceiver,
): Promise<ItemsResult> {
	const tasks = await connect(longestWaitMs)
		.then((source) => readTaskItems(delivery, arrivedAt, output, source))
		.catch(asFailure);
	if (tasks instanceof Failure) {
		const isInvented = tasks.cause === 'not_found' && !isConfirmed;
		return isInvented
			? decided(callForged(tasks.message), 'forged')
			: decided(retryLater(tasks.message), 'unclear');
	}
	if (tasks.missing > 0 && !history.isLastAttempt(key)) {
		return decided(retryLater(`${tasks.missing} results of the job are not there yet`), 'unclear');
	}
	return { kind: 'read', items: tasks.records };
}

function decided(decision: OtherDecision, worth: Worth): ItemsResult {
	return { kind: 'decided', decision, worth };
}

/** Decides about a delivery that the title of its event leaves out, or whose title cannot be read; undefined: the title fits. */
export function decideByTitle(
	{ eventType, record }: Delivery,
	facts: SessionFacts | undefined,
	key: string,
	{ filters, history }: ReceivingTrigger,
): OtherDecision | undefined {
	const isEvent = eventTypeOf(eventType).type === 'events';
	const title = isEvent ? record.attributes.title : facts?.event_title;
	if (hasTitleOfFilter(eventType, title, filters)) return undefined;
	const isUnread = isInSession(eventType) && facts === undefined;
	if (!isUnread || history.isLastAttempt(key)) return ignore(excluded);
	return retryLater("The title of the event could not be read, which 'Event Title Contains' needs");
}

function worthOfOther({ kind }: OtherDecision): Worth {
	return kind === 'retryLater' ? 'unclear' : 'genuine';
}

/** Reads the facts of a session with one request, as far as the budget goes; undefined where they cannot be read. */
export async function readSessionFacts(
	{ eventType, record }: Delivery,
	{ connect, history, confirmationsPerMinute, filters }: ReceivingTrigger,
): Promise<SessionFacts | undefined> {
	const sessionId = isInSession(eventType) ? idOf('session', record) : undefined;
	if (sessionId === undefined) return undefined;
	const read = async (): Promise<SessionFacts> => {
		const { api } = await connect(factsPatienceMs);
		const ask: Ask = (request) => api({ ...request, retry: 'never' });
		const session = await askForSession(ask, sessionId);
		// Some platforms do not send the event along. It is read where its title decides.
		if (filters.eventTitleContains !== undefined) session.event ??= await readEventOf(ask, session);
		return sessionFactsOf(attributesOf(withEventFacts(session)));
	};
	return await history.sessionFacts(sessionId, () =>
		history.budget.lookUp(confirmationsPerMinute, read, () => 'genuine'),
	);
}
