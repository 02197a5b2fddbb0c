import { isObject, type Json, type JsonObject } from '../values/json';
import { text } from '../values/text';
import { parseSeconds } from '../values/time';
import { normalizeId, pathTo } from '../client/path';
import { readJob } from '../dialect/jobs';
import type { SessionFacts } from './sessionFacts';
import { idOf, type DeliveredRecord } from '../records/record';
import { registrationOf } from '../dialect/person';

/** The conditions that an event has to meet to start the workflow; an empty one is met by any event. */
export interface Filters {
	jobIds: readonly string[];
	onlyWithFailures: boolean;
	sessionId: string;
	eventId: string;
	/** A part of the title of the event, letter case aside; empty: any title. */
	eventTitleContains: string;
}

/** The type of the records that a delivery is about, by the first part of the name of its event type. */
const recordTypeBySubject = new Map(
	Object.entries({
		job: 'jobs',
		session: 'sessions',
		event: 'events',
		people: 'people',
		question: 'questions',
		recording: 'recordings',
	}),
);

/** The types of records that deliveries are known to be about. */
export const typesOfRecords: ReadonlySet<string> = new Set([
	'jobs',
	'sessions',
	'events',
	'people',
]);

/** The types of records that each session has a list of, and the platform tells nobody about. */
export const typesOfContent: readonly string[] = ['questions', 'recordings'];

export const lists = { events: '/events', sessions: '/sessions', jobs: '/jobs' };

interface EventTypeRow {
	name: string;
	description?: string;
	/** In n8n's list of triggers; without it "On" and the name. */
	action?: string;
	/** Whether the record, as the platform shows it, is in this state; absent: it shows only that there is one. */
	isConfirmedBy?(record: DeliveredRecord): boolean;
	/** Times and ids that tell two events with one record apart: the rest is rendered differently. Absent: there is one. */
	occurrence?(record: DeliveredRecord): Array<Json | undefined>;
	/** When it happened, in Unix seconds; undefined: it did not. Absent where the platform has no list of them. */
	happenedAt?(record: DeliveredRecord, session: JsonObject): number | undefined;
	/** Whether that time does not tell when the record came into its list, so that only what was seen before can. */
	isUntimed?(record: DeliveredRecord): boolean;
	/** Known step by step after the end: all people are read then, and who stayed away may turn out to have come. */
	attendance?: 'came' | 'stayedAway';
	/** The platform has no webhook for it: only polling finds it. */
	isPolledOnly?: true;
	/** The platform has no list of them: they are asked for by their ids. */
	isAskedById?: true;
	/** The specification shows its payload: what has another shape is no delivery of this kind. */
	hasSpecifiedPayload?: true;
	/** The part of the event that a look at the record cannot confirm; absent where it confirms everything. */
	notChecked?: string;
}

/** The event types that the platform announces, by its own names. No other file names one of them. */
export const eventTypeTable: Readonly<Record<string, EventTypeRow>> = {
	'event.created': creation('Event Created'),
	'event.published': stepAt('published_at', 'Event Published'),
	'job.ended': {
		name: 'Job Ended',
		action: 'When bulk registration has ended',
		description: 'A bulk registration is done',
		isConfirmedBy: (record) => readJob(record)?.isFinal === true,
		isAskedById: true,
		hasSpecifiedPayload: true,
	},
	'people.attended': attendance('Person Attended', 'came'),
	'people.not_attended': attendance('Person Did Not Attend', 'stayedAway'),
	'people.registered': {
		name: 'Person Registered',
		// Where the platform does not tell when, a registration after an unregistration is the same one.
		occurrence: (record) => [...perSession(record), registeredAt(record)],
		happenedAt: (record) => registeredAt(record) ?? 1,
		isUntimed: (record) => parseSeconds(registrationOf(record).created_at) === undefined,
	},
	'people.watched_replay': {
		name: 'Person Watched Replay',
		isConfirmedBy: (record) => mayBe(registrationOf(record).has_viewed_replay),
		// A person may come back for the replay, and nothing says when it was watched first.
		occurrence: (record) => {
			const occurrence = [
				...perSession(record),
				parseSeconds(registrationOf(record).updated_at),
				parseSeconds(record.attributes.updated_at),
			];
			// Its payload is not specified: where it has neither a session nor a time, all of it tells.
			const tellsNothing = occurrence.every((part) => part === undefined);
			return tellsNothing ? [JSON.stringify(record.attributes, inOrder)] : occurrence;
		},
	},
	'question.asked': content('Question Asked'),
	'recording.ready': content('Recording Ready'),
	'session.created': creation('Session Created'),
	'session.ended': stepAt('ended_at', 'Session Ended'),
	'session.started': stepAt('started_at', 'Session Started'),
};

export const defaultEventTypes = { webhook: 'job.ended', polling: 'people.registered' };

/** The row of an event type. One that people typed and the table does not know gets what its name tells. */
export function eventTypeOf(name: string): EventTypeRow & { type?: string } {
	const [subject = ''] = name.split('.');
	const row = Object.hasOwn(eventTypeTable, name) ? eventTypeTable[name] : undefined;
	return { type: recordTypeBySubject.get(subject), ...(row ?? unknown(name)) };
}

export function canBeListed(eventType: string): boolean {
	return eventTypeOf(eventType).happenedAt !== undefined;
}

