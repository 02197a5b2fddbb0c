import type { Change } from '../bulk/outcome';
import { invisible, isObject, text, type Json, type JsonObject } from '../http/json';
import { attributesOf } from '../http/jsonApi';
import { sameAddress } from '../jobs/address';
import type { Registration } from '../jobs/task';
import { registrationOf } from '../records/record';

/** What is not so yet of what is wanted. */
export function outstanding(person: JsonObject, { fields, tracking }: Registration): Change[] {
	const attributes = attributesOf(person);
	const detail = registrationOf(person);
	const answers = [detail.fields ?? []].flat().filter(isObject);
	const asked = fields.map(({ id, value }) => {
		const answer = answers.findLast((one) => text(one.id) === id);
		// The name and the address also stand beside the answers, where a form may not have asked.
		const old = answer?.value ?? attributes[id] ?? null;
		return { field: id, old, new: value, type: text(answer?.type) };
	});
	const tracked = Object.entries(tracking).map(([field, value]) => {
		return { field, old: detail[field] ?? null, new: value, type: 'text' };
	});
	return [...asked, ...tracked].flatMap(({ type, ...change }) =>
		isEqual(change.old, change.new, { id: change.field, type }) ? [] : change,
	);
}

/** Whether a person would call two answers equal: what is only written differently is no change. */
export function isEqual(
	old: Json,
	wanted: string | string[],
	/** `type`: what the platform calls the kind of the question, where it says so. */
	{ id, type }: Record<'id' | 'type', string>,
): boolean {
	if (id === 'email') return sameAddress(text(old)) === sameAddress(String(wanted));
	const isSeveral = [old, wanted].some(Array.isArray) || /multiple/i.test(type);
	const [was, is] = [answersIn(old, isSeveral), answersIn(wanted, isSeveral)];
	if (was.length > 1 || is.length > 1) {
		return JSON.stringify(was.sort()) === JSON.stringify(is.sort());
	}
	const [one = '', other = ''] = [was[0], is[0]];
	// The platform shows the answer to a yes-no question as true or false.
	const isYesOrNo =
		/bool|consent|checkbox|yes/i.test(type) ||
		[one, other].some((given) => /^(?:true|false)$/i.test(given));
	const isPhone =
		/phone|mobile|handy|fax|^tel| tel\b/i.test(`${id} ${type}`) || (one + other).includes('+');
	const readings = (given: string) => [
		...[given, withoutZeros(given), ...daysIn(given)],
		...(isYesOrNo ? yesOrNo(given) : []),
		...(isPhone ? phone(given) : []),
	];
	const known = readings(one);
	return readings(other).some((reading) => known.includes(reading)) || isCut(one, other);
}

/** One answer, or those of a choice of several: each once, whatever their order. */
function answersIn(given: Json, isSeveral: boolean): string[] {
	const texts = [given].flat().map(text);
	const answers = isSeveral ? texts.flatMap((one) => one.split(',')) : texts;
	return [...new Set(answers.map(tidy))].filter((one) => one !== '');
}

/** Spaces of any kind, line ends, invisible characters and composed letters make no difference. */
function tidy(given: string): string {
	return given.replace(invisible, '').normalize('NFC').replace(/\s+/g, ' ').trim();
}

function yesOrNo(given: string): string[] {
	if (/^(?:true|1|yes|y|on|oui|ja|si|sí)$/i.test(given)) return ['it is so'];
	return /^(?:false|0|no|n|off|non|nein)$/i.test(given) ? ['it is not so'] : [];
}

/** 5.0 is 5, and 5.50 is 5.5; but 5.000 may be five thousand, and 007 is no number. */
function withoutZeros(given: string): string {
	const [, decimals = ''] = /^-?\d{1,20}\.(\d{1,20})$/.exec(given) ?? [];
	return decimals.length % 3 === 0 ? given : given.replace(/\.?0{1,20}$/, '');
}

function phone(given: string): string[] {
	const isNumber = /^[+(\d][\d\s()./-]{5,}$/.test(given);
	const digits = isNumber ? given.replace(/^00/, '+').replace(/\D/g, '') : '';
	return digits === '' ? [] : [`phone ${digits}`];
}

/** The day that it is for those who write the day first, and for those who write the month first. */
function daysIn(given: string): string[] {
	const date = midnight.exec(given)?.[1] ?? given;
	const days = notations.flatMap((notation) => {
		const { year, month = '', day } = notation.exec(date)?.groups ?? {};
		const number = Number(month) || months.indexOf(month.toLowerCase()) + 1;
		return number >= 1 && number <= 12 ? `${year}-${number}-${Number(day)}` : [];
	});
	const [dayFirst, monthFirst = dayFirst] = days;
	return dayFirst ? [`day first ${dayFirst}`, `month first ${monthFirst}`] : [];
}

const midnight = /^(\d{4}-\d{1,2}-\d{1,2})[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const notations = [
	/^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})$/,
	/^(?<day>\d{1,2})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<year>\d{4})$/,
	// With dots nobody begins with the month.
	/^(?<month>\d{1,2})(?<mark>[-/])(?<day>\d{1,2})\k<mark>(?<year>\d{4})$/,
	/^(?<day>\d{1,2})\.? (?<month>[a-z]{3})[a-z]*\.? ?(?<year>\d{4})$/i,
	/^(?<month>[a-z]{3})[a-z]*\.? ?(?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/i,
];
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The platform kept the beginning: it says so with an ellipsis, or it ends where texts are usually cut. */
function isCut(old: string, wanted: string): boolean {
	const kept = old.replace(/ ?(?:…|\.{3})$/, '');
	if (kept.length < 20 || !wanted.startsWith(kept)) return false;
	const isUsual = (length: number) =>
		length % 50 === 0 || [0, 63].includes(length % 64) || [140, 160, 280].includes(length);
	return kept !== old || [old.length, [...old].length].some((one) => one >= 50 && isUsual(one));
}
