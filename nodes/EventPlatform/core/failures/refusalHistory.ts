import { type Meaning, meaningOf } from './meaning';
import type { Failure } from '../client/failure';
import { mentionsSession } from '../dialect/refusals';

/** Judges failures by those that came before in the run, because a 403 may be about one session or about all. */
export class RefusalHistory {
	/** Sessions since the platform last did what was asked, and whether a 403 came without a word of it. */
	private readonly refused = new Map<string, boolean>();

	meaningOf(failure: Failure, sessionId: string): Meaning {
		const meaning = meaningOf(failure);
		if (meaning.ends !== 'session') return meaning;
		const isOpen = failure.cause === 'forbidden' && !mentionsSession(failure.errors);
		this.refused.set(sessionId, isOpen || this.refused.get(sessionId) === true);
		const open = [...this.refused.values()].filter(Boolean);
		const isOfAll = open.length > 1 || this.refused.size > mostRefused;
		return isOfAll ? { ...meaning, ends: 'run' } : meaning;
	}

	recordSuccess(): void {
		this.refused.clear();
	}
}

/** Where so many sessions in a row are refused, the column is no session's, and each row would cost a request. */
export const mostRefused = 20;
