import { isObject, type Json, type JsonObject } from '../values/json';
import { parseSeconds, plannedStart } from '../dialect/time';
import { pathTo } from '../client/path';
import { readJob } from '../dialect/jobs';
import type { SessionFacts } from './sessionFacts';
import { idOf, type DeliveredRecord } from '../records/record';
import { isNoOrEmpty, parseFlag } from '../dialect/flags';
import { registrationOf } from '../dialect/person';
import {
	isRegisteredAfterEnd,
	registeredAtSeconds,
	registrationDates,
} from '../people/registrationTime';
import type { Ms, Seconds } from '../values/units';

interface RecordType {
	/** The first part of the names of its event types. */
	subject: string;
	/** Each session has a list of them, which can be read from then on, and the platform delivers nothing of them. */
	listedOnce?: 'begun' | 'ended';
	/** The column of an item with the id of its record. */
	idColumn?: string;
}

/** The types of records that events are about. */
export const recordTypes: Readonly<Record<string, RecordType>> = {
	jobs: { subject: 'job' },
	sessions: { subject: 'session' },
	events: { subject: 'event' },
	people: { subject: 'people' },
	questions: { subject: 'question', listedOnce: 'begun', idColumn: 'question_id' },
	recordings: { subject: 'recording', listedOnce: 'ended', idColumn: 'recording_id' },
	chat_messages: { subject: 'chat', listedOnce: 'begun', idColumn: 'message_id' },
};

const typeBySubject = new Map(
	Object.entries(recordTypes).map(([type, { subject }]) => [subject, type]),
);

/** The types of records that each session has a list of, and of which the platform delivers nothing. */
export const typesOfContent: readonly string[] = Object.keys(recordTypes).filter(
	(type) => recordTypes[type]?.listedOnce !== undefined,
);

/** The types of records that the platform delivers events of. */
export const deliveredTypes: ReadonlySet<string> = new Set(
	Object.keys(recordTypes).filter((type) => !typesOfContent.includes(type)),
);

export const listPaths = { events: '/events', sessions: '/sessions' };

/** The time at which an event happened, in Unix seconds; `unknown`: it happened, and the platform does not tell when. */
type EventTime = number | 'unknown';

export type ScheduleKind = 'start' | 'change';

interface EventTypeRow {
	name: string;
	description?: string;
	/** The name in n8n's list of triggers; absent: "On" and the name. */
	action?: string;
	/** The record, as the platform shows it, is in the state that the event brings. Absent: it shows only that it exists. */
	isConfirmedBy?(record: DeliveredRecord): boolean;
	/** The times and ids that tell two events of one record apart. Its other fields may be written differently. Absent: a record has one event. */
	occurrence?(record: DeliveredRecord): Array<Json | undefined>;
	/** Undefined: it did not happen. Absent: the platform has no list of such records. */
	happenedAtSeconds?(record: DeliveredRecord, session: JsonObject): EventTime | undefined;
	/** That time does not tell when the record came into its list, so that only the keys seen before tell what is new. */
	isUntimed?(record: DeliveredRecord): boolean;
	/** The platform learns who came step by step after the end, so that a person who stayed away may turn out to have come. */
	attendance?: 'came' | 'stayedAway';
	/** It happens to a person once the session has ended. */
	isAfterEnd?: true;
	/** What of the schedule it tells: that a start is due, or that a session was changed. No list and no webhook has it. */
	scheduleKind?: ScheduleKind;
	/** The platform has no list of such records, so that they are read by their ids. */
	isAskedById?: true;
	/** The specification shows its payload, so that a body of another shape is no delivery of this event type. */
	hasSpecifiedPayload?: true;
	/** The part of the event that a look at the record cannot confirm; absent where it confirms everything. */
	notChecked?: string;
}

/**
 * The event types that the platform announces, by its own names, and ours. No other file names one of them. Menus have their order: what most
 * people want comes first.
 */
