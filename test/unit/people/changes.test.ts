import fc from 'fast-check';
import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import { isIdentical, isSameBeyondDoubt } from '../../../nodes/EventPlatform/core/people/changes';

const long = 'All about it. '.repeat(30);

/** An answer as the platform shows it, and as the list has it. The question asks for a text, where nothing is said. */
type Comparison = [
	what: string,
	stored: Json,
	entered: string | string[],
	question?: { id?: string; type?: string },
];

const questionOf = (question: Comparison[3]) => ({ id: 'answer', type: '', ...question });

test.each<Comparison>([
	['the same text', 'Acme', 'Acme'],
	['nothing, in two ways', null, ''],
	['spaces around and inside', ' New   York ', 'New York'],
	['spaces of another kind', 'New\u00a0York', 'New York'],
	['a line end of an old Mac', 'one\rtwo', 'one\ntwo'],
	['spaces at the end of a line', 'one \n two', 'one\ntwo'],
	['composed letters', 'Ame\u0301lie', 'Am\u00e9lie'],
	['a choice of several in another order', ['B', 'A'], ['A', 'B']],
	['a list and its text', 'A, , B', ['A', 'B']],
	['a text and the list', ['A', 'B'], 'B,A'],
	['two texts of a choice of several', 'A, B', 'B, A', { type: 'multiple' }],
	['one choice, in a list', ['A'], 'A'],
	['true and Yes', true, 'Yes'],
	['false and no', false, 'No'],
	['the text true and yes, of a consent', 'true', 'yes', { type: 'consent' }],
	['y and 1 of a consent', 'y', '1', { type: 'consent' }],
	['y and 1 of a yes-no question', 'y', '1', { type: 'boolean' }],
	['a number and its text', 15, '15.00'],
	['a number with a digit more', '1.1', '1.10', { type: 'number' }],
	['a number below zero', '-1.50', '-1.5', { type: 'number' }],
	['the address in other letters', 'Ada@Example.com', ' ada@example.COM ', { id: 'email' }],
])('%s: %j and %j are the same beyond doubt', (_, stored, entered, question = {}) => {
	expect(isSameBeyondDoubt(stored, entered, questionOf(question))).toBe(true);
});

test.each<Comparison>([
	['another letter case of a yes', 'Yes', 'yes'],
	['a line end and a space', 'one\ntwo', 'one two'],
	['one line end and two', 'one\ntwo', 'one\n\ntwo'],
	['an invisible character', 'Ac\u200bme', 'Acme'],
	['a letter of full width', '\uff21cme', 'Acme'],
	['one choice less', ['A', 'B'], ['A']],
	['two texts of a text question', 'A, B', 'B, A', { type: 'text' }],
	['two choices and one that has a comma', ['A', 'B'], ['A, B']],
	['a choice with a comma beside another, and a text', ['A, B', 'C'], 'A, B, C'],
	['true and no', true, 'no'],
	['the text true and yes', 'true', 'yes'],
	['1 and yes of a text question', '1', 'yes', { type: 'text' }],
	['a sentence that ends in yes', 'oh yes', 'yes', { type: 'consent' }],
	['yes and no of a consent', 'yes', 'no', { type: 'consent' }],
	['yes and 1 where the type has more to say', 'yes', '1', { type: 'checkbox_list' }],
	['five and maybe five thousand', '5', '5.000', { type: 'number' }],
	['a number with a comma', '5,0', '5', { type: 'number' }],
	['long numbers', '100000000000000.01', '100000000000000.02', { type: 'number' }],
	['numbers too long for JavaScript', '10000000000000001', '10000000000000000', { type: 'number' }],
	['a number behind a letter', 'v1.10', 'v1.1', { type: 'number' }],
	['another address', 'ada@example.com', 'eda@example.com', { id: 'email' }],
])('%s: %j and %j may differ', (_, stored, entered, question = {}) => {
	expect(isSameBeyondDoubt(stored, entered, questionOf(question))).toBe(false);
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
