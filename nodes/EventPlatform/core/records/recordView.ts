import { isObject, type Json, type JsonObject } from '../values/json';
import { pickColumns, type ColumnChoice } from './columns';
import { withDates } from './outputDates';
import { joinLinkColumn } from '../values/secretNames';
import { asShown, text } from '../values/text';
import type { Fields } from './simplify';

/** The part of a record that is kept and shown, as people have chosen. */
export interface RecordView {
	readonly columns: ColumnChoice;
	/** Columns beside the usual ones, where the record has them. */
	readonly besides?: readonly string[];
	/** The column of the personal link is null where the platform has not sent one. */
	readonly includesJoinLink?: boolean;
	/** The time zone that dates are written in. Absent: they stay as the platform sends them. */
	readonly zone?: string;
}

export const wholeRecord: RecordView = { columns: 'all' };

export function viewRecord(record: Fields, view: RecordView): JsonObject {
	const { columns, besides, includesJoinLink, zone } = view;
	const pickedColumns = pickColumns(record, columns, besides);
	const datedColumns =
		zone === undefined ? pickedColumns : withDates(pickedColumns, zone, record.answers);
	const shownColumns = Object.fromEntries(
		Object.entries(datedColumns).map(([name, value]) => [name, valueAsShown(value)]),
	);
	return includesJoinLink ? { ...shownColumns, [joinLinkColumn]: record.joinLink } : shownColumns;
}

function valueAsShown(value: Json): Json {
	if (typeof value === 'string') return asShown(value);
	if (Array.isArray(value)) return value.map(valueAsShown);
	if (!isObject(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [name, valueAsShown(member)]);
	return Object.fromEntries(members) as JsonObject;
}

/** The part of the records of people that a run keeps, so that a long list does not fill the memory. */
export interface PersonView extends RecordView {
	/** Collects the columns of the whole records, for hints about answers that the platform did not keep. */
	readonly answerColumns?: AnswerColumns;
}

/** Records the columns of a person, and gives the part of the record that the run keeps. */
export function viewPerson(person: Fields, view: PersonView = wholeRecord): JsonObject {
	view.answerColumns?.record(person);
	return viewRecord(person, view);
}

/** Owns the columns that the registrations of a run had, by session: an answer without a column was not kept by the platform. */
export class AnswerColumns {
	private readonly columnsOf = new Map<string, Set<string>>();

	record(person: Fields): void {
		if (person.answers === undefined) return;
		const session = text(person.get('session_id'));
		const columns = this.columnsOf.get(session) ?? new Set();
		this.columnsOf.set(session, columns);
		for (const name of person.keys()) columns.add(name);
	}

	/** Where none of the registrations of the session was seen, each question may have had a column. */
	mayHave(sessionId: string, questionId: string): boolean {
		const columns = this.columnsOf.get(sessionId);
		return !columns || columns.has(questionId) || columns.has(`${questionId}_answer`);
	}
}
