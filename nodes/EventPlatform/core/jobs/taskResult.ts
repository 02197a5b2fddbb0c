import { saysAlreadyThere } from '../http/alreadyThere';
import { isObject } from '../http/json';
import { codeOf } from '../http/jsonApi';
import type { Json, JsonObject } from '../http/ports';
import { fieldsOf, showAll, type Fields, type Show } from '../http/simplify';
import { quote } from '../http/text';

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

/** Addresses that differ in letter case only reach the same person. */
export function sameAddress(email: string): string {
	return email.trim().toLowerCase();
}

/** Section 2.3, without what logs a person in. */
export interface TaskResult {
	succeeded: boolean;
	/** As `sameAddress` writes it. */
	email?: string;
	/** What is shown of the record. */
	person?: JsonObject;
	errors: readonly Reason[];
}

export function statusOf({
	succeeded,
	errors,
}: TaskResult): 'registered' | 'already_registered' | 'failed' {
	if (succeeded) return 'registered';
	const isThere = errors.some(({ code, message }) => saysAlreadyThere(`${code} ${message}`));
	return isThere ? 'already_registered' : 'failed';
}

/** All that was said, each word once. */
export function distinctReasons(results: readonly TaskResult[]): Reason[] {
	const words = results.flatMap(({ errors }) => errors);
	const distinct = [
		...new Map(words.map((word) => [`${word.code} ${word.message}`, word])).values(),
	];
	const more = distinct.length - mostReasons;
	if (more <= 0) return distinct;
	const rest = { code: 'more_reasons', message: `${more} more reasons are not listed.` };
	return [...distinct.slice(0, mostReasons), rest];
}

/** Each is shown for every person that it may be about: fifty of fifty would be 2,500. */
const mostReasons = 10;

/** What is true of each of them, whoever is whose; undefined where they differ. */
export function commonFate(left: readonly TaskResult[]): TaskResult | undefined {
	const [first, ...others] = left;
	if (!first || others.length === 0) return first;
	if (others.some((other) => statusOf(other) !== statusOf(first))) return undefined;
	const { succeeded } = first;
	const words = distinctReasons(left);
	return { succeeded, errors: words.length > first.errors.length ? [oneOfThese, ...words] : words };
}

const oneOfThese: Reason = {
	code: 'one_of_these',
	message: 'The platform did not say who failed for which reason: one of the following applies.',
};

/** Undefined: not finished yet. */
export function readTaskResult(sent: JsonObject, show: Show = showAll): TaskResult | undefined {
	const result = isObject(sent.attributes) && sent.status === undefined ? sent.attributes : sent;
	if (result.status === 'failed') {
		return { succeeded: false, errors: readReasons(result.errors), email: undefined };
	}
	if (result.status !== 'succeeded') return undefined;
	const record =
		isObject(result.data) && isObject(result.data.data) ? result.data.data : result.data;
	if (!isObject(record)) return { succeeded: true, errors: [] };
	const fields = fieldsOf(record);
	return { succeeded: true, person: show(fields), email: emailOf(fields), errors: [] };
}

function emailOf(fields: Fields): string | undefined {
	const email = fields.get('email');
	if (typeof email === 'string') return sameAddress(email);
	const answers = fields.get('fields');
	const answer = isObject(answers) ? answers.email : undefined;
	return typeof answer === 'string' ? sameAddress(answer) : undefined;
}

function readReasons(errors: Json | undefined): Reason[] {
	if (!Array.isArray(errors)) return [];
	return errors.filter(isObject).map(({ title, message, detail, ...rest }) => ({
		code: quote(codeOf(rest) ?? title) ?? 'failed',
		message: quote(message ?? detail ?? title ?? codeOf(rest)) ?? 'The platform gave no reason.',
	}));
}
