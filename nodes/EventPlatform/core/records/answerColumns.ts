import { text } from '../values/text';
import type { Fields } from './simplify';

/** Owns the columns that the registrations of a run had, by session: an answer without a column was not kept by the platform. */
export class AnswerColumns {
	private readonly columnsOf = new Map<string, Set<string>>();

	/** Records the columns of a person, if the record is a registration. */
	record(person: Fields): void {
		if (person.answers === undefined) return;
		const session = text(person.get('session_id'));
		const columns = this.columnsOf.get(session) ?? new Set();
		this.columnsOf.set(session, columns);
		for (const name of person.keys()) columns.add(name);
	}

	/** Whether a registration of the session had a column for the question, or none of its registrations was seen. */
	mayHave(sessionId: string, questionId: string): boolean {
		const columns = this.columnsOf.get(sessionId);
		return !columns || columns.has(questionId) || columns.has(`${questionId}_answer`);
	}
}
