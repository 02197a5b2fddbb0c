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

export function textsIn(value: unknown, between: RegExp | string = ','): string[] {
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
	const valueInWords = quote(JSON.stringify(value)) ?? 'something else';
	return { message: `'${title}' must be true or false, not ${valueInWords}` };
}
