import { countOf } from '../../core/values/text';
import { readEventReport, type EventReport, type SessionReport } from '../../core/report/read';
import { describeEventState, isEventSettled } from '../../core/report/settled';
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
		const { id, sessions } = report;
		const notices = describeEventState(report);
		for (const notice of notices) item.notes.hint(notice);
		return giveReportItems(item, settings, {
			...report,
			eventId: id,
			lines: [hasTitlePart ? describeEvents(report) : sessionsInWords(sessions)],
			notice: notices.join(' ') || undefined,
			firstSession: sessions.find(hasStart),
			isSettled: isEventSettled(report),
			isOfEvent: true,
		});
	},
};

function describeEvents({ sessions, eventCount }: EventReport): string {
	return `${sessionsInWords(sessions)} of ${countOf(eventCount, 'event')}`;
}

function hasStart({ session }: SessionReport): boolean {
	return session.phase !== 'canceled' && session.startsAt !== undefined;
}

function sessionsInWords(sessions: readonly SessionReport[]): string {
	return countOf(sessions.length, 'session');
}
