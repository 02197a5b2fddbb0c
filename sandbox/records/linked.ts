import type { ApiRecord } from '../platform';
import { eventRecord, selectEvents } from './eventRecord';
import { included } from './filters';
import type { Call } from './handler';
import {
	personRecord,
	selectPeople,
	selectRegistrations,
	sessionPersonRecord,
} from './personRecord';
import { recordingRecord } from './recordingRecord';
import { selectSessions, sessionRecord } from './sessionRecord';

/**
 * Each of these adds a relationship to the records of a page and gives the records that it leads to.
 */

type Link = (call: Call, records: ApiRecord[]) => ApiRecord[];

/** The part of an answer that holds what was asked for by `include=`; absent where nothing was. */
interface Included {
	included?: ApiRecord[];
}

/** Gives the records that `include=` asks for, of those that an answer can include. */
export function linked(call: Call, records: ApiRecord[], links: Record<string, Link>): Included {
	const names = included(call);
	if (names.size === 0) return {};
	const linkedRecords = Object.entries(links).flatMap(([name, link]) =>
		names.has(name) ? link(call, records) : [],
	);
	return { included: [...new Map(linkedRecords.map((record) => [record.id, record])).values()] };
}

export function linkSessions(call: Call, events: ApiRecord[]): ApiRecord[] {
	const sql = `${selectSessions} WHERE s.event_id IN (SELECT value FROM json_each(?)) ORDER BY s.seq`;
	const sessions = call.platform.store.all(sql, ids(events)).map(sessionRecord);
	for (const event of events) {
		const own = sessions.filter((session) => session.attributes['event_id'] === event.id);
		relate(event, 'sessions', own.map(linkage));
	}
	return sessions;
}

export function linkTags(call: Call, events: ApiRecord[]): ApiRecord[] {
	const rows = call.platform.store.all(
		`SELECT t.*, et.event_id FROM event_tags et JOIN tags t ON t.id = et.tag_id
		WHERE et.event_id IN (SELECT value FROM json_each(?)) ORDER BY t.seq`,
		ids(events),
	);
	const tags = new Map<string, ApiRecord>();
	for (const event of events) {
		const own = rows.filter((row) => row['event_id'] === event.id).map(tagRecord);
		for (const tag of own) tags.set(tag.id, tag);
		relate(event, 'tags', own.map(linkage));
	}
	return [...tags.values()];
}

export function linkEvents(call: Call, sessions: ApiRecord[]): ApiRecord[] {
	const eventIds = sessions.map((session) => String(session.attributes['event_id']));
	for (const session of sessions) {
		relate(session, 'event', { type: 'events', id: String(session.attributes['event_id']) });
	}
	const sql = `${selectEvents} WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.seq`;
	return call.platform.store.all(sql, JSON.stringify(eventIds)).map(eventRecord);
}

/** A session may have 100,000 registrants: an answer includes the first of each, the list has all. */
const includedPeople = 100;

export function linkPeople(call: Call, sessions: ApiRecord[]): ApiRecord[] {
	const sql = `${selectRegistrations} WHERE r.session_id = ? ORDER BY r.seq LIMIT ${includedPeople}`;
	const people = new Map<string, ApiRecord>();
	for (const session of sessions) {
		const own = call.platform.store.all(sql, session.id).map(sessionPersonRecord);
		for (const person of own) people.set(person.id, person);
		relate(session, 'people', own.map(linkage));
	}
	return [...people.values()];
}

export function linkRecordings(call: Call, sessions: ApiRecord[]): ApiRecord[] {
	const sql =
		'SELECT * FROM recordings WHERE session_id IN (SELECT value FROM json_each(?)) ORDER BY seq';
	const rows = call.platform.store.all(sql, ids(sessions));
	const recordings = rows.map((row) => recordingRecord(call.platform, row));
	for (const session of sessions) {
		const own = recordings.filter(({ attributes }) => attributes['session_id'] === session.id);
		relate(session, 'recordings', own.map(linkage));
	}
	return recordings;
}

/** The people whose ids stand in an attribute of the questions. */
export function linkAskers(name: string, attribute: string): Link {
	return (call, questions) => {
		const personIds = questions.map(({ attributes }) => attributes[attribute]);
		const sql = `${selectPeople} WHERE p.id IN (SELECT value FROM json_each(?)) ORDER BY p.seq`;
		const people = call.platform.store.all(sql, JSON.stringify(personIds)).map(personRecord);
		for (const [index, question] of questions.entries()) {
			const person = people.find(({ id }) => id === personIds[index]);
			relate(question, name, person ? linkage(person) : null);
		}
		return people;
	};
}

export function tagRecord(row: Record<string, unknown>): ApiRecord {
	return { id: String(row['id']), type: 'tags', attributes: { title: row['title'] } };
}

export function relate(record: ApiRecord, name: string, data: unknown): void {
	record.relationships = { ...record.relationships, [name]: { data } };
}

export function linkage({ type, id }: ApiRecord): Pick<ApiRecord, 'type' | 'id'> {
	return { type, id };
}

function ids(records: ApiRecord[]): string {
	return JSON.stringify(records.map((record) => record.id));
}
