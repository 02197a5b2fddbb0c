import {
	notConfirmed,
	notSent,
	refusedTogether,
	type Outcome,
	type Reason,
} from '../people/outcome';
import type { Outage } from '../registration/outage';
import type { RegistrationRun } from '../registration/registrationRun';
import { meaningOf } from '../failures/meaning';
import { SessionBreaker } from '../failures/sessionBreaker';
import { Failure } from '../client/failure';
import { Cancelled } from '../client/clock';
import type { Ask } from '../client/request';
import { mapConcurrently, usuallyAtOnce } from '../client/concurrently';
import { Persistence } from '../client/patience';
import { usualPerSecond } from '../client/limiter';
import { setOutcome } from '../registration/candidate';
import type { SyncCandidate } from './intent';

/**
 * Carries out the intent of a candidate: an update or a removal. Throws the failure where the platform refuses it, and gives the failure
 * of the request that was to tell what became of it, where nobody knows that.
 */
export type SyncStep<Candidate extends SyncCandidate> = (
	ask: Ask,
	candidate: Candidate,
) => Promise<Outcome | Failure>;

export class Steps {
	/**
	 * Each failure counts, and none is waited for: a step is not sent again, so that each that fails in an outage may leave a person `unknown`.
	 * The first eight are under way at once, so an outage has to outlast two attempts of 3.5 s or more.
	 */
	private readonly persistence = new Persistence('steps');
	private readonly breaker = new SessionBreaker();
	private readonly refusedSessions = new Map<string, Reason>();

	constructor(
		private readonly run: Pick<RegistrationRun, 'client' | 'clock' | 'sessions' | 'signal'>,
		private readonly outage: Outage,
		public stop?: Reason,
	) {}

	async takeAll<Candidate extends SyncCandidate>(
		candidates: readonly Candidate[],
		step: SyncStep<Candidate>,
	): Promise<void> {
		// With a lower limit each step would wait for the others, and a removal waits for a few seconds only.
		const share = Math.min(1, this.run.client.usage.perSecond / usualPerSecond);
		const stepsAtOnce = Math.ceil(share * usuallyAtOnce);
		await mapConcurrently(candidates, stepsAtOnce, async (candidate) => {
			setOutcome([candidate], await this.take(candidate, step));
		});
	}

	private async take<Candidate extends SyncCandidate>(
		candidate: Candidate,
		step: SyncStep<Candidate>,
	): Promise<Outcome> {
		const { sessionId } = candidate.row;
		if (this.run.signal?.aborted) this.stop ??= this.outage.reasonOf(new Cancelled());
		const reasonNotToSend = this.stop ?? this.refusedSessions.get(sessionId);
		if (reasonNotToSend) return notSent(reasonNotToSend);
		try {
			const result = await step(this.run.client.send, candidate);
			if (result instanceof Failure) return this.outcomeOfUnconfirmed(result);
			this.persistence.succeeded();
			this.breaker.recordSuccess();
			return result;
		} catch (error) {
			if (error instanceof Failure) return this.outcomeOfFailure(error, sessionId);
			const reason = this.outage.reasonOf(error);
			this.stop ??= reason;
			return notConfirmed(reason);
		}
	}

	private outcomeOfUnconfirmed(failure: Failure): Outcome {
		const reason = this.outage.reasonOf(failure);
		this.recordOutage(reason);
		return notConfirmed(reason);
	}

	private outcomeOfFailure(failure: Failure, sessionId: string): Outcome {
		const reason = this.outage.reasonOf(failure);
		const { isPassing, effectOnPerson } = meaningOf(failure);
		if (isPassing) this.recordOutage(reason);
		else this.persistence.succeeded();
		// A person who is not there any more says nothing about the others.
		const isOfPerson = failure.cause === 'not_found';
		const scope = isOfPerson ? undefined : this.breaker.recordFailure(failure, sessionId);
		if (scope === 'run') this.stop ??= reason;
		if (scope === 'session') this.refusedSessions.set(sessionId, reason);
		if (effectOnPerson === 'perhaps') return notConfirmed(reason);
		if (effectOnPerson === 'unsent' && !isOfPerson) return notSent(reason);
		// A step registers nobody, so a refusal that says `already_registered` means that the step was not done.
		return { ...refusedTogether(failure, 1, this.run.sessions), status: 'failed' };
	}

	private recordOutage(reason: Reason): void {
		this.persistence.failed(this.run.clock.now());
		if (this.persistence.isOver) this.stop ??= reason;
	}
}
