import { reasonOfError, type Reason } from '../people/outcome';
import type { Candidate } from '../registration/candidate';
import { planRun } from '../registration/bulkPlan';
import type { RegistrationRun } from '../registration/registrationRun';
import type { Row } from '../people/registration';
import { isSameId, pathTo, pathToPeople, problemOfId } from '../client/path';
import { createYielder } from '../client/clock';
import type { Ask } from '../client/request';
import { asFailure, Failure } from '../client/failure';
import { readPages } from '../client/pages';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { publicEventInWords } from '../people/emailUse';
import { whyClosed } from '../sessions/phase';
import type { SessionRead } from '../sessions/readSession';
import type { SessionCache } from '../sessions/sessionCache';
import { isOfAnotherSession } from '../people/identity';
import type { SessionOfList } from './removalLaw';
import { namesIn, readRegistered, type Judging, type Registered } from './registered';

export interface SyncSession extends SessionOfList {
	readonly id: string;
	people?: readonly Registered[];
	/** Why no row of this session is carried out. Those of others may be. */
	reasonNotToSend?: Reason;
	/** Why nobody can be added. */
	reasonClosed?: string;
}

interface SessionsOfList {
	candidates: readonly Candidate[];
	sessions: Map<string, SyncSession>;
	/** Why the reading ended early: the failure may concern every session. */
	stop?: Reason;
	failureOfRun?: Failure;
}

/** Reads each session once, and then the people of the sessions to which rows can be sent, or of all of them where people are removed. */
export async function readSessionsOfList(
	list: readonly Row[],
	run: RegistrationRun,
	{ mayRemoveOthers }: { mayRemoveOthers: boolean },
): Promise<SessionsOfList> {
	const reader = new SessionsReader(run);
	const sessions = await readSessionsWithoutPeople(list, run, reader);
	const yieldIfDue = createYielder(run.clock);
	const { candidates, batches } = planRun(list);
	await yieldIfDue();
	const sessionsToSendTo = new Set(batches.map(({ sessionId }) => sessionId));
	const asked = namesIn(list);
	for (const [id, session] of sessions) {
		if (session.reasonNotToSend) continue;
		const isNeeded = mayRemoveOthers || sessionsToSendTo.has(id);
		const judging = { session, asked, view: run.view };
		const { result: people, reason } = isNeeded
			? await reader.read(id, () => readRegisteredPeople(id, run.client.send, judging))
			: { result: [] };
		const isPublic =
			run.findings.emailsAre(id) !== 'kept' &&
			people?.some(({ address }) => isGeneratedAddress(address));
		sessions.set(
			id,
			isPublic ? markAsPublic(session) : { ...session, people, reasonNotToSend: reason },
		);
	}
	const { stop, failureOfRun } = reader;
	return { candidates, sessions, stop, failureOfRun };
}

async function readSessionsWithoutPeople(
	list: readonly Row[],
	{ client, sessions: cache, findings }: RegistrationRun,
	reader: SessionsReader,
): Promise<Map<string, SyncSession>> {
	const sessions = new Map<string, SyncSession>();
	for (const id of new Set(list.map((row) => row.sessionId))) {
		if (problemOfId(id) !== undefined) continue;
		const { result: listedSession, reason } = await reader.read(id, () =>
			readListedSession(cache, id, client.send),
		);
		const name = listedSession ? cache.nameOfRead(listedSession) : id;
		const session: SyncSession = {
			id,
			name,
			session: listedSession?.session,
			reasonClosed: listedSession && whyClosed(listedSession, name),
			reasonNotToSend: reason,
		};
		sessions.set(id, findings.emailsAre(id) === 'replaced' ? markAsPublic(session) : session);
	}
	return sessions;
}

class SessionsReader {
	stop?: Reason;
	/** The one for which `stop` gives the words. Absent as well after an error of another kind. */
	failureOfRun?: Failure;

	constructor(private readonly run: Pick<RegistrationRun, 'sessions' | 'findings'>) {}

	async read<Result>(
		sessionId: string,
		request: () => Promise<Result>,
	): Promise<{ result?: Result; reason?: Reason }> {
		const { sessions, findings } = this.run;
		if (this.stop) return { reason: this.stop };
		try {
			const result = await request();
			findings.breaker.recordSuccess();
			return { result };
		} catch (error) {
			const reason = reasonOfError(error, sessions);
			const failure = error instanceof Failure ? error : undefined;
			const scope = failure ? findings.breaker.recordUnread(failure, sessionId) : 'run';
			if (scope === 'run') {
				this.stop = reason;
				this.failureOfRun = failure;
			}
			return { reason };
		}
	}
}

/** Reads a session and its event, if that can be read: its form shows what becomes of emails. */
async function readListedSession(
	cache: SessionCache,
	sessionId: string,
	ask: Ask,
): Promise<SessionRead> {
	const sessionRead = await cache.read(sessionId, ask);
	// Two IDs of the list might be one session, and each would have the people of the other removed.
	if (!isSameId(sessionRead.session.id, sessionId)) {
		const path = pathTo`/sessions/${sessionId}`;
		throw new Failure('unexpected_shape', { method: 'GET', path });
	}
	const event = await cache.readEvent(sessionId, ask).catch(asFailure);
	return event instanceof Failure ? sessionRead : { ...sessionRead, event };
}

async function readRegisteredPeople(
	sessionId: string,
	ask: Ask,
	judging: Judging,
): Promise<Registered[]> {
	const people: Registered[] = [];
	try {
		for await (const { records } of readPages(ask, pathToPeople(sessionId))) {
			for (const record of records) {
				if (!isOfAnotherSession(record, sessionId)) people.push(readRegistered(record, judging));
			}
		}
	} catch (error) {
		// The session itself was read before, so it is the endpoint that is missing: the ID need not be checked.
		const isMissing = error instanceof Failure && error.cause === 'not_found';
		throw isMissing ? new Failure('no_endpoint', error.request, error) : error;
	}
	return people;
}

const consequenceForSync =
	'Sync would add the same people again in every run. Ask for the email in the form, or use Bulk Register and send each person only once.';

/** Marks a session whose people cannot be recognised by their addresses, so that none of its rows is carried out. */
function markAsPublic(session: SyncSession): SyncSession {
	const message = `${publicEventInWords([session.name])} ${consequenceForSync}`;
	return { ...session, people: [], reasonNotToSend: { code: 'public_event', message } };
}
