import type { JsonObject } from '../values/json';
import type { AnswerColumns } from './answerColumns';
import { viewRecord, wholeRecord, type RecordView } from './recordView';
import type { Fields } from './simplify';

/** What a run keeps of the records of people, so that a long list does not fill the memory. */
export interface PersonView extends RecordView {
	/** Collects the columns of the whole records, for hints about answers that the platform did not keep. */
	readonly answerColumns?: AnswerColumns;
}

/** Takes a record in, and gives what the run keeps of it. */
export function viewPerson(person: Fields, view: PersonView = wholeRecord): JsonObject {
	view.answerColumns?.record(person);
	return viewRecord(person, view);
}
