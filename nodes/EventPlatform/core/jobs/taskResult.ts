import { readError } from '../dialect/errors';
import { readTask } from '../dialect/jobs';
import type { JsonObject } from '../values/json';
import { viewPerson, type PersonView } from '../records/personView';
import { fieldsOf } from '../records/simplify';
import { replaceAddresses } from '../values/text';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { addressesWithin } from '../people/addressesWithin';
import { howRegisteredIsTold } from '../dialect/alreadyRegistered';
import type { Reason } from '../people/reason';
import { emailOf } from '../people/identity';

/** The result of one task (2.3), without what logs a person in. */
export interface TaskResult {
	/** The result that the platform names for the person. */
	status: 'registered' | 'already_registered' | 'failed';
	/** Told to be registered already by words alone, which may mean something else. */
	isByWords?: true;
	/** The record's own, as `sameAddress` writes it. The platform may have made it up. */
	email?: string;
	/** Addresses elsewhere in the record, where it does not show an own one that somebody has sent. */
	mentions?: readonly string[];
	/** The part of the record that is shown. */
	person?: JsonObject;
	/** Why the person was not registered; empty for a person who was. */
	reasons: readonly Reason[];
}

/** All that was said, once, for people of whom it may concern any: nobody's address is in it. */
export function distinctReasons(results: readonly TaskResult[]): Reason[] {
	const words = new Map<string, Reason>();
	for (const { code, message: original } of results.flatMap(({ reasons }) => reasons)) {
		const message = replaceAddresses(original, 'the address');
		words.set(`${code} ${message}`, { code, message });
	}
	const distinct = [...words.values()];
	const more = distinct.splice(mostReasons).length;
	if (more === 0) return distinct;
	return [...distinct, { code: 'more_reasons', message: `${more} more reasons are not listed.` }];
}

/** Each is shown for every person that it may be about: fifty of fifty would be 2,500. */
const mostReasons = 10;

/** Gives the result that is true of each of these people, whichever is whose; undefined where they differ. */
export function sharedResult(left: readonly TaskResult[]): TaskResult | undefined {
	const [first, ...others] = left;
	if (!first || others.length === 0) return first;
	if (others.some(({ status }) => status !== first.status)) return undefined;
	const isByWords = left.some((result) => result.isByWords) || undefined;
	const words = distinctReasons(left);
	const reasons = words.length > first.reasons.length ? [oneOfThese, ...words] : words;
	return { status: first.status, isByWords, reasons };
}

const oneOfThese: Reason = {
	code: 'one_of_these',
	message: 'The platform did not say who failed for which reason: one of the following applies.',
};

/** Reads a result; `view`: what is kept of the record, all of it where it is absent. Gives undefined for a task that is not finished. */
export function readTaskResult(task: JsonObject, view?: PersonView): TaskResult | undefined {
	const { status, record, errors } = readTask(task);
	if (status === 'failed') return readFailure(errors);
	if (status !== 'succeeded') return undefined;
	if (!record) return { status: 'registered', reasons: [] };
	const fields = fieldsOf(record);
	const email = emailOf(fields);
	const isOwn = email !== undefined && !isGeneratedAddress(email);
	const addresses = isOwn ? [] : addressesWithin(record);
	const mentions = addresses.length > 0 ? addresses : undefined;
	const person = viewPerson(fields, view);
	return { status: 'registered', person, email, mentions, reasons: [] };
}

function readFailure(sentErrors: readonly JsonObject[]): TaskResult {
	const read = sentErrors.map(readError);
	const telling = howRegisteredIsTold(read);
	const reasons = read.map(({ code, title, detail }) => ({
		code: code ?? title ?? 'failed',
		message: detail ?? title ?? code ?? 'The platform gave no reason.',
	}));
	if (telling === 'words') return { status: 'already_registered', isByWords: true, reasons };
	return { status: telling === 'code' ? 'already_registered' : 'failed', reasons };
}
