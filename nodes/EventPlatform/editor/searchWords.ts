import type { INodeListSearchItems } from 'n8n-workflow';

/* Compares what people type into a list with what its choices show, such as "5 Dec 2026, 10:00 Paris · Europe · Product Tour". */

/** Looks for each typed word, whatever their order, letter case and accents. */
export function isMeant({ name, description = '' }: INodeListSearchItems, typed: string): boolean {
	const line = plainText(`${name} ${description}`);
	return plainText(typed)
		.split(/\s+/)
		.every((word) => line.includes(word));
}

function plainText(words: string): string {
	return words
		.normalize('NFKD')
		.replace(/[\u0300-\u036f]/g, '')
		.toLowerCase();
}