export const eventTypeTable: Readonly<Record<string, EventTypeRow>> = {
	'people.registered': {
		name: 'Person Registered',
		// Where the platform tells no time, a registration after an unregistration counts as the same.
		occurrence: (record) => [...sessionOrChangeOf(record), registeredAtSeconds(record)],
		happenedAtSeconds: (record) => registeredAtSeconds(record) ?? 'unknown',
		isUntimed: (record) => registrationDates(record).registeredAt === undefined,
	},
	'people.attended': attendanceRow('Person Attended', 'came'),
	'people.not_attended': attendanceRow('Person Did Not Attend', 'stayedAway'),
	'people.watched_replay': {
		name: 'Person Watched Replay',
		isConfirmedBy: (record) => isNotDenied(registrationOf(record).has_viewed_replay),
		// Its payload is not specified. Where it has neither a session nor a time, its whole content tells two events apart.
		occurrence: (record) => {
			const [part] = sessionOrChangeOf(record);
			return [part ?? JSON.stringify(record.attributes, withSortedNames)];
		},
		// Nothing says when it was watched, and the list shows it once.
		happenedAtSeconds: (record, session) =>
			parseFlag(registrationOf(record).has_viewed_replay) === true
				? parseSeconds(session.ended_at)
				: undefined,
		isUntimed: () => true,
		isAfterEnd: true,
	},
	'session.starting': {
		name: 'Session Starts Soon',
		description: 'At chosen times before the planned start',
		scheduleKind: 'start',
		occurrence: ({ attributes }) => [plannedStart(attributes), attributes.lead_minutes],
	},
	'session.changed': {
		name: 'Session Changed',
		description: 'Moved, renamed, canceled or reopened',
		scheduleKind: 'change',
		// A session may be moved to and fro.
		occurrence: ({ attributes }) => [
			attributes.changes,
			attributes.previous_starts_at,
			attributes.previous_name,
			plannedStart(attributes),
			parseSeconds(attributes.updated_at),
		],
	},
	'session.created': creationRow('Session Created'),
	'session.started': stepRow('started_at', 'Session Started'),
	'session.ended': stepRow('ended_at', 'Session Ended'),
	'recording.ready': contentRow('Recording Ready'),
	'question.asked': contentRow('Question Asked'),
	'chat.message_sent': contentRow('Chat Message'),
	'job.ended': {
		name: 'Job Ended',
		action: 'On bulk registration ended',
		description: 'A bulk registration is done',
		isConfirmedBy: (record) => readJob(record)?.isFinal === true,
		isAskedById: true,
		hasSpecifiedPayload: true,
	},
	'event.created': creationRow('Event Created'),
	'event.published': stepRow('published_at', 'Event Published'),
};

export const defaultEventTypes = { webhook: 'job.ended', polling: 'people.registered' };

/** The row of an event type. An event type that people typed and the table does not have gets a row by its name. */
export function eventTypeOf(name: string): EventTypeRow & { type?: string } {
	const subject = name.replace(/\..*/s, '');
	const row = Object.hasOwn(eventTypeTable, name) ? eventTypeTable[name] : undefined;
	return { type: typeBySubject.get(subject), ...(row ?? rowOfOwnName(name)) };
}

export function isListable(eventType: string): boolean {
	return eventTypeOf(eventType).happenedAtSeconds !== undefined;
}

export function listableTypes(
	eventTypes: readonly string[],
	...types: Array<string | undefined>
): string[] {
	return eventTypes.filter(
		(eventType) => isListable(eventType) && types.includes(eventTypeOf(eventType).type),
	);
}

/** Finds the event types of the schedule. `kind`: only those that tell it. */
export function scheduleTypes(eventTypes: readonly string[], kind?: ScheduleKind): string[] {
	return eventTypes.filter((eventType) => {
		const { scheduleKind } = eventTypeOf(eventType);
		return scheduleKind !== undefined && scheduleKind === (kind ?? scheduleKind);
	});
}

/** Polling finds such events: in a list, by the ids of their records, or in the schedule. */
export function isPollable(eventType: string): boolean {
	const { isAskedById = false, scheduleKind } = eventTypeOf(eventType);
	return isListable(eventType) || isAskedById || scheduleKind !== undefined;
}

/** The platform has no webhook for it, so that only polling finds it. */
export function isPolledOnly(eventType: string): boolean {
	const { type = '', scheduleKind } = eventTypeOf(eventType);
	return scheduleKind !== undefined || typesOfContent.includes(type);
}

/** An event as the sender of a delivery tells it. Nothing in it is proven. */
export interface Delivery {
	eventType: string;
	record: DeliveredRecord;
}

