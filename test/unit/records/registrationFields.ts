import { Fields } from '../../../nodes/EventPlatform/core/records/simplify';

/** The fields of a registration in a session, with these columns. */
export function registration(session: string, ...columns: string[]): Fields {
	const fields = new Fields([['session_id', session]]);
	for (const column of columns) fields.set(column, 'x');
	fields.answers = columns;
	return fields;
}
