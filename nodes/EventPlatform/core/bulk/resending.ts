import { asFailure, Failure } from '../client/failure';
import { largestPage } from '../client/pages';
import type { Ask } from '../client/request';
import { meaningOf } from '../failures/meaning';
import { readEmailUse } from '../people/emailUse';
import { type EmailUse } from '../dialect/publicEvents';
import { fetchPeoplePage } from '../people/findPeople';
import { emailUseShownBy } from '../people/identity';
import type { SessionCache } from '../sessions/sessionCache';
import type { Ledger } from './ledger';

/**
 * Decides whether people whose request may already have arrived may be sent again. A public event would register them twice, and
 * nobody could tell. The results of the run decide it, or else the form of the event. Where neither tells what the event does with
 * emails, one page of the session's people decides it; and where that tells nothing either, nobody is sent again.
 */
export class Resending {
	/** The use of emails by the event of each session, by the id of the session. A use that could not be read is asked for again. */
	private readonly emailUses = new Map<string, Promise<EmailUse>>();

	constructor(
		private readonly ledger: Pick<Ledger, 'publicSessions' | 'sessionsThatKeepEmails'>,
		/**
		 * The sessions that this execution has read. Every node hands them over. Only tests without events leave them out, and then
		 * nothing is asked: every event counts as one that keeps emails, unless the results of the run show otherwise.
		 */
		private readonly sessions?: SessionCache,
	) {}

	/** Whether another attempt registers nobody twice. Throws where the platform does not respond now, so that it may be asked later. */
	async isSafe(sessionId: string, ask: Ask): Promise<boolean> {
		if (this.ledger.publicSessions.has(sessionId)) return false;
		if (this.ledger.sessionsThatKeepEmails.has(sessionId)) return true;
		// There is nothing to ask, which happens in tests alone (see the constructor).
		if (!this.sessions) return true;
		const use = this.emailUses.get(sessionId) ?? askForEmailUse(this.sessions, sessionId, ask);
		this.emailUses.set(sessionId, use);
		use.catch(() => this.emailUses.delete(sessionId));
		return (await use) === 'kept';
	}
}

/** Reads the form of the event, or one page of the session's people where the form cannot be read. */
async function askForEmailUse(
	sessions: SessionCache,
	sessionId: string,
	ask: Ask,
): Promise<EmailUse> {
	const useByForm = await readEmailUse(sessions, sessionId, ask);
	if (useByForm !== 'unknown') return useByForm;
	const query = { 'page[number]': 0, 'page[size]': largestPage };
	const page = await fetchPeoplePage(ask, sessionId, query).catch(asFailure);
	if (!(page instanceof Failure)) return emailUseShownBy(page.records);
	if (meaningOf(page).isPassing) throw page;
	// A platform that does not show who is registered shows nothing of its events either.
	return 'unknown';
}
