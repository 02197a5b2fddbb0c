import { keepLatest } from './keepLatest';

/** The keys seen last, oldest first: as many as the limit, and no more. */
export class Memory {
	private readonly keys = new Set<string>();
	private readonly forgotten = new Set<string>();

	constructor(private readonly limit: number) {}

	has(key: string): boolean {
		return this.keys.has(key);
	}

	add(key: string): void {
		this.forgotten.delete(key);
		this.keys.delete(key);
		this.keys.add(key);
		keepLatest(this.keys, this.limit);
	}

	/** Until it is added again: what was stored in the meantime does not bring it back. */
	forget(key: string): void {
		this.keys.delete(key);
		this.forgotten.add(key);
		keepLatest(this.forgotten, this.limit);
	}

	/** Takes in what was stored, by this process before it restarted or by another one. */
	merge(stored: unknown): void {
		if (!Array.isArray(stored)) return;
		for (const key of stored) {
			if (typeof key !== 'string' || this.keys.has(key) || this.forgotten.has(key)) continue;
			this.add(key);
		}
	}

	latest(count: number): string[] {
		return [...this.keys].slice(-count);
	}
}

/**
 * Lets deliveries of the same occasion that arrive together share one examination, so that they cost
 * one request and start one run.
 */
export class Queue<Result> {
	private readonly underway = new Map<string, Promise<Result>>();

	/**
	 * `binding` says whether the result of an examination holds for those who came while it ran. One
	 * that began after they came always does.
	 */
	async join(
		key: string,
		examine: () => Promise<Result>,
		binding: (result: Result) => boolean,
	): Promise<{ result: Result; mine: boolean }> {
		for (let beganAfterUs = false; ; beganAfterUs = true) {
			const other = this.underway.get(key);
			if (other === undefined) return { result: await this.lead(key, examine), mine: true };
			const result = await other;
			if (beganAfterUs || binding(result)) return { result, mine: false };
		}
	}

	private async lead(key: string, examine: () => Promise<Result>): Promise<Result> {
		const examination = examine();
		this.underway.set(key, examination);
		try {
			return await examination;
		} finally {
			this.underway.delete(key);
		}
	}
}
