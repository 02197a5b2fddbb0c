import {
	reasonOfError,
	notConfirmed,
	notSent,
	refusedTogether,
	type Change,
	type Outcome,
} from '../people/outcome';
import type { RunParts } from '../bulk/runParts';
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
import { amend, longestAnswerMs } from '../people/amend';
import { addressOf } from '../people/identity';
import { viewPerson, type PersonView } from '../records/personView';
import { fieldsOf } from '../records/simplify';
import type { JsonObject } from '../values/json';
import { withIntent, type Entry } from './intent';
import type { Outcomes } from './outcomes';
import type { Rewriting } from '../dialect/rewriting';

const stepsAtOnce = 8;

/** Carries out updates and removals, one request each, until something ends the run. */
export class Steps {
	private outagesInARow = 0;

	constructor(
		private readonly parts: Pick<RunParts, 'sessions' | 'signal'>,
		private readonly totals: { readonly meter: Pick<Meter, 'askFor'>; readonly view: PersonView },
		private readonly rewriting: Rewriting,
		private readonly outcomes: Outcomes,
		/** Why nothing more is sent; absent as long as something may be. */
		public stop?: Reason,
	) {}

	async updateAll(people: readonly Entry[]): Promise<void> {
		const { rewriting } = this;
		await this.takeAll(withIntent(people, 'update'), async (ask, entry) => {
			const { sessionId, person = {}, registration, intent } = entry;
			const { changes } = intent;
			const amended = await amend(ask, { sessionId, person, registration, changes, rewriting });
			if (amended instanceof Failure) return amended;
			return { person: amended.person, outcome: amended.otherwise ?? updated(changes) };
		});
	}

	async removeAll(people: readonly Entry[]): Promise<void> {
		await this.takeAll(withIntent(people, 'remove'), remove);
	}

	private async takeAll<Taken extends Entry>(
		people: readonly Taken[],
		step: Step<Taken>,
	): Promise<void> {
		await mapConcurrently(people, stepsAtOnce, async (entry) => {
			this.outcomes.record(entry, await this.take(entry, step));
		});
	}

	private async take<Taken extends Entry>(entry: Taken, step: Step<Taken>): Promise<Outcome> {
		const { sessions, signal } = this.parts;
		const { meter, view } = this.totals;
		if (signal?.aborted) this.stop ??= reasonOfError(new Cancelled(), sessions);
		if (this.stop) return notSent(this.stop);
		try {
			const result = await step(meter.askFor(entry.sessionId), entry);
			if (result instanceof Failure) return this.outcomeOfError(result, perhapsDone);
			this.outagesInARow = 0;
			return { ...result.outcome, person: viewPerson(fieldsOf(result.person), view) };
		} catch (error) {
			return this.outcomeOfError(error, meaningFor(error));
		}
	}

	private outcomeOfError(error: unknown, meaning: Meaning): Outcome {
		const reason = reasonOfError(error, this.parts.sessions);
		this.outagesInARow = meaning.isPassing ? this.outagesInARow + 1 : 0;
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

/** The result of a step whose outcome is known. */
interface StepResult {
	/** The record as it is after the step, or was before a removal. */
	person: JsonObject;
	outcome: Outcome;
}

/** Carries out an intent. A refusal is thrown. A `Failure` is returned where nobody knows whether it was done. */
type Step<Taken extends Entry> = (ask: Ask, entry: Taken) => Promise<Failure | StepResult>;

function updated(changes: readonly Change[]): Outcome {
	return { status: 'updated', changes, errors: [] };
}

const removed: Outcome = { status: 'removed', errors: [] };

const remove: Step<Entry> = async (ask, { sessionId, person = {} }) => {
	const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
	const request: ApiRequest = {
		method: 'DELETE',
		path,
		retry: 'safe',
		timeoutMs: longestAnswerMs,
	};
	const failure = await ask(request).then(() => undefined, asFailure);
	if (!failure) return { person, outcome: removed };
	if (failure.cause !== 'not_found') throw failure;
	// Somebody else, or a request whose answer was lost, has removed the person; or it was not found for another reason.
	const query = { 'filter[email]': text(attributesOf(person).email) };
	const listed = await readPeople(ask, sessionId, query).catch(asFailure);
	if (listed instanceof Failure) return listed;
	const address = addressOf(person);
	const isThere = listed.records.some(
		(record) => record.id === person.id || addressOf(record) === address,
	);
	if (isThere) {
		return { person, outcome: { status: 'failed', errors: [stillThere] } };
	}
	if (listed.records.length === 0) return { person, outcome: removed };
	// Others instead: the platform has not looked for the address, and the person may be on any page.
	return new Failure('unexpected_shape', listed.request);
};

const stillThere: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};
