import { because } from '../bulk/outcome';
import { Meanings } from '../bulk/health';
import type { Meter } from '../bulk/meter';
import { planRun, type Candidate } from '../bulk/plan';
import type { RunParts } from '../bulk/run';
import { Failure } from '../http/failure';
import { listRecords } from '../http/paginate';
import { asSpelled, pathTo, problemOfId } from '../http/path';
import type { Ask, JsonObject } from '../http/ports';
import { text } from '../http/text';
import type { Reason } from '../jobs/task';
import { readSession, whyClosed, type SessionRead } from '../sessions/readSession';

/** A session of the list: who is registered, or why that is not known. Absent: nobody asked. */
export interface Registered {
	/** With title and time, for people. */
	name: string;
	people?: readonly JsonObject[] | Reason;
}

export interface SyncParts extends RunParts {
	/** A session with its title and time. */
	nameSession?: (session: SessionRead) => string;
}

/** Reads who is registered for the sessions of a list. */
export class RegisteredPeople {
	/** By the id that the platform answers with. */
	readonly sessions = new Map<string, Registered & { read?: SessionRead }>();
	/** Why nothing more can be read, and so nothing is sent. */
	stop?: Reason;
	unreached?: Failure;
	private readonly meanings = new Meanings();

	constructor(
		private readonly parts: SyncParts,
		private readonly meter: Meter,
	) {}

	/**
	 * Each session once, then everyone of those with somebody who can be sent: without knowing them
	 * nothing is sent; and of the others, too, where people are removed, because each session may show
	 * another address of somebody. Gives the rows with the ids that the platform answers with, those of a
	 * closed session with that problem if a rehearsal is to tell what the platform would refuse.
	 */
	async read(
		rows: readonly Candidate[],
		{ rehearses, removesOthers }: { rehearses: boolean; removesOthers: boolean },
	): Promise<Candidate[]> {
		const idOf = new Map<string, string>();
		for (const { sessionId } of rows) {
			const spelled = asSpelled(sessionId);
			if (idOf.has(spelled) || problemOfId(sessionId) !== undefined) continue;
			idOf.set(spelled, await this.readSession(sessionId));
		}
		const read = rows.map((row) => {
			const sessionId = idOf.get(asSpelled(row.sessionId)) ?? row.sessionId;
			const session = this.sessions.get(sessionId);
			const closed = rehearses && session?.read && whyClosed(session.read, session.name);
			return { ...row, sessionId, problems: closed ? [...row.problems, closed] : row.problems };
		});
		const wanted = new Set(planRun(read).chunks.map(({ sessionId }) => sessionId));
		for (const [id, session] of this.sessions) {
			session.people ??= removesOthers || wanted.has(id) ? await this.peopleOf(id) : [];
		}
		return read;
	}

	/** The id that the platform answers with. */
	private async readSession(sessionId: string): Promise<string> {
		const { api, nameSession } = this.parts;
		const found = await this.tried(sessionId, async (ask) => {
			const session = await readSession(api, sessionId, ask);
			if (text(session.session.id) !== '') return session;
			// Two ids of the list may be one session: without the own one nobody knows.
			throw new Failure('unexpected_shape', {
				method: 'GET',
				path: pathTo`/sessions/${sessionId}`,
			});
		});
		const read = 'session' in found ? found : undefined;
		const id = text(read?.session.id) || sessionId;
		const name = (read && nameSession?.(read)) || id;
		// What could not be read under one spelling of its id is not known.
		if (!this.sessions.get(id)?.people) {
			this.sessions.set(id, 'session' in found ? { name, read } : { name, people: found });
		}
		return id;
	}

	private async peopleOf(sessionId: string): Promise<JsonObject[] | Reason> {
		const path = pathTo`/sessions/${sessionId}/people`;
		return await this.tried(sessionId, (ask) => listRecords(ask, path, {}, this.parts.signal));
	}

	/** What is wrong with one session leaves the others; anything else concerns them all. */
	private async tried<Read>(
		sessionId: string,
		read: (ask: Ask) => Promise<Read>,
	): Promise<Read | Reason> {
		if (this.stop) return this.stop;
		try {
			const found = await read(this.meter.askFor(sessionId));
			this.meanings.isAllowed();
			return found;
		} catch (error) {
			const reason = because(error, this.parts.explain);
			const failure = error instanceof Failure ? error : undefined;
			const { person, ends } = failure ? this.meanings.of(failure, sessionId) : {};
			if (ends === 'session' || person === 'refused') return reason;
			this.unreached = failure;
			return (this.stop = reason);
		}
	}
}
