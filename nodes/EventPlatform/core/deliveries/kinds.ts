import { pathTo } from '../http/path';
import type { Json, JsonObject } from '../http/ports';
import { readJob } from '../jobs/jobState';
import { registrationOf, sessionOf, type DeliveredRecord } from './record';

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
	/** What differs between two events of this kind with the same record; nothing: there is only one. */
	occurrence(record: DeliveredRecord): Array<Json | undefined>;
	/**
	 * When it happened, in Unix seconds, as the record and its session show it; nothing: it did not.
	 * Absent where the platform has no list to find it in.
	 */
	when?(record: DeliveredRecord, session: JsonObject): Json | undefined;
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

/** What the platform announces, by its own names. */
export const kinds: Readonly<Record<string, KnownRow>> = {
	'event.created': { name: 'Event Created', ...creation() },
	'event.published': { name: 'Event Published', ...stepAt('published_at') },
	'job.ended': {
		name: 'Job Ended',
		action: 'When bulk registration has ended',
		description: 'A bulk registration is done',
		isBorneOut: (record) => readJob(record)?.isFinal === true,
		occurrence: once,
	},
	'people.attended': {
		name: 'Person Attended',
		isBorneOut: (record) => mayBe(registrationOf(record).attended),
		occurrence: perRegistration,
		when: (record, session) =>
			registrationOf(record).attended === true ? session.ended_at || session.started_at : undefined,
	},
	'people.not_attended': {
		name: 'Person Did Not Attend',
		isBorneOut: (record) => registrationOf(record).attended !== true,
		occurrence: perRegistration,
		when: (record, session) =>
			registrationOf(record).attended === true ? undefined : session.ended_at,
	},
	'people.registered': {
		name: 'Person Registered',
		isBorneOut: existing,
		// Without its time, a registration after an unregistration differs by some attribute at least.
		occurrence: (record) => {
			const { created_at: at } = registrationOf(record);
			return at ? perRegistration(record) : [sessionOf(record), record.attributes];
		},
		when: (record) => registrationOf(record).created_at,
	},
	'people.watched_replay': {
		name: 'Person Watched Replay',
		isBorneOut: (record) => mayBe(registrationOf(record).has_viewed_replay),
		// A person may come back for the replay.
		occurrence: (record) => [
			sessionOf(record),
			registrationOf(record).updated_at,
			record.attributes.updated_at,
		],
		// Nothing says when it was watched first.
	},
	'session.created': { name: 'Session Created', ...creation() },
	'session.ended': { name: 'Session Ended', ...stepAt('ended_at') },
	'session.started': { name: 'Session Started', ...stepAt('started_at') },
};

/** The row of a kind. One that people typed and the table does not know gets what its name tells. */
export function kindOf(name: string): DeliveryKind {
	const known = Object.keys(subjects) as Subject[];
	const subject = known.find((one) => name.startsWith(`${one}.`));
	const row = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
	return { subject, ...(row ?? unknown(name)) };
}

function unknown(name: string): Omit<DeliveryKind, 'subject'> {
	return {
		isBorneOut: existing,
		occurrence: ({ attributes }) => [attributes],
		notChecked: `Only that the record exists was checked with the platform, not that "${name}" happened to it.`,
	};
}

function creation(): Omit<DeliveryKind, 'subject'> {
	return {
		isBorneOut: existing,
		occurrence: once,
		when: ({ attributes }) => attributes.created_at,
	};
}

/** What the record shows by a time of its own. */
function stepAt(name: string): Omit<DeliveryKind, 'subject'> {
	return {
		isBorneOut: ({ attributes }) => mayBe(attributes[name]),
		occurrence: ({ attributes }) => [attributes[name]],
		when: ({ attributes }) => attributes[name],
	};
}

/** The platform shows the record, and shows no more than that of what happened. */
function existing(): boolean {
	return true;
}

function once(): Json[] {
	return [];
}

function perRegistration(record: DeliveredRecord): Array<Json | undefined> {
	const session = sessionOf(record);
	const { attributes } = record;
	return session === undefined ? [attributes] : [session, registrationOf(record).created_at];
}

/** A field that the platform does not send proves nothing. 0 is an unset time. */
function mayBe(value: Json | undefined): boolean {
	return value === undefined || (value !== null && value !== false && value !== 0);
}
