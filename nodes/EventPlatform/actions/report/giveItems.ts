import { isAsked } from '../../core/report/groups';
import type { ReportedPerson } from '../../core/report/person';
import type { ReportReader } from '../../core/report/read';
import type { JsonObject } from '../../core/values/json';
import { findCloseName } from '../../form/columnNames';
import type { ItemContext } from '../runContext';
import { itemsOf, type ReportMaterial } from './items';
import type { ReportSettings } from './settings';

/* The operations that report a session and an event have this in common. */

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
	return itemsOf(material, settings, item.parameters.zone);
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
