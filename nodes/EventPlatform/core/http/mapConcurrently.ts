import { Cancelled } from './failure';

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
	const failures: Array<{ error: unknown }> = [];
	let next = 0;

	async function worker(): Promise<void> {
		while (next < count && !either.aborted) {
			const index = next++;
			try {
				results[index] = await work(index, either);
			} catch (error) {
				failures.push({ error });
				stop.abort();
			}
		}
	}

	await Promise.all(Array.from({ length: Math.min(most, count) }, worker));
	const [first] = failures;
	if (first) throw first.error;
	if (either.aborted) throw new Cancelled();
	return results;
}
