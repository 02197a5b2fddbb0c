import type { JsonObject } from '../values/json';
import { AnswerColumns } from './answerColumns';
import { viewRecord, wholeRecord, type RecordView } from './recordView';
import type { Fields } from './simplify';

/** The part of the records of people that a run keeps, so that a long list does not fill the memory. */
export interface PersonView extends RecordView {
	/** Collects the columns of the whole records, for hints about answers that the platform did not keep. */
	readonly answerColumns?: AnswerColumns;
}

/** The view of a run, which gives the columns back when it is over. */
export interface CollectingView extends PersonView {
	/** The columns that the registrations of the run had so far. */
	readonly answerColumns: AnswerColumns;
}

/** Gives the view of a run of which no record was seen yet. */
export function collectingView(view: RecordView = wholeRecord): CollectingView {
	return { ...view, answerColumns: new AnswerColumns() };
}

/** Records the columns of a person, and gives the part of the record that the run keeps. */
export function viewPerson(person: Fields, view: PersonView = wholeRecord): JsonObject {
	view.answerColumns?.record(person);
	return viewRecord(person, view);
}
