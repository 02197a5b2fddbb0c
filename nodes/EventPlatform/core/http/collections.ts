import { Cancelled } from './failure';

export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all) {
		const key = keyOf(one);
		const members = groups.get(key);
		if (members) members.push(one);
		else groups.set(key, [one]);
	}
	return groups;
}

/** Drops the oldest of them until no more than the limit are left. */
export function keepLatest(kept: Set<string> | Map<string, unknown>, limit: number): void {
	for (const oldest of kept.keys()) {
		if (kept.size <= limit) return;
		kept.delete(oldest);
	}
}

/**
 * Does `count` things, at most `most` at once, and gives the results in their order. After a failure
 * nothing new begins and waits are broken off; requests that were sent already are waited for.
 */
export async function mapConcurrently<Result>(
	count: number,
	most: number,
	work: (index: number, signal: AbortSignal) => Promise<Result>,
	signal?: AbortSignal,
): Promise<Result[]> {
	const stop = new AbortController();
	const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
	const results: Result[] = [];
	let failure: { error: unknown } | undefined;
	let next = 0;

	async function worker(): Promise<void> {
		while (next < count && !either.aborted) {
			const index = next++;
			try {
				results[index] = await work(index, either);
			} catch (error) {
				failure ??= { error };
				stop.abort();
			}
		}
	}

	await Promise.all(Array.from({ length: Math.min(most, count) }, worker));
	if (failure) throw failure.error;
	if (either.aborted) throw new Cancelled();
	return results;
}
