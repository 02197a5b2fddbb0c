import fc from 'fast-check';
import type { Json } from '../../../nodes/EventPlatform/core/values/json';
import {
	isIdentical,
	isSameBeyondDoubt,
} from '../../../nodes/EventPlatform/core/people/sameAnswer';

const long = 'All about it. '.repeat(30);
const number = { type: 'number' };
const phone = { id: 'work_phone' };

test.each<[string, Json, string | string[], boolean, { id?: string; type?: string }?]>([
	['the same text', 'Acme', 'Acme', true],
	['another letter case', 'Acme', 'acme', false],
	['another letter case of a yes', 'Yes', 'yes', false],
	['nothing, in two ways', null, '', true],
	['an answer where there was none', null, 'Acme', false],
	['an answer that goes', 'Acme', '', false],
	['spaces around and inside', ' New   York ', 'New York', true],
	['spaces of another kind', 'New\u00a0York', 'New York', true],
	['a line end of an old Mac', 'one\rtwo', 'one\ntwo', true],
	['a line end and a space behind it', 'one\n two', 'one\ntwo', true],
	['a line end and a space before it', 'one \ntwo', 'one\ntwo', true],
	['a space and none', 'New York', 'NewYork', false],
	['line ends', 'one\r\ntwo', 'one\ntwo', true],
	['spaces at the end of a line', 'one \n two', 'one\ntwo', true],
	['a line end and a space', 'one\ntwo', 'one two', false],
	['one line end and two', 'one\ntwo', 'one\n\ntwo', false],
	['composed letters', 'Ame\u0301lie', 'Am\u00e9lie', true],
	['an invisible character', 'Ac\u200bme', 'Acme', false],
	['a letter of full width', '\uff21cme', 'Acme', false],

	['a choice of several in another order', ['B', 'A'], ['A', 'B'], true],
	['a choice that is named twice', ['A', 'B', 'A'], ['A', 'B'], true],
	['one choice less', ['A', 'B'], ['A'], false],
	['a list and its text', 'A, , B', ['A', 'B'], true],
	['a text and the list', ['A', 'B'], 'B,A', true],
	['two texts of a choice of several', 'A, B', 'B, A', true, { type: 'multiple' }],
	['two texts of a text question', 'A, B', 'B, A', false, { type: 'text' }],
	['one choice, in a list', ['A'], 'A', true],
	['two choices and one that has a comma', ['A', 'B'], ['A, B'], false],
	['a choice with a comma beside another, and a text', ['A, B', 'C'], 'A, B, C', false],
	['choices in another letter case', ['A', 'B'], ['a', 'b'], false],

	['true and Yes', true, 'Yes', true],
	['false and no', false, 'No', true],
	['true and no', true, 'no', false],
	['true and a longer word', true, 'once', false],
	['false and a longer word', false, 'nobody', false],
	['the text true and yes', 'true', 'yes', false],
	['the text true and yes, of a consent', 'true', 'yes', true, { type: 'consent' }],
	['1 and yes of a consent', '1', 'yes', true, { type: 'consent' }],
	['1 and yes of a text question', '1', 'yes', false, { type: 'text' }],
	['y and 1 of a yes-no question', 'y', '1', true, { type: 'boolean' }],
	['two answers of a consent that are neither', 'maybe', 'later', false, { type: 'consent' }],
	['a sentence that ends in yes', 'oh yes', 'yes', false, { type: 'consent' }],
	['a sentence that ends in no', 'oh no', 'no', false, { type: 'consent' }],
	['yes and no of a consent', 'yes', 'no', false, { type: 'consent' }],
	['no and off of a bool', 'no', 'off', true, { type: 'bool' }],
	['yes and 1 of something with consent', 'yes', '1', false, { type: 'no consent' }],
	['yes and 1 where the type has more to say', 'yes', '1', false, { type: 'checkbox_list' }],

	['a version with a digit more', '1.1', '1.10', false],
	['a number and its text', 15, '15.00', true],
	['a number with a digit more', '1.1', '1.10', true, number],
	['5.50 and 5.6', '5.50', '5.6', false, number],
	['five and maybe five thousand', '5', '5.000', false, number],
	['five, twice', '5.0', '5', true, number],
	['a number with a comma', '5,0', '5', false, number],
	[
		'numbers that JavaScript cannot tell apart',
		'10000000000000001',
		'10000000000000000',
		false,
		number,
	],
	['nothing and zero', null, '0', false, number],
	['a number behind a letter', 'v1.10', 'v1.1', false, number],
	['two texts of a number question', 'many', 'few', false, number],
	['a number below zero', '-1.50', '-1.5', true, number],
	['a number and its opposite', '-1.5', '1.5', false, number],
	['a post code and a number', '01234', '1234', false],
	['zeros of no number', 'A10', 'A100', false],

	['00 for the plus', '0033612345678', '+33 612 345 678', true, phone],
	['00 for the plus where nobody asked for a phone', '0033612345678', '+33 612 345 678', false],
	['00 for the plus, and a number without either', '0030 123 4567', '30 123 4567', false, phone],
	['00 for the plus, with fifteen digits', '00123456789012345', '+123456789012345', true, phone],
	['a plus and a number without one', '+33 612 345 678', '33612345678', true, phone],
	['a phone with a country', '+33612345678', '+33 (6) 12-34-56 78', true],
	['an amount with a plus', '+10.000.000', '+10000.000', false],
	['a short number with a plus', '+12 345', '+12345', false],
	['a phone without a country', '(06) 12 34 56', '06123456', true, { id: 'phone_number' }],
	['the same by the type', '06 12 34 56', '06123456', true, { type: 'phone' }],
	['a number of something about phones', '1.000.0000', '1000.0000', false, { id: 'mobile_budget' }],
	['a version of a phone', '1.10.0', '1.1.00', false, { id: 'mobile' }],
	['another phone', '+33 612345678', '+33 612345679', false, phone],
	['a phone with zeros', '+33 12003456', '+33 123456', false, phone],
	['seven digits', '123-4567', '1234567', true, phone],
	['six digits', '12-34-56', '123456', false, phone],
	['fifteen digits', '123456789 012345', '123456789012345', true, phone],
	['sixteen digits', '1234567890 123456', '1234567890123456', false, phone],
	['a phone with words behind it', '06 12 34 56 (home)', '06123456 (home)', false, phone],
	['a phone number by its type', '06 12 34 56', '06123456', true, { type: 'phone_number' }],
	['the number of a telephone', '06 12 34 56', '06123456', true, { id: 'My Telephone No' }],
	['a word that ends like a phone', '06 12 34 56', '06123456', false, { id: 'hotel' }],
	['eight digits with a plus', '+12 345 678', '+12345678', true],
	['seven digits with a plus', '+12 345 67', '+1234567', false],
	['a plus in the middle', 'x+12 345 678', 'x+12345678', false],
	['a phone behind words', 'ext 12345678', '12345678', false, { id: 'phone' }],
	['digits that are no phone', '12-34-567', '123-4567', false, { id: 'order' }],

	['a day that may be two', '2026-04-03', '03/04/2026', false],
	['a day that may be two, the month in front', '2026-03-04', '03/04/2026', false],
	['a day that may be two, with other marks', '05/06/2026', '5-6-2026', false],
	['a day that may be two, with dots', '2026-06-05', '05.06.2026', false],
	['a day that is one', '2026-04-13', '13/04/2026', true],
	['a day that is one, in two orders', '28/11/2026', '11/28/2026', true],
	['a day that is one in either order', '2026-05-05', '05/05/2026', true],
	['a day with the name of the month', '2026-11-28', '28 Nov 2026', true],
	['a day in full English', 'November 28th, 2026', '2026-11-28', true],
	['a day in American English', 'Nov. 28 2026', '28.11.2026', true],
	['a word that begins like a month', 'Novel 28, 2026', '2026-11-28', false],
	['a day that does not exist', '2026-02-30', '30/02/2026', false],
	['a day and its midnight', '2026-11-28T00:00:00.000Z', '2026-11-28', false],
	['another day', '2026-11-28', '29/11/2026', false],
	['a day behind a digit', '128/11/2026', '28/11/2026', false],
	['a day behind words', 'by 2026-11-28', '28/11/2026', false],
	['a day and a version', '2026-11-28', '2026.11.28.1', false],
	['two marks in one day', '28/11-2026', '2026-11-28', false],

	['a text cut at 255', long.slice(0, 255), long, false],
	[
		'a text with words added behind 50 characters',
		'x'.repeat(50),
		`${'x'.repeat(50)} and y`,
		false,
	],
	[
		'a text that ended in dots',
		'Likes cats, and much more...',
		'Likes cats, and much more... dogs',
		false,
	],
	['a text cut with an ellipsis', `${long.slice(0, 37)}…`, long, false],

	['the address in other letters', 'Ada@Example.com', ' ada@example.COM ', true, { id: 'email' }],
	['another address', 'ada@example.com', 'eda@example.com', false, { id: 'email' }],
])('%s: %j and %j are the same beyond doubt: %j', (_, shown, wanted, same, ...[asked]) => {
	const question = { id: 'answer', type: '', ...asked };
	expect(isSameBeyondDoubt(shown, wanted, question)).toBe(same);
});

