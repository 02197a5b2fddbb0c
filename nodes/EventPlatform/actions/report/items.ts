import {
	engagementOf,
	findMostEngaged,
	registrantsOf,
	rounded,
	segmentOf,
	summaryOf,
	type SummarizedReport,
	type Summary,
} from '../../core/report/figures';
import { namedQuestionIds } from '../../core/dialect/personAttributes';
import { groupsOf, isAsked, type Group } from '../../core/report/groups';
import { writePage } from '../../core/report/page';
import type { ReportedPerson } from '../../core/report/reportedPerson';
import type { ReportReader, SessionReport } from '../../core/report/read';
import { isSettled } from '../../core/report/settled';
import { startColumns, startInWords } from '../../core/sessions/start';
import { Fields, showAll } from '../../core/records/simplify';
import type { Json, JsonObject } from '../../core/values/json';
import { isoTime, timeInWords } from '../../core/values/dates';
import { findCloseName } from '../../form/columnNames';
import { limitFor, withTotal } from '../listOperation';
import type { ItemContext } from '../runContext';
import type { ReportSettings } from './settings';
import type { Seconds } from '../../core/values/units';

interface ReportMaterial extends SummarizedReport {
	eventId?: string;
	title?: string;
	lines: readonly string[];
	notice?: string;
	/** Everybody in the session, or in the sessions of the event that count, each person once. */
	people: readonly ReportedPerson[];
	sessions: readonly SessionReport[];
	/** The session whose start is that of the report: the earliest of an event that has a date and was not canceled. */
	firstSession?: SessionReport;
	isSettled: boolean;
	isOfEvent: boolean;
	readAt: Seconds;
}

export function makeReportReader(
	{ client, sessions, clock, signal }: ItemContext,
	{ output }: ReportSettings,
): ReportReader {
	const needsQuestions = output === 'summary' || output === 'page';
	return { client, sessions, clock, signal, needsQuestions };
}

export function giveReportItems(
	item: ItemContext,
	settings: ReportSettings,
	material: ReportMaterial,
): JsonObject[] {
	if ('division' in settings && settings.division.by === 'question') {
		const hint = describeUnaskedQuestion(material.people, settings.division.questionId);
		if (hint !== undefined) item.notes.hint(hint);
	}
	const items = itemsOf(material, settings, item.parameters.zone);
	// The last item of the summary of an event is its total.
	if (settings.output === 'summary') return items;
	const shown = items.slice(0, limitFor(item.n8n, undefined));
	return withTotal(shown, items.length, "the output 'Summary' counts all of them");
}

/** Describes that nobody was asked a question, because in the output it looks like one that nobody has answered. */
function describeUnaskedQuestion(
	people: readonly ReportedPerson[],
	id: string,
): string | undefined {
	if (people.length === 0 || isAsked(people, id)) return undefined;
	const ids = [...new Set(people.flatMap(({ answers }) => [...answers.keys()]))];
	const nearest = findCloseName(id, ids);
	const question = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
	return `No registration has an answer to the question '${id}'.${question}`;
}

/** Makes the items of a report in the output that people chose. `zone` is the time zone of the workflow. */
function itemsOf(material: ReportMaterial, settings: ReportSettings, zone: string): JsonObject[] {
	const registrants = registrantsOf(material.people);
	switch (settings.output) {
		case 'summary':
			return summaryItems(material, zone);
		case 'people':
			return registrants.map((person) => personItem(person, zone, material.isOfEvent));
		case 'groups':
			return groupsOf(registrants, settings.division).map(withNulls);
		case 'page':
			return [pageItem(material, settings, zone)];
	}
}

function summaryItems(material: ReportMaterial, zone: string): JsonObject[] {
	const { eventId = null, title = null, sessions, firstSession } = material;
	const { readAt } = material;
	const sessionItems = sessions.map((report): JsonObject => {
		const { session } = report;
		return {
			report: 'session',
			event_id: session.eventId ?? eventId,
			session_id: session.id,
			title: session.title ?? title,
			session: session.name ?? null,
			status: session.status ?? null,
			...startColumns(report.session, zone),
			...withNulls(summaryOf(report)),
			is_settled: isSettled(report),
			as_of: isoTime(report.readAt * 1_000, zone),
		};
	});
	if (!material.isOfEvent) return sessionItems;
	const eventItem: JsonObject = {
		report: 'event',
		event_id: eventId,
		session_id: null,
		title,
		session: null,
		status: null,
		...startColumns(firstSession?.session, zone),
		...withNulls(summaryOf(material)),
		is_settled: material.isSettled,
		as_of: isoTime(readAt * 1_000, zone),
	};
	return [...sessionItems, eventItem];
}

/** Writes null for a figure that the platform does not give, so that each item has all columns. */
function withNulls(figures: Summary | Group): JsonObject {
	const entries = Object.entries(figures) as Array<[string, Json | undefined]>;
	return Object.fromEntries(entries.map(([name, figure]) => [name, figure ?? null]));
}

function personItem(person: ReportedPerson, zone: string, isOfEvent: boolean): JsonObject {
	const { origin, answers, registeredAt } = person;
	const row = new Fields(
		Object.entries({
			person_id: person.id ?? '',
			email: person.email ?? '',
			first_name: person.firstName ?? null,
			last_name: person.lastName ?? null,
			segment: segmentOf(person) ?? null,
			...(isOfEvent && attendanceColumns(person, zone)),
			minutes: rounded(person.minutes) ?? null,
			share: rounded(person.share) ?? null,
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
		if (!namedQuestionIds.includes(id)) row.add(id, texts.join(', ') || null, '_answer');
	}
	return showAll(row);
}

function attendanceColumns(person: ReportedPerson, zone: string): JsonObject {
	const { sessionsRegistered, sessionsAttended, lastAttendedAt } = person;
	return {
		sessions_registered: sessionsRegistered ?? null,
		sessions_attended: sessionsAttended ?? null,
		last_attended_at: lastAttendedAt === undefined ? null : isoTime(lastAttendedAt * 1_000, zone),
	};
}

function pageItem(
	material: ReportMaterial,
	{ division, groupedBy }: Extract<ReportSettings, { output: 'groups' | 'page' }>,
	zone: string,
): JsonObject {
	const { title, lines, notice, people, sessions, firstSession } = material;
	const { isOfEvent, readAt } = material;
	const registrants = registrantsOf(people);
	const html = writePage({
		title: title ?? 'Report',
		lines,
		notice,
		summary: summaryOf(material),
		groupedBy,
		groups: groupsOf(registrants, division),
		engaged: findMostEngaged(registrants),
		sessions: isOfEvent
			? sessions.map((report) => ({
					label: describeSession(report, zone),
					summary: summaryOf(report),
				}))
			: [],
		asOf: timeInWords(readAt * 1_000, firstSession?.session.timezone ?? zone),
	});
	return {
		title: title ?? null,
		session: isOfEvent ? null : (firstSession?.session.name ?? null),
		...startColumns(firstSession?.session, zone),
		html,
	};
}

export function describeSession({ session }: SessionReport, zone: string): string {
	const { name = '' } = session;
	const date = startInWords(session, zone) ?? 'No date';
	const canceled = session.phase === 'canceled' ? 'canceled' : '';
	return [name, date, canceled].filter(Boolean).join(' · ');
}
