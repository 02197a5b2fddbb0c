import { count, arrayOf, milliseconds, optional, type Stored } from '../values/storedShape';
import { dayMs, minuteMs } from '../values/units';

/**
 * No more lookups than this may fail in a day to prove a delivery genuine, and no more reads to show a session. In 30 days these are
 * 7,200 of the base plan's 10,000 requests. An endless flood of invented deliveries spends one of the two budgets only: the session
 * of a delivery is read when the delivery is believed.
 */
const mostUnprovenPerDay = 240;

/** So many unclear responses in a row are no chance but an outage: one lookup in a minute then tells when it is over. */
const outageAfter = 10;

/**
 * A lookup waits no longer than this for its turn. After that the platform has to deliver again. How long it waits for an answer is
 * not published; GitHub, for one, gives a delivery ten seconds.
 */
export const longestWaitMs = 10_000;

/** The lookups spent, kept in the process and stored with the workflow. All times are milliseconds since 1970. */
export const spentShape = {
	lookedUpAt: optional(arrayOf(milliseconds)),
	/** When the day began in which the unproven ones are counted. */
	dayBeganAt: optional(milliseconds),
	unproven: optional(count),
};

export type StoredSpent = Stored<typeof spentShape>;
type Spent = Required<StoredSpent>;

/** What a lookup shows of a delivery. Unproven: not that the platform has sent it. Unclear: the platform did not say, or not all that is needed. */
export type LookupResult = 'proven' | 'unproven' | 'unclear';

/** Decides whether one more delivery may cost a request: there is a limit for a minute, and for a day one of those that prove nothing. */
export class LookupBudget {
	private readonly counts: Spent;
	private underWayCount = 0;
	private unclearInARow = 0;

	constructor(
		{ lookedUpAt = [], dayBeganAt = 0, unproven = 0 }: StoredSpent = {},
		private readonly now: () => number,
	) {
		this.counts = { lookedUpAt: [...lookedUpAt], dayBeganAt, unproven };
	}

	get spent(): Spent {
		return { ...this.counts, lookedUpAt: [...this.counts.lookedUpAt] };
	}

	/** Makes a lookup and gives its answer; undefined where the budget is used up, so that the platform has to deliver again. */
	async lookUp<Answer>(
		perMinute: number,
		ask: () => Promise<Answer>,
		resultOf: (answer: Answer) => LookupResult = () => 'proven',
	): Promise<Answer | undefined> {
		if (!this.maySpend(perMinute)) return undefined;
		this.counts.lookedUpAt.push(this.now());
		this.underWayCount += 1;
		// A lookup that fails shows nothing of the delivery.
		let result: LookupResult = 'unclear';
		try {
			const answer = await ask();
			result = resultOf(answer);
			return answer;
		} finally {
			this.underWayCount -= 1;
			this.unclearInARow = result === 'unclear' ? this.unclearInARow + 1 : 0;
			if (result !== 'proven') this.counts.unproven += 1;
		}
	}

	private maySpend(perMinute: number): boolean {
		const { counts } = this;
		const nowMs = this.now();
		// The clock may have been set back, so times to come are forgotten.
		counts.lookedUpAt = counts.lookedUpAt.filter(
			(lookedUpAt) => lookedUpAt > nowMs - minuteMs && lookedUpAt <= nowMs,
		);
		if (nowMs - counts.dayBeganAt >= dayMs || nowMs < counts.dayBeganAt) {
			counts.dayBeganAt = nowMs;
			counts.unproven = 0;
		}
		const mostInMinute = this.unclearInARow < outageAfter ? perMinute : 1;
		const unproven = counts.unproven + this.underWayCount;
		return unproven < mostUnprovenPerDay && counts.lookedUpAt.length < mostInMinute;
	}
}
