import { groupBy } from '../values/collections';

/** The name or the domain has to have so many letters, because many shorter ones differ by a letter. */
const fewestLetters = 5;

/** Two addresses that probably mean the same person, one of them mistyped. */
export interface TypingMistake {
	/** The address of the person who would be added. */
	added: string;
	/** The address of the person who would be removed. */
	removed: string;
}

/**
 * Finds addresses that are one typing mistake apart: a letter is missing, too many, another one, or swapped with the next; a digit
 * is no mistake. Each address of the longer list has one pair at most. The time grows with the lists only, because
 * addresses are compared only where they are the same without one letter of one or both.
 */
export function typingMistakes(
	added: readonly string[],
	removed: readonly string[],
): TypingMistake[] {
	const [few, many] = added.length < removed.length ? [added, removed] : [removed, added];
	const pairs = few.flatMap((fromFew) =>
		withoutOneLetter(fromFew).map((short) => ({ fromFew, short })),
	);
	const alike = groupBy(pairs, ({ short }) => short);
	return many.flatMap((fromMany) => {
		const near = withoutOneLetter(fromMany).flatMap((short) => alike.get(short) ?? []);
		const { fromFew } = near.find((pair) => areOneMistakeApart(pair.fromFew, fromMany)) ?? {};
		if (fromFew === undefined) return [];
		return many === added
			? { added: fromMany, removed: fromFew }
			: { added: fromFew, removed: fromMany };
	});
}

/** Gives the address, and what is left of it without each of its letters. */
function withoutOneLetter(address: string): string[] {
	const without = (_: string, index: number) => address.slice(0, index) + address.slice(index + 1);
	return [address, ...address.split('').map(without)];
}

/** Whether two addresses differ by one letter, or by two letters that are swapped. */
export function areOneMistakeApart(first: string, second: string): boolean {
	const shorter = Math.min(first.length, second.length);
	let start = 0;
	while (start < shorter && first[start] === second[start]) start += 1;
	let end = 0;
	while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
	const [before = '', after = ''] = [first, second].map((address) =>
		address.slice(start, address.length - end),
	);
	const isSwapped = before === `${after.charAt(1)}${after.charAt(0)}`;
	const isLetter = before.length + after.length <= 2;
	if (before === after || !(isLetter || isSwapped) || /[\d@]/.test(before + after)) return false;
	return [first, second].every((address) => lettersAround(address, start) >= fewestLetters);
}

/** Counts the letters of the name or the domain, whichever has this letter. */
function lettersAround(address: string, index: number): number {
	const at = address.lastIndexOf('@');
	const part = index <= at ? address.slice(0, at) : address.slice(at + 1);
	return part.match(/\p{L}/gu)?.length ?? 0;
}
