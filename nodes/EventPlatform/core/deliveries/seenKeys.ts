import { keepLatest } from '../http/keepLatest';

/** The keys seen last, oldest first: as many as the limit, and no more. */
export class SeenKeys {
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
