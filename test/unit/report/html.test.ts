import {
	writeBars,
	writeDocument,
	writeParagraph,
	writeSection,
	writeTable,
	writeTiles,
} from '../../../nodes/EventPlatform/core/report/html';

const hostile = `<img src=x onerror="alert('&')">`;
const escaped = '&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;';

const bar = { label: 'Paris', value: '3', strong: 0.5, pale: 0.25 };
const tile = { label: 'Came', figure: '7' };

test.each<[string, (text: string) => string]>([
	['the title of a page', (title) => writeDocument(title, '')],
	['a heading', (heading) => writeSection(heading, '')],
	['the label of a tile', (label) => writeTiles([{ ...tile, label }])],
	['the figure of a tile', (figure) => writeTiles([{ ...tile, figure }])],
	['the remark of a tile', (remark) => writeTiles([{ ...tile, remark }])],
	['the label of a bar', (label) => writeBars([{ ...bar, label }])],
	['the value of a bar', (value) => writeBars([{ ...bar, value }])],
	['the heading of a column', (heading) => writeTable([heading], [])],
	['a cell', (value) => writeTable(['Name'], [[value]])],
	['a paragraph', (text) => writeParagraph(text)],
	['a notice', (text) => writeParagraph(text, { isNotice: true })],
])('%s is a text as it was written, and no HTML', (_, write) => {
	expect(write(hostile)).not.toContain('<img');
	expect(write(hostile)).toContain(escaped);
});

describe('a bar', () => {
	/** The widths of the parts of a bar, in percent. */
	const widths = (strong: number, pale: number) =>
		[...writeBars([{ ...bar, strong, pale }]).matchAll(/<td width="([^"]+)%"/g)].map(([, width]) =>
			Number(width),
		);

	test.each([
		['has a strong, a pale and an empty part', 0.5, 0.25, [50, 25, 25]],
		['has no part without a width', 0, 1, [100]],
		['is not wider than its row', 0.8, 0.4, [80, 40]],
		['is rounded to a tenth of a percent', 1 / 3, 0, [33.3, 66.7]],
	])('%s', (_, strong, pale, expected) => {
		expect(widths(strong, pale)).toEqual(expected);
	});
});

test('each colour of a page has another one in dark mode, by the class of its element', () => {
	const [, dark = ''] =
		/<style>@media \(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(writeDocument('', '')) ??
		[];
	const named = [...dark.matchAll(/\.(\w+)\{(?:background-)?color:#[0-9a-f]{6}!important\}/g)];
	expect(named.map(([, name]) => name)).toEqual([
		'text',
		'muted',
		'page',
		'card',
		'notice',
		'tile',
		'bar',
		'rest',
	]);
	const elements = writeTiles([tile]) + writeBars([bar]) + writeParagraph('', { isNotice: true });
	for (const name of ['text', 'muted', 'notice', 'tile', 'bar', 'rest']) {
		expect(elements).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`));
	}
});
