import {
	reasonOfError,
	notConfirmed,
	notSent,
	refusedTogether,
	type Outcome,
} from '../people/outcome';
import type { RunParts } from '../bulk/runParts';
import type { Meter } from '../bulk/meter';
import { meaningOf, perhapsDone, type Meaning } from '../failures/meaning';
import { againAfterMs } from '../client/retryPolicy';
import { asFailure, Failure } from '../client/failure';
import { Cancelled } from '../client/clock';
import { attributesOf } from '../client/document';
import { text } from '../values/text';
import { pathTo } from '../client/path';
import type { Ask } from '../client/request';
import { mapConcurrently } from '../client/concurrently';
import type { Reason } from '../people/reason';
import { fetchPeoplePage } from '../people/findPeople';
import { amend, longestResponseMs } from '../people/amend';
import { addressOf, isOfAnotherSession } from '../people/identity';
import { viewPerson, type PersonView } from '../records/personView';
import { fieldsOf } from '../records/simplify';
import type { JsonObject } from '../values/json';
import { outcomeOfKept, withIntent, type Entry, type Outcomes } from './intent';
import * as law from './law';
import type { RemovalGuard } from './removalGuard';

/** At most so many steps are taken at once. */
const stepsAtOnce = 8;

/** Carries out updates and removals, one request each, until something ends the run. */
export class Steps {
	/** The number of failures in a row that may pass, such as outages of the platform. */
	private outagesInARow = 0;

	constructor(
		private readonly parts: Pick<RunParts, 'clock' | 'sessions' | 'signal'>,
		private readonly totals: {
			readonly meter: Pick<Meter, 'askFor' | 'deadlineAt'>;
			readonly view: PersonView;
		},
		private readonly guard: RemovalGuard,
		private readonly outcomes: Outcomes,
		/** The reason why nothing more is sent. Absent: something may still be sent. */
		public stop?: Reason,
	) {}

	/** Updates everybody whose answers are to be changed. */
	async updateAll(entries: readonly Entry[]): Promise<void> {
		await this.takeSteps(withIntent(entries, 'update'), async (ask, entry) => {
			const { sessionId, person, registration, intent } = entry;
			const { changes } = intent;
			const amendment = {
				sessionId,
				person: person?.record ?? {},
				registration,
				changes,
			};
			const amended = await amend(ask, amendment);
			if (amended.kind === 'unconfirmed') return amended;
			const outcome: Outcome =
				amended.kind === 'made' ? { status: 'updated', changes, reasons: [] } : amended.outcome;
			return { kind: 'confirmed', outcome: { ...outcome, person: this.show(amended.person) } };
		});
	}

	/** Removes these people, as long as that is permitted. */
	async removeAll(entries: readonly Entry[]): Promise<void> {
		await this.takeSteps(entries, (ask, entry) => this.remove(ask, entry));
	}

	/** Gives the part of a record that outcomes show. */
	private show(person: JsonObject): JsonObject {
		return viewPerson(fieldsOf(person), this.totals.view);
	}

	/** Removes a person from a session. Each attempt needs a permission of its own, because the session may begin meanwhile. */
	private async remove(ask: Ask, entry: Entry): Promise<StepResult> {
		const { clock, signal } = this.parts;
		const { sessionId } = entry;
		const person = entry.person?.record ?? {};
		const path = pathTo`/sessions/${sessionId}/people/${person.id}`;
		let failedAtMs: number | undefined;
		for (let attempt = 1; ; attempt++) {
			const permission = await this.guard.permissionFor(entry, ask, failedAtMs);
			if (permission.reason !== undefined) return resultOf(outcomeOfKept(permission.reason));
			const failure = await ask({
				method: 'DELETE',
				path,
				retry: 'onlyWhenRefused',
				timeoutMs: longestResponseMs,
				deadlineAtMs: permission.untilMs,
			}).then(() => undefined, asFailure);
			if (!failure) return resultOf(removed);
			if (failure.cause === 'not_found') return await resultOfMissing(ask, sessionId, person);
			const { deadlineAt = Infinity } = this.totals.meter;
			const isTooLate = failure.cause === 'time_over' && permission.untilMs < deadlineAt;
			if (!isTooLate && !meaningOf(failure).isPassing) throw failure;
			const waitMs = againAfterMs('request', attempt);
			if (waitMs === undefined && isTooLate) {
				return resultOf(outcomeOfKept(law.reasonOfLateRemoval(this.guard.nameOf(sessionId))));
			}
			if (waitMs === undefined) throw failure;
			await clock.sleep(waitMs, signal);
			failedAtMs = clock.now();
		}
	}

