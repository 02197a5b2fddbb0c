import { because } from '../bulk/outcome';
import type { Meter, RunParts } from '../bulk/parts';
import { planRun, type Candidate } from '../bulk/plan';
import { Meanings } from '../failures/meanings';
import { Failure } from '../http/failure';
import { listRecords } from '../http/paginate';
import { asSpelled, pathTo, problemOfId } from '../http/path';
import type { Ask, JsonObject } from '../http/ports';
import { text } from '../http/text';
import type { Reason } from '../jobs/task';
import { readSession, whyClosed, type SessionRead } from '../sessions/readSession';

/** A session of the list: who is registered, or why that is not known. Absent: nobody asked. */
export interface Registered {
	/** With title and time. */
	name: string;
	people?: readonly JsonObject[] | Reason;
}

export interface SyncParts extends RunParts {
	/** A session with its title and time. */
	nameSession?: (session: SessionRead) => string;
}

/**
 * Reads each session once, then everyone of those with somebody who can be sent: without knowing them
 * nothing is sent; and of the others, too, where people are removed, because each session may show
 * another address of somebody. Gives the rows with the ids that the platform answers with, those of a
 * closed session with that problem if a rehearsal is to tell what the platform would refuse.
 */
export async function readRegistered(
	list: readonly Candidate[],
	{ api, explain, nameSession, signal }: SyncParts,
	meter: Meter,
	{ rehearses, removesOthers }: { rehearses: boolean; removesOthers: boolean },
) {
	/** By the id that the platform answers with. */
	const sessions = new Map<string, Registered & { read?: SessionRead }>();
	const meanings = new Meanings();
	/** Why nothing more can be read, and so nothing is sent. */
	let stop: Reason | undefined;
	let unreached: Failure | undefined;

	/** What is wrong with one session leaves the others; anything else concerns them all. */
	async function tried<Read>(id: string, read: (ask: Ask) => Promise<Read>) {
		if (stop) return stop;
		try {
			const found = await read(meter.askFor(id));
			meanings.isAllowed();
			return found;
		} catch (error) {
			const reason = because(error, explain);
			const failure = error instanceof Failure ? error : undefined;
			const { person, ends } = failure ? meanings.of(failure, id) : {};
			if (ends === 'session' || person === 'refused') return reason;
			unreached = failure;
			return (stop = reason);
		}
	}

	/** Gives the id that the platform answers with. */
	async function readOne(sessionId: string): Promise<string> {
		const found = await tried(sessionId, async (ask) => {
			const read = await readSession(api, sessionId, ask);
			if (text(read.session.id) !== '') return read;
			// Two ids of the list may be one session: without the own one nobody knows.
			throw new Failure('unexpected_shape', {
				method: 'GET',
				path: pathTo`/sessions/${sessionId}`,
			});
		});
		const [read, why] = 'session' in found ? [found] : [undefined, found];
		const id = text(read?.session.id) || sessionId;
		const name = (read && nameSession?.(read)) || id;
		// What could not be read under one spelling of its id is not known.
		if (!sessions.get(id)?.people) sessions.set(id, { name, read, people: why });
		return id;
	}

	const idOf = new Map<string, string>();
	for (const { sessionId } of list) {
		const spelled = asSpelled(sessionId);
		if (idOf.has(spelled) || problemOfId(sessionId) !== undefined) continue;
		idOf.set(spelled, await readOne(sessionId));
	}
	const rows = list.map((row) => {
		const sessionId = idOf.get(asSpelled(row.sessionId)) ?? row.sessionId;
		const session = sessions.get(sessionId);
		const closed = rehearses && session?.read && whyClosed(session.read, session.name);
		return { ...row, sessionId, problems: closed ? [...row.problems, closed] : row.problems };
	});
	const wanted = new Set(planRun(rows).chunks.map(({ sessionId }) => sessionId));
	for (const [id, session] of sessions) {
		const path = pathTo`/sessions/${id}/people`;
		session.people ??=
			removesOthers || wanted.has(id)
				? await tried(id, (ask) => listRecords(ask, path, {}, signal))
				: [];
	}
	return { rows, sessions, stop, unreached };
}
