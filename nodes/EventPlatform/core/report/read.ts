import { attributesOf, getRecord } from '../client/document';
import { listRecords, readPages } from '../client/pages';
import { isSameId, pathTo, pathToPeople } from '../client/path';
import { platformNowMs, type Run } from '../client/run';
import { isNotOffered } from '../failures/meaning';
import { hasBegun } from '../sessions/phase';
import { withEvent, withIncludedEvent, type SessionRead } from '../sessions/readSession';
import type { SessionCache } from '../sessions/sessionCache';
import { parseSeconds } from '../dialect/time';
import type { JsonObject } from '../values/json';
import { addAll } from '../values/collections';
import { containsPart, text } from '../values/text';
import { isAttendanceKnown, withoutAttendance } from './attendance';
import { oncePerPerson } from './eventPeople';
import { registrantsOf, sumOf, type QuestionCounts } from './figures';
import { readPerson, type ReportedPerson } from './reportedPerson';
import { readReportedSession, type ReportedSession } from './reportedSession';
import type { Seconds } from '../values/units';

/*
 * A report tells who came to a session, for how long, and from where. Begin here: a session is read with its people and questions.
 *
 *   reportedSession.ts      a session as a report sees it; reportedPerson.ts: a person; eventPeople.ts: each person of an event once
 *   attendance.ts           who attended, for how long, and when that is known
 *   settled.ts              whether the figures will stay as they are
 *   figures.ts, groups.ts   count people, minutes and shares, also by group
 *   page.ts, html.ts        the report as a page for a mail
 */

export interface SessionReport {
	session: ReportedSession;
	/** Everybody in the session, registrants, team and guests, each person once. */
	people: readonly ReportedPerson[];
	isAttendanceKnown: boolean;
	/** Its status or its times say so, or somebody attended it. */
	hasBegun: boolean;
	/** The counts of its questions. Absent where a report does not show questions, which are not read then. */
	questions: QuestionCounts;
	/** In Unix seconds by the platform's clock, because it is compared with the end of the session. */
	readAt: Seconds;
}

export interface EventReport {
	id: string;
	title?: string;
	sessions: readonly SessionReport[];
	/** The sessions that count in the totals: those that have begun, or all where none has; none that was canceled. */
	countedSessions: readonly SessionReport[];
	people: readonly ReportedPerson[];
	/** It is known of one of the sessions that count. */
	isAttendanceKnown: boolean;
	questions: QuestionCounts;
	/** The number of events whose sessions are in it. */
	eventCount: number;
	readAt: Seconds;
}

export interface ReportReader extends Pick<Run, 'client' | 'clock' | 'signal'> {
	sessions: SessionCache;
	/** Questions cost a request of their own. */
	needsQuestions: boolean;
}

/** Reads a session with two requests, and one for each fifty people. */
export async function readSessionReport(reader: ReportReader, id: string): Promise<SessionReport> {
	// The title of the event stands on the report, and some platforms do not send the event along.
	return await readPeopleOf(reader, await reader.sessions.readWithEvent(id));
}

/**
 * Reads an event with one request for each fifty sessions, and for each session with one and another for each fifty people.
 * `titlePart`: the sessions of every other event with this in its title are read as well, for one more request for each fifty events, and
 * one for each event.
 */
export async function readEventReport(
	reader: ReportReader,
	id: string,
	titlePart?: string,
): Promise<EventReport> {
	const events = titlePart === undefined ? [] : await listEvents(reader, titlePart);
	const chosen = await readSessionsOf(reader, id, events.find(isEvent(id)));
	const reads = [...chosen.reads];
	const otherEvents = events.filter((event) => !isEvent(id)(event));
	for (const event of otherEvents) {
		addAll(reads, (await readSessionsOf(reader, text(event.id), event)).reads);
	}
	const sessions: SessionReport[] = [];
	// The sessions are read one after the other, because the pages of each are read at the same time.
	for (const read of reads) sessions.push(await readPeopleOf(reader, read));
	sessions.sort((a, b) => (a.session.startsAt ?? Infinity) - (b.session.startsAt ?? Infinity) || 0);
	const heldSessions = sessions.filter((report) => report.session.phase !== 'canceled');
	// People who are registered for a session that nobody has begun would look like people who stayed away.
	const begunSessions = heldSessions.filter(({ hasBegun }) => hasBegun);
	const countedSessions = begunSessions.length > 0 ? begunSessions : heldSessions;
	return {
		id,
		title: text(attributesOf(chosen.event).title).trim() || undefined,
		sessions,
		countedSessions,
		people: oncePerPerson(countedSessions.map(withAttendanceOfSession)),
		isAttendanceKnown: countedSessions.some((report) => report.isAttendanceKnown),
		questions: addUpQuestions(countedSessions.map(({ questions }) => questions)),
		eventCount: 1 + otherEvents.length,
		readAt: Math.floor(platformNowMs(reader) / 1_000),
	};
}

