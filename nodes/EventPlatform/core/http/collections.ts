import { Cancelled } from './failure';

export function groupBy<T, Key = string>(all: readonly T[], keyOf: (one: T) => Key): Map<Key, T[]> {
	const groups = new Map<Key, T[]>();
	for (const one of all) {
		const members = groups.get(keyOf(one)) ?? [];
		groups.set(keyOf(one), members);
		members.push(one);
	}
	return groups;
}

/** The numbers from 1. */
export function upTo(last: number): number[] {
	return Array.from({ length: last }, (_, index) => index + 1);
}

/** Drops the oldest beyond the limit. */
export function keepLatest(kept: Set<string> | Map<string, unknown>, limit: number): void {
	for (const oldest of kept.keys()) {
		if (kept.size <= limit) return;
		kept.delete(oldest);
	}
}

/** At most `most` at once. After a failure nothing new begins and waits are broken off; what was sent is waited for. */
export async function mapConcurrently<One, Result>(
	all: readonly One[],
	most: number,
	work: (one: One, signal: AbortSignal) => Promise<Result>,
	signal?: AbortSignal,
): Promise<Result[]> {
	const stop = new AbortController();
	const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
	const results: Result[] = [];
	const waiting = all.entries();

	async function worker(): Promise<void> {
		for (const [index, one] of waiting) {
			if (either.aborted) return;
			try {
				results[index] = await work(one, either);
			} catch (error) {
				stop.abort(error);
			}
		}
	}

	await Promise.all(Array.from({ length: Math.min(most, all.length) }, worker));
	stop.signal.throwIfAborted();
	if (either.aborted) throw new Cancelled();
	return results;
}

/** What the work comes to, or what is said instead when the signal comes first. */
export async function unlessAborted<Result>(
	signal: AbortSignal,
	work: Promise<Result>,
	instead: () => Result | Promise<Result>,
): Promise<Result> {
	// One of its own, because Node 20 warns of more than ten listeners to one.
	const own = AbortSignal.any([signal]);
	return await new Promise((resolve, reject) => {
		const giveUp = () => resolve(instead());
		own.addEventListener('abort', giveUp);
		if (own.aborted) giveUp();
		work.finally(() => own.removeEventListener('abort', giveUp)).then(resolve, reject);
	});
}
