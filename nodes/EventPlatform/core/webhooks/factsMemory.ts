import type { SessionFacts } from '../events/sessionFacts';
import { Readings } from '../failures/readings';
import { keepLatest } from '../values/collections';
import { ageOf, RecentTimes } from '../values/recentTimes';
import { dayMs, hourMs, type Ms } from '../values/units';
import { LookupBudget } from './lookupBudget';

/**
 * Once all triggers of a token together have read so many sessions within a day, for the first time or again, facts are read again when
 * they are a day old instead of an hour. Registrations of thirty sessions come half an hour apart in each of them, and each would
 * otherwise cost a request.
 */
const manyReadsPerDay = 50;

/** A session that is forgotten is read again. */
const mostRememberedSessions = 1_000;

interface RememberedFacts {
	readAtMs: Ms;
	facts: SessionFacts;
}

/** What the triggers of one token remember of the sessions that deliveries were about, as long as the process lives. */
export class FactsMemory {
	private readonly budget: LookupBudget;
	private readonly sessions = new Map<string, RememberedFacts>();
	private readonly readings = new Readings<string, SessionFacts | undefined>('nothing');
	private readonly readsInDay = new RecentTimes(dayMs);

	constructor(private readonly now = () => Date.now()) {
		this.budget = new LookupBudget(now);
	}

	/** Gives the facts of a session; older ones where they cannot be read now, and undefined where there are none. */
	async find(
		sessionId: string,
		read: () => Promise<SessionFacts>,
		readsPerMinute: number,
	): Promise<SessionFacts | undefined> {
		const remembered = this.sessions.get(sessionId);
		if (remembered !== undefined && this.isFresh(remembered)) return remembered.facts;
		const facts = await this.readings.read(sessionId, () =>
			this.read(sessionId, read, readsPerMinute),
		);
		return facts ?? remembered?.facts;
	}

	private isFresh({ readAtMs }: RememberedFacts): boolean {
		const nowMs = this.now();
		const longestMs = this.readsInDay.countAt(nowMs) < manyReadsPerDay ? hourMs : dayMs;
		return ageOf(readAtMs, nowMs) < longestMs;
	}

	private async read(
		sessionId: string,
		read: () => Promise<SessionFacts>,
		readsPerMinute: number,
	): Promise<SessionFacts | undefined> {
		try {
			const facts = await this.budget.lookUp(readsPerMinute, async () => {
				this.readsInDay.add(this.now());
				return await read();
			});
			if (facts === undefined) return undefined;
			this.sessions.delete(sessionId);
			this.sessions.set(sessionId, { readAtMs: this.now(), facts });
			keepLatest(this.sessions, mostRememberedSessions);
			return facts;
		} catch {
			return undefined;
		}
	}
}
