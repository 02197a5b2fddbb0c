import { readSessionReport } from '../../core/report/read';
import { describeState, isSettled } from '../../core/report/settled';
import { sessionLocator } from '../../fields/locators';
import type { ItemOperation } from '../operation';
import { readReportSettings, reportFields } from '../report/settings';
import { describeSession, giveReportItems, makeReportReader } from '../report/items';

export const getReport: ItemOperation = {
	action: 'Get report of session',
	description: 'Retrieve who came to a session, for how long, and from where',
	mayOverlap: true,
	fields: [
		sessionLocator,
		...reportFields('One item with the numbers of people, minutes, questions and messages'),
	],
	async run(item) {
		const settings = readReportSettings(item.parameters);
		const report = await readSessionReport(
			makeReportReader(item, settings),
			item.parameters.id('sessionId'),
		);
		const { eventId, title } = report.session;
		const notice = describeState(report);
		if (notice !== undefined) item.notes.hint(notice);
		return giveReportItems(item, settings, {
			...report,
			eventId,
			title,
			lines: [describeSession(report, item.parameters.zone)],
			notice,
			sessions: [report],
			firstSession: report,
			isSettled: isSettled(report),
			isOfEvent: false,
		});
	},
};
