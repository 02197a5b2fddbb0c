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
/** The same values may be sent again without harm. */
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
			/** The record shows some changes not or otherwise, or they were not sent because that would change nothing. */
			kind: 'notMade';
			/** The record after the update. */
			person: JsonObject;
			/** The outcome of the person, which says of each of these changes why. */
			outcome: Outcome;
			/** The changes that the update has made after all, though in another way than they were sent. */
			rewritten: readonly Change[];
	  }
	| {
			/** Nobody knows what became of the changes, because the record could not be read afterwards. */
			kind: 'unconfirmed';
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
	/** Why, in a sentence. */
	message: string;
}

/** Changes answers, and believes only what the platform shows afterwards. Throws the failure where it refuses the update. */
export async function amend(ask: Ask, amendment: Amendment): Promise<Amended> {
	const { sessionId, person, registration, changes, rewriting = new Rewriting() } = amendment;
	const useless = findUseless(changes, rewriting);
	const useful = changes.filter((change) => !useless.some((entry) => entry.change === change));
	if (useful.length === 0) return resultOf(person, useless);

	const { id = '' } = person;
	const path = pathTo`/sessions/${sessionId}/people/${id}`;
	let unmade: readonly Change[] = useful;
	let latest = person;
	for (let attempt = 1; ; attempt++) {
		const part = onlyChanged(registration, unmade);
		const body = { data: { type: 'people', id, attributes: asTask(part) } };
		const request: ApiRequest = { method: 'PATCH', path, body, timeoutMs: longestResponseMs };
		const response = await askForRecord(ask, request).catch(asFailure);
		const isLost = response instanceof Failure;
		if (isLost) {
			const { effectOnPerson } = meaningOf(response);
			// An attempt that was not sent says nothing of the attempt before.
			if (effectOnPerson === 'unsent' && attempt > 1) return notAnswered(latest, unmade);
			if (effectOnPerson !== 'perhaps') throw response;
		}
		// The change may have been made although the response is the record as it was: then only the person shows it.
		const isShown = !isLost && findChanges(response, part, isMade(unmade, false)).length === 0;
		const record = isShown ? response : await getRecord(ask, path).catch(asFailure);
		if (record instanceof Failure) return { kind: 'unconfirmed', failure: record };
		latest = record;
		unmade = findChanges(latest, part, isMade(unmade, !isLost));
		if (!isLost) recordHabits(rewriting, useful, latest, registration);
		if (unmade.length === 0) return resultOf(latest, useless);
		if (!isLost) return writtenOtherwise(latest, unmade, useful, useless);
		if (attempt === mostAttempts) return notAnswered(latest, unmade);
	}
}

function findUseless(changes: readonly Change[], rewriting: Rewriting): UselessChange[] {
	return changes.flatMap((change): UselessChange[] => {
		const message = rewriting.describeUselessChange(change);
		return message === undefined ? [] : [{ change, message }];
	});
}

/** Gives the result where the record shows everything that was sent. */
function resultOf(person: JsonObject, useless: readonly UselessChange[]): Amended {
	if (useless.length === 0) return { kind: 'made', person };
	return { kind: 'notMade', person, outcome: notSentAgain(useless), rewritten: [] };
}

/**
 * Decides whether a record shows a change as made. What the platform has accepted may be written a little differently; after a
 * lost response that counts only where the old value was certainly another one.
 */
function isMade(changes: readonly Change[], isAccepted: boolean): Sameness {
	return (current, desired, question) => {
		if (isIdentical(current, desired, question)) return true;
		if (!isSameBeyondDoubt(current, desired, question)) return false;
		const { old = null } = changes.find(({ field }) => field === question.id) ?? {};
		return isAccepted || !isSameBeyondDoubt(old, desired, question);
	};
}