/** Picks the event types that are found in lists of such records. */
export function listableTypes(
	eventTypes: readonly string[],
	...recordTypes: Array<string | undefined>
): string[] {
	return eventTypes.filter(
		(eventType) => canBeListed(eventType) && recordTypes.includes(eventTypeOf(eventType).type),
	);
}

/** Something that the sender says has happened. Nothing in it is proven. */
export interface Delivery {
	eventType: string;
	record: DeliveredRecord;
}

/** An event as a list of the platform shows it. */
export interface ListedEvent extends Delivery {
	/** Unix seconds. */
	at: number;
	/** The facts about its session, where it happened in one. */
	sessionFacts?: SessionFacts;
	/** Its time does not tell whether it is new in the list. */
	isUntimed: boolean;
	attendance?: EventTypeRow['attendance'];
}

/** Whether it happened to a session or to somebody in one, whose name and event people want to read. */
export function isInSession(eventType: string): boolean {
	const { type } = eventTypeOf(eventType);
	return type === 'sessions' || type === 'people' || typesOfContent.includes(type ?? '');
}

export function pathOf({ eventType, record }: Delivery): string | undefined {
	const { type, isPolledOnly = false } = eventTypeOf(eventType);
	if (type === undefined || isPolledOnly) return undefined;
	const path = pathTo`/${type}/${record.id}`;
	// Only below the session does the platform show whether a person is registered and attended.
	const session = type === 'people' ? idOf('session', record) : undefined;
	return session === undefined ? path : pathTo`/sessions/${session}` + path;
}

export function passes({ eventType, record }: Delivery, filters: Filters): boolean {
	const { jobIds, onlyWithFailures, sessionId, eventId } = filters;
	const { type } = eventTypeOf(eventType);
	// Section 2.1: a job names neither its session nor its event.
	if (type === 'jobs') {
		if (jobIds.length > 0 && !jobIds.map(normalizeId).includes(record.id)) return false;
		const { failed, status } = readJob(record) ?? {};
		// Section 3.1: a job with a failed task ends as failed.
		return !onlyWithFailures || (failed === undefined ? status !== 'ended' : failed > 0);
	}
	const isOf = (name: 'session' | 'event', id: string) =>
		id === '' || idOf(name, record) === normalizeId(id);
	// An event has many sessions, so it belongs to none.
	return (type === 'events' || isOf('session', sessionId)) && isOf('event', eventId);
}

function unknown(name: string): EventTypeRow {
	return {
		name,
		occurrence: ({ attributes }) => [JSON.stringify(attributes, inOrder)],
		notChecked: `Only that the record exists was checked with the platform, not that "${name}" happened to it.`,
	};
}

/** Whether the title of its event is one that is asked for. A job has no event. */
export function passesTitle(
	eventType: string,
	title: unknown,
	{ eventTitleContains }: Filters,
): boolean {
	if (eventTitleContains === '' || eventTypeOf(eventType).type === 'jobs') return true;
	return text(title).toLowerCase().includes(eventTitleContains.toLowerCase());
}

/** Something that came into one of the lists of a session. */
function content(name: string): EventTypeRow {
	return {
		name,
		isPolledOnly: true,
		happenedAt: ({ attributes }, session) =>
			parseSeconds(attributes.created_at) ??
			parseSeconds(session.ended_at) ??
			parseSeconds(session.started_at) ??
			1,
		isUntimed: ({ attributes }) => parseSeconds(attributes.created_at) === undefined,
	};
}

function creation(name: string): EventTypeRow {
	return { name, happenedAt: ({ attributes }) => parseSeconds(attributes.created_at) };
}

function stepAt(time: string, name: string): EventTypeRow {
	return {
		name,
		isConfirmedBy: ({ attributes }) => mayBe(attributes[time]),
		occurrence: ({ attributes }) => [parseSeconds(attributes[time])],
		happenedAt: ({ attributes }) => parseSeconds(attributes[time]),
	};
}

function attendance(name: string, attendance: EventTypeRow['attendance']): EventTypeRow {
	const isPresence = attendance === 'came';
	const hasAttended = (record: DeliveredRecord) => registrationOf(record).attended;
	return {
		name,
		isConfirmedBy: (record) =>
			isPresence ? mayBe(hasAttended(record)) : hasAttended(record) !== true,
		occurrence: perSession,
		happenedAt: (record, session) =>
			(hasAttended(record) === true) === isPresence ? parseSeconds(session.ended_at) : undefined,
		isUntimed: () => true,
		attendance,
	};
}

/** Where no session is named, the latest change is all that tells two events of a person apart. */
function perSession(record: DeliveredRecord): Array<Json | undefined> {
	return [idOf('session', record) ?? parseSeconds(record.attributes.updated_at)];
}

function registeredAt(record: DeliveredRecord): number | undefined {
	return (
		parseSeconds(registrationOf(record).created_at) ?? parseSeconds(record.attributes.created_at)
	);
}

/** For `JSON.stringify`: the same text, whatever the order of the fields. */
export function inOrder(this: void, _name: string, value: Json): Json {
	return isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
}

/** A field that the platform does not send proves nothing. 0 is an unset time. */
function mayBe(value: Json | undefined): boolean {
	return value !== null && value !== false && value !== 0;
}
