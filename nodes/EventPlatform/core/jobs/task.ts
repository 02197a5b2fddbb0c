import type { JsonObject, Json } from '../http/ports';
import { isObject } from '../http/json';
import { codeOf } from '../http/jsonApi';
import { fieldsOf, showAll, type Fields, type Show } from '../records/simplify';
import { quote, replaceAddresses, text } from '../http/text';
import { sameAddress } from './address';
import { toldRegistered, type Told } from './alreadyRegistered';

/** One answer on the form. */
export type PersonField = { id: string; value: string | string[] };

/** What a registration says of a person. */
export interface Registration {
	readonly fields: readonly PersonField[];
	/** `referrer` and the utm keys, as the platform names them. */
	readonly tracking: Readonly<Record<string, string>>;
}

/** Section 2.2; one person's registration and its change take the same. */
export function asTask({ fields, tracking }: Registration): JsonObject {
	return { fields: [...fields], ...tracking };
}

/** Why a person was not registered, in the platform's words or ours. */
export interface Reason {
	code: string;
	message: string;
}

/** What the errors say, in one sentence; null where there is nothing to say. */
export function reasonOf(errors: readonly Reason[]): string | null {
	const words = [...new Set(errors.map(({ message }) => message.trim()))].filter(Boolean);
	if (words.length === 0) return null;
	const sentence = words.map((one) => one.replace(/\.$/, '')).join('; ');
	return /[!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Section 2.3, without what logs a person in. */
export interface TaskResult {
	status: 'registered' | 'already_registered' | 'failed';
	/** Told to be registered already by words alone, which may mean something else. */
	byWords?: true;
	/** As `sameAddress` writes it. */
	email?: string;
	/** What is shown of the record. */
	person?: JsonObject;
	errors: readonly Reason[];
}

/** All that was said, each word once, for people of whom it may concern any: nobody's address is in it. */
export function distinctReasons(results: readonly TaskResult[]): Reason[] {
	const words = results.flatMap(({ errors }) => errors.map(withoutAddresses));
	const distinct = [
		...new Map(words.map((word) => [`${word.code} ${word.message}`, word])).values(),
	];
	const more = distinct.length - mostReasons;
	if (more <= 0) return distinct;
	const rest = { code: 'more_reasons', message: `${more} more reasons are not listed.` };
	return [...distinct.slice(0, mostReasons), rest];
}

function withoutAddresses({ code, message }: Reason): Reason {
	return { code, message: replaceAddresses(message, 'the address') };
}

/** Each is shown for every person that it may be about: fifty of fifty would be 2,500. */
const mostReasons = 10;

/** What is true of each of them, whose result is whose aside; undefined where they differ. */
export function commonFate(left: readonly TaskResult[]): TaskResult | undefined {
	const [first, ...others] = left;
	if (!first || others.length === 0) return first;
	if (others.some(({ status }) => status !== first.status)) return undefined;
	const { status } = first;
	const byWords = left.some((one) => one.byWords) && { byWords: true as const };
	const words = distinctReasons(left);
	const errors = words.length > first.errors.length ? [oneOfThese, ...words] : words;
	return { status, ...byWords, errors };
}

const oneOfThese: Reason = {
	code: 'one_of_these',
	message: 'The platform did not say who failed for which reason: one of the following applies.',
};

/** Undefined: not finished yet. */
export function readTaskResult(sent: JsonObject, show: Show = showAll): TaskResult | undefined {
	const result = isObject(sent.attributes) && sent.status === undefined ? sent.attributes : sent;
	if (result.status === 'failed') {
		return readFailure(Array.isArray(result.errors) ? result.errors.filter(isObject) : []);
	}
	if (result.status !== 'succeeded') return undefined;
	const record =
		isObject(result.data) && isObject(result.data.data) ? result.data.data : result.data;
	if (!isObject(record)) return { status: 'registered', errors: [] };
	const fields = fieldsOf(record);
	return { status: 'registered', person: show(fields), email: emailOf(fields), errors: [] };
}

function emailOf(fields: Fields): string | undefined {
	const email = fields.get('email');
	return typeof email === 'string' ? sameAddress(email) : undefined;
}

function readFailure(sent: readonly JsonObject[]): TaskResult {
	const told = toldRegistered(sent.map(readTold));
	const errors = sent.map((error) => ({
		code: quote(codeOf(error) ?? error.title) ?? 'failed',
		message: quote(wordsOf(error) ?? codeOf(error)) ?? 'The platform gave no reason.',
	}));
	if (told === undefined) return { status: 'failed', errors };
	const byWords = told === 'words' && { byWords: true as const };
	return { status: 'already_registered', ...byWords, errors };
}

function readTold(error: JsonObject): Told {
	const { source, field, attribute } = error;
	const place = isObject(source) ? (source.pointer ?? source.parameter) : source;
	return {
		code: quote(codeOf(error)),
		words: quote(wordsOf(error)),
		about: text(place ?? field ?? attribute),
	};
}

function wordsOf({ message, detail, title }: JsonObject): Json | undefined {
	return message ?? detail ?? title;
}
