import { Rewriting } from '../../../nodes/EventPlatform/core/dialect/rewriting';

const text = (length: number, letter = 'a') => letter.repeat(length);
const change = (old: string | null, sent: string | string[], field = 'bio') => {
	return { field, old, new: sent };
};

test('an update that turned a value into another one says what becomes of the same value elsewhere', () => {
	const rewriting = new Rewriting();
	rewriting.record(change('Old', 'Deutschland'), 'Germany');
	expect(rewriting.describeUselessChange(change('Germany', 'Deutschland'))).toBe(
		"The platform turns Deutschland into Germany in 'bio', as an update of this run has shown.",
	);
	for (const otherChange of [
		change('Old', 'Deutschland'),
		change('Germany', 'Germania'),
		change('Germany', 'Deutschland', 'country'),
		change('Germany', ['Deutschland', 'x']),
	]) {
		expect(rewriting.describeUselessChange(otherChange)).toBeUndefined();
	}
});

test('an update that the platform has ignored teaches nothing, however often', () => {
	const rewriting = new Rewriting();
	for (const old of ['Acme', 'Initech', 'Acme']) rewriting.record(change(old, 'NewCorp'), old);
	expect(rewriting.describeUselessChange(change('Acme', 'NewCorp'))).toBeUndefined();
	// Nor do texts to which something was to be added, as long as one length may be chance.
	rewriting.record(change(text(40), text(45)), text(40));
	rewriting.record(change(text(40), text(45)), text(40));
	rewriting.record(change(text(41, 'b'), text(45, 'b')), text(41, 'b'));
	expect(rewriting.describeUselessChange(change(text(40, 'c'), text(60, 'c')))).toBeUndefined();
	expect(rewriting.limitOf('bio')).toBeUndefined();
});

test.each([
	[3, undefined],
	[19, undefined],
	[20, 20],
])(
	'two different texts of %i characters that stayed as they were show a limit of %j',
	(length, limit) => {
		const rewriting = new Rewriting();
		for (const letter of ['a', 'b']) {
			const old = text(length, letter);
			rewriting.record(change(old, text(60, letter)), old);
		}
		expect(rewriting.limitOf('bio')).toBe(limit);
	},
);

test('a value that vanished shows no limit, nor does one that became longer', () => {
	const rewriting = new Rewriting();
	rewriting.record(change('Old', 'New'), '');
	rewriting.record(change('Old', 'New'), 'New...');
	rewriting.record(change('Old', ['A', 'B']), ['A']);
	expect(rewriting.limitOf('bio')).toBeUndefined();
	expect(rewriting.describeUselessChange(change('', 'Newer'))).toBeUndefined();
	expect(rewriting.describeUselessChange(change('Newer', 'Newer...'))).toBeUndefined();
});

test.each<[string, Array<[old: string, sent: string, kept: string]>]>([
	['an update that cut a text', [['Old', text(60), text(40)]]],
	[
		'two different texts that stayed equally long',
		[
			[text(40), text(60), text(40)],
			[text(40, 'b'), text(50, 'b'), text(40, 'b')],
		],
	],
])('%s shows how many characters are kept', (_, updates) => {
	const rewriting = new Rewriting();
	expect(rewriting.limitOf('bio')).toBeUndefined();
	for (const [old, sent, kept] of updates) rewriting.record(change(old, sent), kept);
	expect(rewriting.limitOf('bio')).toBe(40);
	expect(rewriting.describeUselessChange(change(text(40, 'c'), text(90, 'c')))).toBe(
		"The platform keeps 40 characters of 'bio', as updates of this run have shown.",
	);
	for (const otherChange of [
		change(text(39, 'c'), text(90, 'c')),
		change(text(40, 'c'), `${text(39, 'c')}d`),
		change(text(40, 'c'), text(40, 'd')),
		change(text(40, 'c'), text(90, 'c'), 'other'),
		change(null, text(90)),
	]) {
		expect(rewriting.describeUselessChange(otherChange)).toBeUndefined();
	}
	// A longer text that is kept shows that it was no limit.
	rewriting.record(change('Old', text(41)), text(41));
	expect(rewriting.limitOf('bio')).toBeUndefined();
});

test('characters are counted as people count them, the ellipsis included', () => {
	const rewriting = new Rewriting();
	rewriting.record(change('Old', '\u{1f600}'.repeat(30)), `${'\u{1f600}'.repeat(20)}…`);
	expect(rewriting.limitOf('bio')).toBe(21);
	expect(rewriting.describeUselessChange(change(`${text(20)}…`, text(30)))).toMatch(
		/keeps 21 characters/,
	);
	expect(rewriting.describeUselessChange(change('...', text(30)))).toBeUndefined();
	rewriting.record(change('Old', text(40), 'dots'), `${text(22)}...`);
	expect(rewriting.limitOf('dots')).toBe(25);
	// Dots within a text end nothing.
	rewriting.record(change('Old', `${text(9)}...${text(9)}`, 'inner'), `${text(9)}...`);
	expect(rewriting.limitOf('inner')).toBe(12);
});
