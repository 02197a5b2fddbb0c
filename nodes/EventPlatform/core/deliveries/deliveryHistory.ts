import { keepLatest } from '../http/collections';
import { LookupBudget } from './lookupBudget';
import { ignore, type Outcome } from './outcome';
import { SeenKeys } from './seenKeys';
import { KnownTitles } from './titles';

/**
 * The platform tries about 0, 0.5, 1.5, 4, 10 and 22 minutes after the event, then disables the
 * subscription. What is refused for nine minutes is refused at one of the last two attempts.
 */
const refusedForMs = 9 * 60_000;

/** What is known of the deliveries to one trigger, for as long as the process lives. */
export class DeliveryHistory {
	readonly seen = new SeenKeys(10_000);
	/** When a delivery of each kind last arrived that was believed. */
	readonly arrived: Record<string, number> = {};
	/** When a check last found all subscriptions, with nothing left to catch up. */
	checkedAt = 0;
	readonly titles = new KnownTitles();
	private readonly underway = new Map<string, Promise<Outcome>>();
	private readonly refusedSince = new Map<string, number>();

	constructor(readonly budget = new LookupBudget()) {}

	/** Called when a delivery would be refused: whether this is one of its last attempts. */
	isLastAttempt(key: string, now: number): boolean {
		const since = this.refusedSince.get(key);
		if (since !== undefined) return now - since >= refusedForMs;
		this.refusedSince.set(key, now);
		keepLatest(this.refusedSince, 1_000);
		return false;
	}

	/**
	 * Deliveries of one event that come together share one examination. A denial does not hold for those
	 * who came while it was found, because the job may just have ended, unless it began after they came.
	 */
	async together(key: string, examine: () => Promise<Outcome>): Promise<Outcome> {
		for (let beganAfterUs = false; ; beganAfterUs = true) {
			const other = this.underway.get(key);
			if (other === undefined) break;
			const outcome = await other;
			if (outcome.status === 200) return ignore('It came at the same time');
			if (beganAfterUs || outcome.status !== 401) return outcome;
		}
		const ours = examine().finally(() => this.underway.delete(key));
		this.underway.set(key, ours);
		return await ours;
	}
}
