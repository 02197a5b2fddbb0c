import { isObject } from '../http/json';
import { asSpelled, pathTo } from '../http/path';
import type { Json, JsonObject } from '../http/ports';
import { readJob } from '../jobs/jobState';
import {
	eventOf,
	registrationOf,
	seconds,
	sessionIdOf,
	type DeliveredRecord,
	type Delivery,
} from './record';

/** What has to be true of an event to start the workflow; empty means any. */
export interface Filters {
	jobIds: readonly string[];
	onlyWithFailures: boolean;
	sessionId: string;
	eventId: string;
}

/** What a delivery is about, by the first part of the name of its kind. */
export type Subject = 'job' | 'people' | 'session' | 'event';

interface SubjectRow {
	/** The type of its records. */
	type: string;
	/** Where the platform shows one of them. */
	path(record: DeliveredRecord): string;
	passes(record: DeliveredRecord, filters: Filters): boolean;
	/** It belongs to a session, whose name and event people want to read. */
	hasTitles?: true;
}

const ofType = (type: string) => ({
	type,
	path: ({ id }: DeliveredRecord) => pathTo`/${type}/${id}`,
});

export const subjects: Readonly<Record<Subject, SubjectRow>> = {
	job: { ...ofType('jobs'), passes: passesAsJob },
	session: { ...ofType('sessions'), passes: isOfSession, hasTitles: true },
	// An event has many sessions, so it belongs to none.
	event: { ...ofType('events'), passes: isOfEvent },
	people: { type: 'people', path: pathOfPerson, passes: isOfSession, hasTitles: true },
};

interface KindRow {
	/** In the menu, which is in the order of the table. */
	name: string;
	description?: string;
	/** In n8n's list of triggers; without it "On" and the name. */
	action?: string;
	/** Whether the record, as the platform shows it, is in the state that the delivery tells of. */
	isBorneOut(shown: DeliveredRecord): boolean;
	/**
	 * What differs between two events of this kind with the same record; nothing: there is only one. Times
	 * and ids only, because a list, a delivery and a single record show the rest differently.
	 */
	occurrence(record: DeliveredRecord): Array<Json | undefined>;
	/**
	 * When it happened, in Unix seconds, as the record and its session show it; undefined: it did not.
	 * Absent where the platform has no list to find it in.
	 */
	when?(record: DeliveredRecord, session: JsonObject): number | undefined;
	/** Whether that time does not tell when the record came into its list, so that only what was seen before can. */
	comesLate?(record: DeliveredRecord): boolean;
	/**
	 * It becomes known step by step after the end, so all people of the session are read then. Who stayed
	 * away may turn out to have come, until the records have settled.
	 */
	attendance?: 'came' | 'stayed away';
	/** The platform has no list of them: they are asked for by their ids. */
	isNamed?: true;
	/** What a look at the record cannot tell; absent where it tells everything. */
	notChecked?: string;
}

/** What the platform announces, by its own names. No other file names one of them. */
export const deliveryKinds: Readonly<Record<string, KindRow>> = {
	'event.created': creation('Event Created'),
	'event.published': stepAt('published_at', 'Event Published'),
	'job.ended': {
		name: 'Job Ended',
		action: 'When bulk registration has ended',
		description: 'A bulk registration is done',
		isBorneOut: (record) => readJob(record)?.isFinal === true,
		occurrence: () => [],
		isNamed: true,
	},
	'people.attended': {
		...attendance('Person Attended', 'came'),
		isBorneOut: (record) => mayBe(registrationOf(record).attended),
	},
	'people.not_attended': attendance('Person Did Not Attend', 'stayed away'),
	'people.registered': {
		name: 'Person Registered',
		isBorneOut: always,
		// Where the platform does not tell when, a registration after an unregistration is the same one.
		occurrence: (record) => [...perSession(record), registeredAt(record)],
		when: (record) => registeredAt(record) ?? 1,
		comesLate: (record) => seconds(registrationOf(record).created_at) === undefined,
	},
	'people.watched_replay': {
		name: 'Person Watched Replay',
		isBorneOut: (record) => mayBe(registrationOf(record).has_viewed_replay),
		// A person may come back for the replay, and nothing says when it was watched first.
		occurrence: (record) => [
			...perSession(record),
			seconds(registrationOf(record).updated_at),
			seconds(record.attributes.updated_at),
		],
	},
	'session.created': creation('Session Created'),
	'session.ended': stepAt('ended_at', 'Session Ended'),
	'session.started': stepAt('started_at', 'Session Started'),
};

