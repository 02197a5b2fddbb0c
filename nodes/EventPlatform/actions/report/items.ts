import {
	engagementOf,
	mostEngaged,
	registrantsOf,
	rounded,
	segmentOf,
	summaryOf,
	type QuestionCounts,
} from '../../core/report/figures';
import { groupsOf } from '../../core/report/groups';
import { writePage } from '../../core/report/page';
import type { ReportedPerson } from '../../core/report/person';
import type { SessionReport } from '../../core/report/read';
import { isSettled } from '../../core/report/session';
import { timeInWords } from '../../core/report/times';
import { Fields, showAll } from '../../core/records/simplify';
import type { JsonObject } from '../../core/values/json';
import { isoTime } from '../../core/records/outputDates';
import type { Settings } from './settings';

/** The items are made of this, whether the report is about a session or about an event. */
export interface ReportMaterial {
	eventId?: string;
	title?: string;
	/** Name and date of the session, or of the sessions, below the title of the page. */
	lines: readonly string[];
	/** Why the figures are not final. */
	notice?: string;
	/** Those whom the report is about, each once. */
	people: readonly ReportedPerson[];
	questions: QuestionCounts;
	/** The earliest first. */
	sessions: readonly SessionReport[];
	/** Whether it is about all sessions of an event. */
	isOfEvent: boolean;
	/** When the last of it was read, in milliseconds since 1970. */
	readAtMs: number;
}

export function itemsOf(material: ReportMaterial, settings: Settings, zone: string): JsonObject[] {
	const registrants = registrantsOf(material.people);
	switch (settings.output) {
		case 'summary':
			return summaryItems(material, zone);
		case 'people':
			return registrants.map((person) => personItem(person, zone));
		case 'groups':
			return groupsOf(registrants, settings.division).map((group) => ({ ...group }));
		case 'page':
			return [pageItem(material, settings, zone)];
	}
}

function summaryItems(material: ReportMaterial, zone: string): JsonObject[] {
	const { eventId = null, title = null, people, questions, sessions, readAtMs } = material;
	const ofSessions = sessions.map((report): JsonObject => {
		const { session } = report;
		return {
			report: 'session',
			event_id: session.eventId ?? eventId,
			session_id: session.id,
			title: session.title ?? title,
			session: session.name ?? null,
			status: session.status ?? null,
			start: startOf(report, zone),
			...summaryOf(report.people, report.questions),
			is_settled: isSettled(session, report.readAtMs),
			as_of: isoTime(report.readAtMs, zone),
		};
	});
	if (!material.isOfEvent) return ofSessions;
	const [first] = sessions;
	const ofEvent: JsonObject = {
		report: 'event',
		event_id: eventId,
		session_id: null,
		title,
		session: null,
		status: null,
		start: first ? startOf(first, zone) : null,
		...summaryOf(people, questions),
		is_settled: sessions.every((report) => isSettled(report.session, report.readAtMs)),
		as_of: isoTime(readAtMs, zone),
	};
	return [...ofSessions, ofEvent];
}

/** The row of a person, with a column for each answer, named by the ID of its question. */
function personItem(person: ReportedPerson, zone: string): JsonObject {
	const { origin, answers, registeredAt } = person;
	const row = new Fields(
		Object.entries({
			person_id: person.id,
			email: person.email,
			first_name: person.firstName || null,
			last_name: person.lastName || null,
			segment: segmentOf(person) ?? null,
			minutes: rounded(person.minutes),
			share: rounded(person.share),
			has_viewed_replay: person.hasViewedReplay ?? null,
			messages: person.messages ?? null,
			questions: person.questions ?? null,
			up_votes: person.upVotes ?? null,
			engagement: engagementOf(person) ?? null,
			referrer: origin.referrer ?? null,
			utm_source: origin.utm_source ?? null,
			utm_medium: origin.utm_medium ?? null,
			utm_campaign: origin.utm_campaign ?? null,
			country: origin.country ?? null,
			registered_at: registeredAt === undefined ? null : isoTime(registeredAt * 1_000, zone),
		}),
	);
	for (const [id, texts] of answers) {
		if (!names.has(id)) row.add(id, texts.join(', ') || null, '_answer');
	}
	return showAll(row);
}

/** Questions whose answers stand in front. */
const names: ReadonlySet<string> = new Set(['email', 'first_name', 'last_name']);

function pageItem(
	material: ReportMaterial,
	{ division, groupedBy }: Extract<Settings, { output: 'groups' | 'page' }>,
	zone: string,
): JsonObject {
	const { title, lines, notice, people, questions, sessions, isOfEvent, readAtMs } = material;
	const registrants = registrantsOf(people);
	const [first] = sessions;
	const html = writePage({
		title: title ?? 'Report',
		lines,
		notice,
		summary: summaryOf(people, questions),
		groupedBy,
		groups: groupsOf(registrants, division),
		engaged: mostEngaged(registrants),
		sessions: isOfEvent
			? sessions.map((report) => ({
					label: labelOf(report),
					summary: summaryOf(report.people, report.questions),
				}))
			: [],
		asOf: timeInWords(readAtMs, first?.session.timezone ?? zone),
	});
	return {
		title: title ?? null,
		session: isOfEvent ? null : (first?.session.name ?? null),
		start: first ? startOf(first, zone) : null,
		html,
	};
}

/** A session by its date and name, as people tell it from others. */
export function labelOf({ session }: SessionReport): string {
	const { startsAt, timezone, name } = session;
	const date = startsAt === undefined ? 'No date' : timeInWords(startsAt * 1_000, timezone);
	return name === undefined ? date : `${name} · ${date}`;
}

function startOf({ session: { startsAt } }: SessionReport, zone: string): string | null {
	return startsAt === undefined ? null : isoTime(startsAt * 1_000, zone);
}
