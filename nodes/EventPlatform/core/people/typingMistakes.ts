import type { YieldIfDue } from '../client/clock';

/** The part with the mistake, which is the name or the domain, has to have so many letters, because many shorter ones differ by one letter. */
const fewestLetters = 5;

export interface TypingMistake {
	listed: string;
	removed: string;
}

/**
 * Finds the addresses of two lists that are one typing mistake apart: a letter is missing, too many, another one, or swapped with the
 * next; a digit is no mistake. The time grows only in proportion to the lists, because addresses are compared only where they are the
 * same without one letter of one or both.
 */
export async function typingMistakes(
	listed: readonly string[],
	removed: readonly string[],
	yieldIfDue: YieldIfDue,
): Promise<TypingMistake[]> {
	const isListedLonger = listed.length >= removed.length;
	const [shorterList, longerList] = isListedLonger ? [removed, listed] : [listed, removed];
	const byRemainder = new Map<string, string[]>();
	for (const fromShorter of shorterList) {
		await yieldIfDue();
		for (const remainder of withoutOneLetter(fromShorter)) {
			const similar = byRemainder.get(remainder);
			if (similar) similar.push(fromShorter);
			else byRemainder.set(remainder, [fromShorter]);
		}
	}
	const mistakes: TypingMistake[] = [];
	for (const fromLonger of longerList) {
		await yieldIfDue();
		const similar = new Set(
			withoutOneLetter(fromLonger).flatMap((remainder) => byRemainder.get(remainder) ?? []),
		);
		for (const fromShorter of similar) {
			if (!areOneMistakeApart(fromShorter, fromLonger)) continue;
			mistakes.push(
				isListedLonger
					? { listed: fromLonger, removed: fromShorter }
					: { listed: fromShorter, removed: fromLonger },
			);
		}
	}
	return mistakes;
}

function withoutOneLetter(address: string): string[] {
	const without = (_: string, index: number) => address.slice(0, index) + address.slice(index + 1);
	return [address, ...address.split('').map(without)];
}

/** A mistake is one letter, or two letters that are swapped. */
export function areOneMistakeApart(first: string, second: string): boolean {
	const shorter = Math.min(first.length, second.length);
	let start = 0;
	while (start < shorter && first[start] === second[start]) start += 1;
	let end = 0;
	while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
	const [firstPart = '', secondPart = ''] = [first, second].map((address) =>
		address.slice(start, address.length - end),
	);
	const isSwapped = firstPart === `${secondPart.charAt(1)}${secondPart.charAt(0)}`;
	const isOneLetter = firstPart.length + secondPart.length <= 2;
	if (firstPart === secondPart || !(isOneLetter || isSwapped)) return false;
	if (/[\d@]/.test(firstPart + secondPart)) return false;
	return [first, second].every((address) => lettersAround(address, start) >= fewestLetters);
}

function lettersAround(address: string, index: number): number {
	const atIndex = address.lastIndexOf('@');
	const part = index <= atIndex ? address.slice(0, atIndex) : address.slice(atIndex + 1);
	return part.match(/\p{L}/gu)?.length ?? 0;
}
