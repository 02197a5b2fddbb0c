import { reasonOfError, type Reason } from '../people/outcome';
import type { Candidate } from '../registration/candidate';
import { planRun } from '../registration/bulkPlan';
import type { RegistrationRun } from '../registration/registrationRun';
import type { Row } from '../people/registration';
import { text } from '../values/text';
import { pathTo, pathToPeople, problemOfId } from '../client/path';
import { createYielder } from '../client/clock';
import type { Ask } from '../client/request';
import { asFailure, Failure } from '../client/failure';
import { readPages } from '../client/pages';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { publicEventInWords } from '../people/emailUse';
import { whyClosed } from '../sessions/phase';
import { failureToListSessions, type SessionRead } from '../sessions/readSession';
import type { SessionCache } from '../sessions/sessionCache';
import { isOfAnotherSession } from '../people/identity';
import type { SessionOfList } from './removalLaw';
import { namesIn, readRegistered, type Judging, type Registered } from './registered';

export interface SyncSession extends SessionOfList {
	/** As the response with it has it. */
	readonly id: string;
	people?: readonly Registered[];
	/** Why no row of this session is carried out. Those of others may be. */
	reasonNotToSend?: Reason;
	/** Why nobody can be added. */
	reasonClosed?: string;
}

interface SessionsOfList {
	/** The rows of the list, each with the id of its session as the platform's response has it. */
	candidates: readonly Candidate[];
	sessions: Map<string, SyncSession>;
	/** Why the reading ended early: the failure may concern every session. */
	stop?: Reason;
	failureOfRun?: Failure;
	/** Why nothing is sent although everything was read. */
	reasonNotToBegin?: Reason;
}

/** Reads each session once, and then the people of the sessions to which rows can be sent, or of all of them where people are removed. */
export async function readSessionsOfList(
	list: readonly Row[],
	run: RegistrationRun,
	{ mayRemoveOthers }: { mayRemoveOthers: boolean },
): Promise<SessionsOfList> {
	const reader = new SessionsReader(run);
	const { sessions, rows } = await readSessionsByIds(list, run, reader);
	const yieldIfDue = createYielder(run.clock);
	const { candidates, batches } = planRun(rows);
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
	return {
		candidates,
		sessions,
		stop,
		failureOfRun,
		reasonNotToBegin: reasonOfPublicEvents([...sessions.values()]),
	};
}

interface SessionsById {
	sessions: Map<string, SyncSession>;
	/** Those of the list, each with the id by which its session is found here. */
	rows: readonly Row[];
}

/** Reads each session of a list once, without its people. Two ids of the list may turn out to be one session. */
async function readSessionsByIds(
	list: readonly Row[],
	{ client, sessions: cache, findings }: RegistrationRun,
	reader: SessionsReader,
): Promise<SessionsById> {
	const sessions = new Map<string, SyncSession>();
	const idOf = new Map<string, string>();
	for (const sessionId of new Set(list.map((row) => row.sessionId))) {
		if (problemOfId(sessionId) !== undefined) continue;
		const isFirst = idOf.size === 0;
		const { result: listedSession, reason } = await reader.read(sessionId, () =>
			readListedSession(cache, sessionId, client.send, isFirst),
		);
		const id = listedSession ? text(listedSession.session.id) : sessionId;
		idOf.set(sessionId, id);
		// A session that could not be read under one spelling of its id stays unknown.
		if (sessions.get(id)?.reasonNotToSend) continue;
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
	const rows = list.map((row) => {
		const sessionId = idOf.get(row.sessionId) ?? row.sessionId;
		return sessionId === row.sessionId ? row : { ...row, sessionId };
	});
	return { sessions, rows };
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

/** Reads a session and its event, if that can be read: its form shows what becomes of emails. `isFirst`: no session of the run was asked for before. */
async function readListedSession(
	cache: SessionCache,
	sessionId: string,
	ask: Ask,
	isFirst: boolean,
): Promise<SessionRead> {
	const sessionRead = await cache.read(sessionId, ask).catch(async (error: unknown) => {
		// A platform that shows no sessions at all responds in the same way.
		if (isFirst && error instanceof Failure && error.cause === 'not_found')
			await checkEndpointOfSessions(ask);
		throw error;
	});
	// Two ids of the list may be one session, which only the id of the record shows.
	if (text(sessionRead.session.id) === '') {
		const path = pathTo`/sessions/${sessionId}`;
		throw new Failure('unexpected_shape', { method: 'GET', path });
	}
	const event = await cache.readEvent(sessionId, ask).catch(asFailure);
	return event instanceof Failure ? sessionRead : { ...sessionRead, event };
}

/** Throws where the platform has no endpoint for sessions. Any other failure does not show that. */
async function checkEndpointOfSessions(ask: Ask): Promise<void> {
	const failure = await failureToListSessions(ask);
	if (failure?.cause === 'no_endpoint') throw failure;
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

const publicEvent = 'public_event';
const consequenceForSync = 'Sync would add the same people again in every run.';

/** Marks a session whose people cannot be recognised by their addresses, so that none of its rows is carried out. */
function markAsPublic(session: SyncSession): SyncSession {
	const message = `${publicEventInWords([session.name])} ${consequenceForSync}`;
	return { ...session, people: [], reasonNotToSend: { code: publicEvent, message } };
}

function reasonOfPublicEvents(sessions: readonly SyncSession[]): Reason | undefined {
	const reasons = sessions.map(({ reasonNotToSend: reason }) =>
		reason?.code === publicEvent ? reason : undefined,
	);
	return reasons.includes(undefined) ? undefined : reasons[0];
}
