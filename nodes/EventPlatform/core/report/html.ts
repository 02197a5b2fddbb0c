/*
 * This file writes the parts of a page that is sent by mail. A page has only tables and inline styles, because mail programs drop
 * most other things.
 */

/** Makes a text safe in an element and in an attribute. Every text that somebody else has written has to pass through this function. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entityOf[character] ?? character);
}

const entityOf: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

interface Colour {
	light: string;
	/** The colour in dark mode. Mail programs that know no dark mode drop it. */
	dark: string;
}

const textColours = {
	text: { light: '#1f2430', dark: '#e8ebf0' },
	muted: { light: '#5b6472', dark: '#a7b0be' },
} satisfies Record<string, Colour>;

const areaColours = {
	page: { light: '#f2f4f8', dark: '#14171c' },
	card: { light: '#ffffff', dark: '#1d2229' },
	notice: { light: '#fff4d6', dark: '#3b3214' },
	tile: { light: '#f2f4f8', dark: '#272d36' },
	bar: { light: '#2f6fde', dark: '#6fa1ff' },
	rest: { light: '#c7d8f7', dark: '#34466b' },
} satisfies Record<string, Colour>;

type TextColour = keyof typeof textColours;
type AreaColour = keyof typeof areaColours;

interface Look {
	text?: TextColour;
	area?: AreaColour;
	style?: string;
}

/** Writes the attributes of an element. Its class is there for dark mode alone. */
export function writeAttributes({ text, area, style = '' }: Look): string {
	const classes = [text, area].filter((name) => name !== undefined).join(' ');
	const colour = text ? `color:${textColours[text].light};` : '';
	const background = area ? `background-color:${areaColours[area].light};` : '';
	const classAttribute = classes === '' ? '' : ` class="${classes}"`;
	return `${classAttribute} style="${colour}${background}${style}"`;
}

const fonts = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
/** The attributes of a table that only arranges its content, which screen readers do not announce as a table. */
const plainTable = 'role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"';

export function writeDocument(title: string, content: string): string {
	const dark = [
		...Object.entries(textColours).map(([name, { dark }]) => `.${name}{color:${dark}!important}`),
		...Object.entries(areaColours).map(
			([name, { dark }]) => `.${name}{background-color:${dark}!important}`,
		),
	].join('');
	const card = writeAttributes({
		area: 'card',
		text: 'text',
		style: `max-width:640px;margin:0 auto;border-radius:12px;${fonts}font-size:15px;line-height:1.45;text-align:left;`,
	});
	return [
		'<!DOCTYPE html>',
		'<html lang="en">',
		'<head>',
		'<meta charset="utf-8">',
		'<meta name="viewport" content="width=device-width, initial-scale=1">',
		'<meta name="color-scheme" content="light dark">',
		`<title>${escapeHtml(title)}</title>`,
		`<style>@media (prefers-color-scheme:dark){${dark}}</style>`,
		'</head>',
		`<body${writeAttributes({ area: 'page', style: 'margin:0;padding:0;' })}>`,
		`<table ${plainTable}${writeAttributes({ area: 'page' })}><tr><td align="center" style="padding:16px 8px;">`,
		`<table ${plainTable}${card}><tr><td style="padding:20px;">`,
		content,
		'</td></tr></table>',
		'</td></tr></table>',
		'</body>',
		'</html>',
		'',
	].join('\n');
}

export function writeSection(heading: string, content: string): string {
	const style = writeAttributes({
		text: 'text',
		style: 'margin:28px 0 10px;font-size:17px;font-weight:600;',
	});
	return `<h2${style}>${escapeHtml(heading)}</h2>\n${content}`;
}

/** This style lets long words and addresses break anywhere, so that nothing is wider than a phone. */
export const breaksAnywhere = 'overflow-wrap:anywhere;word-break:break-word;';

export interface Tile {
	label: string;
	figure: string;
	remark?: string;
}

