import { vocabulary } from './contract';

declare const shareable: unique symbol;
/**
 * A text that may be shown to anybody. It is made here alone, out of texts of this program, counts, types, and names
 * that the contract has; so a report cannot hold a value, an address, an id or a token.
 */
export type Words = string & { readonly [shareable]: true };

export function words(texts: TemplateStringsArray, ...parts: ReadonlyArray<Words | number>): Words {
	const partTexts = parts.map((part) => (typeof part === 'number' ? counted(part) : part));
	return texts.reduce((all, text, at) => all + (partTexts[at - 1] ?? '') + text) as Words;
}

export function joined(parts: readonly Words[]): Words {
	return [...new Set(parts)].join(', ') as Words;
}

/** Names the kind of a value, and tells nothing of the value itself. */
export function kindOf(value: unknown): Words {
	if (value === undefined) return words`nothing`;
	if (value === null) return words`null`;
	if (Array.isArray(value)) return words`a list`;
	if (typeof value === 'string') return value === '' ? words`an empty text` : words`a text`;
	if (typeof value === 'number')
		return Number.isInteger(value) ? words`a whole number` : words`a number`;
	if (typeof value === 'boolean') return words`true or false`;
	return words`an object`;
}

/** A word of the contract as it is; of any other text only that it is another one. */
export function wordOf(value: unknown): Words {
	if (typeof value !== 'string') return kindOf(value);
	return vocabulary.has(value)
		? (`'${value}'` as Words)
		: words`a word that the contract does not have`;
}

/** The name of a field that the contract does not have may be shown where it looks like a name. */
export function fieldName(name: string): Words {
	const isName = vocabulary.has(name) || /^[a-z]{2,20}(?:_[a-z]{1,20}){0,4}$/.test(name);
	return isName ? (`'${name}'` as Words) : words`a field with an unusual name`;
}

/** `application/json` and its like; a media type has no place for a value. */
export function mediaType(type: string): Words {
	if (type === '') return words`no media type`;
	return vocabulary.has(type) || type === 'text/html'
		? (`${type}` as Words)
		: words`another media type`;
}

function counted(count: number): string {
	return Number.isInteger(count) && Math.abs(count) < 1e6 ? String(count) : 'a large number';
}
