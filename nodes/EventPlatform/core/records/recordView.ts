import type { JsonObject } from '../values/json';
import { pickColumns, type ColumnChoice } from './columns';
import { withDates } from './outputDates';
import { type Fields } from './simplify';
import { joinLinkColumn } from '../values/secretNames';

/** The part of a record that is kept and shown, as people have chosen. */
export interface RecordView {
	/** The columns of the record. */
	readonly columns: ColumnChoice;
	/** Columns beside the usual ones, where the record has them. */
	readonly besides?: readonly string[];
	/** Whether the personal link is a column; null where the platform has not sent one. */
	readonly includesJoinLink?: boolean;
	/** The time zone that dates are written in. Absent: they stay as the platform sends them. */
	readonly zone?: string;
}

/** The view that keeps every field, as the platform sends it. */
export const wholeRecord: RecordView = { columns: 'all' };

/** Gives the part of a record that a view keeps. */
export function viewRecord(record: Fields, view: RecordView): JsonObject {
	const { columns, besides, includesJoinLink, zone } = view;
	const pickedColumns = pickColumns(record, columns, besides);
	const datedColumns =
		zone === undefined ? pickedColumns : withDates(pickedColumns, zone, record.answers);
	return includesJoinLink ? { ...datedColumns, [joinLinkColumn]: record.joinLink } : datedColumns;
}