/** Writes tiles, which stand side by side as far as there is room: four on a screen, two on a phone. */
export function writeTiles(tiles: readonly Tile[]): string {
	const box = 'display:inline-block;vertical-align:top;width:142px;margin:0 6px 8px 0;';
	const boxes = tiles.map(({ label, figure, remark = '' }) => {
		const inner = writeAttributes({
			area: 'tile',
			style: 'border-radius:8px;padding:10px 12px;min-height:66px;',
		});
		const large = writeAttributes({
			text: 'text',
			style: 'font-size:24px;font-weight:600;line-height:1.2;',
		});
		const small = writeAttributes({ text: 'muted', style: 'font-size:13px;' });
		const below = remark === '' ? '' : `<div${small}>${escapeHtml(remark)}</div>`;
		return `<div style="${box}"><div${inner}><div${small}>${escapeHtml(label)}</div><div${large}>${escapeHtml(figure)}</div>${below}</div></div>`;
	});
	return `<div style="margin-right:-6px;">${boxes.join('')}</div>`;
}

export interface Bar {
	label: string;
	value: string;
	/** The width of the part in the strong colour, from 0 to 1. */
	strong: number;
	/** The width of the part in the pale colour behind it, from 0 to 1. */
	pale: number;
}

export function writeBars(bars: readonly Bar[]): string {
	const rows = bars.map(({ label, value, strong, pale }) => {
		const name = writeAttributes({
			text: 'text',
			style: `width:34%;padding:4px 10px 4px 0;font-size:14px;${breaksAnywhere}`,
		});
		const number = writeAttributes({
			text: 'muted',
			style: 'width:24%;padding:4px 0 4px 10px;font-size:13px;text-align:right;',
		});
		return `<tr><td dir="auto"${name}>${escapeHtml(label)}</td><td>${writeBar(strong, pale)}</td><td${number}>${escapeHtml(value)}</td></tr>`;
	});
	return `<table ${plainTable} style="table-layout:fixed;">${rows.join('\n')}</table>`;
}

function writeBar(strong: number, pale: number): string {
	const parts = [
		writeCell(strong, 'bar'),
		writeCell(pale, 'rest'),
		writeCell(Math.max(0, 1 - strong - pale)),
	].join('');
	return `<table ${plainTable} style="table-layout:fixed;height:14px;"><tr>${parts}</tr></table>`;
}

function writeCell(share: number, area?: AreaColour): string {
	const width = Math.round(share * 1_000) / 10;
	if (width <= 0) return '';
	const style = 'height:14px;font-size:1px;line-height:1px;';
	return `<td width="${width}%"${writeAttributes({ area, style: `width:${width}%;${style}` })}>&nbsp;</td>`;
}

export function writeTable(
	headings: readonly string[],
	rows: ReadonlyArray<readonly string[]>,
): string {
	const head = headings.map((heading, index) => {
		const style = `font-size:13px;font-weight:400;${cellStyleOf(index)}`;
		return `<th scope="col"${writeAttributes({ text: 'muted', style })}>${escapeHtml(heading)}</th>`;
	});
	const body = rows.map((row) => {
		const cells = row.map((value, index) => {
			const style = `font-size:14px;${breaksAnywhere}${cellStyleOf(index)}`;
			return `<td dir="auto"${writeAttributes({ text: 'text', style })}>${escapeHtml(value)}</td>`;
		});
		return `<tr>${cells.join('')}</tr>`;
	});
	const lines = [`<tr>${head.join('')}</tr>`, ...body].join('\n');
	return `<table cellpadding="0" cellspacing="0" border="0" width="100%">${lines}</table>`;
}

function cellStyleOf(column: number): string {
	return column === 0
		? 'padding:4px 0;text-align:left;'
		: 'padding:4px 0 4px 10px;text-align:right;';
}

export function writeParagraph(text: string, { style = '', isNotice = false } = {}): string {
	const box = 'margin:14px 0 0;padding:10px 12px;border-radius:8px;';
	const attributes = isNotice
		? writeAttributes({ text: 'text', area: 'notice', style: `${box}${style}` })
		: writeAttributes({ text: 'muted', style: `margin:4px 0 0;${style}` });
	return `<p dir="auto"${attributes}>${escapeHtml(text)}</p>`;
}
