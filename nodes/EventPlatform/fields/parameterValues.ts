import { isObject } from '../core/values/json';
import { quote, text } from '../core/values/text';

/** JavaScript writes these words where an expression found nothing that is a text. */
export const wordsForNothing: ReadonlySet<string> = new Set(
	'undefined|null|NaN|[object Object]|Invalid Date|Invalid DateTime'.split('|'),
);

/** Only a date may be an object. */
export function isNothing(value: unknown, type: string): boolean {
	return [value].flat().every((part) => {
		if (typeof part === 'object' && part !== null) return type !== 'dateTime';
		return text(part).trim() === '';
	});
}

/** Reads a locator in a row. n8n takes an expression in place of a whole locator, too, so it may be a plain text. */
export function textOfLocator(saved: unknown): string {
	return text(isObject(saved) ? saved.value : saved).trim();
}

/** Reads a list that is written as JSON, as a model does where a field takes a text. Anything else stays as it is. */
export function parseList(value: unknown): unknown {
	if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
	try {
		const list: unknown = JSON.parse(value);
		return Array.isArray(list) ? list : value;
	} catch {
		return value;
	}
}

export function textsIn(entered: unknown, between: RegExp | string = ','): string[] {
	const value = parseList(entered);
	const texts = Array.isArray(value) ? value.map(text) : text(value).split(between);
	return texts.map((part) => part.trim()).filter((part) => part !== '');
}

const valuesForOn: unknown[] = [true, 1, 'true', 'yes', 'on'];
const valuesForOff: unknown[] = [false, 0, '', 'false', 'no', 'off', null, undefined];

/** Nothing is guessed, because a switch may be all that makes a run a dry run. */
export function readSwitch(value: unknown, title = ''): boolean | { message: string } {
	const comparable = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const isOn = valuesForOn.includes(comparable);
	if (isOn || valuesForOff.includes(comparable)) return isOn;
	return { message: `'${title}' must be true or false, not ${inWords(value)}` };
}

/** Nothing stands for the initial choice, as if nobody had chosen. A word that is none of them is not taken for one. */
export function readChoice<Choice extends string>(
	value: unknown,
	choices: readonly Choice[],
	initial: Choice,
	title: string,
): Choice | { message: string } {
	const entered = typeof value === 'string' ? value.trim() : (value ?? '');
	if (entered === '') return initial;
	const choice = choices.find((each) => each === entered);
	const message = `'${title}' must be one of ${choices.join(', ')}, not ${inWords(value)}`;
	return choice ?? { message };
}

function inWords(value: unknown): string {
	return quote(JSON.stringify(value)) ?? 'something else';
}
