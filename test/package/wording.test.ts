import type { INodePropertyOptions } from 'n8n-workflow';
import { allNamed, nameOf, sourceTexts } from './texts';

/** n8n's guidelines for the words that people read in the editor. */

const names = [...new Set(allNamed.map(nameOf))].filter((name) => name !== undefined);
const texts = sourceTexts().filter(([, text]) => !names.includes(text) && !isTitle(text));

test('names of parameters and their choices stand in single quotation marks', () => {
	expect(texts.length).toBeGreaterThan(300);
	expect(namesWithoutMarks('Turn on Return All')).toContain('Return All');
	expect(namesWithoutMarks('Choose one under Scopes')).toEqual(['Scopes']);
	expect(namesWithoutMarks("Choose 'Scopes' in the Event Platform Trigger")).toEqual([]);
	expect(texts.filter(([, text]) => namesWithoutMarks(text).length > 0)).toEqual([]);
});

test('what stands in double quotation marks came from outside', () => {
	expect(texts.filter(([, text]) => /(?<![\w=>[(])"[^"\s…{}<>][^"…{}<>]*"/.test(text))).toEqual([]);
});

test('names are written in title case', () => {
	expect(names.length).toBeGreaterThan(150);
	expect(names.filter((name) => !isTitle(name))).toEqual([]);
});

test('descriptions are written in sentence case', () => {
	const descriptions = allNamed.flatMap(({ description }) => description ?? []);
	expect(descriptions.length).toBeGreaterThan(200);
	const isSentence = (text: string) => /^['A-Z\d]/.test(text) && !isTitle(withoutMarks(text));
	expect(descriptions.filter((text) => !isSentence(text))).toEqual([]);
});

/** How much access a credential has is a scale; the editor takes the first way to authenticate. */
const ranked = new Set(['access', 'authentication']);

test('choices stand in alphabetical order', () => {
	const lists = allNamed.flatMap((one) =>
		'type' in one && /^(?:multiO|o)ptions$/.test(one.type) && !ranked.has(one.name)
			? [(one.options ?? []) as INodePropertyOptions[]]
			: [],
	);
	expect(lists.length).toBeGreaterThan(50);
	for (const list of lists) {
		const shown = list.map(({ name }) => name).filter((name) => name !== 'All');
		expect(shown).toEqual([...shown].sort((a, b) => a.localeCompare(b)));
	}
});

test('actions have no articles', () => {
	const actions = allNamed.flatMap((one) => ('action' in one && one.action ? [one.action] : []));
	expect(actions.length).toBeGreaterThan(30);
	expect(actions.filter((action) => /\b(?:a|an|the)\b/i.test(action))).toEqual([]);
});

test('nothing is called an error, a problem, a failure or a mistake', () => {
	const frightening = /\b(?:errors?|problems?|failures?|mistakes?)\b/i;
	expect(texts.filter(([, text]) => frightening.test(withoutMarks(text)))).toEqual([]);
});

/** Those of several words wherever they stand, and those of one word where a capital can only be a name's. */
function namesWithoutMarks(text: string): string[] {
	const rest = withoutMarks(text).replace(/Event Platform(?: Polling)?(?: Trigger)?/g, '');
	return names
		.filter((name) => /^[A-Z][a-z]/.test(name))
		.filter((name) => places(rest, name).some((at) => name.includes(' ') || isInside(rest, at)))
		.sort();
}

function withoutMarks(text: string): string {
	return text.replace(/(?<!\w)'[^']*'(?!\w)/g, "''");
}

function places(text: string, name: string): number[] {
	const found = [];
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
		if (!/[\w-]/.test(text.charAt(at + name.length))) found.push(at);
	}
	return found;
}

/** Not at the beginning of a sentence. */
function isInside(text: string, at: number): boolean {
	return /[a-z,] $/.test(text.slice(0, at));
}

function isTitle(text: string): boolean {
	const small = /^(?:an?|and|as|at|by|for|from|in|of|on|or|per|the|to|with)$/;
	return text.split(' ').every((word) => /^[^a-z]/.test(word) || small.test(word));
}
