import { spawnSync } from 'node:child_process';
import {
	mapConcurrently,
	mapInOrder,
	unlessAborted,
} from '../../../nodes/EventPlatform/core/client/concurrently';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';

/** Work that ends when told, so that the test decides the order. */
function pieces(count: number) {
	const begun: number[] = [];
	const ends = new Map<number, { done: () => void; fail: (error: Error) => void }>();
	const signals: AbortSignal[] = [];
	const work = (index: number, stop?: AbortSignal) => {
		begun.push(index);
		if (stop) signals.push(stop);
		return new Promise<number>((resolve, fail) =>
			ends.set(index, { done: () => resolve(index), fail }),
		);
	};
	return { begun, ends, signals, work, all: [...Array(count).keys()] };
}

function bench(count: number, most: number, signal?: AbortSignal) {
	const { work, all, ...seen } = pieces(count);
	return { ...seen, results: mapConcurrently(all, most, work, signal) };
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

describe('work whose results are taken in order', () => {
	/** Work of which each piece ends when told, and the results that were taken. */
	function ordered(count: number, mostUnderWay: number, mostAhead: number) {
		const { begun, ends, work, all } = pieces(count);
		const results = mapInOrder(all, { mostUnderWay, mostAhead }, work);
		return { begun, ends, results };
	}

	test('gives them in the order of the items, whichever ends first', async () => {
		const { begun, ends, results } = ordered(3, 3, 3);
		const first = results.next();
		await settle();
		expect(begun).toEqual([0, 1, 2]);
		for (const index of [2, 1, 0]) ends.get(index)?.done();
		expect(await first).toEqual({ done: false, value: 0 });
		expect(await results.next()).toEqual({ done: false, value: 1 });
		expect(await results.next()).toEqual({ done: false, value: 2 });
		expect(await results.next()).toEqual({ done: true, value: undefined });
	});

	test('begins no more than may be under way, nor more than may be ahead', async () => {
		const { begun, ends, results } = ordered(9, 2, 3);
		const first = results.next();
		await settle();
		expect(begun).toEqual([0, 1]);
		for (const index of [1, 2, 3]) {
			ends.get(index)?.done();
			await settle();
		}
		expect(begun).toEqual([0, 1, 2, 3]);
		ends.get(0)?.done();
		expect(await first).toEqual({ done: false, value: 0 });
		expect(await results.next()).toEqual({ done: false, value: 1 });
		expect(begun).toEqual([0, 1, 2, 3, 4]);
	});

	test('begins nothing after a failure, and fails when what runs has ended', async () => {
		const { begun, ends, results } = ordered(9, 3, 9);
		const failed = jest.fn();
		void results.next().catch(failed);
		await settle();
		ends.get(0)?.fail(new Error('item 0 is bad'));
		await settle();
		expect(failed).not.toHaveBeenCalled();
		ends.get(1)?.done();
		ends.get(2)?.fail(new Error('item 2 as well'));
		await settle();
		expect(failed).toHaveBeenCalledWith(new Error('item 0 is bad'));
		expect(begun).toEqual([0, 1, 2]);
		expect(await results.next()).toEqual({ done: true, value: undefined });
	});

	test('does not end the process where a failure waits for its turn', () => {
		const program = `
			const { mapInOrder } = require('./nodes/EventPlatform/core/client/concurrently');
			const after = (ms) => new Promise((done) => setTimeout(done, ms));
			const work = (fails) => after(fails ? 1 : 50).then(() => { if (fails) throw new Error('bad'); });
			mapInOrder([false, true], { mostUnderWay: 2, mostAhead: 2 }, work)
				.next()
				.then(() => console.log('went on'));
		`;
		const { stdout, status } = spawnSync(
			process.execPath,
			['--import', 'tsx', '--input-type=commonjs', '--eval', program],
			{ encoding: 'utf8' },
		);
		expect([stdout.trim(), status]).toEqual(['went on', 0]);
	});
});

test('work that a signal overtakes is not waited for', async () => {
	const never = new Promise<string>(() => {});
	for (const signal of [AbortSignal.abort(), AbortSignal.timeout(1)])
		expect(await unlessAborted(signal, never, () => 'instead')).toBe('instead');
});
