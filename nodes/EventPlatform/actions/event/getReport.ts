import { thousands } from '../../core/client/usage';
import { oncePerPerson } from '../../core/report/eventPeople';
import { addUpQuestions } from '../../core/report/questions';
import { readEventReport } from '../../core/report/read';
import { isSettled } from '../../core/report/session';
import { eventLocator } from '../../fields/locators';
import type { ItemOperation } from '../operation';
import { readReportSettings, reportFields } from '../report/settings';
import { giveReportItems, makeReportReader } from '../report/giveItems';

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
	],
	async run(item) {
		const settings = readReportSettings(item.parameters);
		const report = await readEventReport(
			makeReportReader(item, settings),
			item.parameters.id('eventId'),
		);
		const { id, title, sessions, readAt } = report;
		const openSessions = sessions.filter(({ session, readAt }) => !isSettled(session, readAt));
		const count = `${thousands(sessions.length)} ${sessions.length === 1 ? 'session' : 'sessions'}`;
		const notice =
			openSessions.length === 0
				? undefined
				: `${thousands(openSessions.length)} of ${count} may still change, so the figures are not final.`;
		if (notice !== undefined) item.notes.hint(notice);
		return giveReportItems(item, settings, {
			eventId: id,
			title,
			lines: [count],
			notice,
			people: oncePerPerson(sessions.map(({ people }) => people)),
			questions: addUpQuestions(sessions.map(({ questions }) => questions)),
			sessions,
			isOfEvent: true,
			readAt,
		});
	},
};
