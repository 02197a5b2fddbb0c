import { groupBy } from '../core/values/collections';
import { isObject, type Json, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { peopleInWords, calledBy } from '../core/people/peopleInWords';
import { thousands } from '../core/client/usage';
import { attributesOf } from '../core/client/document';
import { AnswerColumns } from '../core/records/answerColumns';
import { titleCase } from '../fields/fieldNames';
import { labelOfQuestion } from './question';
import { findCloseName } from './columnNames';
import type { Registrant, NotedColumns } from './registrant';

/* Hints about the people of a run, beside their outcomes. */

/** Describes columns and answers that do not fit the form, which is known before anything is sent. */
export function hintsBeforeSending(people: readonly Registrant[]): string[] {
	return [
		...hintsOfUnaskedColumns(people),
		...hintsOfUncheckedColumns(people),
		...hintsOfSurplusColumns(people),
		...hintsOfLeftOutAnswers(people),
		...hintsOfUnreadForms(people),
	];
}

/** Columns that no question takes. */
function hintsOfUnaskedColumns(people: readonly Registrant[]): string[] {
	const mapped = people.filter(({ notes }) => notes.ignored.length > 0);
	if (mapped.length === 0) return [];
	const questions = [...new Set(mapped.map(({ questions: asked = [] }) => asked))].flat();
	const answered = new Set(
		mapped.flatMap(({ registration }) => registration.fields.map(({ id }) => id)),
	);
	const open = questions.filter(({ id }) => !answered.has(id)).map(({ label }) => label);
	const names = groupBy(namesIn('ignored', mapped), (name) => name);
	const columns = [...names].map(([name, { length }]) => {
		const meant = findCloseName(name, open);
		const people = length > 1 ? [peopleInWords(length)] : [];
		const remarks = meant === undefined ? people : [...people, `did you mean '${meant}'?`];
		return remarks.length === 0 ? `'${name}'` : `'${name}' (${remarks.join(', ')})`;
	});
	const strangers = new Set(namesIn('surplus', mapped));
	const own = questions.filter(({ label }) => !strangers.has(label));
	const labels = new Set(own.map(({ label }) => `'${label}'`));
	return [
		`Not on the registration form and therefore ignored: ${columns.join(', ')}. It asks for ${[...labels].join(', ')}.`,
	];
}

/** Columns of whole items where no form tells which of them are answers. */
function hintsOfUncheckedColumns(people: readonly Registrant[]): string[] {
	const sent = namesIn('unchecked', people);
	const objects = namesIn('objects', people);
	if (sent.length + objects.length === 0) return [];
	const sentences = ['The platform shows no registration form.'];
	if (sent.length > 0) {
		sentences.push(`These columns are sent as they are, and it decides: ${countColumns(sent)}.`);
	}
	if (objects.length > 0) {
		sentences.push(`These are left out, because they hold objects: ${countColumns(objects)}.`);
	}
	return [[...sentences, 'Remove columns that are no answers from the items.'].join(' ')];
}

/** Columns mapped by hand for another form. */
function hintsOfSurplusColumns(people: readonly Registrant[]): string[] {
	const labels = namesIn('surplus', people);
	if (labels.length === 0) return [];
	return [
		`The registration form of the session does not ask for ${countColumns(labels)}. These answers are sent all the same, and the platform may drop or refuse them. Check that the columns of the node belong to this session.`,
	];
}

function hintsOfLeftOutAnswers(people: readonly Registrant[]): string[] {
	const labels = answersIn('leftOut', people);
	if (labels.length === 0) return [];
	return [`Answers left out, because the form does not offer them: ${countAnswers(labels)}.`];
}

/** Forms that could not be read for the moment. One that the platform does not show is no failure. */
function hintsOfUnreadForms(people: readonly Registrant[]): string[] {
	const failures = new Set(people.flatMap(({ unreadForm }) => unreadForm ?? []));
	return [...failures].map(
		(failure) =>
			`The registration form could not be read, so nobody checked which answers it asks for. ${failure}.`,
	);
}

/** An answer of one person that a hint names, by the label of its question. */
export interface NotedAnswer {
	readonly label: string;
	/** The name or address of the person in the hint; absent where nothing is known of the person. */
	readonly person?: string;
}

/** Gives the answers of people whose registration came back, and no registration of their session has them. */
export function droppedAnswers(
	registered: readonly Registrant[],
	answerColumns = new AnswerColumns(),
): NotedAnswer[] {
	return registered.flatMap((registrant) => {
		const { sessionId, registration, questions } = registrant;
		const ids = registration.fields.map(({ id }) => id);
		const dropped = ids.filter((id) => !answerColumns.mayHave(sessionId, id));
		return noteAnswers(
			registrant,
			dropped.map((id) => labelOfQuestion(id, questions)),
		);
	});
}

export function hintsOfDroppedAnswers(dropped: readonly NotedAnswer[]): string[] {
	if (dropped.length === 0) return [];
	return [
		`Sent, but not kept by the platform: ${countAnswers(dropped)}. The registration form of the session does not seem to ask for it.`,
	];
}

/** Gives what the form requires and people have not answered. */
export function missingAnswers(people: readonly Registrant[]): NotedAnswer[] {
	return answersIn('unanswered', people);
}

/**
 * Gives what the form requires of somebody who was registered alone. The record lists the questions of the session, so it
 * knows better than columns that were saved for another one.
 */
export function missingAnswersIn(record: JsonObject, registrant: Registrant): NotedAnswer[] {
	const { notes, questions } = registrant;
	const { registrant_detail: detail } = attributesOf(record);
	const listed = isObject(detail) ? [detail.fields ?? []].flat().filter(isObject) : [];
	if (listed.length === 0) return noteAnswers(registrant, notes.unanswered);
	const empty = listed.filter(({ required, value }) => required === true && isEmpty(value));
	const labels = new Map((questions ?? []).map(({ id, label }) => [id, label]));
	return noteAnswers(
		registrant,
		empty.map(({ id }) => labels.get(text(id)) ?? titleCase(text(id))),
	);
}

function isEmpty(answer: Json | undefined): boolean {
	const parts = answer === undefined ? [] : [answer].flat();
	return parts.every((part) => !isObject(part) && text(part).trim() === '');
}

/** Describes the answers that are missing of people who were registered, or would be: for each question how many people, and who. */
export function hintsOfMissingAnswers(
	missing: readonly NotedAnswer[],
	rehearses = false,
): string[] {
	if (missing.length === 0) return [];
	const registered = rehearses ? 'People would be registered' : 'Registered';
	const groups = [...groupBy(missing, ({ label }) => label)].map(([label, answers]) => {
		return `${describePeople(answers)} without '${label}'`;
	});
	return [`${registered} without answers that the form requires: ${joinFirst(groups)}.`];
}

function namesIn(kind: keyof NotedColumns, people: readonly Registrant[]): string[] {
	return people.flatMap(({ notes }) => notes[kind]);
}

function answersIn(kind: keyof NotedColumns, people: readonly Registrant[]): NotedAnswer[] {
	return people.flatMap((registrant) => noteAnswers(registrant, registrant.notes[kind]));
}

function noteAnswers(registrant: Registrant, labels: readonly string[]): NotedAnswer[] {
	if (labels.length === 0) return [];
	const person = calledBy(registrant);
	return labels.map((label) => ({ label, person }));
}

/** Each question once, with the people: "'Company' for 2 people (Ada Lovelace, Alan Turing)". */
function countAnswers(answers: readonly NotedAnswer[]): string {
	const groups = [...groupBy(answers, ({ label }) => label)];
	return joinFirst(groups.map(([label, ofLabel]) => `'${label}' for ${describePeople(ofLabel)}`));
}

/** Each column once, with the number of people where there are several: of a column it does not matter who they are. */
function countColumns(names: readonly string[]): string {
	const groups = [...groupBy(names, (name) => name)].map(([name, { length }]) => {
		return `'${name}'${length > 1 ? ` (${peopleInWords(length)})` : ''}`;
	});
	return joinFirst(groups);
}

function describePeople(answers: readonly NotedAnswer[]): string {
	return peopleInWords(
		answers.length,
		answers.map(({ person }) => person),
	);
}

function joinFirst(texts: readonly string[]): string {
	const more = texts.length > mostNames ? ` and ${thousands(texts.length - mostNames)} more` : '';
	return `${texts.slice(0, mostNames).join(', ')}${more}`;
}

/** A list may have hundreds of columns. */
const mostNames = 30;
