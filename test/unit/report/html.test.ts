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

const frame = 'role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"';

test('a tile is a box of one width with its label, its figure and its remark', () => {
	expect(writeTiles([{ label: 'Came', figure: '7', remark: 'of 9' }, tile])).toBe(
		[
			'<div style="margin-right:-6px;">',
			'<div style="display:inline-block;vertical-align:top;width:142px;margin:0 6px 8px 0;">',
			'<div class="tile" style="background-color:#f2f4f8;border-radius:8px;padding:10px 12px;min-height:66px;">',
			'<div class="muted" style="color:#5b6472;font-size:13px;">Came</div>',
			'<div class="text" style="color:#1f2430;font-size:24px;font-weight:600;line-height:1.2;">7</div>',
			'<div class="muted" style="color:#5b6472;font-size:13px;">of 9</div>',
			'</div></div>',
			'<div style="display:inline-block;vertical-align:top;width:142px;margin:0 6px 8px 0;">',
			'<div class="tile" style="background-color:#f2f4f8;border-radius:8px;padding:10px 12px;min-height:66px;">',
			'<div class="muted" style="color:#5b6472;font-size:13px;">Came</div>',
			'<div class="text" style="color:#1f2430;font-size:24px;font-weight:600;line-height:1.2;">7</div>',
			'</div></div>',
			'</div>',
		].join(''),
	);
});

test('a chart has a row for each bar, of three cells with their colours', () => {
	const cell = 'height:14px;font-size:1px;line-height:1px;';
	const row = (label: string) =>
		[
			'<tr><td dir="auto" class="text" style="color:#1f2430;width:34%;padding:4px 10px 4px 0;font-size:14px;overflow-wrap:anywhere;word-break:break-word;">',
			`${label}</td><td>`,
			`<table ${frame} style="table-layout:fixed;height:14px;"><tr>`,
			`<td width="50%" class="bar" style="background-color:#2f6fde;width:50%;${cell}">&nbsp;</td>`,
			`<td width="25%" class="rest" style="background-color:#c7d8f7;width:25%;${cell}">&nbsp;</td>`,
			`<td width="25%" style="width:25%;${cell}">&nbsp;</td>`,
			'</tr></table></td>',
			'<td class="muted" style="color:#5b6472;width:24%;padding:4px 0 4px 10px;font-size:13px;text-align:right;">3</td></tr>',
		].join('');
	expect(writeBars([bar, { ...bar, label: 'Rome' }])).toBe(
		`<table ${frame} style="table-layout:fixed;">${row('Paris')}\n${row('Rome')}</table>`,
	);
});

test('a table has quiet headings, and cells whose words may break', () => {
	expect(writeTable(['Name', 'People'], [['Paris', '3']])).toBe(
		[
			'<table cellpadding="0" cellspacing="0" border="0" width="100%">',
			'<tr><th scope="col" class="muted" style="color:#5b6472;font-size:13px;font-weight:400;padding:4px 0;text-align:left;">Name</th>',
			'<th scope="col" class="muted" style="color:#5b6472;font-size:13px;font-weight:400;padding:4px 0 4px 10px;text-align:right;">People</th></tr>\n',
			'<tr><td dir="auto" class="text" style="color:#1f2430;font-size:14px;overflow-wrap:anywhere;word-break:break-word;padding:4px 0;text-align:left;">Paris</td>',
			'<td dir="auto" class="text" style="color:#1f2430;font-size:14px;overflow-wrap:anywhere;word-break:break-word;padding:4px 0 4px 10px;text-align:right;">3</td></tr>',
			'</table>',
		].join(''),
	);
});

test.each([
	[
		'a section stands apart, under its heading',
		writeSection('People', '<p></p>'),
		'<h2 class="text" style="color:#1f2430;margin:28px 0 10px;font-size:17px;font-weight:600;">People</h2>\n<p></p>',
	],
	[
		'a paragraph stands close to what is above it',
		writeParagraph('Text', { style: 'font-size:9px;' }),
		'<p dir="auto" class="muted" style="color:#5b6472;margin:4px 0 0;font-size:9px;">Text</p>',
	],
	[
		'a notice is a box',
		writeParagraph('Text', { isNotice: true, style: 'font-size:9px;' }),
		'<p dir="auto" class="text notice" style="color:#1f2430;background-color:#fff4d6;margin:14px 0 0;padding:10px 12px;border-radius:8px;font-size:9px;">Text</p>',
	],
	[
		'a paragraph has no style of its own where none is given',
		writeParagraph('Text'),
		'<p dir="auto" class="muted" style="color:#5b6472;margin:4px 0 0;">Text</p>',
	],
])('%s', (_, written, expected) => {
	expect(written).toBe(expected);
});

test('a page is a card in the middle, with a dark colour for each light one', () => {
	const dark = [
		'.text{color:#e8ebf0!important}',
		'.muted{color:#a7b0be!important}',
		'.page{background-color:#14171c!important}',
		'.card{background-color:#1d2229!important}',
		'.notice{background-color:#3b3214!important}',
		'.tile{background-color:#272d36!important}',
		'.bar{background-color:#6fa1ff!important}',
		'.rest{background-color:#34466b!important}',
	];
	expect(writeDocument('Tour', '<p>Content</p>').split('\n')).toEqual([
		'<!DOCTYPE html>',
		'<html lang="en">',
		'<head>',
		'<meta charset="utf-8">',
		'<meta name="viewport" content="width=device-width, initial-scale=1">',
		'<meta name="color-scheme" content="light dark">',
		'<title>Tour</title>',
		`<style>@media (prefers-color-scheme:dark){${dark.join('')}}</style>`,
		'</head>',
		'<body class="page" style="background-color:#f2f4f8;margin:0;padding:0;">',
		`<table ${frame} class="page" style="background-color:#f2f4f8;"><tr><td align="center" style="padding:16px 8px;">`,
		`<table ${frame} class="text card" style="color:#1f2430;background-color:#ffffff;max-width:640px;margin:0 auto;border-radius:12px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:1.45;text-align:left;"><tr><td style="padding:20px;">`,
		'<p>Content</p>',
		'</td></tr></table>',
		'</td></tr></table>',
		'</body>',
		'</html>',
		'',
	]);
});
