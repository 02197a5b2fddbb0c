/* This file makes plain text of the descriptions of events: a public client found HTML in them, while a calendar shows plain text. */

/** A description is cut after 5,000 characters, because few calendars keep more. */
const longestDescription = 5_000;

export function plainTextOf(description: string): string {
	const text = description
		// Tags may be the greater part of it. The rest of a very long one is not worth the time that replacing takes.
		.slice(0, 4 * longestDescription)
		.replace(/<(?:style|script)\b[^<>]*>[^<]*/gi, '')
		.replace(/<li\b[^<>]*>/gi, '\n- ')
		.replace(/<(?:br|\/p|\/h\d|\/div|\/ul|\/ol|\/tr)\b[^<>]*>/gi, '\n')
		.replace(/<\/?[a-z][^<>]*>/gi, '')
		.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, readEntity);
	const lines = text.split('\n').map((line) => line.replace(/[^\S\n]+/g, ' ').trim());
	const plain = lines
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
	const characters = [...plain];
	if (characters.length <= longestDescription) return plain;
	return `${characters.slice(0, longestDescription).join('')}…`;
}

const namedEntities: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['apos', "'"],
	['gt', '>'],
	['hellip', '…'],
	['lt', '<'],
	['mdash', '—'],
	['nbsp', ' '],
	['ndash', '–'],
	['quot', '"'],
]);

function readEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
	if (name !== undefined) return namedEntities.get(name.toLowerCase()) ?? whole;
	const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
