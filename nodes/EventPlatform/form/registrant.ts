import type { Registration, Row } from '../core/people/registration';
import type { Question } from './question';

/** Columns and questions of one person that a hint names, by their labels: never what was answered. */
export interface NotedColumns {
	/** Left out, because no question takes them. */
	readonly ignored: readonly string[];
	/** Sent although nothing says that they are answers, because no form can be read. */
	readonly unchecked: readonly string[];
	/** Left out beside those, because an object is no answer. */
	readonly objects: readonly string[];
	/** Mapped by hand and sent, although the form of the session does not ask for them. */
	readonly surplus: readonly string[];
	/** Answers that were left out because the form does not offer them. */
	readonly leftOut: readonly string[];
	/** Required questions without an answer. */
	readonly unanswered: readonly string[];
}

/** The same while they are collected. */
export type ColumnNotes = { [Noted in keyof NotedColumns]: string[] };

/** Someone to register, or what changes of somebody registered. */
export interface Registrant extends Row {
	/** The questions that tell what the answers are; undefined where each is sent by its name. */
	questions?: readonly Question[];
	/** The columns that a hint names. */
	notes: NotedColumns;
	/** Why the form of the session was not read, so that nothing is known of what it asks for. */
	unreadForm?: string;
}

// A run holds each person. A list that grew by itself has room for 17, and most have nothing of this.
export const none: Pick<Registration, 'tracking'> & { texts: string[] } = {
	texts: [],
	tracking: {},
};

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

export function keepNotes(columns: ColumnNotes): NotedColumns {
	const noted = Object.entries(columns).filter(([, names]) => names.length > 0);
	if (noted.length === 0) return noColumns;
	return { ...noColumns, ...Object.fromEntries(noted.map(([kind, names]) => [kind, [...names]])) };
}

/** Gives the row of somebody of whom nothing could be read. */
export function nobody(problem: string): Registrant {
	const registration = { fields: [], tracking: none.tracking };
	return { sessionId: '', address: '', registration, problems: [problem], notes: noColumns };
}
