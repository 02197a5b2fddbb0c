import { isObject } from '../http/json';
import { pathTo } from '../http/path';
import type { Json, JsonObject } from '../http/ports';
import { readJob } from '../jobs/jobState';
import { registrationOf, seconds, sessionOf, type DeliveredRecord } from './record';

/** What a delivery is about, by the first part of the name of its kind. */
export type Subject = 'job' | 'people' | 'session' | 'event';

interface SubjectRow {
	/** The type of its records. */
	type: string;
	/** Where the platform shows one of them. */
	path(record: DeliveredRecord): string;
}

export const subjects: Readonly<Record<Subject, SubjectRow>> = {
	job: { type: 'jobs', path: ({ id }) => pathTo`/jobs/${id}` },
	session: { type: 'sessions', path: ({ id }) => pathTo`/sessions/${id}` },
	event: { type: 'events', path: ({ id }) => pathTo`/events/${id}` },
	people: {
		type: 'people',
		// Only below the session does the platform show whether a person is registered and attended.
		path(record) {
			const session = sessionOf(record);
			return session === undefined
				? pathTo`/people/${record.id}`
				: pathTo`/sessions/${session}/people/${record.id}`;
		},
	},
};

export interface DeliveryKind {
	/** Undefined where the name does not tell. */
	subject: Subject | undefined;
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
	/** Attendance becomes known step by step after the end: all people of the session are read then. */
	isAttendance?: true;
	/** It may still turn out otherwise, until the records of a session that is over have settled. */
	isDeniable?: true;
	/** The platform has no list of them: they are asked for by their ids. */
	isNamed?: true;
	/** What a look at the record cannot tell; absent where it tells everything. */
	notChecked?: string;
}

interface KnownRow extends Omit<DeliveryKind, 'subject'> {
	/** In the menu, which is in the order of this table. */
	name: string;
	description?: string;
	/** In n8n's list of triggers; without it "On" and the name. */
	action?: string;
}

/** What the platform announces, by its own names. No other file names one of them. */
export const kinds: Readonly<Record<string, KnownRow>> = {
	'event.created': { name: 'Event Created', ...creation() },
	'event.published': { name: 'Event Published', ...stepAt('published_at') },
	'job.ended': {
		name: 'Job Ended',
		action: 'When bulk registration has ended',
		description: 'A bulk registration is done',
		isBorneOut: (record) => readJob(record)?.isFinal === true,
		occurrence: once,
		isNamed: true,
	},
	'people.attended': {
		name: 'Person Attended',
		isBorneOut: (record) => mayBe(registrationOf(record).attended),
		occurrence: perSession,
		when: (record, session) =>
			registrationOf(record).attended === true ? seconds(session.ended_at) : undefined,
		comesLate: always,
		isAttendance: true,
	},
	'people.not_attended': {
		name: 'Person Did Not Attend',
		isBorneOut: (record) => registrationOf(record).attended !== true,
		occurrence: perSession,
		when: (record, session) =>
			registrationOf(record).attended === true ? undefined : seconds(session.ended_at),
		comesLate: always,
		isAttendance: true,
		isDeniable: true,
	},
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
		// A person may come back for the replay.
		occurrence: (record) => [
			...perSession(record),
			seconds(registrationOf(record).updated_at),
			seconds(record.attributes.updated_at),
		],
		// Nothing says when it was watched first.
	},
	'session.created': { name: 'Session Created', ...creation() },
	'session.ended': { name: 'Session Ended', ...stepAt('ended_at') },
	'session.started': { name: 'Session Started', ...stepAt('started_at') },
};

/** What each trigger listens to until something else is chosen. */
export const defaultKinds = { webhook: 'job.ended', polling: 'people.registered' };

/** The kind that the record alone stands for: section 6, a job comes without its kind. */
export const impliedKinds: Readonly<Record<string, string>> = { [subjects.job.type]: 'job.ended' };

/** The row of a kind. One that people typed and the table does not know gets what its name tells. */
export function kindOf(name: string): DeliveryKind {
	const known = Object.keys(subjects) as Subject[];
	const subject = known.find((one) => name.startsWith(`${one}.`));
	const row = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
	return { subject, ...(row ?? unknown(name)) };
}

function unknown(name: string): Omit<DeliveryKind, 'subject'> {
	return {
		isBorneOut: always,
		occurrence: ({ attributes }) => [inOrder(attributes)],
		notChecked: `Only that the record exists was checked with the platform, not that "${name}" happened to it.`,
	};
}

function creation(): Omit<DeliveryKind, 'subject'> {
	return {
		isBorneOut: always,
		occurrence: once,
		when: ({ attributes }) => seconds(attributes.created_at),
	};
}

/** What the record shows by a time of its own. */
function stepAt(name: string): Omit<DeliveryKind, 'subject'> {
	return {
		isBorneOut: ({ attributes }) => mayBe(attributes[name]),
		occurrence: ({ attributes }) => [seconds(attributes[name])],
		when: ({ attributes }) => seconds(attributes[name]),
	};
}

/** For instance: the platform shows the record, and shows no more than that of what happened. */
function always(): boolean {
	return true;
}

function once(): Json[] {
	return [];
}

/** Where no session is named, the latest change is all that tells two events of a person apart. */
function perSession(record: DeliveredRecord): Array<Json | undefined> {
	return [sessionOf(record) ?? seconds(record.attributes.updated_at)];
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
	return value === undefined || (value !== null && value !== false && value !== 0);
}
