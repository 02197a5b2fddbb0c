import { groupBy } from '../core/values/collections';
import { joinFirst, nameOrAddressOf, peopleInWords } from '../core/people/peopleInWords';
import type { Question } from './question';
import { findCloseName } from './columnNames';
import type { NoteKind, Registrant } from './registrant';

/* Writes the hints about the columns and answers of the people of a run, which people read beside the outcomes. */

interface Noted {
	readonly label: string;
	readonly registrant: Registrant;
}

interface Hint {
	readonly kind: NoteKind;
	readonly message: (notes: readonly Noted[]) => string;
}

/** In the order in which people read them. */
const hintTable: readonly Hint[] = [
	{
		kind: 'ignored',
		message: (ignored) =>
			`Not on the registration form and therefore ignored: ${ignoredInWords(ignored)}. It asks for ${questionsInWords(ignored)}.`,
	},
	{
		kind: 'unchecked',
		message: (unchecked) =>
			`The platform shows no registration form. These columns are sent as they are, but objects are left out, and it decides: ${countColumns(unchecked)}. Remove columns that are no answers from the items.`,
	},
	{
		kind: 'surplus',
		message: (surplus) =>
			`The registration form of the session does not ask for ${countColumns(surplus)}. These answers are sent all the same, and the platform may drop or refuse them. Check that the columns of the node belong to this session.`,
	},
	{
		kind: 'leftOut',
		message: (leftOut) =>
			`Answers left out, because the form does not offer them: ${countAnswers(leftOut)}.`,
	},
	{
		kind: 'doubled',
		message: (doubled) =>
			doubled.length < fewestDoubled
				? ''
				: `Letters look like 'Ã¼' for 'ü' in ${countColumns(doubled)}: a UTF-8 file was read in another encoding. Set 'Encoding' among the options of 'Extract from File' to utf8.`,
	},
];

/** A single one may be how somebody is really written. */
const fewestDoubled = 2;

export function hintsBeforeSending(people: readonly Registrant[]): string[] {
	const hints = hintTable.flatMap(({ kind, message }) => {
		const notes = notesOf(kind, people);
		return notes.length === 0 ? [] : message(notes) || [];
	});
	const failures = new Set(people.flatMap(({ unreadForm }) => unreadForm ?? []));
	for (const failure of failures) {
		hints.push(
			`The registration form could not be read, so nobody checked which answers it asks for. ${failure}.`,
		);
	}
	return hints;
}

/** Those that may mean a question stand first. */
function ignoredInWords(ignored: readonly Noted[]): string {
	const people = new Set(ignored.map(({ registrant }) => registrant));
	const answeredIds = new Set(
		[...people].flatMap(({ registration }) => registration.fields.map(({ id }) => id)),
	);
	const openLabels = questionsOf(ignored)
		.filter(({ id }) => !answeredIds.has(id))
		.map(({ label }) => label);
	const columns = [...groupBy(ignored, ({ label }) => label)].map(([name, { length }]) => {
		const nearest = findCloseName(name, openLabels);
		const count = length > 1 ? [peopleInWords(length)] : [];
		const remarks = nearest === undefined ? count : [...count, `did you mean '${nearest}'?`];
		const inWords = remarks.length === 0 ? `'${name}'` : `'${name}' (${remarks.join(', ')})`;
		return { inWords, mayBeQuestion: nearest !== undefined };
	});
	const inOrder = columns.sort((a, b) => Number(b.mayBeQuestion) - Number(a.mayBeQuestion));
	return joinFirst(
		inOrder.map(({ inWords }) => inWords),
		mostNames,
	);
}

/** Without what was mapped by hand besides. */
function questionsInWords(ignored: readonly Noted[]): string {
	const surplus = new Set(ignored.flatMap(({ registrant }) => registrant.notes.surplus ?? []));
	const labels = questionsOf(ignored).map(({ label }) => label);
	const asked = new Set(labels.filter((label) => !surplus.has(label)));
	return joinFirst(
		[...asked].map((label) => `'${label}'`),
		mostNames,
	);
}

function questionsOf(notes: readonly Noted[]): Question[] {
	const forms = new Set(notes.map(({ registrant }) => registrant.questions));
	return [...forms].flat();
}

export function missingAnswers(people: readonly Registrant[]): Noted[] {
	return notesOf('unanswered', people);
}

export function hintsOfMissingAnswers(missing: readonly Noted[], isDryRun = false): string[] {
	if (missing.length === 0) return [];
	const registered = isDryRun ? 'People would be registered' : 'Registered';
	const groups = [...groupBy(missing, ({ label }) => label)].map(([label, answers]) => {
		return `${describePeople(answers)} without '${label}'`;
	});
	return [`${registered} without answers that the form requires: ${joinFirst(groups, mostNames)}.`];
}

function notesOf(kind: NoteKind, people: readonly Registrant[]): Noted[] {
	// Most people of a long list have no notes.
	const noted = people.filter(({ notes }) => notes[kind] !== undefined);
	return noted.flatMap((registrant) => noteLabels(registrant, registrant.notes[kind]));
}

/** Each label once: two questions may have the same, and the person would be counted twice. */
function noteLabels(registrant: Registrant, labels: readonly string[] = []): Noted[] {
	return [...new Set(labels)].map((label) => ({ label, registrant }));
}

/** "'Company' for 2 people (Ada Lovelace, Alan Turing)" */
function countAnswers(answers: readonly Noted[]): string {
	const groups = [...groupBy(answers, ({ label }) => label)];
	return joinFirst(
		groups.map(([label, sameLabel]) => `'${label}' for ${describePeople(sameLabel)}`),
		mostNames,
	);
}

/** Who the people are does not matter for a column. */
function countColumns(notes: readonly Noted[]): string {
	const groups = [...groupBy(notes, ({ label }) => label)].map(([name, { length }]) => {
		return `'${name}'${length > 1 ? ` (${peopleInWords(length)})` : ''}`;
	});
	return joinFirst(groups, mostNames);
}

function describePeople(answers: readonly Noted[]): string {
	const names = answers.slice(0, mostNames).map(({ registrant }) => nameOrAddressOf(registrant));
	return peopleInWords(answers.length, names);
}

/** A hint names no more columns or questions than these, because a list may have hundreds. */
const mostNames = 30;
