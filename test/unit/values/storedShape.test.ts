import {
	anyText,
	count,
	arrayOf,
	mapOf,
	milliseconds,
	optional,
	seconds,
	shaped,
	textThat,
	word,
	yesOrNo,
	type Reader,
} from '../../../nodes/EventPlatform/core/values/storedShape';

const latestSeconds = 1_800_000_000;

/** Gives the result of a reader for a value, and the paths of the parts that do not fit. */
function read<Value>(reader: Reader<Value>, value: unknown) {
	const misfits: string[] = [];
	const tell = (path: string) => misfits.push(path);
	return { value: reader(value, { latestSeconds, tell }), misfits };
}

const bookmark = shaped({ at: count, seen: optional(anyText) });

test.each<[string, Reader<unknown>, unknown[], unknown[]]>([
	['a text', anyText, ['', 'a'], [7, null, ['a']]],
	['a text that passes', textThat((text) => text > 'm'), ['n'], ['a', 7]],
	['yes or no', yesOrNo, [true, false], [0, 'true', null]],
	['a word', word('open', 'settled'), ['open'], ['closed', 7]],
	['a count', count, [0, 7, 1e9], [-1, 1e9 + 1, '7', NaN, Infinity]],
	['a time in seconds', seconds, [0, 1_800_000_000], [1_800_000_001, -1, 1.8e12, '1']],
	[
		'a time in milliseconds',
		milliseconds,
		[0, 1.8e12, 253_370_764_800_000],
		[-1, 253_370_764_800_001, null],
	],
])('%s is read, and anything else is not', (_, reader, fitting, misfits) => {
	expect(fitting.map((value) => read(reader, value).value)).toEqual(fitting);
	expect(misfits.map((value) => read(reader, value).value)).toEqual(misfits.map(() => undefined));
});

describe('a shape', () => {
	test('is read without what it does not have', () => {
		expect(read(bookmark, { at: 1, more: 2 })).toEqual({ value: { at: 1 }, misfits: [] });
	});

	test('does without an optional part that does not fit', () => {
		expect(read(bookmark, { at: 1, seen: 7 })).toEqual({ value: { at: 1 }, misfits: ['seen'] });
	});

	test.each([{ seen: 'a' }, { at: 'a' }, [], null])(
		'is nothing without a needed part: %j',
		(value) => {
			expect(read(bookmark, value).value).toBeUndefined();
		},
	);

	test('is a copy', () => {
		const stored = { at: 1 };
		expect(read(bookmark, stored).value).not.toBe(stored);
	});
});

test('a map leaves out what does not fit, and tells of it by its path', () => {
	const value = { good: { at: 1 }, bad: {}, half: { at: 2, seen: 7 } };
	expect(read(mapOf(bookmark), value)).toEqual({
		value: { good: { at: 1 }, half: { at: 2 } },
		misfits: ['bad', 'half.seen'],
	});
});

test('a list leaves out what does not fit, and tells of it by its place', () => {
	expect(read(arrayOf(bookmark), [7, { at: 1 }, { at: 2 }])).toEqual({
		value: [{ at: 1 }, { at: 2 }],
		misfits: ['0'],
	});
});
