import { quote, text } from '../core/values/text';

/* The meaning of a value that a person or an expression gives: nothing, several texts, on or off. */

/** JavaScript writes these words where an expression found nothing that is a text. */
export const wordsForNothing: ReadonlySet<string> = new Set(
	'undefined|null|NaN|[object Object]|Invalid Date|Invalid DateTime'.split('|'),
);

/** Whether a parameter gives nothing that a platform could be asked for. Only a date may be an object. */
export function isNothing(value: unknown, type: string): boolean {
	return [value].flat().every((part) => {
		if (typeof part === 'object' && part !== null) return type !== 'dateTime';
		return text(part).trim() === '';
	});
}

/** Gives the texts of a list, or of one text with commas between them, as expressions write it. */
export function textsIn(value: unknown, between: RegExp | string = ','): string[] {
	const texts = Array.isArray(value) ? value.map(text) : text(value).split(between);
	return texts.map((part) => part.trim()).filter((part) => part !== '');
}

const on: unknown[] = [true, 1, 'true', 'yes', 'on'];
const off: unknown[] = [false, 0, '', 'false', 'no', 'off', null, undefined];

/** Whether a switch is on, or what is wrong with it. Nobody may guess: a switch can be all that keeps a run from being real. */
export function readSwitch(value: unknown, title = ''): boolean | { message: string } {
	const meant = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (on.includes(meant) || off.includes(meant)) return on.includes(meant);
	const valueInWords = quote(JSON.stringify(value)) ?? 'something else';
	return { message: `'${title}' must be true or false, not ${valueInWords}` };
}
