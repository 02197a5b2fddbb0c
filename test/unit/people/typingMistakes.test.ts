import fc from 'fast-check';
import {
	areOneMistakeApart,
	typingMistakes,
} from '../../../nodes/EventPlatform/core/people/typingMistakes';

const mistakesIn = (listed: readonly string[], removed: readonly string[]) =>
	typingMistakes(listed, removed, () => Promise.resolve());

interface Pair {
	what: string;
	meant: string;
	typed: string;
}

const mistakes: Pair[] = [
	{ what: 'a letter missing', meant: 'caroline@example.com', typed: 'carolne@example.com' },
	{ what: 'a letter too many', meant: 'caroline@example.com', typed: 'carolline@example.com' },
	{ what: 'another letter', meant: 'caroline@example.com', typed: 'carolina@example.com' },
	{ what: 'two letters swapped', meant: 'caroline@example.com', typed: 'carolnie@example.com' },
	{ what: 'a dot forgotten', meant: 'ada.lovelace@example.com', typed: 'adalovelace@example.com' },
	{ what: 'a letter missing in the domain', meant: 'ada@example.com', typed: 'ada@exmple.com' },
	{ what: 'two letters swapped in the domain', meant: 'ada@example.com', typed: 'ada@exampel.com' },
	{ what: 'another ending of the domain', meant: 'ada@example.com', typed: 'ada@example.co' },
];

const otherPeople: Pair[] = [
	{ what: 'a name of four letters', meant: 'anna@example.com', typed: 'anne@example.com' },
	{
		what: 'a name that is left with four letters',
		meant: 'james@example.com',
		typed: 'jame@example.com',
	},
	{ what: 'a domain of four letters', meant: 'caroline@ab.de', typed: 'caroline@ac.de' },
	{ what: 'another digit', meant: 'person1@example.com', typed: 'person2@example.com' },
	{ what: 'a digit more', meant: 'person1@example.com', typed: 'person12@example.com' },
	{
		what: 'a digit and a letter swapped',
		meant: 'perso1n@example.com',
		typed: 'person1@example.com',
	},
	{ what: 'two mistakes', meant: 'caroline@example.com', typed: 'karolin@example.com' },
	{
		what: 'a letter missing and another one more',
		meant: 'caroline@example.com',
		typed: 'carlxine@example.com',
	},
	{ what: 'two letters missing', meant: 'caroline@example.com', typed: 'caroli@example.com' },
	{
		what: 'two letters swapped and another one more',
		meant: 'caroline@example.com',
		typed: 'carolnixe@example.com',
	},
	{
		what: 'a letter at another place',
		meant: 'caroline@example.com',
		typed: 'arolinec@example.com',
	},
	{ what: 'a mistake in each part', meant: 'caroline@example.com', typed: 'carolin@exampl.com' },
];

test.each(mistakes)(
	'$what: $typed may be a typing mistake for $meant',
	async ({ meant, typed }) => {
		expect(await mistakesIn([meant], [typed])).toEqual([{ listed: meant, removed: typed }]);
		const listed = await mistakesIn([typed, 'x@y.example'], [meant]);
		expect(listed).toEqual([{ listed: typed, removed: meant }]);
	},
);

test.each(otherPeople)(
	'$what: $typed is no typing mistake for $meant',
	async ({ meant, typed }) => {
		expect(await mistakesIn([meant], [typed])).toEqual([]);
		expect(await mistakesIn([typed, 'x@y.example'], [meant])).toEqual([]);
		expect(areOneMistakeApart(meant, typed)).toBe(false);
		expect(areOneMistakeApart(typed, meant)).toBe(false);
	},
);

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
