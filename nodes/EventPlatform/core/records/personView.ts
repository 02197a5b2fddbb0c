import type { JsonObject } from '../values/json';
import type { AnswerColumns } from './answerColumns';
import { showAll, type Fields, type Show } from './simplify';

/** What a run keeps of the records of people: nothing else of them is held. */
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
