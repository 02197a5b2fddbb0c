import {
	reasonOfError,
	notConfirmed,
	notSent,
	refusedTogether,
	type Outcome,
} from '../people/outcome';
import type { RunParts } from '../bulk/runContext';
import type { Meter } from '../bulk/meter';
import { meaningOf, perhapsDone, type Meaning } from '../failures/meaning';
import { againAfterMs } from '../client/retryPolicy';
import { asFailure, Failure } from '../client/failure';
import { Cancelled } from '../client/cancelled';
import { attributesOf } from '../client/document';
import { text } from '../values/text';
import { pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { mapConcurrently } from '../client/concurrently';
import type { Reason } from '../people/reason';
import { readPeople } from '../people/findPeople';
import { amend, longestAnswerMs, type Amended } from '../people/amend';
import { addressOf } from '../people/identity';
import type { Entry } from './law';
import { setOutcome, withStatus } from './plan';
import type { Rewriting } from '../people/rewriting';

const sideBySide = 8;

/** Updates first, removals last. Gives why it ended early, where it did; `stop`: it is to end before it begins. */
export async function takeSteps(
	people: readonly Entry[],
	{ sessions, signal }: Pick<RunParts, 'sessions' | 'signal'>,
	meter: Pick<Meter, 'askFor'>,
	rewriting: Rewriting,
	stop?: Reason,
): Promise<Reason | undefined> {
	let outagesInARow = 0;
	const update: Deed = (ask, { person = {}, outcome, ...entry }) =>
		amend(ask, { ...entry, person, changes: outcome.changes ?? [], rewriting });
	const deeds = { updated: update, removed: remove };

	/** Gives what is not so as it was planned. */
	async function take(entry: Entry, deed: Deed): Promise<Partial<Outcome>> {
		if (signal?.aborted) stop ??= reasonOfError(new Cancelled(), sessions);
		if (stop) return notSent(stop);
		try {
			const done = await deed(meter.askFor(entry.sessionId), entry);
			if (done instanceof Failure) return failed(done, perhapsDone);
			outagesInARow = 0;
			entry.person = done.person;
			return done.otherwise ?? {};
		} catch (error) {
			return failed(error);
		}
	}

	function failed(error: unknown, meaning = meaningFor(error)): Outcome {
		const reason = reasonOfError(error, sessions);
		outagesInARow = meaning.again ? outagesInARow + 1 : 0;
		const isGivenUp = againAfterMs('steps', outagesInARow) === undefined;
		if (meaning.ends !== undefined || isGivenUp) stop ??= reason;
		if (meaning.person === 'unsent') return notSent(reason);
		if (meaning.person === 'perhaps' || !(error instanceof Failure)) return notConfirmed(reason);
		return { ...refusedTogether(error, 1, sessions), status: 'failed' };
	}

	for (const status of ['updated', 'removed'] as const) {
		await mapConcurrently(withStatus(people, status), sideBySide, async (entry) => {
			setOutcome(entry, await take(entry, deeds[status]));
		});
	}
	return stop;
}

function meaningFor(error: unknown): Meaning {
	if (!(error instanceof Failure)) return { person: 'perhaps', ends: 'run' };
	// A person who is not there any more is nobody else's problem.
	return error.cause === 'not_found' ? { person: 'refused' } : meaningOf(error);
}

/**
 * Carries out what is planned of a person. A refusal is thrown. A `Failure` is returned where nobody knows whether it was
 * done. Without an ID nothing is sent.
 */
type Deed = (ask: Ask, entry: Entry) => Promise<Failure | Amended>;

const remove: Deed = async (ask, { sessionId, person = {} }) => {
	const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
	const request: ApiRequest = {
		method: 'DELETE',
		path,
		retry: 'safe',
		timeoutMs: longestAnswerMs,
	};
	const failure = await ask(request).then(() => undefined, asFailure);
	if (!failure) return { person };
	if (failure.cause !== 'not_found') throw failure;
	// Somebody else, or a request whose answer was lost, has removed the person; or it was not found for another reason.
	const query = { 'filter[email]': text(attributesOf(person).email) };
	const listed = await readPeople(ask, sessionId, query).catch(asFailure);
	if (listed instanceof Failure) return listed;
	const address = addressOf(person);
	if (listed.records.some((one) => one.id === person.id || addressOf(one) === address)) {
		return { person, otherwise: { status: 'failed', errors: [stillThere] } };
	}
	if (listed.records.length === 0) return { person };
	// Others instead: the platform has not looked for the address, and the person may be on any page.
	return new Failure('unexpected_shape', listed.request);
};

const stillThere: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};
