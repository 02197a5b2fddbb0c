import { keepLatest } from '../values/collections';

/**
 * Lookups that did not prove a delivery genuine, of which nine are free again in an hour. The base plan has 10,000
 * requests per 30 days; a flood that never ends stays short of it: 600 + 720 hours × 9 = 7,080. The last 120 are for what
 * was sent away before and comes again, as the platform's deliveries do, so that a flood of invented ids does not keep
 * them out until the subscription is given up.
 */
const most = { first: 480, again: 600 };
const freeAgainMs = 400_000;
/** Longer than until all are free again. */
const longestMs = (most.again + 20) * freeAgainMs;

/** So many unclear answers in a row are an outage: one lookup in a minute then tells when it is over. */
const outageAfter = 10;

/** As many as a flood of some hundred a second sends between two attempts of the platform. */
const mostUnsettled = 10_000;

/** What was spent on confirming deliveries, kept in the process and stored with the workflow. */
export interface Spent {
	/** The times of the last minute's lookups. */
	confirmations: number[];
	/** When all lookups are free again. */
	until: number;
}

/** Unclear: the platform did not say, or not all that is needed. */
export type Worth = 'genuine' | 'forged' | 'unclear';

/** A delivery that has not proved genuine and may come again. */
interface Unsettled {
	/** How many of its lookups were unclear: given back when it proves genuine. */
	unclear: number;
	/** Its part in the lookups for what comes again: due when it was sent away without one, and had once. */
	turn?: 'due' | 'had';
}

/** Decides whether one more delivery may cost a request. One for each trigger in each process. */
export class LookupBudget {
	readonly spent: Spent;
	/** As people chose it. */
	perMinute = 120;
	private readonly unsettled = new Map<string, Unsettled>();
	private readonly unclearInARow = { first: 0, again: 0 };

	constructor(
		{ confirmations, until }: Partial<Spent> = {},
		private readonly now: () => number,
	) {
		const times = Array.isArray(confirmations) ? [...confirmations] : [];
		this.spent = { confirmations: times, until: Number(until) || 0 };
	}

	/** What a lookup found; one that breaks is unclear. Undefined: it may not be made, so that the delivery is to come again. */
	async within<Found>(key: string, ask: () => Promise<Found>, worthOf: (found: Found) => Worth) {
		const { spent, unsettled, unclearInARow } = this;
		const at = this.now();
		const { unclear = 0, turn } = unsettled.get(key) ?? {};
		const attempt = turn === 'due' ? 'again' : 'first';
		// Times to come are forgotten, and so is an end that is too late: the clock was set back.
		spent.confirmations = spent.confirmations.filter((one) => one > at - 60_000 && one <= at);
		const until = spent.until - at > longestMs ? at : Math.max(at, spent.until);
		const inMinute = unclearInARow[attempt] < outageAfter ? this.perMinute : 1;
		const isSpent = until - at > (most[attempt] - 1) * freeAgainMs;
		if (isSpent || spent.confirmations.length >= inMinute) {
			if (turn === undefined) unsettled.set(key, { unclear, turn: 'due' });
			keepLatest(unsettled, mostUnsettled);
			return undefined;
		}
		spent.confirmations.push(at);
		spent.until = until + freeAgainMs;
		let worth: Worth = 'unclear';
		try {
			const found = await ask();
			worth = worthOf(found);
			return found;
		} finally {
			unclearInARow[attempt] = worth === 'unclear' ? unclearInARow[attempt] + 1 : 0;
			// One that told nothing may be repeated once more.
			if (worth === 'unclear') unsettled.set(key, { unclear: unclear + 1, turn: turn && 'due' });
			else if (worth === 'forged' && turn) unsettled.set(key, { unclear, turn: 'had' });
			else unsettled.delete(key);
			if (worth === 'genuine') spent.until -= (1 + unclear) * freeAgainMs;
		}
	}
}
