import { isAsked } from '../../core/report/groups';
import type { ReportedPerson } from '../../core/report/person';
import type { Reader } from '../../core/report/read';
import type { JsonObject } from '../../core/values/json';
import { findCloseName } from '../../form/columnNames';
import type { ItemContext } from '../runContext';
import { itemsOf, type ReportMaterial } from './items';
import type { Settings } from './settings';

/* The same for the report of a session and of an event. */

export function readerOf(
	{ api, sessions, clock, signal }: ItemContext,
	{ output }: Settings,
): Reader {
	const needsQuestions = output === 'summary' || output === 'page';
	return { api, sessions, clock, signal, needsQuestions };
}

export function giveItems(
	item: ItemContext,
	settings: Settings,
	material: ReportMaterial,
): JsonObject[] {
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
	const nearest = findCloseName(id, ids);
	const question = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
	return `No registration has an answer to the question '${id}'.${question}`;
}