	private async takeSteps<StepEntry extends Entry>(
		entries: readonly StepEntry[],
		step: Step<StepEntry>,
	): Promise<void> {
		await mapConcurrently(entries, stepsAtOnce, async (entry) => {
			this.outcomes.set(entry, await this.takeStep(entry, step));
		});
	}

	private async takeStep<StepEntry extends Entry>(
		entry: StepEntry,
		step: Step<StepEntry>,
	): Promise<Outcome> {
		const { sessions, signal } = this.parts;
		const { meter } = this.totals;
		if (signal?.aborted) this.stop ??= reasonOfError(new Cancelled(), sessions);
		if (this.stop) return notSent(this.stop);
		try {
			const result = await step(meter.askFor(entry.sessionId), entry);
			if (result.kind === 'unconfirmed') return this.outcomeOfError(result.failure, perhapsDone);
			this.outagesInARow = 0;
			return result.outcome;
		} catch (error) {
			return this.outcomeOfError(error, meaningFor(error));
		}
	}

	/** Gives the outcome of a person whose step has failed, and stops the run where the failure ends it. */
	private outcomeOfError(error: unknown, meaning: Meaning): Outcome {
		const reason = reasonOfError(error, this.parts.sessions);
		this.outagesInARow = meaning.isPassing ? this.outagesInARow + 1 : 0;
		const isGivenUp = againAfterMs('steps', this.outagesInARow) === undefined;
		if (meaning.ends !== undefined || isGivenUp) this.stop ??= reason;
		const { effectOnPerson } = meaning;
		if (effectOnPerson === 'unsent') return notSent(reason);
		if (effectOnPerson === 'perhaps' || !(error instanceof Failure)) return notConfirmed(reason);
		return { ...refusedTogether(error, 1, this.parts.sessions), status: 'failed' };
	}
}

/** Tells what an error of a step means for the person and for the run. */
function meaningFor(error: unknown): Meaning {
	if (!(error instanceof Failure)) return { effectOnPerson: 'perhaps', ends: 'run' };
	// A person who is not there any more says nothing about the others.
	return error.cause === 'not_found' ? { effectOnPerson: 'refused' } : meaningOf(error);
}

/** The result of a step that the platform has not refused. */
type StepResult =
	| {
			/** The platform shows what became of the person, or the person is kept. */
			kind: 'confirmed';
			outcome: Outcome;
	  }
	| {
			/** Nobody knows whether the step was done, because the platform could not be asked. */
			kind: 'unconfirmed';
			/** The failure of the request that was to tell it. */
			failure: Failure;
	  };

/** Carries out the intent of an entry. Throws the failure where the platform refuses it. */
type Step<StepEntry extends Entry> = (ask: Ask, entry: StepEntry) => Promise<StepResult>;

function resultOf(outcome: Outcome): StepResult {
	return { kind: 'confirmed', outcome };
}

const removed: Outcome = { status: 'removed', reasons: [] };

const stillThere: Outcome = {
	status: 'failed',
	reasons: [
		{
			code: 'not_removed',
			message:
				'The platform did not find the person to remove, but its list of people still has them.',
		},
	],
};

/**
 * Gives the result of a removal for which the platform did not find the person. That may mean that the person is removed already, by
 * somebody else or by a request whose response got lost. It may also mean something else, so the list of the session decides.
 */
async function resultOfMissing(
	ask: Ask,
	sessionId: string,
	person: JsonObject,
): Promise<StepResult> {
	const query = { 'filter[email]': text(attributesOf(person).email) };
	const listed = await fetchPeoplePage(ask, sessionId, query).catch(asFailure);
	if (listed instanceof Failure) return { kind: 'unconfirmed', failure: listed };
	const address = addressOf(person);
	// The record of the same person in another session says nothing about this one.
	const ofSession = listed.records.filter((record) => !isOfAnotherSession(record, sessionId));
	const isStillListed = ofSession.some(
		(record) => record.id === person.id || addressOf(record) === address,
	);
	if (isStillListed) return resultOf(stillThere);
	if (ofSession.length === 0) return resultOf(removed);
	// The list shows other people, so the platform has ignored the filter and the person may be on any page.
	return { kind: 'unconfirmed', failure: new Failure('unexpected_shape', listed.request) };
}
