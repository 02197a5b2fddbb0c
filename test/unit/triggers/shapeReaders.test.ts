import {
	countReader,
	idReader,
	listOf,
	mapOf,
	millisecondsReader,
	secondsReader,
	shapeOf,
	switchReader,
	textReader,
	unionOf,
	urlReader,
	wordReader,
	type Reader,
} from '../../../nodes/EventPlatform/triggers/shapeReaders';

/** Gives the result of a reader for a value, and the paths of the parts that do not fit. */
function read<Value>(reader: Reader<Value>, value: unknown) {
	const misfits: string[] = [];
	return { value: reader(value, (path) => misfits.push(path)), misfits };
}

interface Bookmark {
	at: number;
	seen?: string;
}
const bookmarkReader = shapeOf<Bookmark>(['at'], { at: countReader, seen: textReader });

test.each<[string, Reader<unknown>, unknown[], unknown[]]>([
	['a text', textReader, ['', 'a'], [7, null, ['a']]],
	['a switch', switchReader, [true, false], [0, 'true', null]],
	['a word', wordReader('open', 'settled'), ['open'], ['closed', 7]],
	['an id', idReader, ['a-1'], ['', '..', ' ', 7]],
	['a URL', urlReader, ['https://n8n.example.com/a'], ['a', 7]],
	['a count', countReader, [0, 7], [-1, '7', NaN, Infinity]],
	['a time in seconds', secondsReader, [1.8e9], [1.8e12, '1']],
	['a time in milliseconds', millisecondsReader, [1.8e12], [1e16, null]],
])('%s is read, and anything else is not', (_, reader, fitting, misfits) => {
	expect(fitting.map((value) => read(reader, value).value)).toEqual(fitting);
	expect(misfits.map((value) => read(reader, value).value)).toEqual(misfits.map(() => undefined));
});

describe('a shape', () => {
	test('is read without what it does not know', () => {
		expect(read(bookmarkReader, { at: 1, more: 2 })).toEqual({ value: { at: 1 }, misfits: [] });
	});

	test('does without a part that does not fit', () => {
		expect(read(bookmarkReader, { at: 1, seen: 7 })).toEqual({
			value: { at: 1 },
			misfits: ['seen'],
		});
	});

	test.each([{ seen: 'a' }, { at: 'a' }, [], null])(
		'is nothing without a needed part: %j',
		(value) => {
			expect(read(bookmarkReader, value).value).toBeUndefined();
		},
	);

	test('is a copy', () => {
		const stored = { at: 1 };
		expect(read(bookmarkReader, stored).value).not.toBe(stored);
	});
});

test('a map leaves out what does not fit, and tells of it by its path', () => {
	const value = { good: { at: 1 }, bad: {}, half: { at: 2, seen: 7 } };
	expect(read(mapOf(bookmarkReader), value)).toEqual({
		value: { good: { at: 1 }, half: { at: 2 } },
		misfits: ['bad', 'half.seen'],
	});
});

test('a list leaves out what does not fit, and tells of it by its place', () => {
	expect(read(listOf(bookmarkReader), [7, { at: 1 }])).toEqual({
		value: [{ at: 1 }],
		misfits: ['0'],
	});
});

test.each([{ kind: 'lost' }, { kind: 7 }, { kind: 'toString' }, {}, null])(
	'a union reads no kind that it does not have: %j',
	(value) => {
		const reader = unionOf<{ kind: 'due' }>({
			due: shapeOf(['kind'], { kind: wordReader('due') }),
		});
		expect(read(reader, value).value).toBeUndefined();
		expect(read(reader, { kind: 'due' }).value).toEqual({ kind: 'due' });
	},
);
