import { keepLatest } from '../http/collections';
import { readKeys, writeKeys } from './cursor';

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