test.each<[string, Json, string | string[], boolean]>([
	['the same text', 'Acme', 'Acme', true],
	['a space more', 'Acme', 'Acme ', false],
	['another line end', 'a\r\nb', 'a\nb', false],
	['a composed letter', 'Ame\u0301lie', 'Am\u00e9lie', false],
	['another letter case', 'ada@example.com', 'Ada@example.com', false],
	['the same list', ['A', 'B'], ['A', 'B'], true],
	['a list in another order', ['B', 'A'], ['A', 'B'], false],
	['a list and its text', ['A', 'B'], 'A, B', false],
	['a list of one and its text', ['A'], 'A', true],
	['nothing and an empty text', null, '', true],
	['a number and its digits', 15, '15', true],
	['true and its word', true, 'true', true],
	['true and yes', true, 'yes', false],
])('%s: %j and %j are identical: %j', (_, shown, wanted, same) => {
	expect(isIdentical(shown, wanted, { id: 'email', type: 'consent' })).toBe(same);
});

/** What people mean, and the ways to write it that leave no doubt. */
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
const days: fc.Arbitrary<Meant> = fc
	.record({
		year: fc.nat({ max: 3 }),
		month: fc.nat({ max: 11 }),
		day: fc.integer({ min: 1, max: 28 }),
	})
	.map(({ year, month, day }) => {
		const [y, m] = [2024 + year, month + 1];
		const name = new Date(Date.UTC(y, month, day)).toLocaleString('en', {
			month: 'long',
			timeZone: 'UTC',
		});
		const iso = `${y}-${String(m).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
		const one = day > 12 ? [`${day}/${m}/${y}`, `${m}/${day}/${y}`, `${day}.${m}.${y}`] : [];
		return {
			meaning: iso,
			spellings: [iso, `${day} ${name} ${y}`, `${name} ${day}, ${y}`, ...one],
		};
	});
const versions = fc
	.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 3 })
	.map((parts): Meant => ({ meaning: parts.join('.'), spellings: [parts.join('.')] }));
const phones = fc.stringMatching(/^[1-9][0-9]{9}$/).map((digits): Meant => {
	const spaced = `+${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5)}`;
	return { meaning: `+${digits}`, spellings: [`+${digits}`, spaced, spaced.replaceAll(' ', '-')] };
});
const meant = fc.oneof(words, longer, shorter, days, versions, phones);

test('no two different answers are ever the same, and one answer is, whatever way it is written in', () => {
	const text = { id: 'answer', type: 'text' };
	const pick = fc.nat();
	fc.assert(
		fc.property(meant, meant, pick, pick, (one, other, first, second) => {
			const spelled = ({ spellings }: Meant, nth: number) =>
				spellings[nth % spellings.length] ?? '';
			expect(isSameBeyondDoubt(spelled(one, first), spelled(one, second), text)).toBe(true);
			const isSame = isSameBeyondDoubt(spelled(one, first), spelled(other, second), text);
			expect(isSame).toBe(one.meaning === other.meaning);
			// Nor in another letter case, where it has one.
			const loud = spelled(one, first).toUpperCase();
			const hasCase = loud !== spelled(one, first) && !/\b20\d\d\b/.test(loud);
			if (hasCase) expect(isSameBeyondDoubt(loud, spelled(one, first), text)).toBe(false);
		}),
		{ numRuns: 2_000 },
	);
});