/** Records what the platform shows of each value that it was sent. */
function recordHabits(
	rewriting: Rewriting,
	sent: readonly Change[],
	person: JsonObject,
	registration: Registration,
): void {
	// This comparison calls every value different, so that all current values come back.
	const current = findChanges(person, onlyChanged(registration, sent), () => false);
	for (const change of sent) {
		const after = current.find(({ field }) => field === change.field);
		if (after) rewriting.record(change, after.old);
	}
}

/** Gives the result where the platform has not responded. `unmade`: the changes that the record does not show. */
function notAnswered(person: JsonObject, unmade: readonly Change[]): Amended {
	const differences = unmade.map((change) => describeDifference(change, 'still')).join(', ');
	const message = `The platform did not answer, and ${differences}. Try again later.`;
	const reasons = [{ code: 'not_updated', message }];
	const outcome: Outcome = { status: 'not_updated', changes: unmade, reasons };
	return { kind: 'notMade', person, outcome, rewritten: [] };
}

/** The code of people whom the platform has updated and shows with other values. */
const stillDifferent = 'still_different';

/** The code of values that were not sent because the platform rewrites them. */
const notSentAsRewritten = 'rewritten';

/** Gives the result where the record differs after the platform has accepted the update. */
function writtenOtherwise(
	person: JsonObject,
	unmade: readonly Change[],
	sent: readonly Change[],
	useless: readonly UselessChange[],
): Amended {
	const oldOf = new Map(sent.map(({ field, old }) => [field, JSON.stringify(old)]));
	const rewritten = unmade.filter(({ field, old }) => oldOf.get(field) !== JSON.stringify(old));
	const differences = unmade.map((change) =>
		describeDifference(change, rewritten.includes(change) ? 'now' : 'still'),
	);
	const message = `The platform accepted the update, but ${differences.join(', ')}.`;
	const changes = [...unmade, ...useless.map(({ change }) => change)];
	const reasonsOfUseless = useless.map((entry) => {
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

/** Describes a value that is not the desired one. `since`: whether the update has changed it. */
function describeDifference(
	{ field, old: current, new: desired }: Change,
	since: 'still' | 'now',
): string {
	const value = current === null ? 'empty' : quote(JSON.stringify(current));
	return `'${field}' is ${since} ${value} and not ${quote(JSON.stringify(desired))}`;
}

/** The outcome of a person of whom a part was not sent, because it would have become what it is. */
function notSentAgain(useless: readonly UselessChange[]): Outcome {
	const reasons = new Set(useless.map(({ message }) => message));
	return {
		status: 'not_updated',
		changes: useless.map(({ change }) => change),
		reasons: [{ code: notSentAsRewritten, message: `Not sent. ${[...reasons].join(' ')}` }],
	};
}

/** Describes updates that the platform accepts and makes otherwise, because they are sent again in every run. */
export function hintsAboutUpdates(
	outcomes: ReadonlyArray<Pick<Preview, 'changes' | 'reasons'>>,
	rewriting = new Rewriting(),
): string[] {
	const different = outcomes.flatMap(({ changes = [], reasons: [reason] }) => {
		const isSent = reason?.code === stillDifferent;
		return isSent || reason?.code === notSentAsRewritten
			? changes.map(({ field }) => ({ field, isSent }))
			: [];
	});
	return [...groupBy(different, ({ field }) => field)].map(([field, people]) => {
		const sent = people.filter(({ isSent }) => isSent).length;
		const limit = rewriting.limitOf(field);
		const unsent = people.length - sent;
		return [
			`'${field}' is stored with another value on the platform, for ${peopleInWords(people.length)}.`,
			...(limit === undefined ? [] : [`The platform keeps ${limit} characters of it.`]),
			...(unsent > 0
				? [`For ${peopleInWords(unsent)} it was not sent, because that would change nothing.`]
				: []),
			// Each update costs two requests: one sends it, and one reads the person afterwards.
			`This costs ${thousands(2 * sent)} requests in every run. Use the platform's value in your list, or remove the field from the mapping.`,
		].join(' ');
	});
}
