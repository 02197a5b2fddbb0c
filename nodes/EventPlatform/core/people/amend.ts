import type { Change, Outcome, Preview } from './outcome';
import { meaningOf } from '../failures/meaning';
import { askForRecord, getRecord } from '../client/document';
import { quote } from '../values/text';
import type { JsonObject } from '../values/json';
import { pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { groupBy } from '../values/collections';
import { thousands } from '../client/usage';
import { asFailure, Failure } from '../client/failure';
import { asTask, type Registration } from './registration';
import { onlyChanged, findChanges } from './changes';
import { peopleInWords } from './peopleInWords';
import { Rewriting } from '../dialect/rewriting';
import { isIdentical, isSameBeyondDoubt, type Sameness } from './sameAnswer';

/** The platform often changes the person without ever responding. Waiting longer than this did not help. */
export const longestResponseMs = 10_000;
/** An update without a response is sent so many times, because sending the same values again does no harm. */
const mostAttempts = 2;

/** The result of an amendment that the platform has not refused. */
export type Amended =
	| {
			/** The record shows every change. */
			kind: 'made';
			/** The record after the update. */
			person: JsonObject;
	  }
	| {
			/** The record does not show some changes, or shows other values, or the changes were not sent because that would change nothing. */
			kind: 'notMade';
			/** The record after the update. */
			person: JsonObject;
			/** The outcome of the person, which gives the reason for each of these changes. */
			outcome: Outcome;
			/** The changes that the update has made after all, though in another way than they were sent. */
			rewritten: readonly Change[];
	  }
	| {
			/** Nobody knows what became of the changes, because the record could not be read afterwards. */
			kind: 'unconfirmed';
			/** The failure of that read. */
			failure: Failure;
	  };

/** The changes to make in a registration. */
export interface Amendment {
	/** The session that the person is registered for. */
	sessionId: string;
	/** The record as it was read. */
	person: JsonObject;
	/** The registration as it is to be. Only its changes are sent. */
	registration: Registration;
	/** The part of the registration that the record does not have yet. */
	changes: readonly Change[];
	/** The habits of the platform that other updates of the run have shown. */
	rewriting?: Rewriting;
}

/** A change that would leave the value as it is, as other updates have shown. */
interface UselessChange {
	change: Change;
	/** Why it would change nothing, in a sentence. */
	message: string;
}

/** Changes answers, and believes only the record that the platform shows afterwards. Throws the failure where the platform refuses the update. */
export async function amend(ask: Ask, amendment: Amendment): Promise<Amended> {
	const { sessionId, person, registration, changes, rewriting = new Rewriting() } = amendment;
	const uselessChanges = findUseless(changes, rewriting);
	const usefulChanges = changes.filter(
		(change) => !uselessChanges.some((entry) => entry.change === change),
	);
	if (usefulChanges.length === 0) return resultOfMade(person, uselessChanges);

	const { id = '' } = person;
	const path = pathTo`/sessions/${sessionId}/people/${id}`;
	let unmadeChanges: readonly Change[] = usefulChanges;
	let latestRecord = person;
	for (let attempt = 1; ; attempt++) {
		const part = onlyChanged(registration, unmadeChanges);
		const body = { data: { type: 'people', id, attributes: asTask(part) } };
		const request: ApiRequest = { method: 'PATCH', path, body, timeoutMs: longestResponseMs };
		const response = await askForRecord(ask, request).catch(asFailure);
		const isLost = response instanceof Failure;
		if (isLost) {
			const { effectOnPerson } = meaningOf(response);
			// An attempt that was not sent says nothing about the attempt before.
			if (effectOnPerson === 'unsent' && attempt > 1)
				return resultWithoutResponse(latestRecord, unmadeChanges);
			if (effectOnPerson !== 'perhaps') throw response;
		}
		// The change may have been made although the response is the record as it was. Then only a read of the person shows it.
		const isShown =
			!isLost && findChanges(response, part, comparisonForMade(unmadeChanges, false)).length === 0;
		const record = isShown ? response : await getRecord(ask, path).catch(asFailure);
		if (record instanceof Failure) return { kind: 'unconfirmed', failure: record };
		latestRecord = record;
		unmadeChanges = findChanges(latestRecord, part, comparisonForMade(unmadeChanges, !isLost));
		if (!isLost) recordHabits(rewriting, usefulChanges, latestRecord, registration);
		if (unmadeChanges.length === 0) return resultOfMade(latestRecord, uselessChanges);
		if (!isLost)
			return resultWithOtherValues(latestRecord, unmadeChanges, usefulChanges, uselessChanges);
		if (attempt === mostAttempts) return resultWithoutResponse(latestRecord, unmadeChanges);
	}
}

/** Finds the changes that the platform would not make, as other updates have shown. */
function findUseless(changes: readonly Change[], rewriting: Rewriting): UselessChange[] {
	return changes.flatMap((change): UselessChange[] => {
		const message = rewriting.describeUselessChange(change);
		return message === undefined ? [] : [{ change, message }];
	});
}

/** Gives the result where the record shows everything that was sent. */
function resultOfMade(person: JsonObject, uselessChanges: readonly UselessChange[]): Amended {
	if (uselessChanges.length === 0) return { kind: 'made', person };
	return { kind: 'notMade', person, outcome: outcomeOfUnsent(uselessChanges), rewritten: [] };
}

/**
 * Makes the comparison that decides whether a record shows a change as made. The platform may write a value that it has accepted a
 * little differently. After a lost response that counts only where the old value was certainly another one.
 */
function comparisonForMade(changes: readonly Change[], isAccepted: boolean): Sameness {
	return (current, desired, question) => {
		if (isIdentical(current, desired, question)) return true;
		if (!isSameBeyondDoubt(current, desired, question)) return false;
		const { old = null } = changes.find(({ field }) => field === question.id) ?? {};
		return isAccepted || !isSameBeyondDoubt(old, desired, question);
	};
}

/** Records the value that the platform shows in place of each value that it was sent. */
function recordHabits(
	rewriting: Rewriting,
	sent: readonly Change[],
	person: JsonObject,
	registration: Registration,
): void {
	// This comparison calls every value different, so that all current values come back.
	const current = findChanges(person, onlyChanged(registration, sent), () => false);
	for (const change of sent) {
		const currentValue = current.find(({ field }) => field === change.field);
		if (currentValue) rewriting.record(change, currentValue.old);
	}
}

/** Gives the result where the platform has not responded. `unmadeChanges`: the changes that the record does not show. */
function resultWithoutResponse(person: JsonObject, unmadeChanges: readonly Change[]): Amended {
	const differences = unmadeChanges.map((change) => describeDifference(change, 'still')).join(', ');
	const message = `The platform did not answer, and ${differences}. Try again later.`;
	const reasons = [{ code: 'not_updated', message }];
	const outcome: Outcome = { status: 'not_updated', changes: unmadeChanges, reasons };
	return { kind: 'notMade', person, outcome, rewritten: [] };
}

/** The code of people whom the platform has updated and shows with other values. */
const stillDifferent = 'still_different';

/** An update costs two requests: one sends it, and one reads the person afterwards. */
const requestsOfUpdate = 2;

/** The code of values that were not sent because the platform rewrites them. */
const notSentAsRewritten = 'rewritten';

/** Gives the result where the record differs after the platform has accepted the update. */
function resultWithOtherValues(
	person: JsonObject,
	unmadeChanges: readonly Change[],
	sent: readonly Change[],
	uselessChanges: readonly UselessChange[],
): Amended {
	const oldOf = new Map(sent.map(({ field, old }) => [field, JSON.stringify(old)]));
	const rewritten = unmadeChanges.filter(
		({ field, old }) => oldOf.get(field) !== JSON.stringify(old),
	);
	const differences = unmadeChanges.map((change) =>
		describeDifference(change, rewritten.includes(change) ? 'now' : 'still'),
	);
	const message = `The platform accepted the update, but ${differences.join(', ')}.`;
	const changes = [...unmadeChanges, ...uselessChanges.map(({ change }) => change)];
	const reasonsOfUseless = uselessChanges.map((entry) => {
		return { code: notSentAsRewritten, message: entry.message };
	});
	const reasons = [{ code: stillDifferent, message }, ...reasonsOfUseless];
	return {
		kind: 'notMade',
		person,
		outcome: { status: 'not_updated', changes, reasons },
		rewritten,
	};
}

/** Describes a value that is not the desired one. `adverb`: `now` where the update has changed it, and `still` where it has not. */
function describeDifference(
	{ field, old: current, new: desired }: Change,
	adverb: 'still' | 'now',
): string {
	const value = current === null ? 'empty' : quote(JSON.stringify(current));
	return `'${field}' is ${adverb} ${value} and not ${quote(JSON.stringify(desired))}`;
}

/** Gives the outcome of a person some of whose changes were not sent, because they would have changed nothing. */
function outcomeOfUnsent(uselessChanges: readonly UselessChange[]): Outcome {
	const reasons = new Set(uselessChanges.map(({ message }) => message));
	return {
		status: 'not_updated',
		changes: uselessChanges.map(({ change }) => change),
		reasons: [{ code: notSentAsRewritten, message: `Not sent. ${[...reasons].join(' ')}` }],
	};
}

/** Describes updates that the platform accepts and makes with other values, because they are sent again in every run. */
export function hintsAboutUpdates(
	outcomes: ReadonlyArray<Pick<Preview, 'changes' | 'reasons'>>,
	rewriting = new Rewriting(),
): string[] {
	const differentValues = outcomes.flatMap(({ changes = [], reasons: [reason] }) => {
		const isSent = reason?.code === stillDifferent;
		return isSent || reason?.code === notSentAsRewritten
			? changes.map(({ field }) => ({ field, isSent }))
			: [];
	});
	return [...groupBy(differentValues, ({ field }) => field)].map(([field, people]) => {
		const sentCount = people.filter(({ isSent }) => isSent).length;
		const longestKept = rewriting.limitOf(field);
		const unsentCount = people.length - sentCount;
		return [
			`'${field}' is stored with another value on the platform, for ${peopleInWords(people.length)}.`,
			...(longestKept === undefined ? [] : [`The platform keeps ${longestKept} characters of it.`]),
			...(unsentCount > 0
				? [`For ${peopleInWords(unsentCount)} it was not sent, because that would change nothing.`]
				: []),
			`This costs ${thousands(requestsOfUpdate * sentCount)} requests in every run. Use the platform's value in your list, or remove the field from the mapping.`,
		].join(' ');
	});
}
