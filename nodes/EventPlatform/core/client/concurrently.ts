import { Cancelled } from './cancelled';

/** At most `most` at once. After a failure nothing new begins and waits are broken off; what was sent is waited for. */
export async function mapConcurrently<Item, Result>(
	all: readonly Item[],
	most: number,
	work: (item: Item, signal: AbortSignal) => Promise<Result>,
	signal?: AbortSignal,
): Promise<Result[]> {
	const stop = new AbortController();
	const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
	const results: Result[] = [];
	const waiting = all.entries();

	async function worker(): Promise<void> {
		for (const [index, item] of waiting) {
			if (either.aborted) return;
			try {
				results[index] = await work(item, either);
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

/** Waits for the work, or gives the value of `instead` when the signal comes first. */
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
