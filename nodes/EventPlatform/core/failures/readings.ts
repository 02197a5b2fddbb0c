import type { ProcessMap } from '../values/processState';
import { ageOf } from '../values/recentTimes';
import type { Ms } from '../values/units';
import { isLasting } from './meaning';

/** Whether what a reading has ended with is kept. `error`: undefined where the reading succeeded. */
type Keeping = (error?: unknown) => boolean;

/**
 * What is kept of a reading that is over, for everybody who asks later; kept failures are thrown again. What is not kept is forgotten, and
 * the next who asks reads again.
 */
const keepings = {
	/** The owner remembers results itself. */
	nothing: () => false,
	/** Another attempt may succeed where a failure passes, and after a cancellation. After any other failure it would cost a request for nothing. */
	unlessPassing: (error) => error === undefined || isLasting(error),
	/** Whatever it was, it is not asked for again. */
	everything: () => true,
} satisfies Record<string, Keeping>;

/** Reads each thing once: who needs something that is being read already waits for that reading. */
export class Readings<Key, Result> {
	private readonly readings = new Map<Key, Promise<Result>>();
	private readonly isKept: Keeping;

	constructor(keeping: keyof typeof keepings) {
		this.isKept = keepings[keeping];
	}

	/** It is being read, or what it has ended with was kept. */
	has(key: Key): boolean {
		return this.readings.has(key);
	}

	read(key: Key, begin: () => Promise<Result>): Promise<Result> {
		const earlier = this.readings.get(key);
		if (earlier) return earlier;
		const result = begin();
		this.readings.set(key, result);
		const end = (error?: unknown) => {
			if (!this.isKept(error)) this.readings.delete(key);
		};
		result.then(() => end(), end);
		return result;
	}
}

export interface Reading<Result> {
	readonly result: Result;
	/** When it began and ended, by our clock. */
	readonly beganAtMs: Ms;
	readonly atMs: Ms;
}

/** Keeps the latest reading of each thing, which counts as long as it is fresh. After that one reads for all who ask. */
export class LatestReadings<Result> {
	/** Of those who ask once, and of those who ask several times: `read` says why they do not wait for each other. */
	private readonly underWay = new Readings<string, Reading<Result>>('nothing');
	private readonly patientUnderWay = new Readings<string, Reading<Result>>('nothing');

	constructor(
		private readonly latest: Pick<ProcessMap<Reading<Result>>, 'get' | 'set' | 'delete'>,
		private readonly isFreshForMs: (result: Result) => Ms,
	) {}

	/** The latest one, however old it is. */
	find(key: string): Reading<Result> | undefined {
		return this.latest.get(key);
	}

	/** `isPatient`: it asks several times. It does not wait for the reading of one that asks once: that single failure would end it as well. */
	async read(
		key: string,
		now: () => Ms,
		begin: () => Promise<Result>,
		isPatient = false,
	): Promise<Reading<Result>> {
		const latest = this.latest.get(key);
		const isFresh = latest && ageOf(latest.atMs, now()) < this.isFreshForMs(latest.result);
		if (isFresh) return latest;
		const beginAndKeep = async () => {
			const beganAtMs = now();
			const reading = { beganAtMs, result: await begin(), atMs: now() };
			this.latest.set(key, reading);
			return reading;
		};
		return await (isPatient ? this.patientUnderWay : this.underWay).read(key, beginAndKeep);
	}

	/** Forgets a reading, unless another one has followed. */
	forget(key: string, reading: Reading<Result>): void {
		if (this.latest.get(key) === reading) this.latest.delete(key);
	}
}
