import { thousands } from '../../core/client/usage';
import { oncePerPerson } from '../../core/report/eventPeople';
import { addUp } from '../../core/report/questions';
import { readEventReport } from '../../core/report/read';
import { isSettled } from '../../core/report/session';
import { eventLocator } from '../../fields/locators';
import type { ItemOperation } from '../operation';
import { readSettings, reportFields } from '../report/settings';
import { giveItems, readerOf } from '../report/giveItems';

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
		const settings = readSettings(item.parameters);
		const report = await readEventReport(readerOf(item, settings), item.parameters.id('eventId'));
		const { id, title, sessions, readAtMs } = report;
		const open = sessions.filter(({ session, readAtMs }) => !isSettled(session, readAtMs));
		const count = `${thousands(sessions.length)} ${sessions.length === 1 ? 'session' : 'sessions'}`;
		const notice =
			open.length === 0
				? undefined
				: `${thousands(open.length)} of ${count} may still change, so the figures are not final.`;
		if (notice !== undefined) item.notes.hint(notice);
		return giveItems(item, settings, {
			eventId: id,
			title,
			lines: [count],
			notice,
			people: oncePerPerson(sessions.map(({ people }) => people)),
			questions: addUp(sessions.map(({ questions }) => questions)),
			sessions,
			isOfEvent: true,
			readAtMs,
		});
	},
};
