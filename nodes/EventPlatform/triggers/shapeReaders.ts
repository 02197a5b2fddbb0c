import { parseUrl } from '../core/client/baseUrl';
import { isObject } from '../core/values/json';
import { problemOfId } from '../core/client/path';

/*
 * Readers of stored values that may have any shape. A reader returns a copy of what fits. A part that does not fit is
 * left out and told of by its path; where it is a part that the whole cannot do without, the whole is left out.
 */

/** Hears of a part that does not fit. */
export type TellOfMisfit = (path: string) => void;

/** Reads a value. Gives undefined where it has another shape. */
export type Reader<Value> = (value: unknown, tell: TellOfMisfit) => Value | undefined;

/** A reader for each field, so that a new field of a stored type cannot be forgotten here. */
type ReadersOf<Stored> = {
	[Name in keyof Stored]-?: Reader<Exclude<Stored[Name], undefined>>;
};

/** Reads an object whose fields are known. Without one of the fields in `needed` nothing of it is read. */
export function shapeOf<Stored extends object>(
	needed: ReadonlyArray<keyof Stored & string>,
	readers: ReadersOf<Stored>,
): Reader<Stored> {
	return (value, tell) => {
		if (!isObject(value)) return undefined;
		const read: Partial<Stored> = {};
		for (const name of Object.keys(readers) as Array<keyof Stored & string>) {
			const part: unknown = value[name];
			if (part === undefined) continue;
			const fitting = readers[name](part, (path) => tell(`${name}.${path}`));
			if (fitting === undefined) tell(name);
			else read[name] = fitting;
		}
		const isWhole = needed.every((name) => read[name] !== undefined);
		return isWhole ? (read as Stored) : undefined;
	};
}

/** Reads an object whose field `kind` tells which reader to use. */
export function unionOf<Stored extends { kind: string }>(readers: {
	[Kind in Stored['kind']]: Reader<Extract<Stored, { kind: Kind }>>;
}): Reader<Stored> {
	return (value, tell) => {
		if (!isObject(value) || typeof value.kind !== 'string') return undefined;
		const kind = value.kind as Stored['kind'];
		return Object.hasOwn(readers, kind) ? readers[kind](value, tell) : undefined;
	};
}

/** Reads one of these words. */
export function wordReader<Word extends string>(...words: Word[]): Reader<Word> {
	return (value) => words.find((word) => word === value);
}

/** Reads an object whose names are data, such as IDs. */
export function mapOf<Value>(reader: Reader<Value>): Reader<Record<string, Value>> {
	return (value, tell) => {
		if (!isObject(value)) return undefined;
		const entries = Object.entries(value).flatMap(([name, part]) => {
			const fitting = reader(part, (path) => tell(`${name}.${path}`));
			if (fitting === undefined) tell(name);
			return fitting === undefined ? [] : [[name, fitting] as const];
		});
		return Object.fromEntries(entries);
	};
}

/** Reads a list. Entries that do not fit are left out. */
export function listOf<Value>(reader: Reader<Value>): Reader<Value[]> {
	return (value, tell) => {
		if (!Array.isArray(value)) return undefined;
		return value.flatMap((part: unknown, index) => {
			const fitting = reader(part, (path) => tell(`${index}.${path}`));
			if (fitting === undefined) tell(String(index));
			return fitting === undefined ? [] : [fitting];
		});
	};
}

export const textReader: Reader<string> = (value) =>
	typeof value === 'string' ? value : undefined;

export const switchReader: Reader<boolean> = (value) =>
	typeof value === 'boolean' ? value : undefined;

/** Reads an ID that can stand in the path of a request. */
export const idReader: Reader<string> = (value) =>
	typeof value === 'string' && problemOfId(value) === undefined ? value : undefined;

export const urlReader: Reader<string> = (value) =>
	typeof value === 'string' && parseUrl(value) ? value : undefined;

/** Reads a number between two bounds. */
export function numberReader(least: number, most: number): Reader<number> {
	return (value) =>
		typeof value === 'number' && value >= least && value <= most ? value : undefined;
}

/** Reads a count of records, pages or requests. */
export const countReader: Reader<number> = numberReader(0, 1e9);

/** Reads Unix seconds. A larger number is no time in seconds. */
export const secondsReader: Reader<number> = numberReader(0, 1e11);

/** Reads milliseconds since 1970, as far as JavaScript can write them as a date. */
export const millisecondsReader: Reader<number> = numberReader(0, 8.64e15);
