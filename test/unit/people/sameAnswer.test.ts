import fc from 'fast-check';
import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import {
	isIdentical,
	isSameBeyondDoubt,
} from '../../../nodes/EventPlatform/core/people/sameAnswer';

const long = 'All about it. '.repeat(30);

interface Comparison {
	what: string;
	/** The answer as the platform shows it. */
	stored: Json;
	/** The answer as the list has it. */
	entered: string | string[];
	/** A text, where nothing is said. */
	question?: { id?: string; type?: string };
}

const sameBeyondDoubt: Comparison[] = [
	{ what: 'the same text', stored: 'Acme', entered: 'Acme' },
	{ what: 'nothing, in two ways', stored: null, entered: '' },
	{ what: 'spaces around and inside', stored: ' New   York ', entered: 'New York' },
	{ what: 'spaces of another kind', stored: 'New\u00a0York', entered: 'New York' },
	{ what: 'a line end of an old Mac', stored: 'one\rtwo', entered: 'one\ntwo' },
	{ what: 'spaces at the end of a line', stored: 'one \n two', entered: 'one\ntwo' },
	{ what: 'composed letters', stored: 'Ame\u0301lie', entered: 'Am\u00e9lie' },
	{ what: 'a choice of several in another order', stored: ['B', 'A'], entered: ['A', 'B'] },
	{ what: 'a list and its text', stored: 'A, , B', entered: ['A', 'B'] },
	{ what: 'a text and the list', stored: ['A', 'B'], entered: 'B,A' },
	{
		what: 'two texts of a choice of several',
		stored: 'A, B',
		entered: 'B, A',
		question: { type: 'multiple' },
	},
	{ what: 'one choice, in a list', stored: ['A'], entered: 'A' },
	{ what: 'true and Yes', stored: true, entered: 'Yes' },
	{ what: 'false and no', stored: false, entered: 'No' },
	{
		what: 'the text true and yes, of a consent',
		stored: 'true',
		entered: 'yes',
		question: { type: 'consent' },
	},
	{ what: 'y and 1 of a consent', stored: 'y', entered: '1', question: { type: 'consent' } },
	{ what: 'a number and its text', stored: 15, entered: '15' },
	{
		what: 'the address in other letters',
		stored: 'Ada@Example.com',
		entered: ' ada@example.COM ',
		question: { id: 'email' },
	},
];

const perhapsDifferent: Comparison[] = [
	{ what: 'another letter case of a yes', stored: 'Yes', entered: 'yes' },
	{ what: 'a line end and a space', stored: 'one\ntwo', entered: 'one two' },
	{ what: 'one line end and two', stored: 'one\ntwo', entered: 'one\n\ntwo' },
	{ what: 'an invisible character', stored: 'Ac\u200bme', entered: 'Acme' },
	{ what: 'a letter of full width', stored: '\uff21cme', entered: 'Acme' },
	{ what: 'one choice less', stored: ['A', 'B'], entered: ['A'] },
	{
		what: 'two texts of a text question',
		stored: 'A, B',
		entered: 'B, A',
		question: { type: 'text' },
	},
	{ what: 'two choices and one that has a comma', stored: ['A', 'B'], entered: ['A, B'] },
	{
		what: 'a choice with a comma beside another, and a text',
		stored: ['A, B', 'C'],
		entered: 'A, B, C',
	},
	{ what: 'true and no', stored: true, entered: 'no' },
	{ what: 'the text true and yes', stored: 'true', entered: 'yes' },
	{ what: '1 and yes of a text question', stored: '1', entered: 'yes', question: { type: 'text' } },
	{
		what: 'a sentence that ends in yes',
		stored: 'oh yes',
		entered: 'yes',
		question: { type: 'consent' },
	},
	{ what: 'yes and no of a consent', stored: 'yes', entered: 'no', question: { type: 'consent' } },
	{ what: 'a number in another way', stored: 15, entered: '15.00' },
	{
		what: 'another address',
		stored: 'ada@example.com',
		entered: 'eda@example.com',
		question: { id: 'email' },
	},
];

