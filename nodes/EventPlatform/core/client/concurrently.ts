import { Cancelled } from './cancelled';

/** Works on all of them, `most` at once. After a failure nothing new begins and waits are broken off; what was sent is waited for. */
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

/** How far work may be ahead of whoever takes its results. */
export interface AheadLimits {
	/** How many pieces are worked on at the same time. */
	mostUnderWay: number;
	/** How many pieces behind the one whose turn it is may have begun, so that their results do not fill the memory when it takes long. */
	mostAhead: number;
}

/**
 * Gives the results in the order of the items, and works ahead meanwhile. After a failure, or when nobody takes results any more,
 * nothing new begins; what was sent is waited for.
 */
export async function* mapInOrder<Item, Result>(
	all: readonly Item[],
	{ mostUnderWay, mostAhead }: AheadLimits,
	work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
	const waiting = all.values();
	const ahead: Array<Promise<Result>> = [];
	let underWay = 0;
	let hasEnded = false;

	function begin(): void {
		while (!hasEnded && underWay < mostUnderWay && ahead.length < mostAhead) {
			const { done, value } = waiting.next();
			if (done) return;
			underWay++;
			const result = work(value);
			// A failure is heard here at once, although it is thrown when its turn comes.
			result.then(
				() => goOn(),
				() => goOn({ hasFailed: true }),
			);
			ahead.push(result);
		}
	}

	function goOn({ hasFailed = false } = {}): void {
		underWay--;
		hasEnded ||= hasFailed;
		begin();
	}

	try {
		begin();
		for (let next = ahead.shift(); next; next = ahead.shift()) {
			begin();
			yield await next;
		}
	} finally {
		hasEnded = true;
		await Promise.allSettled(ahead);
	}
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
