import type { JsonObject } from '../values/json';
import { pickColumns, type ColumnChoice } from './columns';
import { withDates } from './outputDates';
import { joinLinkColumn, type Fields } from './simplify';

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

export const wholeRecord: RecordView = { columns: 'all' };

/** Gives what a view keeps of a record. */
export function viewRecord(record: Fields, view: RecordView): JsonObject {
	const { columns, besides, includesJoinLink, zone } = view;
	const picked = pickColumns(record, columns, besides);
	const dated = zone === undefined ? picked : withDates(picked, zone, record.answers);
	return includesJoinLink ? { ...dated, [joinLinkColumn]: record.joinLink } : dated;
}
