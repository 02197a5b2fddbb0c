import { keepLatest } from '../http/keepLatest';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A delivery is looked up when it comes first, or when it was sent away before and comes again. */
type Attempt = 'first' | 'repeated';

/**
 * Lookups that did not prove a delivery genuine: how many may be spent at once, and how many are free
 * again after an hour. The base plan has 10,000 requests per 30 days; a flood that never ends stays
 * short of it: 480 + 120 + 720 hours × (9 + 3) = 9,240. 480 at once are room for 300 forgeries beside
 * a hundred deliveries whose first lookup was answered with an error.
 *
 * The platform's deliveries come again, so these have a budget of their own: a flood of invented ids,
 * each sent once, does not keep them out until the platform gives the subscription up.
 */
const budgets: Readonly<Record<Attempt, { most: number; perHour: number }>> = {
	first: { most: 480, perHour: 9 },
	repeated: { most: 120, perHour: 3 },
};

/** So many unclear answers in a row are an outage: one lookup a minute then tells when it is over. */
const outageAfter = 10;

/** As many as a flood of some hundred a second sends between two attempts of the platform. */
const mostRemembered = 10_000;

/** Lookups that were not free again at the time `at`. */
interface Level {
	lookups: number;
	at: number;
}

/** What was spent on confirming deliveries, kept in the process and stored with the workflow. */
export interface Spent {
	/** When the confirmations of the last minute were sent. */
	confirmations: number[];
	levels: Partial<Record<Attempt, Level>>;
}

/** One lookup that may be made. Whoever has it says with `settle` what came of it. */
export interface Lookup {
	key: string;
	attempt: Attempt;
}

/** What came of a lookup. */
export type Worth =
	| 'genuine'
	| 'forged'
	/** The platform did not say. */
	| 'unclear'
	/** It is true, but cannot be used yet. */
	| 'incomplete'
	/** No request was sent after all. */
	| 'unasked';

/** What is remembered of a delivery that is not settled yet. */
interface Remembered {
	/** Sent away without a lookup: the next one is a repeated attempt. */
	wasSentAway: boolean;
	/** It has had its repeated attempt. */
	hasRepeated: boolean;
	/** Lookups with an unclear answer: given back when it proves genuine. */
	unclear: Attempt[];
}

/** Decides whether one more delivery may cost a request. One for each trigger in each process. */
export class LookupBudget {
	private confirmations: number[];
	private readonly levels: Spent['levels'];
	private readonly remembered = new Map<string, Remembered>();
	private readonly outages = {
		first: { inARow: 0, nextAt: 0 },
		repeated: { inARow: 0, nextAt: 0 },
	};

	/** `stored` is what the process knew before it was restarted. */
	constructor(stored: Partial<Spent> = {}) {
		this.confirmations = Array.isArray(stored.confirmations) ? stored.confirmations : [];
		this.levels = { ...stored.levels };
	}

	/** Undefined: not now. The delivery is to be sent away, so that it comes again. */
	take(key: string, now: number, perMinute: number): Lookup | undefined {
		// Times to come are forgotten as well: the clock was set back.
		this.confirmations = this.confirmations.filter((at) => at > now - minuteMs && at <= now);
		const delivery = this.remembered.get(key);
		const attempt = delivery?.wasSentAway ? 'repeated' : 'first';
		const isOver =
			this.confirmations.length >= perMinute ||
			this.level(attempt, now) > budgets[attempt].most - 1 ||
			this.isPausing(attempt, now);
		if (isOver) {
			if (!delivery?.hasRepeated) this.remember(key, { wasSentAway: true });
			return undefined;
		}
		this.confirmations.push(now);
		this.spend(attempt, 1, now);
		if (attempt === 'repeated') this.remember(key, { wasSentAway: false, hasRepeated: true });
		return { key, attempt };
	}

	settle({ key, attempt }: Lookup, worth: Worth, now: number): void {
		const unclear = this.remembered.get(key)?.unclear ?? [];
		if (worth === 'unclear' || worth === 'incomplete') {
			if (worth === 'unclear') this.outages[attempt].inARow++;
			// A repeated attempt that was unclear may be repeated once more.
			const wasSentAway = attempt === 'repeated';
			this.remember(key, { unclear: [...unclear, attempt], wasSentAway });
			return;
		}
		if (worth === 'unasked') {
			this.spend(attempt, -1, now);
			if (attempt === 'repeated') this.remember(key, { wasSentAway: true });
			return;
		}
		this.outages[attempt] = { inARow: 0, nextAt: 0 };
		if (worth === 'forged') return;
		for (const spent of [attempt, ...unclear]) this.spend(spent, -1, now);
		this.remembered.delete(key);
	}

	get spent(): Spent {
		return { confirmations: [...this.confirmations], levels: { ...this.levels } };
	}

	private isPausing(attempt: Attempt, now: number): boolean {
		const outage = this.outages[attempt];
		if (outage.inARow < outageAfter) return false;
		// Further ahead than a minute: the clock was set back.
		if (now < outage.nextAt && outage.nextAt - now <= minuteMs) return true;
		outage.nextAt = now + minuteMs;
		return false;
	}

	private level(attempt: Attempt, now: number): number {
		const { lookups = 0, at = 0 } = this.levels[attempt] ?? {};
		const hours = Math.abs(now - at) / hourMs;
		return Math.max(0, lookups - hours * budgets[attempt].perHour);
	}

	private spend(attempt: Attempt, lookups: number, now: number): void {
		const level = Math.max(0, this.level(attempt, now) + lookups);
		this.levels[attempt] = { lookups: level, at: now };
	}

	private remember(key: string, change: Partial<Remembered>): void {
		const known = this.remembered.get(key);
		const before = known ?? { wasSentAway: false, hasRepeated: false, unclear: [] };
		this.remembered.set(key, { ...before, ...change });
		keepLatest(this.remembered, mostRemembered);
	}
}
