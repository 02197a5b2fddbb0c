import { SingleFlight } from '../../../nodes/EventPlatform/core/deliveries/singleFlight';

/** Work that ends when it is told to. */
function held<Result>() {
	const calls: ((result: Result) => void)[] = [];
	const work = () => new Promise<Result>((resolve) => calls.push(resolve));
	return { calls, work };
}
const settle = async () => {
	for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

test('deliveries that arrive together share one examination', async () => {
	const flight = new SingleFlight<string>();
	const { calls, work } = held<string>();
	const all = Array.from({ length: 200 }, () => flight.join('a', work, () => true));
	calls[0]?.('started');
	const outcomes = await Promise.all(all);
	expect(calls).toHaveLength(1);
	expect(outcomes.filter(({ mine }) => mine)).toHaveLength(1);
	expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(['started']));
});

test('those with different keys do not wait for each other', () => {
	const flight = new SingleFlight<string>();
	const { calls, work } = held<string>();
	void flight.join('a', work, () => true);
	void flight.join('b', work, () => true);
	expect(calls).toHaveLength(2);
});

test('a forged one ahead costs the genuine ones one more examination, not each its own', async () => {
	const flight = new SingleFlight<string>();
	const { calls, work } = held<string>();
	const holdsForAll = (result: string) => result !== 'denied';
	const forged = flight.join('a', work, holdsForAll);
	const others = Array.from({ length: 50 }, () => flight.join('a', work, holdsForAll));
	calls[0]?.('denied');
	await settle();
	calls[1]?.('denied');
	const outcomes = await Promise.all([forged, ...others]);
	expect(calls).toHaveLength(2);
	expect(outcomes.every(({ result }) => result === 'denied')).toBe(true);
});

test('an examination that breaks leaves the way free for the next delivery', async () => {
	const flight = new SingleFlight<string>();
	const broken = flight.join(
		'a',
		() => Promise.reject(new Error('broken')),
		() => true,
	);
	await expect(broken).rejects.toThrow('broken');
	const next = await flight.join(
		'a',
		() => Promise.resolve('started'),
		() => true,
	);
	expect(next).toEqual({ result: 'started', mine: true });
});
