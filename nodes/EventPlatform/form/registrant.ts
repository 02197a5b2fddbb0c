import type { Registration, Row } from '../core/people/registration';
import type { Question } from './question';

/** Columns and questions of one person that a hint names, by their labels: an answer is never in it. */
export interface NotedColumns {
	/** Columns that were left out, because no question takes them. */
	readonly ignored: readonly string[];
	/** Columns that are sent although nothing says that they are answers, because no form can be read. */
	readonly unchecked: readonly string[];
	/** Columns that were left out where no form can be read, because they hold objects, which are no answers. */
	readonly objects: readonly string[];
	/** Columns that were mapped by hand and are sent, although the form of the session does not ask for them. */
	readonly surplus: readonly string[];
	/** Questions whose answers were left out, because the form does not offer them. */
	readonly leftOut: readonly string[];
	/** Required questions without an answer. */
	readonly unanswered: readonly string[];
}

/** The lists of `NotedColumns` while they are filled. */
export type ColumnNotes = { [List in keyof NotedColumns]: string[] };

/** A person to register, or the changes of a registered person. */
export interface Registrant extends Row {
	/** The questions that tell what the answers are; undefined where each is sent by its name. */
	questions?: readonly Question[];
	/** The columns that a hint names. */
	notes: NotedColumns;
	/** The reason why the form of the session was not read, so that nobody knows what it asks for. */
	unreadForm?: string;
}

/**
 * Empty parts, which are shared by all people who have nothing of the kind. A run keeps every person in memory, and a list that is
 * filled one by one takes the room of 17 entries.
 */
export const emptyParts: Pick<Registration, 'tracking'> & { texts: string[] } = {
	texts: [],
	tracking: {},
};

/** Copies texts into a list that has room for no more of them. */
export function keepTexts(texts: readonly string[]): string[] {
	return texts.length > 0 ? [...texts] : emptyParts.texts;
}

const noColumns: NotedColumns = {
	ignored: emptyParts.texts,
	unchecked: emptyParts.texts,
	objects: emptyParts.texts,
	surplus: emptyParts.texts,
	leftOut: emptyParts.texts,
	unanswered: emptyParts.texts,
};

/** Copies the lists that were filled, and shares the empty ones. */
export function keepNotes(columns: ColumnNotes): NotedColumns {
	const filled = Object.entries(columns).filter(([, names]) => names.length > 0);
	if (filled.length === 0) return noColumns;
	return { ...noColumns, ...Object.fromEntries(filled.map(([list, names]) => [list, [...names]])) };
}

/** Makes the row of an item that could not be read, because of this problem. Such a row is not sent, so its session stays empty. */
export function unreadableRow(problem: string): Registrant {
	const registration = { fields: [], tracking: emptyParts.tracking };
	return { sessionId: '', address: '', registration, problems: [problem], notes: noColumns };
}
