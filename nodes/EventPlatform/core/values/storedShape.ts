import { endOfDatesMs } from './dates';
import { isObject } from './json';
import type { Ms, Seconds } from './units';

/*
 * The shapes of what n8n stores with a workflow. A shape is an object with a reader for each field, and both the type and the check
 * follow from it, so that a field is described once. Another version, an import or a script may have left anything: a reader gives
 * a copy of what fits. A part that does not fit is left out, and told by its path; where it is a part that the whole cannot do
 * without, the whole is left out.
 */

/** What is told to all readers of one reading. */
interface ShapeReading {
	/** No stored time of the platform is later, in Unix seconds. A later one would hide all that happens until then. */
	latestSeconds: Seconds;
	/** Hears of a part that does not fit, by its path. */
	tell(this: void, path: string): void;
}

/** Reads a value. Gives undefined where it has another shape. */
export type Reader<Value> = (value: unknown, reading: ShapeReading) => Value | undefined;

interface OptionalField<Value> {
	optional: Reader<Value>;
}

type Shape = Readonly<Record<string, Reader<unknown> | OptionalField<unknown>>>;

type OptionalNames<S extends Shape> = {
	[Name in keyof S]: S[Name] extends OptionalField<unknown> ? Name : never;
}[keyof S];

export type Stored<S extends Shape> = {
	[Name in Exclude<keyof S, OptionalNames<S>>]: S[Name] extends Reader<infer Value> ? Value : never;
} & {
	[Name in OptionalNames<S>]?: S[Name] extends OptionalField<infer Value> ? Value : never;
};

export function optional<Value>(reader: Reader<Value>): OptionalField<Value> {
	return { optional: reader };
}

export function shaped<S extends Shape>(shape: S): Reader<Stored<S>> {
	return (value, reading) => {
		if (!isObject(value)) return undefined;
		const parts: Record<string, unknown> = {};
		let isWhole = true;
		for (const [name, field] of Object.entries(shape)) {
			const reader = typeof field === 'function' ? field : field.optional;
			const part = value[name];
			if (part !== undefined) setPart(parts, name, reader(part, below(reading, name)), reading);
			isWhole &&= typeof field !== 'function' || name in parts;
		}
		return isWhole ? (parts as Stored<S>) : undefined;
	};
}

/** Reads an object whose names are data, such as IDs. */
export function mapOf<Value>(reader: Reader<Value>): Reader<Record<string, Value>> {
	return (value, reading) => {
		if (!isObject(value)) return undefined;
		const parts: Record<string, Value> = {};
		for (const [name, part] of Object.entries(value))
			setPart(parts, name, reader(part, below(reading, name)), reading);
		return parts;
	};
}

export function arrayOf<Value>(reader: Reader<Value>): Reader<Value[]> {
	return (value, reading) => {
		if (!Array.isArray(value)) return undefined;
		const parts: Record<string, Value> = {};
		for (const [index, part] of value.entries()) {
			const name = String(index);
			setPart(parts, name, reader(part, below(reading, name)), reading);
		}
		return Object.values(parts);
	};
}

export function word<Word extends string>(...words: Word[]): Reader<Word> {
	return (value) => words.find((each) => each === value);
}

export function textThat(passes: (text: string) => boolean): Reader<string> {
	return (value) => (typeof value === 'string' && passes(value) ? value : undefined);
}

export function numberFrom(least: number, most: number): Reader<number> {
	return (value) =>
		typeof value === 'number' && value >= least && value <= most ? value : undefined;
}

export const anyText: Reader<string> = textThat(() => true);

export const yesOrNo: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** Reads a count of records, pages or requests. */
export const count: Reader<number> = numberFrom(0, 1e9);

/** Reads Unix seconds by the platform's clock. A number of milliseconds is far beyond the latest. */
export const seconds: Reader<Seconds> = (value, reading) =>
	numberFrom(0, reading.latestSeconds)(value, reading);

/** Reads milliseconds since 1970. */
export const milliseconds: Reader<Ms> = numberFrom(0, endOfDatesMs);

function below({ latestSeconds, tell }: ShapeReading, name: string): ShapeReading {
	return { latestSeconds, tell: (path) => tell(`${name}.${path}`) };
}

function setPart<Value>(
	parts: Record<string, Value>,
	name: string,
	part: Value | undefined,
	{ tell }: ShapeReading,
): void {
	if (part === undefined) tell(name);
	else parts[name] = part;
}
