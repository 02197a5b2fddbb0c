import type { JsonObject } from '../values/json';
import type { AnswerColumns } from './answerColumns';
import { showAll, type Fields, type Show } from './simplify';

/** The part of the records of people that a run keeps, so that a long list does not fill the memory. */
export interface PersonView {
	/** Gives what is shown of a record. Absent: all of it. */
	readonly show?: Show;
	/** Collects the columns of the records, for hints about answers that the platform did not keep. */
	readonly columns?: AnswerColumns;
}

/** Takes a record in, and gives what is shown of it. */
export function viewPerson(person: Fields, { show = showAll, columns }: PersonView): JsonObject {
	columns?.record(person);
	return show(person);
}
