import type { YieldIfDue } from '../client/clock';
import { addToGroup } from '../values/collections';

/** The part with the mistake, which is the name or the domain, has to have so many letters, because many shorter ones differ by one letter. */
const fewestLetters = 5;

interface TypingMistake {
	listed: string;
	removed: string;
}

/**
 * Finds the addresses of two lists that are one typing mistake apart: a letter is missing, too many, another one, or swapped with the
 * next; a digit is no mistake. The time grows only in proportion to the lists, because addresses are compared only where they seem to
 * be the same without one letter of one or both.
 */
export async function typingMistakes(
	listed: readonly string[],
	removed: readonly string[],
	yieldIfDue: YieldIfDue,
): Promise<TypingMistake[]> {
	const isListedLonger = listed.length >= removed.length;
	const [shorterList, longerList] = isListedLonger ? [removed, listed] : [listed, removed];
	// Numbers in place of the remainders, because the texts of a long list would fill the memory.
	const byRemainder = new Map<number, string[]>();
	for (const address of shorterList) {
		await yieldIfDue();
		for (const number of remaindersOf(address)) addToGroup(byRemainder, number, address);
	}
	const mistakes: TypingMistake[] = [];
	for (const fromLonger of longerList) {
		await yieldIfDue();
		const similar = remaindersOf(fromLonger).flatMap((number) => byRemainder.get(number) ?? []);
		for (const fromShorter of new Set(similar)) {
			// Two remainders may have the same number.
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

/** Numbers for an address and for each text that it is without one letter: the sum of its letters, each times a power by its place. */
function remaindersOf(address: string): number[] {
	let number = 0;
	for (let index = address.length - 1; index > 0; index -= 1) {
		number = nextSum(number, address.charCodeAt(index));
	}
	const numbers = [nextSum(number, address.charCodeAt(0))];
	let power = 1;
	for (let index = 0; index < address.length; index += 1) {
		numbers.push(number);
		// Without the next letter, this one stands at its place.
		const difference = address.charCodeAt(index) - address.charCodeAt(index + 1);
		number = (number + Math.imul(difference, power)) | 0;
		power = Math.imul(power, factor);
	}
	return numbers;
}

function nextSum(sum: number, letter: number): number {
	return (Math.imul(sum, factor) + letter) | 0;
}

/** The prime of the FNV hashes, which spreads the sums over 32 bits. Two texts with one sum only cost a comparison. */
const factor = 0x01000193;

/** A mistake is one letter, or two letters that are swapped. */
export function areOneMistakeApart(first: string, second: string): boolean {
	const shorter = Math.min(first.length, second.length);
	let start = 0;
	while (start < shorter && first[start] === second[start]) start += 1;
	let end = 0;
	while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
	// Most addresses that are compared have nothing to do with each other.
	if (Math.max(first.length, second.length) - start - end > 2) return false;
	const firstPart = first.slice(start, first.length - end);
	const secondPart = second.slice(start, second.length - end);
	const isOneLetter = firstPart.length <= 1 && secondPart.length <= 1;
	const isSwapped = firstPart === `${secondPart.charAt(1)}${secondPart.charAt(0)}`;
	if (firstPart === secondPart || !(isOneLetter || isSwapped)) return false;
	// Digits tell people apart, as in ann1 and ann2. Where the @ has moved, both the name and the domain differ.
	if (/[\d@]/.test(firstPart + secondPart)) return false;
	return [first, second].every((address) => lettersAround(address, start) >= fewestLetters);
}

function lettersAround(address: string, index: number): number {
	const atIndex = address.lastIndexOf('@');
	const part = index <= atIndex ? address.slice(0, atIndex) : address.slice(atIndex + 1);
	return part.match(/\p{L}/gu)?.length ?? 0;
}
