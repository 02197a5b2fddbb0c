import { text } from '../values/text';
import { readYesOrNo } from '../values/yesNo';
import type { Json } from '../values/json';
import { normalizeAddress } from './address';

export interface AnsweredQuestion {
	id: string;
	type: string;
}

export type Sameness = (
	current: Json,
	desired: string | string[],
	question: AnsweredQuestion,
) => boolean;

/** An instruction is carried out to the letter, so the order of a list of texts counts, too. */
export const isIdentical: Sameness = (current, desired) =>
	JSON.stringify(textsOf(current)) === JSON.stringify(textsOf(desired));

/**
 * The answers may differ only in their spelling: in spaces, line ends and Unicode forms; in the signs between the digits of what
 * can only be a phone number; in the order of several choices; or in the words for yes and no, or the way to write a number, where
 * the question asks for that. Letter case always counts, and so does the way to write a day.
 */
export const isSameBeyondDoubt: Sameness = (current, desired, question) => {
	if (question.id === 'email')
		return normalizeAddress(text(current)) === normalizeAddress(String(desired));
	const [currentTexts, desiredTexts] = [textsOf(current).map(tidy), textsOf(desired).map(tidy)];
	const [currentText = '', desiredText = ''] = [currentTexts[0], desiredTexts[0]];
	const isSingle = currentTexts.length <= 1 && desiredTexts.length <= 1;
	if (isSingle && currentText === desiredText) return true;
	if (!isSingle || /multiple/i.test(question.type))
		return choicesOf(current) === choicesOf(desired);
	const readings = readingsFor(question, current);
	return readings.some((readAnswer) => {
		const meaning = readAnswer(currentText);
		return meaning !== undefined && meaning === readAnswer(desiredText);
	});
};

type AnswerReader = (answer: string) => string | undefined;

function readingsFor({ id, type }: AnsweredQuestion, current: Json): AnswerReader[] {
	const readings: AnswerReader[] = [internationalPhone];
	if (phoneType.test(type) || phoneId.test(id)) readings.push(phone, dialledPhone);
	if (typeof current === 'boolean' || yesNoType.test(type)) readings.push(readYesOrNo);
	if (typeof current === 'number' || numberType.test(type)) readings.push(numberOf);
	return readings;
}

const yesNoType = /^(?:bool(?:ean)?|consent|checkbox|yes[_ -]?no)$/i;
const numberType = /^(?:number|numeric|integer|decimal|float)$/i;
const phoneType = /^(?:tel|(?:tele)?phone)(?:[_ -]?number)?$/i;
/** Matches "phone", "work_phone", "Mobile Number" and "telefon", because the last words of an id say what it asks for. */
const phoneId =
	/(?:^|[\s_-])(?:phone|telephone|t\u00e9l\u00e9phone|mobile|cell|cellphone|handy|fax|tel|telefon|tel\u00e9fono|telefono)(?:[\s_-](?:number|nummer|numero|n\u00famero|no|nr))?$/i;

function textsOf(answer: Json): string[] {
	return [answer].flat().map(text);
}

function tidy(answer: string): string {
	return answer
		.normalize('NFC')
		.replace(/\r\n?|[\u2028\u2029]/g, '\n')
		.replace(/[^\S\n]+/g, ' ')
		.replace(/ ?\n ?/g, '\n')
		.trim();
}

/** Writes choices as JSON, each once and in one order. In a text, commas stand between them; in a list, a choice may have a comma of its own. */
function choicesOf(answer: Json): string {
	const choices = Array.isArray(answer) ? answer.map(text) : text(answer).split(',');
	const tidyChoices = choices.map(tidy).filter((choice) => choice !== '');
	return JSON.stringify([...new Set(tidyChoices)].sort());
}

/** Reads a number: 5.0 is 5, and 5.50 is 5.5; but 5.000 may be five thousand. */
const numberOf: AnswerReader = (answer) => {
	const [, whole = '', decimals = ''] = /^(-?\d{1,15})(?:\.(\d{1,10}))?$/.exec(answer) ?? [];
	if (whole === '' || decimals.length === 3) return undefined;
	return String(Number(`${whole}.${decimals || '0'}`));
};

/** Numbers have fifteen digits at most (E.164), and seven without an area code in many countries; the shortest code of a country has one. */
const phoneDigits = { least: 7, leastWithCountry: 8, most: 15 };

const phone: AnswerReader = (answer) => {
	if (!/^[+(\d][\d\s()./-]*$/.test(answer)) return undefined;
	const digits = answer.replace(/\D/g, '');
	return digits.length >= phoneDigits.least && digits.length <= phoneDigits.most
		? digits
		: undefined;
};

/** Reads a phone number with the code of a country behind 00 or a plus, which mean the same. Without either, the first digits are no such code. */
const dialledPhone: AnswerReader = (answer) =>
	/^(?:\+|00)[1-9]/.test(answer) ? phone(answer.replace(/^00/, '+')) : undefined;

/** Reads a phone number with a plus and the code of a country, because nothing else is written like this. With a dot it may be an amount. */
const internationalPhone: AnswerReader = (answer) => {
	const digits = /^\+[1-9]/.test(answer) && !answer.includes('.') ? phone(answer) : undefined;
	return digits !== undefined && digits.length >= phoneDigits.leastWithCountry ? digits : undefined;
};
