import type { Change } from '../bulk/outcome';
import { invisible, isObject, text, type Json, type JsonObject } from '../http/json';
import { attributesOf } from '../http/jsonApi';
import { sameAddress } from '../jobs/address';
import type { Registration } from '../jobs/task';

/** What of `wanted` is not so yet. */
export function outstanding(person: JsonObject, { fields, tracking }: Registration): Change[] {
	const attributes = attributesOf(person);
	const detail = isObject(attributes.registrant_detail) ? attributes.registrant_detail : {};
	const answers = [detail.fields ?? []].flat().filter(isObject);
	const changed = (field: string, old: Json, value: string | string[], type: string): Change[] =>
		isEqual(old, value, { id: field, type }) ? [] : [{ field, old, new: value }];
	return [
		...fields.flatMap(({ id, value }) => {
			const answer = answers.findLast((one) => text(one.id) === id);
			// The name and the address also stand beside the answers, where a form may not have asked.
			const old = answer?.value ?? attributes[id] ?? null;
			return changed(id, old, value, text(answer?.type));
		}),
		...Object.entries(tracking).flatMap(([name, value]) =>
			changed(name, detail[name] ?? null, value, 'text'),
		),
	];
}

/** `type`: what the platform calls the kind of the question, where it says so. */
interface Asked {
	id: string;
	type: string;
}

/** Whether a person would call two answers equal: what is only written differently is no change. */
export function isEqual(old: Json, wanted: string | string[], asked: Asked): boolean {
	if (asked.id === 'email') return sameAddress(text(old)) === sameAddress(String(wanted));
	const [was, is] = [answersIn(old, wanted, asked), answersIn(wanted, old, asked)];
	const [one = '', other = ''] = [was[0], is[0]];
	if (was.length <= 1 && is.length <= 1) return isSameAnswer(one, other, asked);
	return JSON.stringify(was.sort()) === JSON.stringify(is.sort());
}

/** One answer, or those of a choice of several: each once, whatever their order. */
function answersIn(given: Json, beside: Json, { type }: Asked): string[] {
	const isSeveral = Array.isArray(given) || Array.isArray(beside) || /multiple/i.test(type);
	const texts = [given].flat().map(text);
	const answers = isSeveral ? texts.flatMap((one) => one.split(',')) : texts;
	return [...new Set(answers.map(tidy))].filter((one) => one !== '');
}

/** Spaces of any kind, line ends, invisible characters and composed letters make no difference. */
function tidy(given: string): string {
	return given.replace(invisible, '').normalize('NFC').replace(/\s+/g, ' ').trim();
}

function isSameAnswer(old: string, wanted: string, asked: Asked): boolean {
	return (
		old === wanted ||
		isSameYesOrNo(old, wanted, asked) ||
		withoutZeros(old) === withoutZeros(wanted) ||
		isSamePhone(old, wanted, asked) ||
		isSameDay(old, wanted) ||
		isCut(old, wanted)
	);
}

const yes = new Set(['true', '1', 'yes', 'y', 'on', 'oui', 'ja', 'si', 'sí']);
const no = new Set(['false', '0', 'no', 'n', 'off', 'non', 'nein']);

/** The platform shows the answer to a yes-no question as true or false. */
function isSameYesOrNo(old: string, wanted: string, { type }: Asked): boolean {
	const [one, other] = [old.toLowerCase(), wanted.toLowerCase()];
	const isPlain = [one, other].some((word) => word === 'true' || word === 'false');
	if (!isPlain && !/bool|consent|checkbox|yes/i.test(type)) return false;
	return (yes.has(one) && yes.has(other)) || (no.has(one) && no.has(other));
}

/** 5.0 is 5, and 5.50 is 5.5; but 5.000 may be five thousand, and 007 is no number. */
function withoutZeros(given: string): string {
	return given.replace(/^(-?\d+)\.(\d+)$/, (_, number: string, decimals: string) => {
		if (decimals.length % 3 === 0) return given;
		let left = decimals;
		while (left.endsWith('0')) left = left.slice(0, -1);
		return left === '' ? number : `${number}.${left}`;
	});
}

function isSamePhone(old: string, wanted: string, { id, type }: Asked): boolean {
	const isPhone = /phone|mobile|handy|fax|^tel/i.test(`${id} ${type}`) || /^tel\b/i.test(type);
	const [one, other] = [old, wanted].map((given) =>
		/^[+(\d][\d\s()./-]{5,}$/.test(given) ? given.replace(/^00/, '+').replace(/\D/g, '') : '',
	);
	return one === other && one !== '' && (isPhone || `${old} ${wanted}`.includes('+'));
}

/** 28/11/2026 says which day it is; 06/05/2026 may be two, of which one has to be the other's. */
function isSameDay(old: string, wanted: string): boolean {
	const [one, other] = [daysOf(old), daysOf(wanted)];
	// Written in the same order, whichever that is.
	if (one.length > 1 && other.length > 1) return one[0] === other[0];
	return one.some((day) => other.includes(day));
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

function daysOf(given: string): string[] {
	const date = midnight.exec(given)?.[1] ?? given;
	return notations.flatMap((notation) => {
		const { year, month = '', day } = notation.exec(date)?.groups ?? {};
		const number = Number(month) || months.indexOf(month.toLowerCase()) + 1;
		return number >= 1 && number <= 12 ? `${year}-${number}-${Number(day)}` : [];
	});
}

/** The platform kept the beginning: it says so with an ellipsis, or it ends where texts are usually cut. */
function isCut(old: string, wanted: string): boolean {
	const kept = old.replace(/ ?(?:…|\.{3})$/, '');
	if (kept.length < 20 || !wanted.startsWith(kept)) return false;
	return kept !== old || [old.length, [...old].length].some(isUsualLimit);
}

function isUsualLimit(length: number): boolean {
	const isRound = length % 50 === 0 || [0, 63].includes(length % 64);
	return length >= 50 && (isRound || [140, 160, 280].includes(length));
}
