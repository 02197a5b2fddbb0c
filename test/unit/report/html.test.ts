import {
	escapeHtml,
	writeAttributes,
	writeBars,
	writeDocument,
	writeParagraph,
	writeSection,
	writeTable,
	writeTiles,
} from '../../../nodes/EventPlatform/core/report/html';

const hostile = `<img src=x onerror="alert('&')">`;
const escaped = '&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;';

test('no character of a text ends an element or an attribute', () => {
	expect(escapeHtml(hostile)).toBe(escaped);
});

const bar = { label: 'Paris', value: '3', strong: 0.5, pale: 0.25 };
const tile = { label: 'Came', figure: '7' };

describe.each<[string, (text: string) => string]>([
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
])('%s', (_, write) => {
	test('is a text and no HTML', () => {
		expect(write(hostile)).not.toContain('<img');
	});

	test('is written as it is', () => {
		expect(write(hostile)).toContain(escaped);
	});
});

test.each<[string, Parameters<typeof writeAttributes>[0], string]>([
	['nothing but a style', { style: 'margin:0;' }, ' style="margin:0;"'],
	['a colour of text', { text: 'muted' }, ' class="muted" style="color:#5b6472;"'],
	['an area', { area: 'tile' }, ' class="tile" style="background-color:#f2f4f8;"'],
	[
		'a colour, an area and a style',
		{ text: 'text', area: 'card', style: 'margin:0;' },
		' class="text card" style="color:#1f2430;background-color:#ffffff;margin:0;"',
	],
])(
	'an element with %s has a class for dark mode only where it has a colour',
	(_, look, expected) => {
		expect(writeAttributes(look)).toBe(expected);
	},
);

describe('a page', () => {
	const page = writeDocument('Tour', '<p>Content</p>');

	test('has its content, which is HTML already', () => {
		expect(page).toContain('\n<p>Content</p>\n');
	});

	test.each(['html', 'head', 'body', 'table', 'tr', 'td'])('ends each element %s', (name) => {
		const begun = page.match(new RegExp(`<${name}[ >]`, 'g'));
		const ended = page.match(new RegExp(`</${name}>`, 'g'));
		expect(begun?.length).toBeGreaterThan(0);
		expect(ended).toHaveLength(begun?.length ?? 0);
	});

	test.each(['.text{color:#e8ebf0!important}', '.card{background-color:#1d2229!important}'])(
		'has the dark colours in one rule: %s',
		(rule) => {
			expect(page).toMatch(/<style>@media \(prefers-color-scheme:dark\)\{.*\}<\/style>/);
			expect(page).toContain(rule);
		},
	);
});

test('a tile without a remark has no empty line', () => {
	expect(writeTiles([tile]).match(/<div/g)).toHaveLength(5);
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

test('names stand at the left of a table, and numbers at the right', () => {
	const cells = writeTable(['Name', 'People'], [['Paris', '3']]).match(/text-align:\w+/g);
	expect(cells).toEqual(['left', 'right', 'left', 'right'].map((side) => `text-align:${side}`));
});

test('a table has a row for its headings and for each row', () => {
	expect(writeTable(['Name'], [['Paris'], ['Rome']]).match(/<tr>/g)).toHaveLength(3);
});

test.each([
	['a paragraph is quiet', false, '#5b6472'],
	['a notice stands out', true, 'background-color:#fff4d6'],
])('%s', (_, isNotice, colour) => {
	expect(writeParagraph('Text', { isNotice })).toContain(colour);
});

test('a paragraph takes a style of its own', () => {
	expect(writeParagraph('Text', { style: 'font-size:9px;' })).toContain('font-size:9px;');
});
