import { groupBy } from '../values/collections';

/** In the name, or in the domain: of shorter ones many differ by a letter. */
const fewestLetters = 5;

/** Two addresses that probably mean the same person. */
export interface TypingMistake {
	/** The address that is new. */
	added: string;
	/** The address that goes. */
	removed: string;
}

/**
 * Addresses that are one typing mistake apart: one letter missing, too many, other or swapped; a digit is no
 * mistake. One pair for each address of the longer list. The time grows with the lists, because only
 * addresses that are the same without one letter of one or both are compared.
 */
export function typingMistakes(
	added: readonly string[],
	removed: readonly string[],
): TypingMistake[] {
	const [few, many] = added.length < removed.length ? [added, removed] : [removed, added];
	const pairs = few.flatMap((one) => shortened(one).map((short) => ({ one, short })));
	const alike = groupBy(pairs, ({ short }) => short);
	return many.flatMap((other) => {
		const near = shortened(other).flatMap((short) => alike.get(short) ?? []);
		const { one } = near.find((pair) => areOneMistakeApart(pair.one, other)) ?? {};
		if (one === undefined) return [];
		return many === added ? { added: other, removed: one } : { added: one, removed: other };
	});
}

/** The address, and what is left of it without each letter. */
function shortened(address: string): string[] {
	const without = (_: string, index: number) => address.slice(0, index) + address.slice(index + 1);
	return [address, ...address.split('').map(without)];
}

export function areOneMistakeApart(one: string, other: string): boolean {
	const shorter = Math.min(one.length, other.length);
	let start = 0;
	while (start < shorter && one[start] === other[start]) start += 1;
	let end = 0;
	while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
	const [is = '', not = ''] = [one, other].map((given) => given.slice(start, given.length - end));
	const isSwapped = is === `${not.charAt(1)}${not.charAt(0)}`;
	const isLetter = is.length + not.length <= 2;
	if (is === not || !(isLetter || isSwapped) || /[\d@]/.test(is + not)) return false;
	return [one, other].every((address) => lettersAround(address, start) >= fewestLetters);
}

/** In the name or the domain, whichever has this letter. */
function lettersAround(address: string, index: number): number {
	const at = address.lastIndexOf('@');
	const part = index <= at ? address.slice(0, at) : address.slice(at + 1);
	return part.match(/\p{L}/gu)?.length ?? 0;
}
