import { groupBy } from '../core/values/collections';
import { isObject, type Json, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { peopleInWords, nameOrAddressOf } from '../core/people/peopleInWords';
import { thousands } from '../core/client/usage';
import { attributesOf } from '../core/client/document';
import { AnswerColumns } from '../core/records/answerColumns';
import { titleCase } from '../fields/fieldNames';
import { labelOfQuestion } from './question';
import { findCloseName } from './columnNames';
import type { Registrant, NotedColumns } from './registrant';

/* Writes the hints about the columns and answers of the people of a run, which people read beside the outcomes. */

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

/** Names columns that no question takes, and the questions that they may mean. */
function hintsOfUnaskedColumns(people: readonly Registrant[]): string[] {
	const affectedPeople = people.filter(({ notes }) => notes.ignored.length > 0);
	if (affectedPeople.length === 0) return [];
	const forms = new Set(affectedPeople.map(({ questions: form = [] }) => form));
	const questions = [...forms].flat();
	const answeredIds = new Set(
		affectedPeople.flatMap(({ registration }) => registration.fields.map(({ id }) => id)),
	);
	const openLabels = questions.filter(({ id }) => !answeredIds.has(id)).map(({ label }) => label);
	const names = groupBy(namesIn('ignored', affectedPeople), (name) => name);
	const columns = [...names].map(([name, { length }]) => {
		const nearest = findCloseName(name, openLabels);
		const count = length > 1 ? [peopleInWords(length)] : [];
		const remarks = nearest === undefined ? count : [...count, `did you mean '${nearest}'?`];
		return remarks.length === 0 ? `'${name}'` : `'${name}' (${remarks.join(', ')})`;
	});
	const surplusLabels = new Set(namesIn('surplus', affectedPeople));
	const questionsOfForm = questions.filter(({ label }) => !surplusLabels.has(label));
	const labels = new Set(questionsOfForm.map(({ label }) => `'${label}'`));
	return [
		`Not on the registration form and therefore ignored: ${columns.join(', ')}. It asks for ${[...labels].join(', ')}.`,
	];
}

/** Names columns of whole items that are sent or left out where no form tells which of them are answers. */
function hintsOfUncheckedColumns(people: readonly Registrant[]): string[] {
	const sentColumns = namesIn('unchecked', people);
	const objectColumns = namesIn('objects', people);
	if (sentColumns.length + objectColumns.length === 0) return [];
	const sentences = ['The platform shows no registration form.'];
	if (sentColumns.length > 0) {
		sentences.push(
			`These columns are sent as they are, and it decides: ${countColumns(sentColumns)}.`,
		);
	}
	if (objectColumns.length > 0) {
		sentences.push(
			`These are left out, because they hold objects: ${countColumns(objectColumns)}.`,
		);
	}
	return [[...sentences, 'Remove columns that are no answers from the items.'].join(' ')];
}

/** Names columns that were mapped by hand for another form. */
function hintsOfSurplusColumns(people: readonly Registrant[]): string[] {
	const labels = namesIn('surplus', people);
	if (labels.length === 0) return [];
	return [
		`The registration form of the session does not ask for ${countColumns(labels)}. These answers are sent all the same, and the platform may drop or refuse them. Check that the columns of the node belong to this session.`,
	];
}

/** Names answers that were left out, because the form does not offer them. */
function hintsOfLeftOutAnswers(people: readonly Registrant[]): string[] {
	const labels = answersIn('leftOut', people);
	if (labels.length === 0) return [];
	return [`Answers left out, because the form does not offer them: ${countAnswers(labels)}.`];
}

/** Says that forms could not be read for the moment. A form that the platform does not show is no failure. */
function hintsOfUnreadForms(people: readonly Registrant[]): string[] {
	const failures = new Set(people.flatMap(({ unreadForm }) => unreadForm ?? []));
	return [...failures].map(
		(failure) =>
			`The registration form could not be read, so nobody checked which answers it asks for. ${failure}.`,
	);
}

/** An answer of one person that a hint names, by the label of its question. */
export interface NotedAnswer {
	/** The label of the question. */
	readonly label: string;
	/** The name or address of the person in the hint; absent where nothing is known of the person. */
	readonly person?: string;
}

/** Finds the answers that no registration of the session has a column for, among people whose registrations the platform returned. */
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

/** Names answers that were sent and are not in the registrations of the platform. */
export function hintsOfDroppedAnswers(dropped: readonly NotedAnswer[]): string[] {
	if (dropped.length === 0) return [];
	return [
		`Sent, but not kept by the platform: ${countAnswers(dropped)}. The registration form of the session does not seem to ask for it.`,
	];
}

/** Gives the questions that the form requires and people have not answered. */
export function missingAnswers(people: readonly Registrant[]): NotedAnswer[] {
	return answersIn('unanswered', people);
}

/**
 * Gives the required questions that somebody who was registered alone has not answered. The record lists the questions of the
 * session, so it knows better than columns that were saved for another session.
 */
export function missingAnswersIn(record: JsonObject, registrant: Registrant): NotedAnswer[] {
	const { notes, questions } = registrant;
	const { registrant_detail: detail } = attributesOf(record);
	const listedAnswers = isObject(detail) ? [detail.fields ?? []].flat().filter(isObject) : [];
	if (listedAnswers.length === 0) return noteAnswers(registrant, notes.unanswered);
	const emptyAnswers = listedAnswers.filter(
		({ required, value }) => required === true && isEmpty(value),
	);
	const labels = new Map((questions ?? []).map(({ id, label }) => [id, label]));
	return noteAnswers(
		registrant,
		emptyAnswers.map(({ id }) => labels.get(text(id)) ?? titleCase(text(id))),
	);
}

/** Whether an answer in a record says nothing. */
function isEmpty(answer: Json | undefined): boolean {
	const parts = answer === undefined ? [] : [answer].flat();
	return parts.every((part) => !isObject(part) && text(part).trim() === '');
}

/** Describes, for each required question, how many people were registered without an answer, or would be, and who they are. */
export function hintsOfMissingAnswers(missing: readonly NotedAnswer[], isDryRun = false): string[] {
	if (missing.length === 0) return [];
	const registered = isDryRun ? 'People would be registered' : 'Registered';
	const groups = [...groupBy(missing, ({ label }) => label)].map(([label, answers]) => {
		return `${describePeople(answers)} without '${label}'`;
	});
	return [`${registered} without answers that the form requires: ${joinFirst(groups)}.`];
}

/** Gives the names in one list of the notes, each once for a person. */
function namesIn(list: keyof NotedColumns, people: readonly Registrant[]): string[] {
	return people.flatMap(({ notes }) => [...new Set(notes[list])]);
}

function answersIn(list: keyof NotedColumns, people: readonly Registrant[]): NotedAnswer[] {
	return people.flatMap((registrant) => noteAnswers(registrant, registrant.notes[list]));
}

/** Notes questions of one person, each label once. */
function noteAnswers(registrant: Registrant, labels: readonly string[]): NotedAnswer[] {
	if (labels.length === 0) return [];
	const person = nameOrAddressOf(registrant);
	// Two questions may have the same label, and the person would be counted twice.
	return [...new Set(labels)].map((label) => ({ label, person }));
}

/** Names each question once, with the people: "'Company' for 2 people (Ada Lovelace, Alan Turing)". */
function countAnswers(answers: readonly NotedAnswer[]): string {
	const groups = [...groupBy(answers, ({ label }) => label)];
	return joinFirst(
		groups.map(([label, sameLabel]) => `'${label}' for ${describePeople(sameLabel)}`),
	);
}

/** Names each column once, with the number of people where there are several: who they are does not matter for a column. */
function countColumns(names: readonly string[]): string {
	const groups = [...groupBy(names, (name) => name)].map(([name, { length }]) => {
		return `'${name}'${length > 1 ? ` (${peopleInWords(length)})` : ''}`;
	});
	return joinFirst(groups);
}

/** Counts the people of answers, and names some of them. */
function describePeople(answers: readonly NotedAnswer[]): string {
	return peopleInWords(
		answers.length,
		answers.map(({ person }) => person),
	);
}

/** Joins as many texts as a hint may name, and counts the rest. */
function joinFirst(texts: readonly string[]): string {
	const more = texts.length > mostNames ? ` and ${thousands(texts.length - mostNames)} more` : '';
	return `${texts.slice(0, mostNames).join(', ')}${more}`;
}

/** A hint names no more columns or questions than these, because a list may have hundreds. */
const mostNames = 30;
