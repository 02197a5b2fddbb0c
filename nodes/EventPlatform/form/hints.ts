import { groupBy } from '../core/values/collections';
import { isObject, type Json, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { attributesOf } from '../core/client/document';
import type { AnswerColumns } from '../core/records/answerColumns';
import { titleCase } from '../fields/field';
import { closeTo, labelOf } from './formField';
import type { NotedColumns, Registrant } from './personFields';

/* What there is to tell of the people of a run beside what became of them. */

/** What is known before anything is sent: columns and answers that do not fit the form, as sentences for hints. */
export function notesBeforeSending(people: readonly Registrant[]): string[] {
	return [
		...notAsked(people),
		...unchecked(people),
		...unasked(people),
		...leftOut(people),
		...unreadForms(people),
	];
}

/** Columns that no question takes. */
function notAsked(people: readonly Registrant[]): string[] {
	const mapped = people.filter(({ columns }) => columns.ignored.length > 0);
	if (mapped.length === 0) return [];
	const questions = [...new Set(mapped.map(({ questions: asked = [] }) => asked))].flat();
	const answered = new Set(
		mapped.flatMap(({ registration: wanted }) => wanted.fields.map(({ id }) => id)),
	);
	const open = questions.filter(({ id }) => !answered.has(id)).map(({ label }) => label);
	const columns = [...new Set(namesOf('ignored', mapped))].map((name) => {
		const meant = closeTo(name, open);
		return meant === undefined ? `'${name}'` : `'${name}' (did you mean '${meant}'?)`;
	});
	const strangers = new Set(namesOf('unasked', mapped));
	const own = questions.filter(({ label }) => !strangers.has(label));
	const labels = new Set(own.map(({ label }) => `'${label}'`));
	return [
		`Not on the registration form and therefore ignored: ${columns.join(', ')}. It asks for ${[...labels].join(', ')}.`,
	];
}

/** Columns of whole items where no form tells which of them are answers. */
function unchecked(people: readonly Registrant[]): string[] {
	const sent = namesOf('unchecked', people);
	const objects = namesOf('objects', people);
	if (sent.length + objects.length === 0) return [];
	const sentences = ['The platform shows no registration form.'];
	if (sent.length > 0) {
		sentences.push(`These columns are sent as they are, and it decides: ${counted(sent)}.`);
	}
	if (objects.length > 0) {
		sentences.push(`These are left out, because they hold objects: ${counted(objects)}.`);
	}
	return [[...sentences, 'Remove columns that are no answers from the items.'].join(' ')];
}

/** Columns mapped by hand for another form. */
function unasked(people: readonly Registrant[]): string[] {
	const labels = namesOf('unasked', people);
	if (labels.length === 0) return [];
	return [
		`The registration form of the session does not ask for ${counted(labels)}. These answers are sent all the same, and the platform may drop or refuse them. Check that the columns of the node belong to this session.`,
	];
}

function leftOut(people: readonly Registrant[]): string[] {
	const labels = namesOf('leftOut', people);
	if (labels.length === 0) return [];
	return [`Answers left out, because the form does not offer them: ${counted(labels)}.`];
}

/** Forms that could not be read for the moment. One that the platform does not show is no failure. */
function unreadForms(people: readonly Registrant[]): string[] {
	const failures = new Set(people.flatMap(({ unreadForm }) => unreadForm ?? []));
	return [...failures].map(
		(failure) =>
			`The registration form could not be read, so nobody checked which answers it asks for. ${failure}.`,
	);
}

/** Answers of people whose registration came back, and no registration of their session has them. */
export function notKept(registered: readonly Registrant[], columns: AnswerColumns): string[] {
	const dropped = registered.flatMap(({ sessionId, registration: wanted, questions }) => {
		const ids = wanted.fields.map(({ id }) => id).filter((id) => !columns.mayHave(sessionId, id));
		return ids.map((id) => labelOf(id, questions));
	});
	if (dropped.length === 0) return [];
	return [
		`Sent, but not kept by the platform: ${counted(dropped)}. The registration form of the session does not seem to ask for it.`,
	];
}

/** What the form requires and people have not answered who were registered, or would be. */
export function withoutAnswer(people: readonly Registrant[], rehearses = false): string[] {
	return withoutAnswers(namesOf('unanswered', people), rehearses);
}

/**
 * What the form requires of somebody who was registered alone. The record lists the questions of the session, so it knows
 * better than columns that were saved for another one.
 */
export function withoutAnswerIn(record: JsonObject, { columns, questions }: Registrant): string[] {
	const { registrant_detail: detail } = attributesOf(record);
	const listed = isObject(detail) ? [detail.fields ?? []].flat().filter(isObject) : [];
	if (listed.length === 0) return withoutAnswers(columns.unanswered);
	const empty = listed.filter(({ required, value }) => required === true && isEmpty(value));
	const known = new Map((questions ?? []).map(({ id, label }) => [id, label]));
	return withoutAnswers(empty.map(({ id }) => known.get(text(id)) ?? titleCase(text(id))));
}

function isEmpty(answer: Json | undefined): boolean {
	const parts = answer === undefined ? [] : [answer].flat();
	return parts.every((part) => !isObject(part) && text(part).trim() === '');
}

function withoutAnswers(labels: readonly string[], rehearses = false): string[] {
	if (labels.length === 0) return [];
	const registered = rehearses ? 'People would be registered' : 'Registered';
	return [`${registered} without answers that the form requires: ${counted(labels)}.`];
}

function namesOf(kind: keyof NotedColumns, people: readonly Registrant[]): string[] {
	return people.flatMap(({ columns }) => columns[kind]);
}

/** Each once, with the number of people where there are several. */
function counted(labels: readonly string[]): string {
	const groups = [...groupBy(labels, (label) => label)].map(([label, { length }]) => {
		return `'${label}'${length > 1 ? ` (${length} people)` : ''}`;
	});
	const more = groups.length > mostNames ? ` and ${groups.length - mostNames} more` : '';
	return `${groups.slice(0, mostNames).join(', ')}${more}`;
}

/** A list may have hundreds of columns. */
const mostNames = 30;
