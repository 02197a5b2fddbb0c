import type { Change, Outcome } from './outcome';
import { mayHaveActed } from '../failures/meaning';
import { askForRecord } from '../client/document';
import { quote } from '../values/text';
import type { JsonObject } from '../values/json';
import { pathToPerson } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { asFailure, Failure } from '../client/failure';
import { asTask, type Registration } from './registration';
import { onlyChanged, findChanges, isSameBeyondDoubt } from './changes';
import { fetchPerson } from './findPeople';
import { isOfAnotherSession } from './identity';

/**
 * How long the response to a change or a removal of one person is waited for, which is several times as long as one of a record takes.
 * Nobody has measured it. A response that comes later costs little, because the record or the list is read then, whereas the usual
 * minute for each of many people would take up the time of a run.
 */
export const longestResponseMs = 10_000;

type Amended =
	| {
			kind: 'made';
			person: JsonObject;
	  }
	| {
			kind: 'notMade';
			person: JsonObject;
			/** The outcome of the person, which gives the reason for each of these changes. */
			outcome: Outcome;
			/** The changes whose values the update has turned into others than it was sent. */
			rewritten: readonly Change[];
	  }
	| {
			kind: 'unconfirmed';
			failure: Failure;
	  };

interface Amendment {
	sessionId: string;
	person: JsonObject;
	registration: Registration;
	changes: readonly Change[];
}

/**
 * Changes answers, and believes only a record with the changes: that of the response, or else the one that is read after it. After a lost response
 * nothing is sent again, because the record that is read tells what became of it. Throws the failure where the platform refuses the update.
 */
export async function amend(ask: Ask, amendment: Amendment): Promise<Amended> {
	const response = await attempt(ask, amendment);
	const verified = await verify(ask, amendment, response);
	if (verified instanceof Failure) return { kind: 'unconfirmed', failure: verified };
	return conclude(verified, amendment, response);
}

/**
 * Sends changes. Gives the record in the response; undefined where no usable response came, and the platform may have made the changes.
 * Throws the failure where it has certainly not made them.
 */
async function attempt(
	ask: Ask,
	{ sessionId, person: { id = '' }, registration, changes }: Amendment,
): Promise<JsonObject | undefined> {
	const attributes = asTask(onlyChanged(registration, changes));
	const request: ApiRequest = {
		method: 'PATCH',
		path: pathToPerson(sessionId, id),
		body: { data: { type: 'people', id, attributes } },
		timeoutMs: longestResponseMs,
	};
	const response = await askForRecord(ask, request).catch(asFailure);
	if (!(response instanceof Failure)) return response;
	if (mayHaveActed(response)) return undefined;
	throw response;
}

interface Verified {
	readonly record: JsonObject;
	/** The changes that it does not show, with the values that it shows instead. */
	readonly unmade: readonly Change[];
}

/** Finds out what became of changes. The response to the attempt is enough where it shows them all; it may also be the record as it was. */
async function verify(
	ask: Ask,
	{ sessionId, person: { id = '' }, registration, changes }: Amendment,
	response?: JsonObject,
): Promise<Verified | Failure> {
	const sent = onlyChanged(registration, changes);
	// The platform may write a value a little differently than it was sent.
	const unmadeIn = (record: JsonObject) => findChanges(record, sent, isSameBeyondDoubt);
	if (response && !isOfAnotherSession(response, sessionId)) {
		const unmade = unmadeIn(response);
		if (unmade.length === 0) return { record: response, unmade };
	}
	const record = await fetchPerson(ask, sessionId, id).catch(asFailure);
	if (record instanceof Failure) return record;
	return { record, unmade: unmadeIn(record) };
}

/** The code of an update that the platform has accepted, and whose values it shows otherwise. */
export const stillDifferent = 'still_different';

function conclude(
	{ record, unmade }: Verified,
	{ changes }: Amendment,
	response?: JsonObject,
): Amended {
	if (unmade.length === 0) return { kind: 'made', person: record };
	const valueBefore = new Map(changes.map(({ field, old }) => [field, JSON.stringify(old)]));
	const rewritten = response
		? unmade.filter(({ field, old }) => valueBefore.get(field) !== JSON.stringify(old))
		: [];
	const differences = unmade
		.map((change) => describeDifference(change, rewritten.includes(change) ? 'now' : 'still'))
		.join(', ');
	const made = [...valueBefore.keys()].filter((name) =>
		unmade.every(({ field }) => field !== name),
	);
	const changed =
		made.length === 0 ? '' : `; it changed ${made.map((name) => `'${name}'`).join(', ')}`;
	const reason = response
		? {
				code: stillDifferent,
				message: `The platform accepted the update, but ${differences}${changed}.`,
			}
		: {
				code: 'not_updated',
				message: `The platform did not answer, and ${differences}${changed}. Try again later.`,
			};
	const outcome: Outcome = { status: 'not_updated', changes: unmade, reasons: [reason] };
	return { kind: 'notMade', person: record, outcome, rewritten };
}

function describeDifference(
	{ field, old: current, new: desired }: Change,
	adverb: 'still' | 'now',
): string {
	const value = current === null ? 'empty' : quote(JSON.stringify(current));
	return `'${field}' is ${adverb} ${value} and not ${quote(JSON.stringify(desired))}`;
}
