import {
	BulkQueue,
	type QueuedRequest,
	Health,
	FirstReads,
} from '../../../nodes/EventPlatform/core/registration/pace';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { VirtualClock } from '../../support/time/virtualClock';

describe('the queue', () => {
	const reason = { code: 'ended', message: 'It is over.' };

	const failure = (cause: Cause = 'platform_error') =>
		new Failure(cause, { method: 'POST', path: '/x' });

	/** A run of which `most` requests may be under way at once, and what its queue have come to. */
	function scene(most: 1 | 4 = 4) {
		const clock = new VirtualClock();
		const began = clock.now();
		const over = new AbortController();
		const queue = new BulkQueue(clock, { perSecond: 5 }, over.signal);
		const { health } = queue;
		if (most === 1) health.recordFailure(0, 0, failure());
		health.resumesAt = undefined;
		const departures: string[] = [];
		const wait = (kind: QueuedRequest['kind'], name: string, dueAt = 0, sessionId = 's') =>
			void queue
				.waitForDeparture({ kind, sessionId, dueAt: () => began + dueAt })
				.then((departure) =>
					departures.push(
						`${name} ${'reason' in departure ? departure.reason.code : clock.now() - began}`,
					),
				);
		const after = (ms: number) => clock.run(clock.sleep(ms)).then(() => departures.join(', '));
		return { clock, began, health, queue, told: departures, wait, after, over };
	}

	test('what goes again goes before what is new, and sending before reading, as many at once as may', async () => {
		const { queue, wait, after } = scene(1);
		wait('read', 'first');
		wait('read', 'read');
		wait('readAgain', 'read again');
		wait('new', 'new');
		wait('new', 'newer');
		wait('again', 'again');
		wait('part', 'part');
		expect(await after(0)).toBe('first 0');
		for (const kind of ['read', 'part', 'again', 'new', 'new'] as const) {
			queue.recordReturn({ kind, sessionId: 's' });
			await after(0);
		}
		queue.recordReturn({ kind: 'readAgain', sessionId: 's' });
		expect(await after(0)).toBe('first 0, part 0, again 0, new 0, newer 0, read again 0, read 0');
		expect(queue.underWay).toEqual({ sends: 0, reads: 1 });
	});

	test('nothing leaves in a pause', async () => {
		const { health, began, wait, after } = scene();
		health.resumesAt = began + 500;
		wait('new', 'one');
		expect(await after(499)).toBe('');
		expect(await after(1)).toBe('one 500');
	});

	test('what is ended never leaves: of one session, of sending, or all', async () => {
		const { queue, wait, after } = scene();
		queue.stop({ reason, sessionId: 's' });
		wait('new', 's');
		wait('new', 'other', 100, 'other');
		expect(await after(0)).toBe('s ended');
		expect(queue.reasonToStop({})).toBeUndefined();
		queue.stop({ reason: { ...reason, code: 'over' }, stopsSendingOnly: true });
		wait('read', 'read', 100, 'other');
		expect(await after(100)).toBe('s ended, other over, read 100');
		expect(queue.reasonToStop({ kind: 'read' })).toBeUndefined();
		queue.stop({ reason });
		expect([queue.reasonToStop({ kind: 'read' }), queue.reasonToStop({})?.code]).toEqual([
			reason,
			'over',
		]);
	});

	test('a wait is let go when the run is over, so that it holds nothing of it', async () => {
		let signal: AbortSignal | undefined;
		const sleep = (_: number, signalOfWait?: AbortSignal) => {
			signal = signalOfWait;
			return new Promise<void>(() => {});
		};
		const over = new AbortController();
		const queue = new BulkQueue({ now: () => 0, sleep }, { perSecond: 5 }, over.signal);
		void queue.waitForDeparture({ kind: 'new', sessionId: 's', dueAt: () => 60_000 });
		over.abort('The run is over');
		expect(signal?.aborted).toBe(true);
		await Promise.resolve();
	});
});

describe('how well the platform responds', () => {
	const failure = (reason: Cause = 'platform_error') =>
		new Failure(reason, { method: 'POST', path: '/x' });

	/** After so many failures, one per second. */
	function failed(failures: number) {
		const health = new Health();
		health.recordResponse();
		for (let second = 1; second <= failures; second++) {
			health.recordFailure(second * 1_000, second * 1_000, failure());
		}
		return health;
	}

	test('as many are under way as the pace and the failures in a row allow', () => {
		expect([5, 100].map((perSecond) => failed(0).concurrency(perSecond))).toEqual([20, 64]);
		expect(failed(1).concurrency(5)).toBe(5);
	});

	test('after five failures nothing is sent for two seconds', () => {
		expect(failed(5).resumesAt).toBe(7_000);
	});

	test('requests that failed together are one failure', () => {
		const health = failed(0);
		health.recordFailure(0, 100, failure());
		health.recordFailure(50, 110, failure());
		health.recordFailure(99, 120, failure());
		expect(health.concurrency(5)).toBe(5);
		health.recordFailure(100, 200, failure());
		expect(health.concurrency(5)).toBe(1);
	});

	describe('a platform that has answered nothing yet', () => {
		test.each([
			[[0, 10_000], true],
			[[0, 9_999], false],
			// One request that took a minute to fail.
			[[60_000], false],
		])('fails at %j ms: hopeless %s', (times, isHopeless) => {
			const health = new Health();
			for (const now of times) health.recordFailure(now === 60_000 ? 0 : now, now, failure());
			expect(health.isHopeless).toBe(isHopeless);
		});

		test('is asked four things at once', () => {
			expect(new Health().concurrency(5)).toBe(4);
		});

		test.each<[Cause, Cause | undefined]>([
			['unreachable', 'unreachable'],
			['rate_limited', undefined],
		])('after %s the reason is %s', (reason, unreached) => {
			const health = new Health();
			health.recordFailure(0, 1_000, failure('platform_error'));
			health.recordFailure(2_000, 20_000, failure(reason));
			expect(health.unreached?.cause).toBe(unreached);
			expect(health.isHopeless).toBe(unreached !== undefined);
		});
	});

	test('twelve failures in a row are enough', () => {
		expect(failed(11).isHopeless).toBe(false);
		expect(failed(12).isHopeless).toBe(true);
	});
});

