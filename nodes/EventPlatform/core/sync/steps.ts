import {
	reasonOfError,
	notConfirmed,
	notSent,
	refusedTogether,
	type Outcome,
} from '../people/outcome';
import type { RunParts, RunTotals } from '../registration/runParts';
import { meaningOf } from '../failures/meaning';
import { SessionBreaker } from '../failures/sessionBreaker';
import { againAfterMs } from '../client/retryPolicy';
import { Failure } from '../client/failure';
import { Cancelled } from '../client/clock';
import type { Ask } from '../client/request';
import { mapConcurrently } from '../client/concurrently';
import type { Reason } from '../people/reason';
import type { PlannedPerson, Outcomes } from './intent';

/** At most so many steps are taken at once. They use five requests a second if each takes a second and a half. */
const mostStepsAtOnce = 8;
const perSecondOfMostSteps = 5;

/**
 * Carries out the intent of an entry: an update or a removal. Throws the failure where the platform refuses it, and gives the failure
 * of the request that was to tell what became of it, where nobody knows that.
 */
export type SyncStep<Person extends PlannedPerson> = (
	ask: Ask,
	entry: Person,
) => Promise<Outcome | Failure>;

/** Takes updates and removals, one request each, until something ends the run. */
export class Steps {
	/** The number of failures in a row that may pass, such as outages of the platform. */
	private outagesInARow = 0;
	private readonly breaker = new SessionBreaker();
	/** Why nothing more is sent to a session. */
	private readonly refusedSessions = new Map<string, Reason>();

	constructor(
		private readonly parts: Pick<RunParts, 'api' | 'sessions' | 'signal'>,
		private readonly meter: Pick<RunTotals['meter'], 'askFor'>,
		private readonly outcomes: Outcomes,
		/** The reason why nothing more is sent. Absent: something may still be sent. */
		public stop?: Reason,
	) {}

	async takeAll<Person extends PlannedPerson>(
		entries: readonly Person[],
		step: SyncStep<Person>,
	): Promise<void> {
		// With a lower limit each step would wait for the others, and a removal waits for a few seconds only.
		const share = Math.min(1, this.parts.api.usage.perSecond / perSecondOfMostSteps);
		const stepsAtOnce = Math.ceil(share * mostStepsAtOnce);
		await mapConcurrently(entries, stepsAtOnce, async (entry) => {
			this.outcomes.set(entry, await this.take(entry, step));
		});
	}

	private async take<Person extends PlannedPerson>(
		entry: Person,
		step: SyncStep<Person>,
	): Promise<Outcome> {
		const { sessions, signal } = this.parts;
		const { sessionId } = entry;
		if (signal?.aborted) this.stop ??= reasonOfError(new Cancelled(), sessions);
		const reasonNotToSend = this.stop ?? this.refusedSessions.get(sessionId);
		if (reasonNotToSend) return notSent(reasonNotToSend);
		try {
			const result = await step(this.meter.askFor(sessionId), entry);
			if (result instanceof Failure) return this.outcomeOfUnconfirmed(result);
			this.outagesInARow = 0;
			this.breaker.recordSuccess();
			return result;
		} catch (error) {
			if (error instanceof Failure) return this.outcomeOfFailure(error, sessionId);
			const reason = reasonOfError(error, sessions);
			this.stop ??= reason;
			return notConfirmed(reason);
		}
	}

	/** Gives the outcome of a person of whom the platform could not be asked what became of the step. */
	private outcomeOfUnconfirmed(failure: Failure): Outcome {
		const reason = reasonOfError(failure, this.parts.sessions);
		this.recordOutage(reason);
		return notConfirmed(reason);
	}

	/** Gives the outcome of a person whose step has failed, and ends the session or the run where the failure does. */
	private outcomeOfFailure(failure: Failure, sessionId: string): Outcome {
		const reason = reasonOfError(failure, this.parts.sessions);
		const { isPassing, effectOnPerson } = meaningOf(failure);
		if (isPassing) this.recordOutage(reason);
		else this.outagesInARow = 0;
		// A person who is not there any more says nothing about the others.
		const isOfPerson = failure.cause === 'not_found';
		const scope = isOfPerson ? undefined : this.breaker.recordFailure(failure, sessionId);
		if (scope === 'run') this.stop ??= reason;
		if (scope === 'session') this.refusedSessions.set(sessionId, reason);
		if (effectOnPerson === 'perhaps') return notConfirmed(reason);
		if (effectOnPerson === 'unsent' && !isOfPerson) return notSent(reason);
		return { ...refusedTogether(failure, 1, this.parts.sessions), status: 'failed' };
	}

	private recordOutage(reason: Reason): void {
		this.outagesInARow += 1;
		if (againAfterMs('steps', this.outagesInARow) === undefined) this.stop ??= reason;
	}
}
