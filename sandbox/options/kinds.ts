/** A value that makes no sense, in one sentence. */
export class BadArgument extends Error {
	override readonly name = 'BadArgument';
}

export type Value = string | number | boolean;

/** One row of the table of options. */
export interface Option<T extends Value = Value> {
	/** The value, unless one is given. */
	standard: T;
	/** The value in the wild world, where that differs. */
	wild?: T;
	/** The meaning for people, in Markdown. */
	meaning: string;
	/** A switch needs no value on the command line. */
	isSwitch: boolean;
	/** The values that it may have, where there are few. */
	choices: readonly string[];
	read(text: string, flag: string): T;
}

/** The meaning, and the value in the wild world where that differs. */
type Row<T extends Value> = [meaning: string, wild?: T];

export function text(standard: string, ...row: Row<string>): Option<string> {
	return option(standard, row, (value) => value);
}

export function address(standard: string, ...row: Row<string>): Option<string> {
	return option(standard, row, (value, flag) => {
		if (URL.canParse(value)) return value;
		throw new BadArgument(`${flag} must be a full URL; it was '${value}'.`);
	});
}

type Range = readonly [least: number, most: number];

export function whole(standard: number, [least, most]: Range, ...row: Row<number>): Option<number> {
	return option(standard, row, (value, flag) => {
		const number = Number(value);
		if (/^-?\d+$/.test(value) && number >= least && number <= most) return number;
		throw new BadArgument(
			`${flag} must be a whole number from ${least} to ${most}; it was '${value}'.`,
		);
	});
}

export function decimal(
	standard: number,
	[least, most]: Range,
	...row: Row<number>
): Option<number> {
	return option(standard, row, (value, flag) => {
		const number = Number(value);
		if (value.trim() !== '' && number >= least && number <= most) return number;
		throw new BadArgument(`${flag} must be a number from ${least} to ${most}; it was '${value}'.`);
	});
}

export function oneOf<const T extends string>(
	choices: readonly T[],
	standard: NoInfer<T>,
	...row: Row<NoInfer<T>>
): Option<T> {
	const read = (value: string, flag: string): T => {
		const choice = choices.find((item) => item === value);
		if (choice !== undefined) return choice;
		throw new BadArgument(`${flag} must be ${choices.join(' or ')}; it was '${value}'.`);
	};
	return { ...option<T>(standard, row, read), choices };
}

export function onOff(standard: boolean, ...row: Row<boolean>): Option<boolean> {
	const read = (value: string, flag: string): boolean => {
		if (value === 'true' || value === 'false') return value === 'true';
		throw new BadArgument(`${flag} takes no value, or true or false; it was '${value}'.`);
	};
	return { ...option(standard, row, read), isSwitch: true };
}

export function option<T extends Value>(
	standard: T,
	[meaning, wild]: Row<T>,
	read: Option<T>['read'],
): Option<T> {
	return {
		standard,
		...(wild !== undefined && { wild }),
		meaning,
		isSwitch: false,
		choices: [],
		read,
	};
}

/** `seedPeople` is `--seed-people` on the command line. */
export function flagOf(name: string): string {
	return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
