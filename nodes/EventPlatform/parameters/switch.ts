/**
 * Whether a switch is on. An expression may give a word or a number. Undefined: neither on nor off
 * is meant, and nobody may guess, because a switch can be all that keeps a run from being real.
 */
export function isOn(given: unknown): boolean | undefined {
	if (given === undefined || given === null) return false;
	if (typeof given === 'number') return given === 1 ? true : given === 0 ? false : undefined;
	if (typeof given === 'boolean') return given;
	return typeof given === 'string' ? words.get(given.trim().toLowerCase()) : undefined;
}

const words = new Map([
	...['true', 'yes', 'on'].map((word) => [word, true] as const),
	...['', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);
