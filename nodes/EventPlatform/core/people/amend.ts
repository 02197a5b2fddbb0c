import type { Change, Outcome } from './outcome';
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

/** The platform often changes the person and never answers: longer waits have brought nothing. */
export const longestAnswerMs = 10_000;
/** Sending the same values again does no harm. */
const attempts = 2;

/** The outcome of an amendment, where the platform has told it. */
export interface Amended {
	person: JsonObject;
	/** Where it is not as it was planned. */
	otherwise?: Outcome;
}

/** The changes to make in a registration. */
export interface Amendment {
	sessionId: string;
	/** The record as it was read. */
	person: JsonObject;
	registration: Registration;
	/** Nothing else of the registration is sent. */
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

/** Changes answers, and believes only what the platform shows afterwards. */
export async function amend(ask: Ask, amendment: Amendment): Promise<Failure | Amended> {
	const { sessionId, registration, changes, rewriting = new Rewriting() } = amendment;
	const useless = changes.flatMap((change): UselessChange[] => {
		const message = rewriting.whyUseless(change);
		return message === undefined ? [] : [{ change, message }];
	});
	const useful = changes.filter((change) => !useless.some((entry) => entry.change === change));
	const asPlanned = useless.length === 0 ? undefined : notSentAgain(useless);
	let { person } = amendment;
	if (useful.length === 0) return { person, otherwise: asPlanned };

	const { id = '' } = person;
	const path = pathTo`/sessions/${sessionId}/people/${id}`;
	let left = useful;
	for (let attempt = 1; ; attempt++) {
		const part = onlyChanged(registration, left);
		const body = { data: { type: 'people', id, attributes: asTask(part) } };
		const request: ApiRequest = { method: 'PATCH', path, body, timeoutMs: longestAnswerMs };
		const response = await askForRecord(ask, request).catch(asFailure);
		const isLost = response instanceof Failure;
		if (isLost) {
			const { person: meant } = meaningOf(response);
			// An attempt that was not sent says nothing of the attempt before.
			if (meant === 'unsent' && attempt > 1) return { person, otherwise: notAnswered(left) };
			if (meant !== 'perhaps') throw response;
		}
		// The change may have been made although the response is the record as it was: then only the person shows it.
		const isShown = !isLost && findChanges(response, part, isMade(left, false)).length === 0;
		const record = isShown ? response : await getRecord(ask, path).catch(asFailure);
		if (record instanceof Failure) return record;
		person = record;
		left = findChanges(person, part, isMade(left, !isLost));
		if (!isLost) recordAll(rewriting, useful, person, registration);
		if (left.length === 0) return { person, otherwise: asPlanned };
		if (!isLost) return { person, otherwise: writtenOtherwise(left, useful, useless) };
		if (attempt === attempts) return { person, otherwise: notAnswered(left) };
	}
}

/**
 * Decides whether a record shows a change as made. What the platform has accepted may be written a little differently; after a
 * lost answer that counts only where the old value was certainly another one.
 */
function isMade(changes: readonly Change[], isAccepted: boolean): Sameness {
	return (current, desired, question) => {
		if (isIdentical(current, desired, question)) return true;
		if (!isSameBeyondDoubt(current, desired, question)) return false;
		const { old = null } = changes.find(({ field }) => field === question.id) ?? {};
		return isAccepted || !isSameBeyondDoubt(old, desired, question);
	};
}

function recordAll(
	rewriting: Rewriting,
	sent: readonly Change[],
	person: JsonObject,
	registration: Registration,
): void {
	// Nothing is the same as itself here, so that every value comes back.
	const current = findChanges(person, onlyChanged(registration, sent), () => false);
	for (const change of sent) {
		const after = current.find(({ field }) => field === change.field);
		if (after) rewriting.record(change, after.old);
	}
}

/** Describes a person of whom nobody knows whether the platform has read the update; `left`: what it shows otherwise. */
function notAnswered(left: Change[]): Outcome {
	const differences = left.map((change) => inWords(change, 'still')).join(', ');
	const message = `The platform did not answer, and ${differences}. Try again later.`;
	return { status: 'not_updated', changes: left, errors: [{ code: 'not_updated', message }] };
}

/** The code of people whom the platform has updated and shows with other values. */
const stillDifferent = 'still_different';

/** The code of values that were not sent because the platform rewrites them. */
const notSentAsRewritten = 'rewritten';

/** Describes a person whom the platform shows otherwise after it has accepted the update. */
function writtenOtherwise(
	left: Change[],
	before: readonly Change[],
	useless: readonly UselessChange[],
): Outcome {
	const rewritten = rewrittenOf(before, left);
	const differences = left.map((change) =>
		inWords(change, rewritten.includes(change) ? 'now' : 'still'),
	);
	const message = `The platform accepted the update, but ${differences.join(', ')}.`;
	const changes = [...left, ...useless.map(({ change }) => change)];
	const others = useless.map(({ message: why }) => ({ code: notSentAsRewritten, message: why }));
	return { status: 'not_updated', changes, errors: [{ code: stillDifferent, message }, ...others] };
}

function inWords({ field, old, new: desired }: Change, since: 'still' | 'now'): string {
	const [is, not] = [old, desired].map((value) => quote(JSON.stringify(value)));
	return `'${field}' is ${since} ${old === null ? 'empty' : is} and not ${not}`;
}

/** Describes a person of whom a part was not sent, because it would have become what it is. */
function notSentAgain(useless: readonly UselessChange[]): Outcome {
	const reasons = new Set(useless.map(({ message }) => message));
	return {
		status: 'not_updated',
		changes: useless.map(({ change }) => change),
		errors: [{ code: notSentAsRewritten, message: `Not sent. ${[...reasons].join(' ')}` }],
	};
}

/** Picks the changes left whose value is not the one that it was before the update. */
function rewrittenOf(before: readonly Change[], left: readonly Change[]): Change[] {
	const oldOf = new Map(before.map(({ field, old }) => [field, JSON.stringify(old)]));
	return left.filter(({ field, old }) => oldOf.get(field) !== JSON.stringify(old));
}

/** Picks the changes that an update has made after all, though in another way than they were sent. */
export function rewrittenChanges(before: readonly Change[], { otherwise }: Amended): Change[] {
	const { changes = [], errors: [reason] = [] } = otherwise ?? {};
	return reason?.code === stillDifferent ? rewrittenOf(before, changes) : [];
}

/** Names updates that the platform accepts and does not make as they are, because they are sent again in every run. */
export function hintsAboutUpdates(
	outcomes: readonly Outcome[],
	rewriting = new Rewriting(),
): string[] {
	const different = outcomes.flatMap(({ changes = [], errors: [reason] }) => {
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
			// One to send it, and one to see what became of it.
			`This costs ${thousands(2 * sent)} requests in every run. Use the platform's value in your list, or remove the field from the mapping.`,
		].join(' ');
	});
}
