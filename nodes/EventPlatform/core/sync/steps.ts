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
import type { Rewriting } from '../dialect/rewriting';

const stepsAtOnce = 8;

/** Carries out updates and removals, one request each, until something ends the run. */
export class Steps {
	private outagesInARow = 0;

	constructor(
		private readonly parts: Pick<RunParts, 'sessions' | 'signal'>,
		private readonly meter: Pick<Meter, 'askFor'>,
		private readonly rewriting: Rewriting,
		/** Why nothing more is sent; absent as long as something may be. */
		public stop?: Reason,
	) {}

	async updateAll(people: readonly Entry[]): Promise<void> {
		await this.takeAll(withStatus(people, 'updated'), (ask, { person = {}, outcome, ...entry }) =>
			amend(ask, {
				...entry,
				person,
				changes: outcome.changes ?? [],
				rewriting: this.rewriting,
			}),
		);
	}

	async removeAll(people: readonly Entry[]): Promise<void> {
		await this.takeAll(withStatus(people, 'removed'), remove);
	}

	private async takeAll(people: readonly Entry[], step: Step): Promise<void> {
		await mapConcurrently(people, stepsAtOnce, async (entry) => {
			setOutcome(entry, await this.take(entry, step));
		});
	}

	/** Gives what is not so as it was planned. */
	private async take(entry: Entry, step: Step): Promise<Partial<Outcome>> {
		const { sessions, signal } = this.parts;
		if (signal?.aborted) this.stop ??= reasonOfError(new Cancelled(), sessions);
		if (this.stop) return notSent(this.stop);
		try {
			const amended = await step(this.meter.askFor(entry.sessionId), entry);
			if (amended instanceof Failure) return this.outcomeOfError(amended, perhapsDone);
			this.outagesInARow = 0;
			entry.person = amended.person;
			return amended.otherwise ?? {};
		} catch (error) {
			return this.outcomeOfError(error, meaningFor(error));
		}
	}

	private outcomeOfError(error: unknown, meaning: Meaning): Outcome {
		const reason = reasonOfError(error, this.parts.sessions);
		this.outagesInARow = meaning.again ? this.outagesInARow + 1 : 0;
		const isGivenUp = againAfterMs('steps', this.outagesInARow) === undefined;
		if (meaning.ends !== undefined || isGivenUp) this.stop ??= reason;
		if (meaning.person === 'unsent') return notSent(reason);
		if (meaning.person === 'perhaps' || !(error instanceof Failure)) return notConfirmed(reason);
		return { ...refusedTogether(error, 1, this.parts.sessions), status: 'failed' };
	}
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
type Step = (ask: Ask, entry: Entry) => Promise<Failure | Amended>;

const remove: Step = async (ask, { sessionId, person = {} }) => {
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
