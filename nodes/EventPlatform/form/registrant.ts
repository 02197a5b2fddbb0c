import type { Registration, Row } from '../core/people/registration';
import type { Question } from './question';

/** Columns and questions of one person that a hint names, by their labels: an answer is never in it. */
export interface NotedColumns {
	/** Columns that were left out, because no question takes them. */
	readonly ignored: readonly string[];
	/** Columns that are sent although nothing says that they are answers, because no form can be read. */
	readonly unchecked: readonly string[];
	/** Columns that were left out beside those, because an object is no answer. */
	readonly objects: readonly string[];
	/** Columns that were mapped by hand and are sent, although the form of the session does not ask for them. */
	readonly surplus: readonly string[];
	/** Questions whose answers were left out, because the form does not offer them. */
	readonly leftOut: readonly string[];
	/** Required questions without an answer. */
	readonly unanswered: readonly string[];
}

/** The same lists while they are filled. */
export type ColumnNotes = { [List in keyof NotedColumns]: string[] };

/** A person to register, or the changes of a registered person. */
export interface Registrant extends Row {
	/** The questions that tell what the answers are; undefined where each is sent by its name. */
	questions?: readonly Question[];
	/** The columns that a hint names. */
	notes: NotedColumns;
	/** Why the form of the session was not read, so that nothing is known of what it asks for. */
	unreadForm?: string;
}

/**
 * Empty parts that people without anything of the kind share. A run holds each person, and a list that is filled one by one has
 * room for 17.
 */
export const none: Pick<Registration, 'tracking'> & { texts: string[] } = {
	texts: [],
	tracking: {},
};

/** Copies texts into a list that has room for no more of them. */
export function keepTexts(texts: readonly string[]): string[] {
	return texts.length > 0 ? [...texts] : none.texts;
}

const noColumns: NotedColumns = {
	ignored: none.texts,
	unchecked: none.texts,
	objects: none.texts,
	surplus: none.texts,
	leftOut: none.texts,
	unanswered: none.texts,
};

/** Copies the lists that were filled, and shares the empty ones. */
export function keepNotes(columns: ColumnNotes): NotedColumns {
	const filled = Object.entries(columns).filter(([, names]) => names.length > 0);
	if (filled.length === 0) return noColumns;
	return { ...noColumns, ...Object.fromEntries(filled.map(([list, names]) => [list, [...names]])) };
}

/** Makes the row of an item that could not be read, because of this problem. Such a row is not sent, so that its session stays empty. */
export function unreadableRow(problem: string): Registrant {
	const registration = { fields: [], tracking: none.tracking };
	return { sessionId: '', address: '', registration, problems: [problem], notes: noColumns };
}
