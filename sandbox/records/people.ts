import type { ApiRecord, Platform } from '../platform';
import { Refusal, notFound } from '../refusal';
import type { Row } from '../store/store';
import { eventRecord } from './eventRecord';
import { Conditions } from './filters';
import { findEvent, findSession, findSessionPerson } from './find';
import { type Call, type Handler, pathId } from './handler';
import { linkage, linked, relate } from './linked';
import { readPage, readRows } from './page';
import {
	eventPersonRecord,
	fromRegistrations,
	personRecord,
	selectEventPeople,
	selectPeople,
	selectRegistrations,
	sessionPersonRecord,
} from './personRecord';
import { sessionRecord } from './sessionRecord';

const listPeople: Handler = (call) => {
	const filters = filtersOfPeople(call);
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: selectPeople, from: 'FROM people p', order: 'p.seq', ...filters.sql },
		readPage(call),
	);
	return { status: 200, body: { data: rows.map(personRecord), meta } };
};

function filtersOfPeople({ query }: Call): Conditions {
	return new Conditions(query).equal('role', 'p.role').email('p.email_key').createdAndUpdated('p');
}

const getPerson: Handler = (call) => {
	const id = pathId(call, 'id');
	const row = call.platform.store.get(`${selectPeople} WHERE p.id = ?`, id);
	if (!row) throw notFound('person', id);
	return { status: 200, body: { data: personRecord(row) } };
};

const getEventPerson: Handler = (call) => {
	const [eventId, personId] = [pathId(call, 'id'), pathId(call, 'person_id')];
	findEvent(call.platform, eventId);
	const sql = `${selectEventPeople} WHERE p.id = ? AND ep.event_id = ?`;
	const row = call.platform.store.get(sql, personId, eventId);
	if (!row) throw notFound(`person registered for the event '${eventId}'`, personId);
	return { status: 200, body: { data: eventPersonRecord(row) } };
};

/** Everybody of the sessions of an event, once each. */
const listEventPeople: Handler = (call) => {
	const id = pathId(call, 'id');
	findEvent(call.platform, id);
	const filters = filtersOfPeople(call);
	const isFiltered = filters.sql.where.length > 0;
	filters.add('ep.event_id = ?', id);
	const join = 'FROM event_people ep JOIN people p ON p.seq = ep.person_seq';
	const { rows, meta } = readRows(
		call.platform.store,
		{
			select: selectEventPeople,
			from: isFiltered ? join : 'FROM event_people ep',
			order: 'ep.person_seq',
			...filters.sql,
		},
		readPage(call),
	);
	return { status: 200, body: { data: rows.map(eventPersonRecord), meta } };
};

const listSessionPeople: Handler = (call) => {
	const id = pathId(call, 'id');
	findSession(call.platform, id);
	const filters = new Conditions(call.query)
		.add('r.session_id = ?', id)
		.equal('role', 'r.role')
		.flag('attended', 'r.attended')
		.createdAndUpdated('r');
	// Only the filter by address needs the join.
	const from = filters.has('email') ? fromRegistrations : 'FROM registrations r';
	filters.email('p.email_key');
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: selectRegistrations, from, order: 'r.seq', ...filters.sql },
		readPage(call),
	);
	const data = rows.map(sessionPersonRecord);
	return { status: 200, body: { data, ...linked(call, data, links), meta } };
};

const links = {
	session(call: Call, people: ApiRecord[]): ApiRecord[] {
		const session = sessionRecord(findSession(call.platform, pathId(call, 'id')));
		for (const person of people) relate(person, 'session', linkage(session));
		return [session];
	},
	event(call: Call, people: ApiRecord[]): ApiRecord[] {
		const { event_id: id } = findSession(call.platform, pathId(call, 'id'));
		const event = eventRecord(findEvent(call.platform, String(id)));
		for (const person of people) relate(person, 'event', linkage(event));
		return [event];
	},
};

const getSessionPerson: Handler = (call) => {
	const row = findSessionPerson(call.platform, pathId(call, 'id'), pathId(call, 'person_id'));
	return { status: 200, body: { data: sessionPersonRecord(row) } };
};

const deleteSessionPerson: Handler = (call) => {
	const row = findSessionPerson(call.platform, pathId(call, 'id'), pathId(call, 'person_id'));
	withdraw(call.platform, row);
	return { status: 204 };
};

const unregisterByEmail: Handler = (call) => {
	const sessionId = pathId(call, 'id');
	findSession(call.platform, sessionId);
	const filters = new Conditions(call.query)
		.add('r.session_id = ?', sessionId)
		.email('p.email_key');
	const sql = `${selectRegistrations} WHERE ${filters.sql.where.join(' AND ')}`;
	const row = call.platform.store.get(sql, ...filters.sql.values);
	if (!row) {
		throw new Refusal(404, 'Nobody with this address is registered for the session.');
	}
	withdraw(call.platform, row);
	return { status: 204 };
};

export const peopleHandlers = {
	listPeople,
	getPerson,
	getEventPerson,
	listEventPeople,
	listSessionPeople,
	getSessionPerson,
	deleteSessionPerson,
	unregisterByEmail,
};

/** The registration goes, the person stays known to the workspace. */
export function withdraw(platform: Platform, row: Row): void {
	platform.store.write('DELETE FROM registrations WHERE seq = ?', row['seq'] ?? 0);
}
