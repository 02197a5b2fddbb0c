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