const isEvent = (id: string) => (event: JsonObject) => isSameId(event.id, id);

/** The platform may find more by a title than was meant, or ignore what it does not know. */
async function listEvents({ client, signal }: ReportReader, part: string): Promise<JsonObject[]> {
	const query = { 'filter[title]': part };
	const events = await listRecords(client.send, '/events', { signal, query });
	return events.filter((event) => containsPart(attributesOf(event).title, part));
}

/** `event`: its record, where it was read before. */
async function readSessionsOf(
	{ client: { send: ask }, signal }: ReportReader,
	id: string,
	event?: JsonObject,
): Promise<{ event: JsonObject; reads: SessionRead[] }> {
	const path = pathTo`/events/${id}/sessions`;
	const sessions: SessionRead[] = [];
	for await (const { records, included } of readPages(ask, path, {
		signal,
		addedQuery: withEvent,
	})) {
		for (const session of records) sessions.push(withIncludedEvent(session, included));
	}
	const eventSentAlong = event ?? sessions.find((read) => read.event !== undefined)?.event;
	// A list without sessions does not show that there is such an event, so one that is not shown is an error.
	const eventOfAll = eventSentAlong ?? (await getRecord(ask, pathTo`/events/${id}`));
	return {
		event: eventOfAll,
		reads: sessions.map(({ session }) => ({ session, event: eventOfAll })),
	};
}

/** The people of a session with what it adds to their attendance of all sessions. */
function withAttendanceOfSession({ session, people }: SessionReport): ReportedPerson[] {
	return people.map((person) => ({
		...person,
		sessionsRegistered: 1,
		sessionsAttended: person.attended === undefined ? undefined : Number(person.attended),
		lastAttendedAt: person.attended ? session.startsAt : undefined,
	}));
}

async function readPeopleOf(reader: ReportReader, read: SessionRead): Promise<SessionReport> {
	const { signal, needsQuestions } = reader;
	const ask = reader.client.send;
	const session = readReportedSession(read, platformNowMs(reader));
	// A report needs little of each record, and there may be a hundred thousand of them.
	const listedPeople: ReportedPerson[] = [];
	for await (const { records } of readPages(ask, pathToPeople(session.id), { signal })) {
		for (const record of records) listedPeople.push(readPerson(record, session));
	}
	const isKnown = isAttendanceKnown(session, registrantsOf(listedPeople));
	const people = oncePerPerson([isKnown ? listedPeople : listedPeople.map(withoutAttendance)]);
	const questions = needsQuestions
		? await listRecords(ask, pathTo`/sessions/${session.id}/questions`, { signal }).catch(
				ignoreNotOffered,
			)
		: undefined;
	return {
		session,
		people,
		isAttendanceKnown: isKnown,
		hasBegun: isKnown || hasBegun(attributesOf(read.session)),
		questions: countQuestions(questions, listedPeople),
		readAt: Math.floor(platformNowMs(reader) / 1_000),
	};
}

/**
 * Ignores the failure of a request for something that the platform does not offer and a report can do without. Any other failure is
 * thrown again.
 */
function ignoreNotOffered(error: unknown): undefined {
	if (isNotOffered(error)) return undefined;
	throw error;
}

/** Counts the questions of a session. `questions`: the list of them; undefined where the platform has no such list. */
function countQuestions(
	questions: readonly JsonObject[] | undefined,
	people: readonly ReportedPerson[],
): QuestionCounts {
	if (questions === undefined) return {};
	const hosts = people.filter(({ standing }) => standing !== 'registrant');
	const hostIds = new Set(hosts.map(({ id }) => id));
	const askedQuestions = questions
		.map(attributesOf)
		.filter(({ question_author_id: author }) => !hostIds.has(text(author)));
	const hasResponses = askedQuestions.every(
		(question) => 'response' in question || 'responded_at' in question,
	);
	const unansweredQuestions = askedQuestions.filter((question) => !isAnswered(question));
	return {
		askedCount: askedQuestions.length,
		unansweredCount: hasResponses ? unansweredQuestions.length : undefined,
	};
}

/** Livestorm's own client counts a question with a responder as answered, and reads that it was answered in the room. */
function isAnswered(question: JsonObject): boolean {
	const { response, responded_at: respondedAt, response_author_id: responderId } = question;
	const hasText = [response, responderId].some((value) => text(value).trim() !== '');
	return hasText || parseSeconds(respondedAt) !== undefined || question.responded_orally === true;
}

function addUpQuestions(sessions: readonly QuestionCounts[]): QuestionCounts {
	return {
		askedCount: sumOf(sessions.map(({ askedCount }) => askedCount)),
		unansweredCount: sumOf(sessions.map(({ unansweredCount }) => unansweredCount)),
	};
}
