import { isObject, type Json, type JsonObject } from '../values/json';
import { pickColumns, type ColumnChoice } from './columns';
import { withDates } from './outputDates';
import { joinLinkColumn } from '../values/secrets';
import { asShown } from '../values/text';
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

export function viewRecord(record: Fields, view: RecordView = wholeRecord): JsonObject {
	const { columns, besides, includesJoinLink, zone } = view;
	const pickedColumns = pickColumns(record, columns, besides);
	const datedColumns = withDates(pickedColumns, zone, record.answers);
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
