import type { YieldIfDue } from '../client/clock';

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
	const remainders = new RemainderTable(shorterList);
	for (const position of shorterList.keys()) {
		await yieldIfDue();
		remainders.add(position);
	}
	const mistakes: TypingMistake[] = [];
	for (const fromLonger of longerList) {
		await yieldIfDue();
		for (const fromShorter of remainders.similarTo(fromLonger)) {
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

/**
 * Owns what is left of addresses without one letter, as numbers in chains, because the texts of a long list would fill the memory. Two
 * texts may have the same number, so each person who is found has to be compared.
 */
class RemainderTable {
	/** The last entry of each chain. Entries are counted from 1; 0 ends a chain. */
	private readonly lastOf: Uint32Array;
	/** By entry: the entry before it in its chain. */
	private readonly before: Uint32Array;
	/** By entry: the position of its address. */
	private readonly positionOf: Uint32Array;
	private readonly unusedBits: number;
	private entryCount = 0;

	constructor(private readonly addresses: readonly string[]) {
		const most = addresses.reduce((sum, { length }) => sum + length + 1, 1);
		const bits = Math.ceil(Math.log2(most + 1));
		this.unusedBits = 32 - bits;
		this.lastOf = new Uint32Array(2 ** bits);
		this.before = new Uint32Array(most);
		this.positionOf = new Uint32Array(most);
	}

	add(position: number): void {
		for (const chain of this.chainsOf(this.addresses[position] ?? '')) {
			this.entryCount += 1;
			this.before[this.entryCount] = this.lastOf[chain] ?? 0;
			this.lastOf[chain] = this.entryCount;
			this.positionOf[this.entryCount] = position;
		}
	}

	similarTo(address: string): string[] {
		const positions = new Set<number>();
		for (const chain of this.chainsOf(address)) {
			let entry = this.lastOf[chain] ?? 0;
			while (entry !== 0) {
				positions.add(this.positionOf[entry] ?? 0);
				entry = this.before[entry] ?? 0;
			}
		}
		return [...positions].map((position) => this.addresses[position] ?? '');
	}

	private chainsOf(address: string): number[] {
		// The product makes each bit of the number count in the upper ones.
		return remaindersOf(address).map(
			(number) => Math.imul(number, goldenRatio) >>> this.unusedBits,
		);
	}
}

const goldenRatio = 0x9e3779b1;

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
	if (/[\d@]/.test(firstPart + secondPart)) return false;
	return [first, second].every((address) => lettersAround(address, start) >= fewestLetters);
}

function lettersAround(address: string, index: number): number {
	const atIndex = address.lastIndexOf('@');
	const part = index <= atIndex ? address.slice(0, atIndex) : address.slice(atIndex + 1);
	return part.match(/\p{L}/gu)?.length ?? 0;
}