export interface ListedEvent extends Delivery {
	/** When it happened, in Unix seconds. Absent: the platform does not tell. */
	happenedAtSeconds?: Seconds;
	sessionFacts?: SessionFacts;
	/** Its time does not tell that it is new in the list. */
	isUntimed: boolean;
	attendance?: EventTypeRow['attendance'];
}

export function hasHappenedSince(
	{ happenedAtSeconds }: ListedEvent,
	sinceSeconds: Seconds,
): boolean {
	return happenedAtSeconds !== undefined && happenedAtSeconds >= sinceSeconds;
}

/** When an event happened, in milliseconds by the platform's clock; undefined where its record alone does not tell it. */
export function happenedAtMs({ eventType, record }: Delivery): Ms | undefined {
	const seconds = eventTypeOf(eventType).happenedAtSeconds?.(record, {});
	return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}

/** The item of an event that happens to a session or in one tells the session's name and event. */
export function isInSession(eventType: string): boolean {
	const { type } = eventTypeOf(eventType);
	return type === 'sessions' || type === 'people' || typesOfContent.includes(type ?? '');
}

/** Undefined where the platform shows no record of this type. */
export function pathOf({ eventType, record }: Delivery): string | undefined {
	const { type } = eventTypeOf(eventType);
	if (type === undefined || isPolledOnly(eventType)) return undefined;
	const path = pathTo`/${type}/${record.id}`;
	// Only below the session does the platform show whether a person is registered and attended.
	const session = type === 'people' ? idOf('session', record) : undefined;
	return session === undefined ? path : pathTo`/sessions/${session}` + path;
}

function rowOfOwnName(name: string): EventTypeRow {
	return {
		name,
		occurrence: ({ attributes }) => [JSON.stringify(attributes, withSortedNames)],
		notChecked: `Only that the record exists was checked with the platform, not that "${name}" happened to it.`,
	};
}

function contentRow(name: string): EventTypeRow {
	return {
		name,
		happenedAtSeconds: ({ attributes }, session) =>
			parseSeconds(attributes.created_at) ??
			parseSeconds(session.ended_at) ??
			parseSeconds(session.started_at) ??
			'unknown',
		// A recording may be listed long after the time that it tells.
		isUntimed: () => true,
	};
}

function creationRow(name: string): EventTypeRow {
	return { name, happenedAtSeconds: ({ attributes }) => parseSeconds(attributes.created_at) };
}

function stepRow(timeField: string, name: string): EventTypeRow {
	return {
		name,
		isConfirmedBy: ({ attributes }) => isNotDenied(attributes[timeField]),
		occurrence: ({ attributes }) => [parseSeconds(attributes[timeField])],
		happenedAtSeconds: ({ attributes }) => parseSeconds(attributes[timeField]),
	};
}

function attendanceRow(name: string, attendance: EventTypeRow['attendance']): EventTypeRow {
	const needsPresence = attendance === 'came';
	const attendedIn = (record: DeliveredRecord) => registrationOf(record).attended;
	const hasAttended = (record: DeliveredRecord) => parseFlag(attendedIn(record)) === true;
	return {
		name,
		isConfirmedBy: (record) =>
			needsPresence ? isNotDenied(attendedIn(record)) : !hasAttended(record),
		occurrence: sessionOrChangeOf,
		happenedAtSeconds: (record, session) => {
			const endedAt = parseSeconds(session.ended_at);
			const hasCome = hasAttended(record);
			// Somebody of whom the platform tells no time was there before the end: most are, and none may be lost.
			const isAbsent = !hasCome && isRegisteredAfterEnd(record, endedAt) !== true;
			return (needsPresence ? hasCome : isAbsent) ? endedAt : undefined;
		},
		isUntimed: () => true,
		attendance,
		isAfterEnd: true,
	};
}

/** Two events of a person differ in the session, or in the latest change where no session is named. */
function sessionOrChangeOf(record: DeliveredRecord): Array<Json | undefined> {
	return [idOf('session', record) ?? parseSeconds(record.attributes.updated_at)];
}

/** Lets `JSON.stringify` write the same text whatever the order of the fields is. */
export function withSortedNames(this: void, _name: string, value: Json): Json {
	return isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
}

/** A field that the platform does not send proves nothing, and 0 is an unset time. */
function isNotDenied(value: Json | undefined): boolean {
	return value === undefined || !isNoOrEmpty(value);
}
