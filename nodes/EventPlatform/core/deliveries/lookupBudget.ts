import { keepLatest } from './keepLatest';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/**
 * Forgeries that may be looked up, and how many of them are free again after an hour. The base plan
 * has 10,000 requests per 30 days; a flood that never ends stays short of it: 480 + 720 × 12, and once
 * for each of the two what is under way at the moment when it is used up.
 *
 * Deliveries that were sent away and came back have a share of their own. The platform's do come back,
 * so a flood of invented ids does not keep them out until the platform gives the subscription up.
 */
const shares = {
	first: { most: 360, perHour: 9 },
	returned: { most: 120, perHour: 3 },
};
type Share = keyof typeof shares;

/** Forgeries that were not free again at the time `at`. */
interface Level {
	forgeries: number;
	at: number;
}

/** As many as a flood of some hundred a second sends between two attempts of the platform. */
const mostSentAway = 10_000;

/** What was spent on confirming deliveries, kept in the process and stored with the workflow. */
export interface Spent {
	/** When the confirmations of the last minute were sent. */
	confirmations: number[];
	levels: Partial<Record<Share, Level>>;
}

/** What a confirmation showed. */
export type Worth = 'genuine' | 'forged' | 'unclear';

/** Decides whether one more delivery may cost a request. One for each trigger in each process. */
export class Allowance {
	private confirmations: number[];
	private levels: Spent['levels'];
	/** Keys of deliveries that were sent away, and whether they had their turn since. */
	private readonly sentAway = new Map<string, boolean>();

	/** `stored` is what the process knew before it was restarted. */
	constructor(stored: Partial<Spent> = {}) {
		this.confirmations = Array.isArray(stored.confirmations) ? stored.confirmations : [];
		this.levels = { ...stored.levels };
	}

	/** Whoever takes has to tell with `settle` what came of it. */
	take(key: string, now: number, perMinute: number): boolean {
		// Times to come are forgotten as well: the clock was set back.
		this.confirmations = this.confirmations.filter((at) => at > now - minuteMs && at <= now);
		const hasReturned = this.sentAway.get(key) === false;
		const share = hasReturned ? 'returned' : 'first';
		if (this.confirmations.length >= perMinute || this.level(share, now) >= shares[share].most) {
			this.sendAway(key);
			return false;
		}
		this.confirmations.push(now);
		if (hasReturned) this.sentAway.set(key, true);
		else this.sentAway.delete(key);
		return true;
	}

	settle(key: string, now: number, worth: Worth): void {
		if (worth === 'forged') {
			const share = this.sentAway.get(key) === true ? 'returned' : 'first';
			this.levels[share] = { forgeries: this.level(share, now) + 1, at: now };
		} else if (worth === 'genuine') this.sentAway.delete(key);
		// The next attempt is the same one.
		else if (this.sentAway.has(key)) this.sentAway.set(key, false);
	}

	get spent(): Spent {
		return { confirmations: [...this.confirmations], levels: { ...this.levels } };
	}

	private level(share: Share, now: number): number {
		const { forgeries = 0, at = 0 } = this.levels[share] ?? {};
		const hours = Math.abs(now - at) / hourMs;
		return Math.max(0, forgeries - hours * shares[share].perHour);
	}

	private sendAway(key: string): void {
		if (this.sentAway.has(key)) return;
		this.sentAway.set(key, false);
		keepLatest(this.sentAway, mostSentAway);
	}
}
