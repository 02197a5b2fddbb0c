import { keepLatest } from '../http/collections';

const minuteMs = 60_000;
const hourMs = 3_600_000;

type Attempt = 'first' | 'again';

/**
 * Lookups that did not prove a delivery genuine. The base plan has 10,000 requests per 30 days; a flood that never ends
 * stays short of it: 600 + 720 hours × 9 = 7,080. The last 120 are for what was sent away before and comes again, as the
 * platform's deliveries do, so that a flood of invented ids does not keep them out until the subscription is given up.
 */
const most: Record<Attempt, number> = { first: 480, again: 600 };
const freePerHour = 9;

/** So many unclear answers in a row are an outage: one lookup in a minute then tells when it is over. */
const outageAfter = 10;

/** As many as a flood of some hundred a second sends between two attempts of the platform. */
const mostUnsettled = 10_000;

/** What was spent on confirming deliveries, kept in the process and stored with the workflow. */
export interface Spent {
	/** The times of the last minute's lookups. */
	confirmations: number[];
	/** Lookups that were not free again at the time `at`. */
	level: { lookups: number; at: number };
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
	private readonly unsettled = new Map<string, Unsettled>();
	private readonly unclearInARow: Record<Attempt, number> = { first: 0, again: 0 };

	constructor({ confirmations, level }: Partial<Spent> = {}) {
		this.spent = {
			confirmations: Array.isArray(confirmations) ? [...confirmations] : [],
			level: { lookups: level?.lookups ?? 0, at: level?.at ?? 0 },
		};
	}

	/** What a lookup found; one that breaks is unclear. Undefined: it may not be made, so that the delivery is to come again. */
	async within<Found>(
		key: string,
		{ perMinute, now }: { perMinute: number; now: () => number },
		lookUp: () => Promise<Found>,
		worthOf: (found: Found) => Worth,
	): Promise<Found | undefined> {
		const at = now();
		const { spent, unsettled, unclearInARow } = this;
		const { unclear = 0, turn } = unsettled.get(key) ?? {};
		const attempt: Attempt = turn === 'due' ? 'again' : 'first';
		// Times to come are forgotten as well: the clock was set back.
		spent.confirmations = spent.confirmations.filter((one) => one > at - minuteMs && one <= at);
		const inMinute = unclearInARow[attempt] < outageAfter ? perMinute : 1;
		if (spent.confirmations.length >= inMinute || this.spentAt(at) > most[attempt] - 1) {
			if (turn === undefined) this.comesAgain(key, { unclear, turn: 'due' });
			return undefined;
		}
		spent.confirmations.push(at);
		this.spend(1, at);
		let worth: Worth = 'unclear';
		try {
			const found = await lookUp();
			worth = worthOf(found);
			return found;
		} finally {
			unclearInARow[attempt] = worth === 'unclear' ? unclearInARow[attempt] + 1 : 0;
			// One that told nothing may be repeated once more.
			if (worth === 'unclear') this.comesAgain(key, { unclear: unclear + 1, turn: turn && 'due' });
			else if (worth === 'forged' && turn) this.comesAgain(key, { unclear, turn: 'had' });
			else unsettled.delete(key);
			if (worth === 'genuine') this.spend(-1 - unclear, now());
		}
	}

	private spentAt(now: number): number {
		const { lookups, at } = this.spent.level;
		return Math.max(0, lookups - (Math.abs(now - at) / hourMs) * freePerHour);
	}

	private spend(lookups: number, now: number): void {
		this.spent.level = { lookups: Math.max(0, this.spentAt(now) + lookups), at: now };
	}

	private comesAgain(key: string, one: Unsettled): void {
		this.unsettled.set(key, one);
		keepLatest(this.unsettled, mostUnsettled);
	}
}
