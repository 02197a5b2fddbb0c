import { typingMistakes } from '../../../nodes/EventPlatform/core/people/typingMistakes';

test.each([
	['a letter missing', 'caroline@example.com', 'carolne@example.com', true],
	['a letter too many', 'caroline@example.com', 'carolline@example.com', true],
	['another letter', 'caroline@example.com', 'carolina@example.com', true],
	['two letters swapped', 'caroline@example.com', 'carolnie@example.com', true],
	['a dot forgotten', 'ada.lovelace@example.com', 'adalovelace@example.com', true],
	['a letter missing in the domain', 'ada@example.com', 'ada@exmple.com', true],
	['two letters swapped in the domain', 'ada@example.com', 'ada@exampel.com', true],
	['another ending of the domain', 'ada@example.com', 'ada@example.co', true],
	['a name of four letters', 'anna@example.com', 'anne@example.com', false],
	['a name that is left with four letters', 'james@example.com', 'jame@example.com', false],
	['a domain of four letters', 'caroline@ab.de', 'caroline@ac.de', false],
	['another digit', 'person1@example.com', 'person2@example.com', false],
	['a digit more', 'person1@example.com', 'person12@example.com', false],
	['a digit and a letter swapped', 'perso1n@example.com', 'person1@example.com', false],
	['two mistakes', 'caroline@example.com', 'karolin@example.com', false],
	['a letter missing and another one more', 'caroline@example.com', 'carlxine@example.com', false],
	['a letter at another place', 'caroline@example.com', 'arolinec@example.com', false],
	['a mistake in each part', 'caroline@example.com', 'carolin@exampl.com', false],
])('%s: %s and %s are one typing mistake apart: %j', (_, one, other, isMistake) => {
	const pair = (added: string, removed: string) => (isMistake ? [{ added, removed }] : []);
	expect(typingMistakes([one], [other])).toEqual(pair(one, other));
	expect(typingMistakes([other, 'x@y.example'], [one])).toEqual(pair(other, one));
});

test('everybody of the longer list who may be mistaken is told', () => {
	const one = 'caroline@example.com';
	const more = ['carolin@example.com', 'carolina@example.com'];
	const several = more.map((removed) => ({ added: one, removed }));
	expect(typingMistakes([one], more)).toEqual(several);
	const turned = several.map(({ added, removed }) => ({ added: removed, removed: added }));
	expect(typingMistakes(more, [one])).toEqual(turned);
});

test('twenty thousand addresses are looked through for twenty thousand others, alike or not', () => {
	const letters = 'abcdefghijklmnopqrst';
	const names = Array.from({ length: 20_000 }, (_, index) =>
		[1, 20, 400, 8_000].map((step) => letters.charAt(Math.floor(index / step) % 20)).join(''),
	);
	const alike = names.map((name) => `smith${name}@example.com`);
	const others = names.map((name) => `grace${name}@example.com`);
	expect(typingMistakes(alike, others)).toEqual([]);
	const mistaken = names.map((name) => `smiht${name}@example.com`);
	expect(typingMistakes(alike, mistaken)).toHaveLength(20_000);
});