const questionOf = ({ question }: Comparison) => ({ id: 'answer', type: '', ...question });

test.each(sameBeyondDoubt)(
	'$what: $stored and $entered are the same beyond doubt',
	(comparison) => {
		const { stored, entered } = comparison;
		expect(isSameBeyondDoubt(stored, entered, questionOf(comparison))).toBe(true);
	},
);

test.each(perhapsDifferent)('$what: $stored and $entered may differ', (comparison) => {
	const { stored, entered } = comparison;
	expect(isSameBeyondDoubt(stored, entered, questionOf(comparison))).toBe(false);
});

test.each<[is: boolean, stored: Json, entered: string | string[]]>([
	[true, 'Acme', 'Acme'],
	[true, ['A'], 'A'],
	[true, null, ''],
	[true, 15, '15'],
	[false, 'Acme', 'Acme '],
	[false, 'Ame\u0301lie', 'Am\u00e9lie'],
	[false, 'ada@example.com', 'Ada@example.com'],
	[false, ['B', 'A'], ['A', 'B']],
	[false, true, 'yes'],
])('to the letter it is %s that %j is identical to %j', (is, stored, entered) => {
	expect(isIdentical(stored, entered, { id: 'email', type: 'consent' })).toBe(is);
});

/** The meaning of an answer, and the ways to write it that leave no doubt. */
interface Meant {
	/** No two are the same. */
	meaning: string;
	spellings: string[];
}

const word = fc.stringMatching(/^[a-zA-Z0-9.,:/()+-]{1,12}$/);
const words: fc.Arbitrary<Meant> = fc.array(word, { minLength: 1, maxLength: 30 }).map((parts) => {
	const plain = parts.join(' ');
	return { meaning: plain, spellings: [plain, parts.join('  '), ` ${parts.join('\u00a0')} `] };
});
/** A text, and the same with something behind it: what a platform that cuts could have made of it. */
const longer: fc.Arbitrary<Meant> = fc
	.record({ length: fc.constantFrom(50, 63, 64, 100, 127, 128, 140, 160, 255), more: word })
	.map(({ length, more }) => {
		const plain = `${long.slice(0, length - 1)}x${more}`;
		return { meaning: plain, spellings: [plain] };
	});
const shorter = fc.constantFrom(50, 63, 64, 100, 127, 128, 140, 160, 255).map((length): Meant => {
	const plain = `${long.slice(0, length - 1)}x`;
	return { meaning: plain, spellings: [plain] };
});
const days = fc
	.record({ year: fc.nat({ max: 3 }), month: fc.nat({ max: 8 }), day: fc.nat({ max: 8 }) })
	.map(({ year, month, day }): Meant => {
		const iso = `${2024 + year}-0${month + 1}-0${day + 1}`;
		return { meaning: iso, spellings: [iso, ` ${iso} `] };
	});
const versions = fc
	.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 3 })
	.map((parts): Meant => ({ meaning: parts.join('.'), spellings: [parts.join('.')] }));
const meant = fc.oneof(words, longer, shorter, days, versions);

test('no two different answers are ever the same, and one answer is, whatever way it is written in', () => {
	const text = { id: 'answer', type: 'text' };
	const pick = fc.nat();
	fc.assert(
		fc.property(meant, meant, pick, pick, (left, right, first, second) => {
			const spelled = ({ spellings }: Meant, nth: number) =>
				spellings[nth % spellings.length] ?? '';
			expect(isSameBeyondDoubt(spelled(left, first), spelled(left, second), text)).toBe(true);
			const isSame = isSameBeyondDoubt(spelled(left, first), spelled(right, second), text);
			expect(isSame).toBe(left.meaning === right.meaning);
			// Nor in another letter case, where it has one.
			const loud = spelled(left, first).toUpperCase();
			const hasCase = loud !== spelled(left, first) && !/\b20\d\d\b/.test(loud);
			if (hasCase) expect(isSameBeyondDoubt(loud, spelled(left, first), text)).toBe(false);
		}),
		{ numRuns: 2_000 },
	);
});
