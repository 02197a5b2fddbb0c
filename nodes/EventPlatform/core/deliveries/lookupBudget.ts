import { keepLatest } from '../http/collections';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A delivery is looked up when it comes first, or when it was sent away before and comes again. */
type Attempt = 'first' | 'repeated';

/**
 * Lookups that did not prove a delivery genuine: how many may be spent at once. The base plan has
 * 10,000 requests per 30 days; a flood that never ends stays short of it: 600 + 720 hours × 9 = 7,080.
 * 480 at once are room for 300 forgeries beside a hundred deliveries whose first lookup was answered
 * with an error.
 *
 * The last 120 are for what comes again, as the platform's deliveries do: a flood of invented ids, each
 * sent once, does not keep them out until the platform gives the subscription up.
 */
const most: Readonly<Record<Attempt, number>> = { first: 480, repeated: 600 };
const freePerHour = 9;

/** So many unclear answers in a row are an outage: one lookup in a minute then tells when it is over. */
const outageAfter = 10;

/** As many as a flood of some hundred a second sends between two attempts of the platform. */
const mostRemembered = 10_000;

/** What was spent on confirming deliveries, kept in the process and stored with the workflow. */
export interface Spent {
	/** When the confirmations of the last minute were sent. */
	confirmations: number[];
	/** Lookups that were not free again at the time `at`. */
	level: { lookups: number; at: number };
}

/** What came of a lookup; unclear: the platform did not say, or not all that is needed. */
export type Worth = 'genuine' | 'forged' | 'unclear';

/** What is remembered of a delivery that is not settled yet. */
interface Remembered {
	/** Sent away without a lookup: the next one is a repeated attempt, and it has but one. */
	state?: 'sentAway' | 'repeated';
	/** How many lookups had an unclear answer: given back when it proves genuine. */
	unclear?: number;
}

/** Decides whether one more delivery may cost a request. One for each trigger in each process. */
export class LookupBudget {
	private confirmations: number[];
	private level: Spent['level'];
	private readonly remembered = new Map<string, Remembered>();
	private readonly unclearInARow: Record<Attempt, number> = { first: 0, repeated: 0 };

	/** `stored` is what the process knew before it was restarted. */
	constructor(stored: Partial<Spent> = {}) {
		this.confirmations = Array.isArray(stored.confirmations) ? stored.confirmations : [];
		this.level = { lookups: stored.level?.lookups ?? 0, at: stored.level?.at ?? 0 };
	}

	get spent(): Spent {
		return { confirmations: [...this.confirmations], level: { ...this.level } };
	}

	/**
	 * What a lookup found, and `worthOf` it; one that breaks is unclear. Undefined: it may not be made, and the
	 * delivery is to be sent away, so that it comes again.
	 */
	async within<Found>(
		key: string,
		{ perMinute, now }: { perMinute: number; now: () => number },
		lookUp: () => Promise<Found>,
		worthOf: (found: Found) => Worth,
	): Promise<Found | undefined> {
		if (!this.take(key, now(), perMinute)) return undefined;
		let worth: Worth = 'unclear';
		try {
			const found = await lookUp();
			worth = worthOf(found);
			return found;
		} finally {
			this.settle(key, worth, now());
		}
	}

	take(key: string, now: number, perMinute: number): boolean {
		// Times to come are forgotten as well: the clock was set back.
		this.confirmations = this.confirmations.filter((at) => at > now - minuteMs && at <= now);
		const state = this.remembered.get(key)?.state;
		const attempt = state === 'sentAway' ? 'repeated' : 'first';
		const inMinute = this.unclearInARow[attempt] < outageAfter ? perMinute : 1;
		const isMinuteOver = this.confirmations.length >= inMinute;
		if (isMinuteOver || this.spentAt(now) > most[attempt] - 1) {
			if (state === undefined) this.remember(key, { state: 'sentAway' });
			return false;
		}
		this.confirmations.push(now);
		this.spend(1, now);
		if (attempt === 'repeated') this.remember(key, { state: 'repeated' });
		return true;
	}

	settle(key: string, worth: Worth, now: number): void {
		const { state, unclear = 0 } = this.remembered.get(key) ?? {};
		const attempt = state === undefined ? 'first' : 'repeated';
		if (worth === 'unclear') {
			this.unclearInARow[attempt]++;
			// A repeated attempt that told nothing may be repeated once more.
			this.remember(key, { state: state && 'sentAway', unclear: unclear + 1 });
			return;
		}
		this.unclearInARow[attempt] = 0;
		if (worth === 'forged') return;
		this.spend(-1 - unclear, now);
		this.remembered.delete(key);
	}

	private spentAt(now: number): number {
		const hours = Math.abs(now - this.level.at) / hourMs;
		return Math.max(0, this.level.lookups - hours * freePerHour);
	}

	private spend(lookups: number, now: number): void {
		this.level = { lookups: Math.max(0, this.spentAt(now) + lookups), at: now };
	}

	private remember(key: string, change: Remembered): void {
		this.remembered.set(key, { ...this.remembered.get(key), ...change });
		keepLatest(this.remembered, mostRemembered);
	}
}
