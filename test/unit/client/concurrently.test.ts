import {
	mapConcurrently,
	unlessAborted,
} from '../../../nodes/EventPlatform/core/client/concurrently';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/cancelled';

/** Work that ends when told, so that the test decides the order. */
function bench(count: number, most: number, signal?: AbortSignal) {
	const begun: number[] = [];
	const ends = new Map<number, { done: () => void; fail: (error: Error) => void }>();
	const signals: AbortSignal[] = [];
	const work = (index: number, stop: AbortSignal) => {
		begun.push(index);
		signals.push(stop);
		return new Promise<number>((resolve, fail) =>
			ends.set(index, { done: () => resolve(index), fail }),
		);
	};
	const all = [...Array(count).keys()];
	return { begun, ends, signals, results: mapConcurrently(all, most, work, signal) };
}

const settle = () => new Promise((done) => setImmediate(done));

test('after a failure nothing begins, waits are broken off, and what runs may finish', async () => {
	const { begun, ends, signals, results } = bench(10, 3);
	const caught = results.catch((error: Error) => error.message);
	await settle();
	ends.get(1)?.fail(new Error('item 1 is bad'));
	await settle();
	expect(begun).toEqual([0, 1, 2]);
	expect(signals.every(({ aborted }) => aborted)).toBe(true);
	ends.get(0)?.done();
	ends.get(2)?.fail(new Error('broken off'));
	expect(await caught).toBe('item 1 is bad');
	expect(begun).toEqual([0, 1, 2]);
});

test('a cancel ends it as cancelled, even between two pieces of work', async () => {
	const stop = new AbortController();
	const { begun, ends, results } = bench(5, 1, stop.signal);
	const caught = results.catch((error: Error) => error);
	await settle();
	stop.abort();
	ends.get(0)?.done();
	expect(await caught).toBeInstanceOf(Cancelled);
	expect(begun).toEqual([0]);
});

test('work that a signal overtakes is not waited for', async () => {
	const never = new Promise<string>(() => {});
	for (const signal of [AbortSignal.abort(), AbortSignal.timeout(1)])
		expect(await unlessAborted(signal, never, () => 'instead')).toBe('instead');
});
