const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Confirmations that exposed a forgery, per day. The base plan has 10,000 requests per 30 days, so
 * that a flood that never ends cannot spend them all.
 */
export const forgeriesPerDay = 320;

/** What was spent on confirming deliveries, kept in the process and stored with the workflow. */
export interface Spent {
	/** When the confirmations of the last minute were sent. */
	confirmations: number[];
	day: number;
	/** Confirmations on that day that exposed a forgery. */
	forgeries: number;
}

/** Decides whether one more delivery may cost a request. One for each trigger in each process. */
export class Allowance {
	private confirmations: number[];
	private day: number;
	private forgeries: number;

	/** `stored` is what the process knew before it was restarted. */
	constructor(stored: Partial<Spent> = {}) {
		const { confirmations, day, forgeries } = stored;
		this.confirmations = Array.isArray(confirmations) ? confirmations : [];
		this.day = typeof day === 'number' ? day : 0;
		this.forgeries = typeof forgeries === 'number' ? forgeries : 0;
	}

	take(now: number, perMinute: number): boolean {
		this.turn(now);
		if (this.confirmations.length >= perMinute || this.forgeries >= forgeriesPerDay) return false;
		this.confirmations.push(now);
		return true;
	}

	exposed(now: number): void {
		this.turn(now);
		this.forgeries++;
	}

	get spent(): Spent {
		return { confirmations: [...this.confirmations], day: this.day, forgeries: this.forgeries };
	}

	/** Forgets the minute and the day that are over, and times to come: the clock was set back. */
	private turn(now: number): void {
		this.confirmations = this.confirmations.filter((at) => at > now - minuteMs && at <= now);
		const day = Math.floor(now / dayMs);
		if (day !== this.day) this.forgeries = 0;
		this.day = day;
	}
}
