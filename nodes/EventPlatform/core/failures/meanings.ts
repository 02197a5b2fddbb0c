import type { Failure } from '../http/failure';
import { meaningOf, type Meaning } from './causes';

/** What failures mean for a run, by those that came before: a 403 may be about one session or about all. */
export class Meanings {
	/** Since the platform last did what was asked. */
	private readonly refused = new Set<string>();
	/** Without a word of a session. */
	private readonly forbidden = new Set<string>();

	of(failure: Failure, sessionId: string): Meaning {
		const meaning = meaningOf(failure);
		if (meaning.ends !== 'session') return meaning;
		this.refused.add(sessionId);
		// A 403 that speaks of the session concerns no other.
		const said = failure.errors.map((error) => Object.values(error).join(' ')).join(' ');
		const speaksOfSession = /session|event|webinar/i.test(said);
		if (failure.reason === 'forbidden' && !speaksOfSession) this.forbidden.add(sessionId);
		const isOfAll = this.forbidden.size > 1 || this.refused.size > mostRefused;
		return isOfAll ? { ...meaning, ends: 'run' } : meaning;
	}

	isAllowed(): void {
		this.refused.clear();
		this.forbidden.clear();
	}
}

/** Where so many sessions in a row are refused, the column is no session's, and each row would cost a request. */
export const mostRefused = 20;
