import { keepLatest } from '../http/keepLatest';

/**
 * The platform tries about 0, 0.5, 1.5, 4, 10 and 22 minutes after the event, then disables the
 * subscription. What is refused for nine minutes is refused at one of the last two attempts.
 */
const refusedForMs = 9 * 60_000;

/** Since when deliveries have been refused, so that none is refused at its last attempts as well. */
export class LastAttempts {
	private readonly refusedSince = new Map<string, number>();

	constructor(private readonly limit: number) {}

	/** Called when a delivery would be refused: whether this is one of its last attempts. */
	isOne(key: string, now: number): boolean {
		const since = this.refusedSince.get(key);
		if (since !== undefined) return now - since >= refusedForMs;
		this.refusedSince.set(key, now);
		keepLatest(this.refusedSince, this.limit);
		return false;
	}
}
