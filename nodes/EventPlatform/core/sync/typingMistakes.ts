/** One typing mistake: one letter missing, too many, other or swapped. A digit is no mistake. */

interface Pair {
	added: string;
	removed: string;
}

/** An address without one of its letters. */
interface Shortened {
	text: string;
	/** Where the letter was, and which. */
	place: number;
	letter: string;
	address: string;
}

const fewestLetters = 5;

/**
 * The addresses of both lists that are one typing mistake apart, in the name or in the domain, both of
 * which have five letters or more: one pair for each address of the longer list. The time grows with
 * the lists, because addresses are not compared: two that are one mistake apart are the same without
 * one letter of one or of both.
 */
export function typingMistakes(added: readonly string[], removed: readonly string[]): Pair[] {
	const [few, many] = added.length < removed.length ? [added, removed] : [removed, added];
	if (few.length === 0) return [];
	const whole = new Set(few.flatMap((address) => parts(address).map(({ key }) => key + address)));
	const shortened = new Map<string, Shortened[]>();
	for (const address of few) {
		for (const short of shorten(address)) {
			const alike = shortened.get(short.text);
			if (alike) alike.push(short);
			else shortened.set(short.text, [short]);
		}
	}
	return many.flatMap((address) => {
		const other = partnerOf(address, whole, shortened);
		if (other === undefined) return [];
		return many === added ? { added: address, removed: other } : { added: other, removed: address };
	});
}

function partnerOf(
	address: string,
	whole: ReadonlySet<string>,
	shortened: ReadonlyMap<string, readonly Shortened[]>,
): string | undefined {
	for (const { key } of parts(address)) {
		const [longer] = shortened.get(key + address) ?? [];
		if (longer) return longer.address;
	}
	for (const { text, place, letter } of shorten(address)) {
		if (whole.has(text)) return text.slice(1);
		const mistaken = shortened.get(text)?.find((other) => {
			// In front of its text stands one sign for the part.
			const between = text.charAt(Math.min(place, other.place) + 1);
			const isNext = Math.abs(other.place - place) === 1 && !isDigit(between);
			const isSwapped = isNext && other.letter === letter;
			return (other.place === place || isSwapped) && other.address !== address;
		});
		if (mistaken) return mistaken.address;
	}
	return undefined;
}

/** Name and domain, as far as a mistake in them can be told from another name or domain. */
function parts(address: string) {
	const at = address.lastIndexOf('@');
	return [
		{ key: '<', start: 0, end: at },
		{ key: '>', start: at + 1, end: address.length },
	].filter(({ start, end }) => {
		const letters = address.slice(start, end).match(/\p{L}/gu)?.length ?? 0;
		return letters >= fewestLetters;
	});
}

function shorten(address: string): Shortened[] {
	const all: Shortened[] = [];
	for (const { key, start, end } of parts(address)) {
		for (let place = start; place < end; place++) {
			const letter = address.charAt(place);
			if (isDigit(letter)) continue;
			const text = `${key}${address.slice(0, place)}${address.slice(place + 1)}`;
			all.push({ text, place, letter, address });
		}
	}
	return all;
}

function isDigit(letter: string): boolean {
	return letter >= '0' && letter <= '9';
}
