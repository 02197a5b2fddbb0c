import { asFailure, Failure } from '../client/failure';
import { eventTypeOf, isInSession, type Delivery } from '../events/eventTypes';
import { hasTitleOfFilter, isWithinFilters } from '../events/filters';
import { itemOf, readTaskItems } from '../events/item';
import { factsOfRead, type SessionFacts } from '../events/sessionFacts';
import { idOf } from '../records/record';
import { SessionCache } from '../sessions/sessionCache';
import type { JsonObject } from '../values/json';
import { callForged, excluded, leaveOut, retryLater, type OtherDecision } from './decision';
import { connectWithin, type Arrival, type BelievedEvent, type Trigger } from './webhookTrigger';

/** The requests for the facts of its session leave within this time, or a run starts without them. Title and start are worth less than a run on time. */
const longestFactsWaitMs = 3_000;

type ItemsResult = { kind: 'items'; items: JsonObject[] } | OtherDecision;

export async function readItems(
	event: BelievedEvent,
	arrival: Arrival,
	trigger: Trigger,
): Promise<ItemsResult> {
	const { delivery, isConfirmed } = event;
	const { arrivedAtMs } = arrival;
	const { filters, view } = trigger.settings;
	// The delivery is within the filters. The record that the platform shows may be outside them.
	if (isConfirmed && !isWithinFilters(delivery, filters)) return { kind: 'items', items: [] };
	if (arrival.hasTasksToRead) return await readItemsOfTasks(event, arrival, trigger);
	const sessionFacts = await readSessionFacts(delivery, arrival, trigger);
	const rejection = decideByTitle(delivery, sessionFacts, trigger);
	if (rejection !== undefined) return rejection;
	const { notChecked } = eventTypeOf(delivery.eventType);
	const item = itemOf(
		{ ...delivery, sessionFacts },
		arrivedAtMs,
		view,
		isConfirmed ? notChecked : undefined,
	);
	return { kind: 'items', items: [item] };
}

async function readItemsOfTasks(
	{ delivery, isConfirmed }: BelievedEvent,
	arrival: Arrival,
	trigger: Trigger,
): Promise<ItemsResult> {
	const { settings } = trigger;
	const { trust, arrivedAtMs, isNearlyLast } = arrival;
	const shown = { output: settings.output, zone: settings.view?.zone };
	const tasks = await connectWithin(arrival, trigger)
		.then(({ ask, apiRoot }) => readTaskItems(delivery, arrivedAtMs, shown, ask, apiRoot))
		.catch(asFailure);
	if (tasks instanceof Failure) {
		const isGenuine = isConfirmed || trust === 'signed';
		const isInvented = tasks.cause === 'not_found' && !isGenuine;
		return isInvented ? callForged(tasks.message) : retryLater(tasks.message);
	}
	// After the last attempts nothing delivers the event again, so that the run then starts with the results that are there.
	if (tasks.missing > 0 && !isNearlyLast) {
		return retryLater(`${tasks.missing} results of the job are not there yet`);
	}
	return { kind: 'items', items: tasks.items };
}

/**
 * Decides about a delivery whose event has another title than the filter asks for, or one that cannot be read; undefined where the
 * title fits.
 */
function decideByTitle(
	delivery: Delivery,
	facts: SessionFacts | undefined,
	trigger: Trigger,
): OtherDecision | undefined {
	const { eventType } = delivery;
	if (hasTitleOfFilter(delivery, facts, trigger.settings.filters)) return undefined;
	if (!isInSession(eventType) || facts?.event_title !== undefined) return leaveOut(excluded);
	return retryLater(unreadTitle);
}

const unreadTitle = "The title of the event could not be read, which 'Event Title Contains' needs";

/** Gives the facts of the session that a delivery is about; undefined where nothing is known of it and it cannot be read. */
async function readSessionFacts(
	{ eventType, record }: Delivery,
	arrival: Arrival,
	trigger: Trigger,
): Promise<SessionFacts | undefined> {
	const { settings, factsMemory } = trigger;
	const sessionId = isInSession(eventType) ? idOf('session', record) : undefined;
	if (sessionId === undefined) return undefined;
	const facts = await factsMemory().catch(() => undefined);
	const read = async (): Promise<SessionFacts> => {
		const { ask } = await connectWithin(arrival, trigger, longestFactsWaitMs);
		const sessions = new SessionCache(ask);
		return factsOfRead(await sessions.readWithEvent(sessionId));
	};
	return await facts?.find(sessionId, read, settings.confirmationsPerMinute);
}
