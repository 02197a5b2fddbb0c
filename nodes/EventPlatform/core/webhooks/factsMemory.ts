import type { SessionFacts } from '../events/sessionFacts';
import { LatestReadings } from '../failures/readings';
import { ProcessMap } from '../values/processState';
import { RecentTimes } from '../values/recentTimes';
import { dayMs, hourMs, type Ms } from '../values/units';
import { LookupBudget } from './lookupBudget';

/**
 * Once all triggers of a token together have read so many sessions within a day, for the first time or again, facts are read again when
 * they are a day old instead of an hour. Thirty sessions in which somebody registers every half an hour would otherwise cost about 700
 * requests a day.
 */
const manyReadsPerDay = 50;

/** What the triggers of one token remember of the sessions that deliveries were about, as long as the process lives. */
export class FactsMemory {
	private readonly budget: LookupBudget;
	private readonly readsInDay = new RecentTimes(dayMs);
	private readonly sessions = new LatestReadings<SessionFacts>(
		new ProcessMap('factsOfSessions'),
		() => (this.readsInDay.countAt(this.now()) < manyReadsPerDay ? hourMs : dayMs),
	);

	constructor(private readonly now: () => Ms = () => Date.now()) {
		this.budget = new LookupBudget(now);
	}

	/** Gives the facts of a session; older ones where they cannot be read now, and undefined where there are none. */
	async find(
		sessionId: string,
		read: () => Promise<SessionFacts>,
		readsPerMinute: number,
	): Promise<SessionFacts | undefined> {
		const reading = await this.sessions
			.read(sessionId, this.now, () => this.read(read, readsPerMinute))
			.catch(() => this.sessions.find(sessionId));
		return reading?.result;
	}

	private async read(
		read: () => Promise<SessionFacts>,
		readsPerMinute: number,
	): Promise<SessionFacts> {
		const facts = await this.budget.lookUp(readsPerMinute, async () => {
			this.readsInDay.add(this.now());
			return await read();
		});
		// An older reading takes its place, and nobody reads this.
		if (facts === undefined) throw new Error('unread');
		return facts;
	}
}
