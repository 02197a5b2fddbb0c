import type { Change } from './outcome';
import { answerOf, registrationOf } from '../dialect/person';
import { text } from '../values/text';
import { readYesOrNo } from '../values/yesNo';
import type { Json, JsonObject } from '../values/json';
import { normalizeAddress } from './address';
import type { Registration } from './registration';

export function findChanges(
	person: JsonObject,
	{ fields, tracking }: Registration,
	isSame: Sameness,
): Change[] {
	const registered = registrationOf(person);
	const answers = fields.map(({ id, value }) => {
		const { value: old, type } = answerOf(person, id);
		return { field: id, old, new: value, type };
	});
	const trackingValues = Object.entries(tracking).map(([field, value]) => {
		return { field, old: registered[field] ?? null, new: value, type: 'text' };
	});
	return [...answers, ...trackingValues].flatMap(({ type, ...change }) =>
		isSame(change.old, change.new, { id: change.field, type }) ? [] : change,
	);
}

export function onlyChanged(
	{ fields, tracking }: Registration,
	changes: readonly Change[],
): Registration {
	const changed = new Set(changes.map(({ field }) => field));
	return {
		fields: fields.filter(({ id }) => changed.has(id)),
		tracking: Object.fromEntries(Object.entries(tracking).filter(([name]) => changed.has(name))),
	};
}

interface AnsweredQuestion {
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
 * The answers may differ only in their spelling: in spaces, line ends and Unicode forms; in the order of several choices; or in
 * the words for yes and no, or the way to write a number, where the question asks for that. Letter case always counts, and so does the way
 * to write a day or a phone number.
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

function readingsFor({ type }: AnsweredQuestion, current: Json): AnswerReader[] {
	const readings: AnswerReader[] = [];
	if (typeof current === 'boolean' || yesNoType.test(type)) readings.push(readYesOrNo);
	if (typeof current === 'number' || numberType.test(type)) readings.push(numberOf);
	return readings;
}

const yesNoType = /^(?:bool(?:ean)?|consent|checkbox|yes[_ -]?no)$/i;
const numberType = /^(?:number|numeric|integer|decimal|float)$/i;
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

/**
 * Reads a number: 5.0 is 5, and 5.50 is 5.5; but 5.000 may be five thousand. One with more digits is compared as a text, because JavaScript may
 * round it.
 */
const numberOf: AnswerReader = (answer) => {
	const [, whole = '', decimals = ''] = /^(-?\d{1,15})(?:\.(\d{1,10}))?$/.exec(answer) ?? [];
	if (whole === '' || decimals.length === 3 || whole.length + decimals.length > 15)
		return undefined;
	return String(Number(`${whole}.${decimals || '0'}`));
};
