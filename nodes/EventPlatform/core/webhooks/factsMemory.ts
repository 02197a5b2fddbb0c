import type { SessionFacts } from '../events/sessionFacts';
import { keepLatest } from '../values/collections';

/** Facts older than this are read again: people rename events and move sessions. */
const freshForMs = 3 * 60_000;

/** So many times is a session read in that time at most, however many of its events a filter excludes. */
const mostReads = 5;

const mostSessions = 200;

interface RememberedFacts {
	/** When the first of the reads was made that count together. */
	firstReadAtMs: number;
	lastReadAtMs: number;
	reads: number;
	reading: Promise<SessionFacts | undefined>;
}

/** What one trigger remembers of the sessions that deliveries were about, so that many registrations of one session cost few requests. */
export class FactsMemory {
	private readonly sessions = new Map<string, RememberedFacts>();

	constructor(private readonly now: () => number) {}

	/**
	 * Gives facts that are at most three minutes old; undefined where they cannot be read now. `sinceMs`: facts from before are read
	 * again at once, as far as the number of reads allows.
	 */
	async find(
		sessionId: string,
		read: () => Promise<SessionFacts | undefined>,
		sinceMs: number,
	): Promise<SessionFacts | undefined> {
		const nowMs = this.now();
		const remembered = this.sessions.get(sessionId);
		const ageMs = remembered && nowMs - remembered.firstReadAtMs;
		const fresh = ageMs !== undefined && ageMs >= 0 && ageMs < freshForMs ? remembered : undefined;
		if (fresh && (fresh.lastReadAtMs >= sinceMs || fresh.reads >= mostReads)) {
			return await fresh.reading;
		}
		const reading = read().catch(() => undefined);
		const { firstReadAtMs = nowMs, reads = 0 } = fresh ?? {};
		const facts = { firstReadAtMs, lastReadAtMs: nowMs, reads: reads + 1, reading };
		this.sessions.set(sessionId, facts);
		keepLatest(this.sessions, mostSessions);
		const result = await reading;
		// Facts that could not be read are read again the next time.
		if (result === undefined && this.sessions.get(sessionId) === facts) {
			this.sessions.delete(sessionId);
		}
		return result;
	}
}
