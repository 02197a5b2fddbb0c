import { readSessionReport } from '../../core/report/read';
import { whyNotSettled } from '../../core/report/session';
import { sessionLocator } from '../../fields/locators';
import type { ItemOperation } from '../operation';
import { labelOf } from '../report/items';
import { readSettings, reportFields } from '../report/settings';
import { giveItems, readerOf } from '../report/giveItems';

export const getReport: ItemOperation = {
	action: 'Get report of session',
	description: 'Retrieve who came to a session, for how long, and from where',
	mayOverlap: true,
	fields: [
		sessionLocator,
		...reportFields('One item with the numbers of people, minutes, questions and messages'),
	],
	async run(item) {
		const settings = readSettings(item.parameters);
		const report = await readSessionReport(
			readerOf(item, settings),
			item.parameters.id('sessionId'),
		);
		const { session, people, questions, readAtMs } = report;
		const notice = whyNotSettled(session, readAtMs);
		if (notice !== undefined) item.notes.hint(notice);
		return giveItems(item, settings, {
			eventId: session.eventId,
			title: session.title,
			lines: [labelOf(report)],
			notice,
			people,
			questions,
			sessions: [report],
			isOfEvent: false,
			readAtMs,
		});
	},
};
