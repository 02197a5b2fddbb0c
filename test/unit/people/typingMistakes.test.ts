import fc from 'fast-check';
import {
	areOneMistakeApart,
	typingMistakes,
} from '../../../nodes/EventPlatform/core/people/typingMistakes';

const mistakesIn = (listed: readonly string[], removed: readonly string[]) =>
	typingMistakes(listed, removed, () => Promise.resolve());

/** Some address, and another one that somebody may have typed in its place. */
type Pair = [what: string, meant: string, typed: string];

test.each<Pair>([
	['a letter missing', 'caroline@example.com', 'carolne@example.com'],
	['a letter too many', 'caroline@example.com', 'carolline@example.com'],
	['another letter', 'caroline@example.com', 'carolina@example.com'],
	['two letters swapped', 'caroline@example.com', 'carolnie@example.com'],
	['a dot forgotten', 'ada.lovelace@example.com', 'adalovelace@example.com'],
	['a letter missing in the domain', 'ada@example.com', 'ada@exmple.com'],
	['two letters swapped in the domain', 'ada@example.com', 'ada@exampel.com'],
	['another ending of the domain', 'ada@example.com', 'ada@example.co'],
])('%s: %s was meant where %s is typed, by mistake', async (_, meant, typed) => {
	expect(await mistakesIn([meant], [typed])).toEqual([{ listed: meant, removed: typed }]);
	const listed = await mistakesIn([typed, 'x@y.example'], [meant]);
	expect(listed).toEqual([{ listed: typed, removed: meant }]);
});

test.each<Pair>([
	['a name of four letters', 'anna@example.com', 'anne@example.com'],
	['a name that is left with four letters', 'james@example.com', 'jame@example.com'],
	['a domain of four letters', 'caroline@ab.de', 'caroline@ac.de'],
	['another digit', 'person1@example.com', 'person2@example.com'],
	['a digit more', 'person1@example.com', 'person12@example.com'],
	['a digit and a letter swapped', 'perso1n@example.com', 'person1@example.com'],
	['two mistakes', 'caroline@example.com', 'karolin@example.com'],
	['a letter missing and another one more', 'caroline@example.com', 'carlxine@example.com'],
	['two letters missing', 'caroline@example.com', 'caroli@example.com'],
	['two letters swapped and another one more', 'caroline@example.com', 'carolnixe@example.com'],
	['a letter at another place', 'caroline@example.com', 'arolinec@example.com'],
	['a mistake in each part', 'caroline@example.com', 'carolin@exampl.com'],
])('%s: %s is not meant where %s is typed', async (_, meant, typed) => {
	expect(await mistakesIn([meant], [typed])).toEqual([]);
	expect(await mistakesIn([typed, 'x@y.example'], [meant])).toEqual([]);
	expect(areOneMistakeApart(meant, typed)).toBe(false);
	expect(areOneMistakeApart(typed, meant)).toBe(false);
});

test('exactly the pairs are found that a comparison of each with each finds', async () => {
	const address = fc.stringMatching(/^[abé.😀]{4,7}$/u).map((name) => `${name}@example.com`);
	const list = fc.uniqueArray(address, { maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(list, list, async (listed, removed) => {
			const pairs = listed.flatMap((one) =>
				removed.filter((other) => areOneMistakeApart(one, other)).map((other) => `${one} ${other}`),
			);
			const found = await mistakesIn(listed, removed);
			expect(found.map((pair) => `${pair.listed} ${pair.removed}`).sort()).toEqual(pairs.sort());
		}),
	);
});

test('addresses whose remainders have the same number by chance are told apart', async () => {
	// Some pairs of so many have the same number, by which they are compared.
	const addresses = (part: string) =>
		Array.from({ length: 4_000 }, (_, index) => `${part}${index * 7_919}${part}@example.com`);
	expect(await mistakesIn(addresses('carol'), addresses('grace'))).toEqual([]);
});

test.each([1, 3])(
	'everybody who may be mistaken is told, whichever list is longer (%i more)',
	async (more) => {
		const listed = ['caroline@example.com', 'x@y.example', 'z@y.example'].slice(0, more);
		const removed = ['carolin@example.com', 'carolina@example.com'];
		const pairs = removed.map((address) => ({ listed: listed[0], removed: address }));
		expect(await mistakesIn(listed, removed)).toEqual(expect.arrayContaining(pairs));
		expect(await mistakesIn(removed, listed)).toHaveLength(pairs.length);
	},
);
