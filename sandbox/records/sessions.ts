import { randomUUID } from 'node:crypto';
import { Refusal } from '../refusal';
import { Conditions } from './filters';
import { findEvent, findSession } from './find';
import { type Call, type Handler, pathId } from './handler';
import { linkEvents, linkPeople, linkRecordings, linked } from './linked';
import { readPage, readRows } from './page';
import { fromSessions, selectSessions, sessionRecord, sessionStatus } from './sessionRecord';
import { type TeamOfSession, setTeam } from './team';
import { plannedStart, requireTimezone } from './time';

interface SessionAttributes {
	name?: string | null;
	embed_url?: string;
	estimated_started_at?: string;
	timezone?: string;
}

export interface SessionData {
	attributes: SessionAttributes;
	relationships?: TeamOfSession;
}

interface SessionDocument {
	data: SessionData;
}

function sessionsPage(call: Call, filters: Conditions) {
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: selectSessions, from: fromSessions, order: 's.seq', ...filters.sql },
		readPage(call),
	);
	return { data: rows.map(sessionRecord), meta };
}

function sessionFilters(call: Call): Conditions {
	return new Conditions(call.query)
		.equal('status', `(${sessionStatus})`)
		.since('date_from', 's.estimated_started_at')
		.until('date_to', 's.estimated_started_at')
		.createdAndUpdated('s');
}

const listSessions: Handler = (call) => {
	const { data, meta } = sessionsPage(call, sessionFilters(call));
	return { status: 200, body: { data, ...linked(call, data, links), meta } };
};

const listEventSessions: Handler = (call) => {
	const id = pathId(call, 'id');
	findEvent(call.platform, id);
	const { data, meta } = sessionsPage(call, sessionFilters(call).add('s.event_id = ?', id));
	return { status: 200, body: { data, ...linked(call, data, links), meta } };
};

const getSession: Handler = (call) => answerSession(call, pathId(call, 'id'), 200);

const createSession: Handler = (call) => {
	const eventId = pathId(call, 'id');
	findEvent(call.platform, eventId);
	const { data } = call.body as SessionDocument;
	const id = call.platform.store.transaction(() => insertSession(call, eventId, data));
	return answerSession(call, id, 201);
};

const updateSession: Handler = (call) => {
	const id = pathId(call, 'id');
	const session = findSession(call.platform, id);
	const { attributes, relationships } = (call.body as SessionDocument).data;
	const timezone = attributes.timezone ?? String(session['timezone']);
	requireTimezone(timezone);
	const start = attributes.estimated_started_at;
	const { store, now } = call.platform;
	store.transaction(() => {
		store.update('sessions', id, {
			...(attributes.name !== undefined && { name: attributes.name }),
			...(attributes.embed_url !== undefined && { embed_url: attributes.embed_url }),
			timezone,
			...(start !== undefined && { estimated_started_at: plannedStart(start, timezone) }),
			updated_at: Math.floor(now() / 1000),
		});
		const eventId = String(session['event_id']);
		if (relationships) setTeam(call.platform, { id, eventId }, relationships);
	});
	return answerSession(call, id, 200);
};

const deleteSession: Handler = (call) => {
	const id = pathId(call, 'id');
	const { store } = call.platform;
	if (findSession(call.platform, id)['status'] === 'live') {
		throw new Refusal(422, 'A session that is live cannot be deleted; end it first.');
	}
	store.transaction(() => {
		store.write('DELETE FROM registrations WHERE session_id = ?', id);
		store.write('DELETE FROM sessions WHERE id = ?', id);
	});
	return { status: 204 };
};

export const sessionHandlers = {
	listSessions,
	listEventSessions,
	getSession,
	createSession,
	updateSession,
	putSession: updateSession,
	deleteSession,
};

function answerSession(call: Call, id: string, status: number) {
	const session = sessionRecord(findSession(call.platform, id));
	return { status, body: { data: session, ...linked(call, [session], links) } };
}

const links = { event: linkEvents, people: linkPeople, recordings: linkRecordings };

export function insertSession(
	call: Call,
	eventId: string,
	{ attributes, relationships }: SessionData,
): string {
	const { platform } = call;
	const id = randomUUID();
	const now = Math.floor(platform.now() / 1000);
	const timezone = attributes.timezone ?? 'Etc/UTC';
	requireTimezone(timezone);
	platform.store.insert('sessions', {
		id,
		event_id: eventId,
		name: attributes.name ?? null,
		embed_url: attributes.embed_url ?? null,
		timezone,
		estimated_started_at:
			attributes.estimated_started_at === undefined
				? 0
				: plannedStart(attributes.estimated_started_at, timezone),
		started_at: 0,
		ended_at: 0,
		canceled_at: 0,
		created_at: now,
		updated_at: now,
	});
	if (relationships) setTeam(platform, { id, eventId }, relationships);
	platform.announce('session.created', sessionRecord(findSession(platform, id)));
	return id;
}
