import { showAll, type Fields } from './simplify';
import type { JsonObject } from '../values/json';
import { isSameName, plainName } from '../values/text';
import { recordKinds } from './recordKinds';

/*
 * Picks the columns that a record has in the output: the usual ones of its kind, or the ones that people chose.
 *
 * What this rests on: an agent or a person may write the name of a field otherwise.
 */

/** The choice of columns: every field, the usual ones of the kind, or the id and the fields with these names, also `usualFields`. */
export type ColumnChoice = 'all' | 'usual' | readonly string[];

/** This name stands for every field, also unknown ones, among the names that people choose. */
export const allFields = 'all';

/** This name stands for the usual fields of the kind among the names that people choose. */
export const usualFields = 'usual';

/** The field of a registration that stands for the answers to the form, each of which has a column. */
const answersField = 'fields';

const usualOfKind = new Map<unknown, readonly string[]>(
	Object.entries(recordKinds).map(([kind, { usual }]) => [kind, usual]),
);

/** Reads the names of fields that people have chosen. Where they have chosen none, the usual ones count. */
export function choiceOf(names: readonly string[]): ColumnChoice {
	const chosenNames = names.map((name) => (isSameName(name, usualFields) ? usualFields : name));
	if (names.some((name) => isSameName(name, allFields))) return 'all';
	const isUsual = chosenNames.every((name) => name === usualFields);
	return isUsual ? 'usual' : chosenNames;
}

/** Undefined where the record does not have the field. An agent may write a name otherwise, such as "firstName". */
export function columnsOf(name: string, record: Fields): string[] | undefined {
	if (record.has(name)) return [name];
	if (name === answersField && record.answers) return record.answers;
	const columns = [...record.keys()];
	const innerColumns = columns.filter((column) => column.startsWith(`${name}_`));
	if (innerColumns.length > 0) return innerColumns;
	const comparedName = plainName(name);
	const sameColumn = columns.find((column) => plainName(column) === comparedName);
	return sameColumn === undefined ? undefined : [sameColumn];
}

/**
 * Picks the columns of these fields, with null for a field that the record does not have. An object has become columns, and so have
 * the answers.
 */
function columnsOfFields(record: Fields, names: readonly string[]): JsonObject {
	const columnNames = names.flatMap((name) => columnsOf(name, record) ?? name);
	return Object.fromEntries(columnNames.map((name) => [name, record.get(name) ?? null]));
}

export function pickColumns(
	record: Fields,
	choice: ColumnChoice,
	besides: readonly string[] = [],
): JsonObject {
	if (choice === 'all') return showAll(record);
	if (choice !== 'usual' && !choice.includes(usualFields)) {
		return columnsOfFields(record, ['id', ...choice]);
	}
	const kind = record.answers ? 'registrants' : record.get('type');
	const hasField = (name: string) => record.has(name) || (name === answersField && record.answers);
	const usual = usualOfKind.get(kind);
	if (usual === undefined) return showAll(record);
	const proposed = [...usual, ...besides].filter(hasField);
	const names = choice === 'usual' ? [usualFields] : ['id', ...choice];
	return columnsOfFields(
		record,
		names.flatMap((name) => (name === usualFields ? proposed : name)),
	);
}
