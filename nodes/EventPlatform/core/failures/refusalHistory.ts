import { type Meaning, meaningOf } from './meaning';
import type { Failure } from '../client/failure';
import { mentionsSession } from '../dialect/refusals';

/** Owns the refusals of a run, by which it decides what another one means: a 403 may be about one session or about all. */
export class RefusalHistory {
	/** The sessions that were refused since the last success. True where a 403 did not speak of the session, so that it may be about all. */
	private readonly refused = new Map<string, boolean>();

	/** Records a failure, and gives its meaning. */
	recordFailure(failure: Failure, sessionId: string): Meaning {
		const meaning = meaningOf(failure);
		if (meaning.ends !== 'session') return meaning;
		const mayBeAboutAll = failure.cause === 'forbidden' && !mentionsSession(failure.errors);
		this.refused.set(sessionId, mayBeAboutAll || this.refused.get(sessionId) === true);
		const unspecific = [...this.refused.values()].filter(Boolean);
		const isOfAll = unspecific.length > 1 || this.refused.size > mostRefused;
		return isOfAll ? { ...meaning, ends: 'run' } : meaning;
	}

	/** Records that the platform did what was asked: its refusals were not about all sessions. */
	recordSuccess(): void {
		this.refused.clear();
	}
}

/** The most sessions in a row that may be refused. Where more are, the column holds something else, and each row would cost a request. */
export const mostRefused = 20;
