import fc from 'fast-check';
import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import {
	isIdentical,
	isSameBeyondDoubt,
} from '../../../nodes/EventPlatform/core/people/sameAnswer';

const long = 'All about it. '.repeat(30);
const number = { type: 'number' };

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
	{ what: 'a line end and a space behind it', stored: 'one\n two', entered: 'one\ntwo' },
	{ what: 'a line end and a space before it', stored: 'one \ntwo', entered: 'one\ntwo' },
	{ what: 'line ends', stored: 'one\r\ntwo', entered: 'one\ntwo' },
	{ what: 'spaces at the end of a line', stored: 'one \n two', entered: 'one\ntwo' },
	{ what: 'composed letters', stored: 'Ame\u0301lie', entered: 'Am\u00e9lie' },
	{ what: 'a choice of several in another order', stored: ['B', 'A'], entered: ['A', 'B'] },
	{ what: 'a choice that is named twice', stored: ['A', 'B', 'A'], entered: ['A', 'B'] },
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
	{ what: '1 and yes of a consent', stored: '1', entered: 'yes', question: { type: 'consent' } },
	{
		what: 'y and 1 of a yes-no question',
		stored: 'y',
		entered: '1',
		question: { type: 'boolean' },
	},
	{ what: 'no and off of a bool', stored: 'no', entered: 'off', question: { type: 'bool' } },
	{ what: 'a number and its text', stored: 15, entered: '15.00' },
	{ what: 'a number with a digit more', stored: '1.1', entered: '1.10', question: number },
	{ what: 'five, twice', stored: '5.0', entered: '5', question: number },
	{ what: 'a number below zero', stored: '-1.50', entered: '-1.5', question: number },
	{
		what: 'the address in other letters',
		stored: 'Ada@Example.com',
		entered: ' ada@example.COM ',
		question: { id: 'email' },
	},
];

const perhapsDifferent: Comparison[] = [
	{ what: 'another letter case', stored: 'Acme', entered: 'acme' },
	{ what: 'another letter case of a yes', stored: 'Yes', entered: 'yes' },
	{ what: 'an answer where there was none', stored: null, entered: 'Acme' },
	{ what: 'an answer that goes', stored: 'Acme', entered: '' },
	{ what: 'a space and none', stored: 'New York', entered: 'NewYork' },
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
	{ what: 'choices in another letter case', stored: ['A', 'B'], entered: ['a', 'b'] },
	{ what: 'true and no', stored: true, entered: 'no' },
	{ what: 'true and a longer word', stored: true, entered: 'once' },
	{ what: 'false and a longer word', stored: false, entered: 'nobody' },
	{ what: 'the text true and yes', stored: 'true', entered: 'yes' },
	{ what: '1 and yes of a text question', stored: '1', entered: 'yes', question: { type: 'text' } },
	{
		what: 'two answers of a consent that are neither',
		stored: 'maybe',
		entered: 'later',
		question: { type: 'consent' },
	},
	{
		what: 'a sentence that ends in yes',
		stored: 'oh yes',
		entered: 'yes',
		question: { type: 'consent' },
	},
	{
		what: 'a sentence that ends in no',
		stored: 'oh no',
		entered: 'no',
		question: { type: 'consent' },
	},
	{ what: 'yes and no of a consent', stored: 'yes', entered: 'no', question: { type: 'consent' } },
	{
		what: 'yes and 1 of something with consent',
		stored: 'yes',
		entered: '1',
		question: { type: 'no consent' },
	},
	{
		what: 'yes and 1 where the type has more to say',
		stored: 'yes',
		entered: '1',
		question: { type: 'checkbox_list' },
	},
	{ what: 'a version with a digit more', stored: '1.1', entered: '1.10' },
	{ what: '5.50 and 5.6', stored: '5.50', entered: '5.6', question: number },
	{ what: 'five and maybe five thousand', stored: '5', entered: '5.000', question: number },
	{ what: 'a number with a comma', stored: '5,0', entered: '5', question: number },
	{
		what: 'numbers that JavaScript cannot tell apart',
		stored: '10000000000000001',
		entered: '10000000000000000',
		question: number,
	},
	{ what: 'nothing and zero', stored: null, entered: '0', question: number },
	{ what: 'a number behind a letter', stored: 'v1.10', entered: 'v1.1', question: number },
	{ what: 'two texts of a number question', stored: 'many', entered: 'few', question: number },
	{ what: 'a number and its opposite', stored: '-1.5', entered: '1.5', question: number },
	{ what: 'a post code and a number', stored: '01234', entered: '1234' },
	{ what: 'zeros of no number', stored: 'A10', entered: 'A100' },
	{
		what: 'signs in a phone number',
		stored: '+33 612-345',
		entered: '+33612345',
		question: { id: 'phone' },
	},
	{ what: 'a day in another notation', stored: '2026-04-13', entered: '13/04/2026' },
	{ what: 'a day in words', stored: '2026-11-28', entered: '28 Nov 2026' },
	{ what: 'a day and its midnight', stored: '2026-11-28T00:00:00.000Z', entered: '2026-11-28' },
	{ what: 'a text cut at 255', stored: long.slice(0, 255), entered: long },
	{
		what: 'a text with words added behind 50 characters',
		stored: 'x'.repeat(50),
		entered: `${'x'.repeat(50)} and y`,
	},
	{
		what: 'a text that ended in dots',
		stored: 'Likes cats, and much more...',
		entered: 'Likes cats, and much more... dogs',
	},
	{ what: 'a text cut with an ellipsis', stored: `${long.slice(0, 37)}…`, entered: long },
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

const identical: Comparison[] = [
	{ what: 'the same text', stored: 'Acme', entered: 'Acme' },
	{ what: 'the same list', stored: ['A', 'B'], entered: ['A', 'B'] },
	{ what: 'a list of one and its text', stored: ['A'], entered: 'A' },
	{ what: 'nothing and an empty text', stored: null, entered: '' },
	{ what: 'a number and its digits', stored: 15, entered: '15' },
	{ what: 'true and its word', stored: true, entered: 'true' },
];

const notIdentical: Comparison[] = [
	{ what: 'a space more', stored: 'Acme', entered: 'Acme ' },
	{ what: 'another line end', stored: 'a\r\nb', entered: 'a\nb' },
	{ what: 'a composed letter', stored: 'Ame\u0301lie', entered: 'Am\u00e9lie' },
	{ what: 'another letter case', stored: 'ada@example.com', entered: 'Ada@example.com' },
	{ what: 'a list in another order', stored: ['B', 'A'], entered: ['A', 'B'] },
	{ what: 'a list and its text', stored: ['A', 'B'], entered: 'A, B' },
	{ what: 'true and yes', stored: true, entered: 'yes' },
];

const consent = { id: 'email', type: 'consent' };

test.each(identical)('$what: $stored and $entered are identical', ({ stored, entered }) => {
	expect(isIdentical(stored, entered, consent)).toBe(true);
});

test.each(notIdentical)('$what: $stored and $entered are not identical', ({ stored, entered }) => {
	expect(isIdentical(stored, entered, consent)).toBe(false);
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
