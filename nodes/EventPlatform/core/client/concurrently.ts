import { Cancelled } from './clock';

/**
 * The usual number of requests under way at once. It uses the limit of section 8, five a second, if each takes a second and a half. A request for
 * one record takes no longer than that.
 */
export const usuallyAtOnce = 8;

/**
 * Works on all items, on `mostAtOnce` of them at the same time. After a failure nothing new begins and waits are broken off; for
 * requests that were sent it waits.
 */
export async function mapConcurrently<Item, Result>(
	items: readonly Item[],
	mostAtOnce: number,
	work: (item: Item, signal: AbortSignal) => Promise<Result>,
	signal?: AbortSignal,
): Promise<Result[]> {
	const stop = new AbortController();
	const stopOrCancel = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
	const results: Result[] = [];
	const remaining = items.entries();

	async function worker(): Promise<void> {
		for (const [index, item] of remaining) {
			if (stopOrCancel.aborted) return;
			try {
				results[index] = await work(item, stopOrCancel);
			} catch (error) {
				stop.abort(error);
			}
		}
	}

	await Promise.all(Array.from({ length: Math.min(mostAtOnce, items.length) }, worker));
	stop.signal.throwIfAborted();
	if (stopOrCancel.aborted) throw new Cancelled();
	return results;
}

/** How far work may be ahead of the code that takes its results. */
interface AheadLimits {
	mostUnderWay: number;
	/** How many pieces behind the one whose turn it is may have begun, so that their results do not fill the memory when it takes long. */
	mostAhead: number;
}

/**
 * The work goes ahead while results are taken. After a failure, or when nobody takes results any more, nothing new begins; for requests
 * that were sent it waits.
 */
export async function* mapInOrder<Item, Result>(
	items: readonly Item[],
	{ mostUnderWay, mostAhead }: AheadLimits,
	work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
	const remaining = items.values();
	const pendingResults: Array<Promise<Result>> = [];
	let underWay = 0;
	let hasEnded = false;

	function beginWork(): void {
		while (!hasEnded && underWay < mostUnderWay && pendingResults.length < mostAhead) {
			const { done, value } = remaining.next();
			if (done) return;
			underWay++;
			const result = work(value);
			// A failure is noticed here at once, although it is thrown when its turn comes.
			result.then(
				() => recordEnd(),
				() => recordEnd({ hasFailed: true }),
			);
			pendingResults.push(result);
		}
	}

	function recordEnd({ hasFailed = false } = {}): void {
		underWay--;
		hasEnded ||= hasFailed;
		beginWork();
	}

	try {
		beginWork();
		for (let next = pendingResults.shift(); next; next = pendingResults.shift()) {
			beginWork();
			yield await next;
		}
	} finally {
		hasEnded = true;
		await Promise.allSettled(pendingResults);
	}
}

/** Waits for the work, or gives the value of `instead` when the signal comes first. */
export async function unlessAborted<Result>(
	signal: AbortSignal,
	work: Promise<Result>,
	instead: () => Result | Promise<Result>,
): Promise<Result> {
	// The wait has a signal of its own, because Node 20 warns of more than ten listeners to one signal.
	const ownSignal = AbortSignal.any([signal]);
	return await new Promise((resolve, reject) => {
		const giveUp = () => resolve(instead());
		ownSignal.addEventListener('abort', giveUp);
		if (ownSignal.aborted) giveUp();
		work.finally(() => ownSignal.removeEventListener('abort', giveUp)).then(resolve, reject);
	});
}
