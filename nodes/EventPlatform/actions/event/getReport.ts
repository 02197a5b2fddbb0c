import { countOf, thousands } from '../../core/values/text';
import { readEventReport, type EventReport, type SessionReport } from '../../core/report/read';
import type { SessionPhase } from '../../core/sessions/phase';
import { isSettled } from '../../core/report/reportedSession';
import { optionsField, textField } from '../../fields/fieldBuilders';
import { eventLocator } from '../../fields/locators';
import type { ItemOperation } from '../operation';
import { readReportSettings, reportFields } from '../report/settings';
import { giveReportItems, makeReportReader } from '../report/items';

export const getReport: ItemOperation = {
	action: 'Get report of event',
	description:
		'Retrieve who came to the sessions of an event, for how long, and from where. A person counts once.',
	mayOverlap: true,
	fields: [
		eventLocator,
		...reportFields(
			'One item for each session, and one for the event, in which a person counts once',
		),
		optionsField([
			textField(
				'eventTitleContains',
				'Adds the sessions of every other event with this in its title, such as those of a series',
				{ placeholder: 'e.g. Product Tour' },
			),
		]),
	],
	async run(item) {
		const settings = readReportSettings(item.parameters);
		const { parameters } = item;
		const hasTitlePart = 'eventTitleContains' in parameters.chosen('options');
		const report = await readEventReport(
			makeReportReader(item, settings),
			parameters.id('eventId'),
			hasTitlePart ? parameters.needed('options.eventTitleContains') : undefined,
		);
		const { id, title, sessions, countedSessions, people, readAt } = report;
		const notices = hintsOfOpenSessions(report);
		for (const notice of notices) item.notes.hint(notice);
		return giveReportItems(item, settings, {
			eventId: id,
			title,
			lines: [hasTitlePart ? describeEvents(report) : sessionsInWords(sessions)],
			notice: notices.join(' ') || undefined,
			people,
			isAttendanceKnown: report.isAttendanceKnown,
			questions: report.questions,
			sessions,
			firstSession: sessions.find(hasStart),
			isSettled: countedSessions.every(isSettledReport),
			isOfEvent: true,
			readAt,
		});
	},
};

/** Says which sessions are not in the totals, and which of the others may still change. */
function hintsOfOpenSessions({ sessions, countedSessions }: EventReport): string[] {
	const count = sessionsInWords(sessions);
	const countIn = (phase: SessionPhase) =>
		sessions.filter(({ session }) => session.phase === phase).length;
	const [toComeCount, canceledCount] = [countIn('toCome'), countIn('canceled')];
	const canceled =
		canceledCount > 0
			? [`Canceled, so not in the totals: ${thousands(canceledCount)} of ${count}.`]
			: [];
	if (toComeCount > 0 && toComeCount + canceledCount === sessions.length) {
		return [...canceled, 'No session has begun yet, so nobody can have attended one.'];
	}
	const openCount = countedSessions.filter((report) => !isSettledReport(report)).length;
	return [
		...canceled,
		...(toComeCount > 0
			? [`Still to come, so not in the totals: ${thousands(toComeCount)} of ${count}.`]
			: []),
		...(openCount > 0
			? [`${thousands(openCount)} of ${count} may still change, so the figures are not final.`]
			: []),
	];
}

function describeEvents({ sessions, eventCount }: EventReport): string {
	return `${sessionsInWords(sessions)} of ${countOf(eventCount, 'event')}`;
}

function hasStart({ session }: SessionReport): boolean {
	return session.phase !== 'canceled' && session.startsAt !== undefined;
}

function isSettledReport({ session, readAt }: SessionReport): boolean {
	return isSettled(session, readAt);
}

function sessionsInWords(sessions: readonly SessionReport[]): string {
	return countOf(sessions.length, 'session');
}
