import { type Meaning, meaningOf } from './meaning';
import type { Failure } from '../client/failure';
import { mentionsSession } from '../dialect/refusals';

/** Owns the refusals of a run, by which it decides what another one means: a 403 may be about one session or about all. */
export class RefusalHistory {
	/** The sessions that were refused since the last success, each with whether a 403 did not mention the session and so may be about all. */
	private readonly refusedSessions = new Map<string, boolean>();

	/** Records a failure, and gives its meaning. */
	recordFailure(failure: Failure, sessionId: string): Meaning {
		const meaning = meaningOf(failure);
		if (meaning.ends !== 'session') return meaning;
		const mayBeAboutAll = failure.cause === 'forbidden' && !mentionsSession(failure.errors);
		this.refusedSessions.set(
			sessionId,
			mayBeAboutAll || this.refusedSessions.get(sessionId) === true,
		);
		const unspecificRefusals = [...this.refusedSessions.values()].filter(Boolean);
		const isAboutAll = unspecificRefusals.length > 1 || this.refusedSessions.size > mostRefused;
		return isAboutAll ? { ...meaning, ends: 'run' } : meaning;
	}

	/** Records that the platform did what was asked: its refusals were not about all sessions. */
	recordSuccess(): void {
		this.refusedSessions.clear();
	}
}

/** The most sessions in a row that may be refused. Where more are, the column holds something else, and each row would cost a request. */
export const mostRefused = 20;
