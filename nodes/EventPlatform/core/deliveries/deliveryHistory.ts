import { keepLatest } from '../http/collections';
import type { JsonObject } from '../http/ports';
import { readKeys, writeKeys } from './cursor';
import { LookupBudget } from './lookupBudget';
import { KnownTitles } from './titles';

/** How a delivery is answered. */
export interface Outcome {
	/** 503 and 400 make the platform deliver again; 401 tells a forger nothing. */
	status: 200 | 400 | 401 | 503;
	/** What the run starts with; none: it does not start. */
	records: JsonObject[];
	/** For the log. */
	reason: string;
	/** To be called when it is known whether n8n could create the run. */
	settle?: (isStarted: boolean) => void;
	/** Who sent it may be a stranger: what it cost is not given back. */
	provesNothing?: boolean;
}

/** Answered well, so that the platform neither comes again nor disables the subscription. */
export function ignore(reason: string, provesNothing?: boolean): Outcome {
	return { status: 200, records: [], reason, ...(provesNothing && { provesNothing }) };
}
export const refuse = (reason: string): Outcome => ({ status: 401, records: [], reason });
export const later = (reason: string): Outcome => ({ status: 503, records: [], reason });

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
			if (outcome.status === 200) return ignore('It is being processed already');
			if (beganAfterUs || outcome.status !== 401) return outcome;
		}
		const ours = examine().finally(() => this.underway.delete(key));
		this.underway.set(key, ours);
		return await ours;
	}
}

/** The keys seen last, oldest first: as many as the limit, and no more. Only their first 48 bits. */
export class SeenKeys {
	/** When each was seen. */
	private readonly keys = new Map<string, number>();
	private readonly forgotten = new Set<string>();

	constructor(private readonly limit: number) {}

	has(key: string): boolean {
		return this.keys.has(short(key));
	}

	add(key: string, now: number): void {
		this.forgotten.delete(short(key));
		this.keys.delete(short(key));
		this.keys.set(short(key), now);
		keepLatest(this.keys, this.limit);
	}

	/** Until it is added again: what was stored in the meantime does not bring it back. */
	forget(key: string): void {
		this.keys.delete(short(key));
		this.forgotten.add(short(key));
		keepLatest(this.forgotten, this.limit);
	}

	/** Takes in what was stored, by this process before it restarted or by another one. */
	merge(stored: unknown, now: number): void {
		for (const key of readKeys(stored)) {
			if (!this.keys.has(key) && !this.forgotten.has(key)) this.add(key, now);
		}
	}

	/** To be stored: the latest, and more of them as long as they are young. */
	latest({ atLeast, atMost, since }: { atLeast: number; atMost: number; since: number }): string {
		const all = [...this.keys];
		const kept = all.filter(([, at], index) => at >= since || index >= all.length - atLeast);
		return writeKeys(kept.slice(-atMost).map(([key]) => key));
	}
}

function short(key: string): string {
	return key.slice(0, 8);
}
