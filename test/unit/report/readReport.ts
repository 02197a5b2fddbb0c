import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { Clock } from '../../../nodes/EventPlatform/core/client/clock';
import type { ApiRequest, Client } from '../../../nodes/EventPlatform/core/client/request';
import {
	readEventReport,
	readSessionReport,
	type EventReport,
	type ReportReader,
	type SessionReport,
} from '../../../nodes/EventPlatform/core/report/read';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';

/** When the sessions of these tests have ended, and when they are read. */
export const end = 1_795_000_000;
export const now = end + 6_400;

export const event = { type: 'events', id: 'e1', attributes: { title: 'Tour' } };

/** The record of a session of 50 minutes that is over, unless it says otherwise. */
export function session(id: string, attributes: JsonObject = {}): JsonObject {
	const past = { event_id: 'e1', status: 'past', started_at: end - 3_000, ended_at: end };
	return { type: 'sessions', id, attributes: { ...past, ...attributes } };
}

/** A platform that answers each path with this: a list by its page, a record as it is, or why there is none. */
export function platform(answers: Readonly<Record<string, JsonObject[] | JsonObject | Cause>>) {
	return fakePlatform(({ path, query }: ApiRequest) => {
		const answer = answers[path] ?? 'not_found';
		return Array.isArray(answer) ? pageOf(answer, query) : answer;
	});
}

export function reader(client: Client, needsQuestions = true): ReportReader {
	const clock: Clock = { now: () => now * 1_000 + 500, sleep: () => Promise.resolve() };
	return { client, sessions: new SessionCache(client.send), clock, needsQuestions };
}

/** The report of a session with these people. */
export function reportOfSession(
	people: JsonObject[],
	attributes?: JsonObject,
): Promise<SessionReport> {
	const data = session('s1', attributes);
	const answers = { '/sessions/s1': { data, included: [event] }, '/sessions/s1/people': people };
	return readSessionReport(reader(platform(answers).client, false), 's1');
}

/** The report of an event whose sessions have these people. The first session is over, and so are the others unless they say otherwise. */
export function reportOfEvent(
	peopleOfSessions: JsonObject[][],
	attributes?: JsonObject,
): Promise<EventReport> {
	const answers: Record<string, JsonObject[] | JsonObject> = { '/events/e1': { data: event } };
	answers['/events/e1/sessions'] = peopleOfSessions.map((people, index) => {
		answers[`/sessions/s${index}/people`] = people;
		return session(`s${index}`, index > 0 ? attributes : {});
	});
	return readEventReport(reader(platform(answers).client, false), 'e1');
}
