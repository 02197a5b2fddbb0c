import { because } from '../bulk/outcome';
import { planRun, type Candidate, type RunParts } from '../bulk/plan';
import type { Meter } from '../bulk/report';
import { Meanings } from '../failures/meanings';
import { Failure } from '../http/failure';
import { listRecords } from '../http/jsonApi';
import { text, type JsonObject } from '../http/json';
import { asSpelled, pathTo, problemOfId, type Ask } from '../http/ports';
import type { Reason } from '../jobs/task';
import { whyClosed } from '../sessions/phase';
import { readSession, type SessionRead } from '../sessions/readSession';
import type { SessionOfList } from './law';

/** A session of the list, and who is registered for it. */
export interface Registered extends SessionOfList {
	/** Who is registered; absent: that is not known. */
	people?: readonly JsonObject[];
	/** Why no row of the session can be carried out. */
	whyNot?: Reason;
	/** Why nobody can be added any more. */
	closed?: string;
}

export interface SyncParts extends RunParts {
	nameSession?: (session: SessionRead) => string;
}

/**
 * Reads each session once, then its people if somebody of it can be sent; of all sessions where people are
 * removed, because each may show another address of somebody. Gives the rows with the ids that the platform
 * answers with.
 */
export async function readRegistered(
	list: readonly Candidate[],
	{ api, explain, nameSession, signal }: SyncParts,
	meter: Meter,
	{ removesOthers }: { removesOthers: boolean },
) {
	/** By the id that the platform answers with. */
	const sessions = new Map<string, Registered>();
	const idOf = new Map<string, string>();
	const meanings = new Meanings();
	/** Why nothing more can be read, and so nothing is sent. */
	let stop: Reason | undefined;
	let unreached: Failure | undefined;

	/** What is wrong with one session leaves the others; anything else concerns them all. */
	async function tried<Found>(id: string, read: (ask: Ask) => Promise<Found>) {
		if (stop) return { whyNot: stop };
		try {
			const found = await read(meter.askFor(id));
			meanings.isAllowed();
			return { found };
		} catch (error) {
			const whyNot = because(error, explain);
			const failure = error instanceof Failure ? error : undefined;
			const { person, ends } = failure ? meanings.of(failure, id) : {};
			if (ends !== 'session' && person !== 'refused') [stop, unreached] = [whyNot, failure];
			return { whyNot };
		}
	}

	for (const { sessionId } of list) {
		const spelled = asSpelled(sessionId);
		if (idOf.has(spelled) || problemOfId(sessionId) !== undefined) continue;
		const { found, whyNot } = await tried(sessionId, async (ask) => {
			const read = await readSession(api, sessionId, ask);
			// Two ids of the list may be one session: without the own one nobody knows.
			if (text(read.session.id) !== '') return read;
			const path = pathTo`/sessions/${sessionId}`;
			throw new Failure('unexpected_shape', { method: 'GET', path });
		});
		const id = found ? text(found.session.id) : sessionId;
		idOf.set(spelled, id);
		// What could not be read under one spelling of its id is not known.
		if (sessions.get(id)?.whyNot) continue;
		const name = (found && nameSession?.(found)) || id;
		const closed = found && whyClosed(found, name);
		sessions.set(id, { name, session: found?.session, whyNot, closed });
	}
	const rows = list.map((row) => {
		return { ...row, sessionId: idOf.get(asSpelled(row.sessionId)) ?? row.sessionId };
	});
	const wanted = new Set(planRun(rows).chunks.map(({ sessionId }) => sessionId));
	for (const [id, session] of sessions) {
		if (session.whyNot) continue;
		const path = pathTo`/sessions/${id}/people`;
		const { found: people, whyNot } =
			removesOthers || wanted.has(id)
				? await tried(id, (ask) => listRecords(ask, path, { signal }))
				: { found: [] };
		sessions.set(id, { ...session, people, whyNot });
	}
	return { rows, sessions, stop, unreached };
}
