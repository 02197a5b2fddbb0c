/* Carries removals out. Who is removed is decided before, by `removalLaw.ts`, as `plan.ts` and `doubts.ts` apply it. */
import { getRecord } from '../client/document';
import { Failure } from '../client/failure';
import { pathTo } from '../client/path';
import { platformNowMs, type Run } from '../client/run';
import { notConfirmed, type Outcome, type Reason } from '../people/outcome';
import { longestResponseMs } from '../people/amend';
import { RemovalAttempts } from '../people/removal';
import { LatestReadings } from '../failures/readings';
import type { Carrier } from '../registration/carrier';
import type { RegistrationRun } from '../registration/registrationRun';
import * as law from './removalLaw';
import { outcomeOfKept, type CandidateTo } from './intent';

/**
 * A session is read again before a removal where its last reading is older than this. A removal of someone whose session has begun
 * would cost the record of an attendance, and a host may open a session at any time. About one request in twenty is a reading.
 */
export const sessionFreshMs = 3_000;

/**
 * A removal leaves no later than this after the reading, because the platform may have requests wait for two minutes. Usually all that have
 * asked for their turn leave within five seconds. A removal may wait as long as its reading has waited on top of that, or else none would
 * leave as long as other workflows have fifteen seconds of requests in front of it.
 */
const latestDepartureMs = 15_000;

const removed: Outcome = { status: 'removed', reasons: [] };

/** The time that is left to a run, by the platform's clock. Its last removal may arrive as late as its response is waited for (`endingAt`). */
export function timeLeft(run: Run): law.RunTime {
	const nowMs = platformNowMs(run);
	const { deadlineAtMs = Infinity, clock } = run;
	return { nowMs, endsAtMs: nowMs + (deadlineAtMs - clock.now()) + longestResponseMs };
}

/**
 * Removes people, and applies what the third part of the law says of the session once more before each removal. Additions, updates and many removals take
 * minutes, in which a session may begin. What keeps one person of a session keeps everybody who would be removed after them.
 */
export class Removals {
	/** Of each session, why nobody is removed. That is for good, so the session is not read again. */
	private readonly reasons = new LatestReadings<Reason | undefined>(new Map(), (reason) =>
		reason ? Infinity : sessionFreshMs,
	);

	constructor(
		private readonly run: RegistrationRun,
		private readonly carrier: Carrier,
	) {}

	/** Gives an attempt to remove somebody, which may be made again. It throws the failure where the platform refuses it, or does not answer. */
	attemptFor({ row, person }: CandidateTo<'remove'>): () => Promise<Outcome> {
		const { sessionId } = row;
		const { id, email } = person;
		const attempts = new RemovalAttempts(this.carrier.ask, {
			sessionId,
			person: { id, attributes: { email } },
		});
		return async () => {
			for (;;) {
				const reading = await this.reasons.read(
					sessionId,
					() => this.run.clock.now(),
					() => this.readReason(sessionId),
				);
				const { result: reason, beganAtMs, atMs } = reading;
				if (reason)
					return attempts.lost ? await this.afterLooking(attempts) : outcomeOfKept(reason);
				const deadlineAtMs = atMs + latestDepartureMs + (atMs - beganAtMs);
				const failure = await attempts.make({ retry: 'never', deadlineAtMs });
				if (!failure) return removed;
				if (failure.cause === 'not_found') return await this.afterLooking(attempts);
				// The session may begin until the next attempt, however soon that is.
				this.reasons.forget(sessionId, reading);
				// Other requests with the token are in front, and another reading leaves after them.
				if (!this.isTurnTooLate(failure)) throw failure;
			}
		};
	}

	/** The reading was too old before the removal could leave, because the queue was long. The run itself has time, so the session is read again. */
	private isTurnTooLate({ cause, retryAt = Infinity }: Failure): boolean {
		return cause === 'time_over' && retryAt <= (this.run.deadlineAtMs ?? Infinity);
	}

	private async readReason(sessionId: string): Promise<Reason | undefined> {
		const name = this.run.sessions.nameOf(sessionId);
		try {
			const session = await getRecord(this.carrier.ask, pathTo`/sessions/${sessionId}`);
			return law.reasonToRemoveNobody({ name, session }, timeLeft(this.run));
		} catch (error) {
			return law.reasonOfUnreadSession(name, this.carrier.reasonOf(error).message);
		}
	}

	/** The list of the session tells what became of somebody whom the platform did not find, or whose removal got no answer. */
	private async afterLooking(attempts: RemovalAttempts): Promise<Outcome> {
		const result = await attempts.look();
		if (result === 'removed') return removed;
		const doubt = attempts.lost ?? (result instanceof Failure ? result : undefined);
		if (doubt) return notConfirmed(this.carrier.reasonOf(doubt));
		return { status: 'failed', reasons: [stillThere] };
	}
}

const stillThere: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};