describe('when jobs are read first', () => {
	/** Fifty people at 20 ms each, and half a second to begin. */
	const firstGuessMs = 1_500;

	/** Half of a job was processed when it was first read after a second and a half. */
	const readTooEarly = (reads: FirstReads, readAgainAt: number) =>
		reads.recordEarlyRead(1_500, 0.5, readAgainAt);

	function after(happen: (reads: FirstReads) => void, reads = new FirstReads()): FirstReads {
		happen(reads);
		return reads;
	}

	describe('a job that was accepted at 0 is first read', () => {
		test.each<[string, number, (reads: FirstReads) => void]>([
			['after a guess', firstGuessMs, () => {}],
			[
				'when the progress of another predicts',
				5_000,
				(reads) => reads.recordEarlyRead(1_000, 0.2, 0),
			],
			[
				'by the slowest progress of several',
				5_000,
				(reads) => [0.2, 0.5].forEach((share) => reads.recordEarlyRead(1_000, share, 0)),
			],
			['no earlier by progress', firstGuessMs, (reads) => reads.recordEarlyRead(100, 0.5, 0)],
			[
				'after twice the age of a job not begun',
				4_000,
				(reads) => reads.recordEarlyRead(2_000, 0, 0),
			],
			['after what the first has taken', 4_000, (reads) => reads.recordEnd(4_000, false)],
			[
				'after the mean of that and of what the next has taken',
				3_000,
				(reads) => [4_000, 2_000].forEach((ms) => reads.recordEnd(ms, false)),
			],
			[
				'later where a job that was read before has taken longer',
				5_000,
				(reads) => [4_000, 6_000].forEach((ms) => reads.recordEnd(ms, false)),
			],
			[
				'by what has ended, not by the progress of others',
				1_000,
				(reads) => {
					reads.recordEnd(1_000, false);
					reads.recordEarlyRead(9_000, 0, 0);
				},
			],
			[
				'earlier where a first read came early enough, after a late one',
				1_450,
				(reads) => [9_000, 1_400].forEach((ms) => reads.recordEnd(ms, true)),
			],
			[
				'no later where a first read came late',
				firstGuessMs,
				(reads) => [firstGuessMs, 9_000].forEach((ms) => reads.recordEnd(ms, true)),
			],
			[
				'when the second of two that came too early is read again',
				7_000,
				(reads) => [6_000, 7_000].forEach((at) => readTooEarly(reads, at)),
			],
			[
				'as if a single read that came too early were chance',
				3_000,
				(reads) => readTooEarly(reads, 6_000),
			],
			[
				'as if it were chance where another came in time since',
				3_000,
				(reads) => {
					readTooEarly(reads, 6_000);
					reads.recordEnd(3_000, true);
					readTooEarly(reads, 7_000);
				},
			],
		])('%s: %j', (_, at, happen) => {
			expect(after(happen).dueAt(0, 0)).toBe(at);
		});

		test('so long after it was accepted, whenever that was', () => {
			expect(new FirstReads().dueAt(10_000, 0)).toBe(11_500);
		});
	});

	describe('as many first reads are under way at once', () => {
		/** The most reads under way beside which another may leave. */
		const mostOf = (reads: FirstReads) => {
			let reading = 0;
			while (reads.dueAt(0, reading) !== 'afterAnotherRead' && reading < 100) reading += 1;
			return reading;
		};

		test.each<[string, number, (reads: FirstReads) => void]>([
			['as two, in case one gets no response', 2, () => {}],
			[
				'as two and one for each that came in time',
				4,
				(reads) => {
					for (const ms of [1_500, 1_500]) reads.recordEnd(ms, true);
				},
			],
			[
				'as two after one too early, however many were in time',
				2,
				(reads) => {
					for (const ms of [1_500, 1_500]) reads.recordEnd(ms, true);
					readTooEarly(reads, 0);
				},
			],
			[
				'as three after one in time, however many were too early',
				3,
				(reads) => {
					for (const at of [0, 0, 0]) readTooEarly(reads, at);
					reads.recordEnd(1_500, true);
				},
			],
			['as two after a job that was read before', 2, (reads) => reads.recordEnd(1_500, false)],
		])('%s', (_, most, happen) => {
			expect(mostOf(after(happen))).toBe(most);
		});
	});

	describe('the next job is probably under way, too,', () => {
		test.each<[string, boolean, (reads: FirstReads) => void]>([
			['where nothing was read', false, () => {}],
			['where the last first read came too early', true, (reads) => readTooEarly(reads, 0)],
			[
				'where it came in time',
				false,
				(reads) => {
					readTooEarly(reads, 0);
					reads.recordEnd(1_500, true);
				},
			],
			[
				'where a job that was read before is over',
				true,
				(reads) => {
					readTooEarly(reads, 0);
					reads.recordEnd(1_500, false);
				},
			],
		])('%s: %j', (_, isTooEarly, happen) => {
			expect(after(happen).isTooEarly).toBe(isTooEarly);
		});
	});
});
