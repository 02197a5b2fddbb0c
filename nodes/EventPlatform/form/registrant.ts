import type { Row } from '../core/people/registration';
import type { Question } from './question';

/**
 * What is noted of the columns and answers of a person, for hints:
 * - `ignored`: a column that was left out, because no question takes it
 * - `unchecked`: a column that is sent although nothing says that it is an answer, because no form can be read. An object is left out.
 * - `surplus`: a column that was mapped by hand and is sent, although the form of the session does not ask for it
 * - `leftOut`: a question whose answer was left out, because the form does not offer it
 * - `unanswered`: a required question without an answer
 * - `doubled`: a column whose text has two letters in place of one (`cleanText.ts`)
 */
export type NoteKind = 'ignored' | 'unchecked' | 'surplus' | 'leftOut' | 'unanswered' | 'doubled';

/** The labels, by what is noted of them. An answer is never in it. */
export type Notes = Partial<Record<NoteKind, string[]>>;

export interface Registrant extends Row {
	/** The questions that tell what the answers are; none where each is sent by its name. */
	questions: readonly Question[];
	notes: Notes;
	unreadForm?: string;
}

/** It is not sent, so its session stays empty. */
export function unreadableRow(problem: string): Registrant {
	const nothing = { registration: { fields: [], tracking: {} }, questions: [], notes: {} };
	return { sessionId: '', email: '', address: '', problems: [problem], ...nothing };
}
