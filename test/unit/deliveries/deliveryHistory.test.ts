import {
	DeliveryHistory,
	later,
	refuse,
	type Outcome,
} from '../../../nodes/EventPlatform/core/deliveries/deliveryHistory';

const minute = 60_000;
/** When the platform tries, in minutes: at once, then 0.5, 1, 2.5, 6 and 12 later each. */
const attempts = [0, 0.5, 1.5, 4, 10, 22];

describe('the last attempts', () => {
	test('are the last two of those that the platform makes', () => {
		const history = new DeliveryHistory();
		const last = attempts.map((at) => history.isLastAttempt('key', at * minute));
		expect(last).toEqual([false, false, false, false, true, true]);
	});

	test('of a flood of unknown keys push out the oldest and take no more room', () => {
		const history = new DeliveryHistory();
		for (let n = 0; n <= 1_000; n++) history.isLastAttempt(`key-${n}`, 0);
		expect(history.isLastAttempt('key-0', 15 * minute)).toBe(false);
		expect(history.isLastAttempt('key-1000', 15 * minute)).toBe(true);
	});
});

describe('deliveries that come together', () => {
	const started: Outcome = { status: 200, records: [{ id: 'j1' }], reason: 'starts a run' };
	const ignored = { status: 200, records: [], reason: 'It is being processed already' };

	/** An examination that ends when it is told to. */
	function held() {
		const ends: Array<(outcome: Outcome) => void> = [];
		const examine = () => new Promise<Outcome>((resolve) => ends.push(resolve));
		return { ends, examine };
	}
	const settle = async () => {
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
	};

	test('share one examination, and one of them starts the run', async () => {
		const history = new DeliveryHistory();
		const { ends, examine } = held();
		const all = Array.from({ length: 200 }, () => history.together('a', examine));
		ends[0]?.(started);
		const [first, ...others] = await Promise.all(all);
		expect(ends).toHaveLength(1);
		expect(first).toBe(started);
		expect(others).toEqual(others.map(() => ignored));
	});

	test('and cannot be confirmed are all to come again', async () => {
		const history = new DeliveryHistory();
		const { ends, examine } = held();
		const all = Array.from({ length: 3 }, () => history.together('a', examine));
		ends[0]?.(later('down'));
		expect(await Promise.all(all)).toEqual(all.map(() => later('down')));
		expect(ends).toHaveLength(1);
	});

	test('behind a forged one cost one more examination, not each its own', async () => {
		const history = new DeliveryHistory();
		const { ends, examine } = held();
		const forged = history.together('a', examine);
		const others = Array.from({ length: 50 }, () => history.together('a', examine));
		ends[0]?.(refuse('no'));
		await settle();
		ends[1]?.(refuse('no'));
		const outcomes = await Promise.all([forged, ...others]);
		expect(ends).toHaveLength(2);
		expect(outcomes).toEqual(outcomes.map(() => refuse('no')));
	});

	test('find the way free after an examination that broke', async () => {
		const history = new DeliveryHistory();
		const broken = history.together('a', () => Promise.reject(new Error('broken')));
		await expect(broken).rejects.toThrow('broken');
		expect(await history.together('a', () => Promise.resolve(started))).toBe(started);
	});
});
