import { oncePerPerson } from '../../core/report/eventPeople';
import { isAsked } from '../../core/report/groups';
import type { ReportedPerson } from '../../core/report/person';
import { addUp } from '../../core/report/questions';
import { readEventReport, readSessionReport, type Reader } from '../../core/report/read';
import { isSettled, whyNotSettled } from '../../core/report/session';
import type { JsonObject } from '../../core/values/json';
import { closeTo } from '../../form/formField';
import { eventLocator, sessionLocator } from '../../fields/locators';
import type { ItemOperation } from '../operation';
import type { ItemContext } from '../runContext';
import { itemsOf, labelOf, type ReportMaterial } from './items';
import { readSettings, reportFields, type Settings } from './settings';

export const sessionReport: ItemOperation = {
	action: 'Get report of session',
	description: 'Retrieve who came to a session, for how long, and from where',
	overlapping: true,
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

export const eventReport: ItemOperation = {
	action: 'Get report of event',
	description:
		'Retrieve who came to the sessions of an event, for how long, and from where. A person counts once.',
	overlapping: true,
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
		const count = `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}`;
		const notice =
			open.length === 0
				? undefined
				: `${open.length} of ${count} may still change, so the figures are not final.`;
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

function readerOf({ api, sessions, clock, signal }: ItemContext, { output }: Settings): Reader {
	const needsQuestions = output === 'summary' || output === 'page';
	return { api, sessions, clock, signal, needsQuestions };
}

function giveItems(item: ItemContext, settings: Settings, material: ReportMaterial): JsonObject[] {
	if ('division' in settings && settings.division.by === 'question') {
		const hint = hintOfQuestion(material.people, settings.division.questionId);
		if (hint !== undefined) item.notes.hint(hint);
	}
	return itemsOf(material, settings, item.parameters.zone);
}

/** A question that nobody was asked looks like one that nobody has answered. */
function hintOfQuestion(people: readonly ReportedPerson[], id: string): string | undefined {
	if (people.length === 0 || isAsked(people, id)) return undefined;
	const ids = [...new Set(people.flatMap(({ answers }) => [...answers.keys()]))];
	const nearest = closeTo(id, ids);
	const question = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
	return `No registration has an answer to the question '${id}'.${question}`;
}