/** What each trigger listens to until something else is chosen. */
export const defaultKinds = { webhook: 'job.ended', polling: 'people.registered' };

export type DeliveryKind = KindRow & Partial<SubjectRow> & { subject?: Subject };

/** The row of a kind and of its subject. One that people typed and the table does not know gets what its name tells. */
export function kindOf(name: string): DeliveryKind {
	const known = Object.keys(subjects) as Subject[];
	const subject = known.find((one) => name.startsWith(`${one}.`));
	const row = Object.hasOwn(deliveryKinds, name) ? deliveryKinds[name] : undefined;
	return { subject, ...(subject && subjects[subject]), ...(row ?? unknown(name)) };
}

/** Whether the platform has a list to find it in. */
export function canBeListed(kind: string): boolean {
	return kindOf(kind).when !== undefined;
}

/** Whether a record is one that the workflow wants to hear of. */
export function passes({ kind, record }: Delivery, filters: Filters): boolean {
	return (kindOf(kind).passes ?? isOfSession)(record, filters);
}

/** Only below the session does the platform show whether a person is registered and attended. */
function pathOfPerson(record: DeliveredRecord): string {
	const session = sessionIdOf(record);
	const path = pathTo`/people/${record.id}`;
	return session === undefined ? path : pathTo`/sessions/${session}` + path;
}

/** Section 2.1: a job names neither its session nor its event. */
function passesAsJob(record: DeliveredRecord, { jobIds, onlyWithFailures }: Filters): boolean {
	if (jobIds.length > 0 && !jobIds.map(asSpelled).includes(record.id)) return false;
	const { failed, status } = readJob(record) ?? {};
	// Section 3.1: a job with a failed task ends as failed.
	return !onlyWithFailures || (failed === undefined ? status !== 'ended' : failed > 0);
}

function isOfEvent(record: DeliveredRecord, { eventId }: Filters): boolean {
	return eventId === '' || eventOf(record) === asSpelled(eventId);
}

function isOfSession(record: DeliveredRecord, filters: Filters): boolean {
	const { sessionId } = filters;
	const isThis = sessionId === '' || sessionIdOf(record) === asSpelled(sessionId);
	return isThis && isOfEvent(record, filters);
}

function unknown(name: string): KindRow {
	return {
		name,
		isBorneOut: always,
		occurrence: ({ attributes }) => [inOrder(attributes)],
		notChecked: `Only that the record exists was checked with the platform, not that "${name}" happened to it.`,
	};
}

function creation(name: string): KindRow {
	return { ...stepAt('created_at', name), isBorneOut: always, occurrence: () => [] };
}

/** What the record shows by a time of its own. */
function stepAt(time: string, name: string): KindRow {
	return {
		name,
		isBorneOut: ({ attributes }) => mayBe(attributes[time]),
		occurrence: ({ attributes }) => [seconds(attributes[time])],
		when: ({ attributes }) => seconds(attributes[time]),
	};
}

function attendance(name: string, which: 'came' | 'stayed away'): KindRow {
	const isIt = (record: DeliveredRecord) =>
		(registrationOf(record).attended === true) === (which === 'came');
	return {
		name,
		isBorneOut: isIt,
		occurrence: perSession,
		when: (record, session) => (isIt(record) ? seconds(session.ended_at) : undefined),
		comesLate: always,
		attendance: which,
	};
}

/** For instance: the platform shows the record, and shows no more than that of what happened. */
function always(): boolean {
	return true;
}

/** Where no session is named, the latest change is all that tells two events of a person apart. */
function perSession(record: DeliveredRecord): Array<Json | undefined> {
	return [sessionIdOf(record) ?? seconds(record.attributes.updated_at)];
}

function registeredAt(record: DeliveredRecord): number | undefined {
	return seconds(registrationOf(record).created_at) ?? seconds(record.attributes.created_at);
}

/** The same text, whatever the order of the fields. */
function inOrder(value: Json): Json {
	if (Array.isArray(value)) return value.map(inOrder);
	if (!isObject(value)) return value;
	const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return fields.map(([name, inner]) => [name, inOrder(inner)]);
}

/** A field that the platform does not send proves nothing. 0 is an unset time. */
function mayBe(value: Json | undefined): boolean {
	return value !== null && value !== false && value !== 0;
}
