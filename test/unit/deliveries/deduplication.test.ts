import * as fc from 'fast-check';
import { Memory, Queue } from '../../../nodes/EventPlatform/core/deliveries/deduplication';
import type { Delivery } from '../../../nodes/EventPlatform/core/deliveries/delivery';
import { deliveryKey } from '../../../nodes/EventPlatform/core/deliveries/deliveryKey';

function event(kind: string, id: string, attributes: object = {}): Delivery {
	const record = {
		type: 'x',
		id,
		attributes: attributes as Record<string, string>,
		relationships: {},
	};
	return { kind, record };
}

describe('an event is recognised', () => {
	const person = (session: string, more = {}) => ({
		registrant_detail: { session_id: session, created_at: 1, updated_at: 1, ...more },
	});

	test.each([
		[
			'a job, whatever the counts say',
			event('job.ended', 'a', { status: 'ended' }),
			event('job.ended', 'a'),
		],
		[
			'a session that started, when the number of people changed',
			event('session.started', 'a', { started_at: 5, attendees_count: 1 }),
			event('session.started', 'a', { started_at: 5, attendees_count: 9 }),
		],
		[
			'a registration, when the person was changed since',
			event('people.registered', 'a', { ...person('s'), updated_at: 1 }),
			event('people.registered', 'a', { ...person('s'), updated_at: 2 }),
		],
	])('%s', (_, one, other) => expect(deliveryKey(one)).toBe(deliveryKey(other)));

	test.each([
		['another job', event('job.ended', 'a'), event('job.ended', 'b')],
		['another kind', event('people.attended', 'a'), event('people.not_attended', 'a')],
		[
			'the same person in another session',
			event('people.registered', 'a', person('s')),
			event('people.registered', 'a', person('t')),
		],
		[
			'the same person, registered again after unregistering',
			event('people.registered', 'a', person('s')),
			event('people.registered', 'a', person('s', { created_at: 2 })),
		],
		[
			'the same session, started again',
			event('session.started', 'a', { started_at: 1 }),
			event('session.started', 'a', { started_at: 2 }),
		],
		[
			'a replay watched again',
			event('people.watched_replay', 'a', person('s')),
			event('people.watched_replay', 'a', person('s', { updated_at: 2 })),
		],
		[
			'the same person, where no session is named and something changed',
			event('people.registered', 'a', { updated_at: 1 }),
			event('people.registered', 'a', { updated_at: 2 }),
		],
		[
			'a kind that nobody knows, with something else in it',
			event('poll.closed', 'a', { votes: 1 }),
			event('poll.closed', 'a', { votes: 2 }),
		],
	])('and told from %s', (_, one, other) => expect(deliveryKey(one)).not.toBe(deliveryKey(other)));

	test('parts that look alike when written one after the other are told apart', () => {
		expect(deliveryKey(event('x', 'ab'))).not.toBe(deliveryKey(event('xa', 'b')));
	});
});

describe('the memory', () => {
	test('holds the latest keys, as many as its limit, like a list would', () => {
		const keys = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 60 });
		fc.assert(
			fc.property(keys, fc.integer({ min: 1, max: 6 }), (added, limit) => {
				const memory = new Memory(limit);
				let expected: string[] = [];
				for (const key of added) {
					memory.add(key);
					expected = [...expected.filter((one) => one !== key), key].slice(-limit);
				}
				expect(memory.latest(100)).toEqual(expected);
				expect([...'abcdefgh'].filter((key) => memory.has(key)).sort()).toEqual(expected.sort());
			}),
		);
	});

	test('survives a restart through what was stored', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.string(), { maxLength: 50 }), (keys) => {
				const before = new Memory(100);
				keys.forEach((key) => before.add(key));
				const after = new Memory(100);
				after.merge(JSON.parse(JSON.stringify(before.latest(100))));
				expect(after.latest(100)).toEqual(keys);
			}),
		);
	});

	test('what is forgotten does not come back from the store, and may happen anew', () => {
		const memory = new Memory(2);
		memory.add('a');
		const stored = memory.latest(2);
		memory.forget('a');
		memory.merge(stored);
		expect(memory.has('a')).toBe(false);
		memory.add('a');
		memory.add('b');
		expect(memory.latest(2)).toEqual(['a', 'b']);
	});

	test.each([undefined, null, 'text', { 0: 'a' }, [1, null, {}]])(
		'takes no harm from %j in the store',
		(stored) => {
			const memory = new Memory(10);
			memory.merge(stored);
			expect(memory.latest(10)).toEqual([]);
		},
	);
});

describe('deliveries that arrive together', () => {
	/** An examination that ends when it is told to. */
	function held<Result>() {
		const calls: ((result: Result) => void)[] = [];
		const examine = () => new Promise<Result>((resolve) => calls.push(resolve));
		return { calls, examine };
	}
	const settle = async () => {
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
	};

	test('share one examination', async () => {
		const queue = new Queue<string>();
		const { calls, examine } = held<string>();
		const all = Array.from({ length: 200 }, () => queue.join('a', examine, () => true));
		calls[0]?.('started');
		const outcomes = await Promise.all(all);
		expect(calls).toHaveLength(1);
		expect(outcomes.filter(({ mine }) => mine)).toHaveLength(1);
		expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(['started']));
	});

	test('of different occasions do not wait for each other', () => {
		const queue = new Queue<string>();
		const { calls, examine } = held<string>();
		void queue.join('a', examine, () => true);
		void queue.join('b', examine, () => true);
		expect(calls).toHaveLength(2);
	});

	test('a forged one ahead costs the genuine ones one more examination, not each its own', async () => {
		const queue = new Queue<string>();
		const { calls, examine } = held<string>();
		const binding = (result: string) => result !== 'denied';
		const forged = queue.join('a', examine, binding);
		const others = Array.from({ length: 50 }, () => queue.join('a', examine, binding));
		calls[0]?.('denied');
		await settle();
		calls[1]?.('denied');
		const outcomes = await Promise.all([forged, ...others]);
		expect(calls).toHaveLength(2);
		expect(outcomes.every(({ result }) => result === 'denied')).toBe(true);
	});

	test('an examination that breaks leaves the way free for the next delivery', async () => {
		const queue = new Queue<string>();
		const broken = queue.join(
			'a',
			() => Promise.reject(new Error('broken')),
			() => true,
		);
		await expect(broken).rejects.toThrow('broken');
		const next = await queue.join(
			'a',
			() => Promise.resolve('started'),
			() => true,
		);
		expect(next).toEqual({ result: 'started', mine: true });
	});
});
