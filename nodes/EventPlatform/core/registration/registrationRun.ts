import type { Run } from '../client/run';
import type { Usage } from '../client/usage';
import type { EmailUse } from '../dialect/publicEvents';
import { SessionBreaker } from '../failures/breaker';
import { knownEmailUse } from '../people/emailUse';
import type { RecordView } from '../records/recordView';
import type { SessionCache } from '../sessions/sessionCache';
import { Outage } from './outage';
import { PlainForm } from './refusedBatch';

/** A run that registers people. */
export interface RegistrationRun extends Run {
	readonly sessions: SessionCache;
	/** The part of each person's record that is kept. Absent: all of it. */
	readonly view?: RecordView;
	readonly findings: Findings;
	readonly log?: (message: string) => void;
}

/** Owns what the responses of a run have shown of the platform and of its sessions. It does not matter which part of the run has asked. */
export class Findings {
	readonly plainForm = new PlainForm();
	/** That of the forms is another one: a platform that shows no sessions may register people for them all the same. */
	readonly breaker = new SessionBreaker();
	readonly outage: Outage;
	/** By session, what results and lists show of its emails. `unknown`: its form was asked for, and does not tell. */
	private readonly emailUses = new Map<string, EmailUse>();

	constructor(
		private readonly sessions: SessionCache,
		usage: Pick<Usage, 'responses'>,
	) {
		this.outage = new Outage(usage);
	}

	recordEmails(sessionId: string, use: EmailUse): void {
		const known = this.emailUses.get(sessionId) ?? 'unknown';
		if (known === 'unknown' || use === 'replaced') this.emailUses.set(sessionId, use);
	}

	/** Results show emails that the platform has made up, so that nobody can be looked for by email. */
	hasMadeUpEmails(sessionId: string): boolean {
		return this.emailUses.get(sessionId) === 'replaced';
	}

	/**
	 * What is known of the emails of a session; undefined where nobody has asked for its form yet. The first of these counts that shows it:
	 *
	 *  1. a made-up address in a result of this run: the platform makes them up now, whatever the form asks for
	 *  2. the form
	 *  3. an address that was sent, in a result or a list
	 *  4. a made-up address in the list that Sync reads, which is decided there (`sync/readSessions.ts`): it may be from before the form asked for
	 *     an email
	 */
	emailsAre(sessionId: string): EmailUse | undefined {
		const byForm = knownEmailUse(this.sessions, sessionId);
		const isDecidedByForm = byForm !== 'unknown' && !this.hasMadeUpEmails(sessionId);
		return isDecidedByForm ? byForm : this.emailUses.get(sessionId);
	}
}
