import fc from 'fast-check';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import {
	RequestQueue,
	requestQueueFor,
} from '../../../nodes/EventPlatform/core/client/requestQueue';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { hourMs } from '../../support/time/units';
import { VirtualClock } from '../../support/time/virtualClock';

const get: ApiRequest = { method: 'GET', path: '/events' };

const ok = (headers: Record<string, string> = {}): ApiResponse => ({
	status: 200,
	headers,
	body: {},
});

const rateLimited = (headers: Record<string, string> = {}): ApiResponse => ({
	...ok(headers),
	status: 429,
});

function setUp(cap?: number) {
	const clock = new VirtualClock();
	const queue = new RequestQueue(clock);
	queue.setCap(cap);
	/** The response to a request that has just left. */
	const hear = (response: ApiResponse) => queue.recordResponse(response, clock.now());
	return { clock, queue, hear };
}

/** The most moments in any window of a second. */
function mostInASecond(times: readonly number[]): number {
	return Math.max(
		...times.map((at) => times.filter((time) => time > at - 1_000 && time <= at).length),
	);
}

test('no second holds more than the limit, whatever answers, 429s and other users of the token come in between', async () => {
	const headers = fc.record({
		'ratelimit-interval-limit': fc.constant('5'),
		'ratelimit-interval-remaining': fc.integer({ min: 0, max: 5 }).map(String),
	});
	const answer = fc.oneof(
		headers.map(ok),
		headers.map(rateLimited),
		fc.constant(rateLimited({ 'retry-after': '1' })),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 60 }), async (answers) => {
			const { clock, queue } = setUp();
			const times: number[] = [];
			await clock.run(
				Promise.all(
					answers.map(async (response) => {
						const sentAt = await queue.waitForPlace(get);
						times.push(sentAt);
						await clock.sleep(120);
						queue.recordResponse(response, sentAt);
					}),
				),
			);
			expect(mostInASecond(times)).toBeLessThanOrEqual(5);
		}),
		{ numRuns: 40 },
	);
});

test('five requests leave at once, and no sixth within the second', async () => {
	const { clock, queue } = setUp();
	const start = clock.now();
	const times = await clock.run(
		Promise.all(Array.from({ length: 10 }, () => queue.waitForPlace(get))),
	);
	expect(times.filter((at) => at === start)).toHaveLength(5);
	expect(mostInASecond(times)).toBe(5);
});

test('requests leave in the order in which they asked', async () => {
	const { clock, queue } = setUp();
	const order: number[] = [];
	const asking = Array.from({ length: 23 }, (_, index) =>
		queue.waitForPlace(get).then(() => order.push(index)),
	);
	await clock.run(Promise.all(asking));
	expect(order).toEqual([...order.keys()]);
});

test('a larger limit is used, a smaller one obeyed', async () => {
	for (const limit of [1, 20]) {
		const { clock, queue, hear } = setUp();
		hear(ok({ 'ratelimit-interval-limit': String(limit) }));
		const start = clock.now();
		await clock.run(Promise.all(Array.from({ length: limit * 10 }, () => queue.waitForPlace(get))));
		const seconds = (clock.now() - start) / 1_000;
		expect(seconds).toBeGreaterThan(8.9);
		expect(seconds).toBeLessThan(11);
	}
});

test('a limit of no requests is none', async () => {
	const { clock, queue, hear } = setUp();
	hear(ok({ 'ratelimit-interval-limit': '0' }));
	await clock.run(queue.waitForPlace(get));
	expect(queue.perSecond).toBe(5);
});

test('a spent month is told at once, with the moment at which it returns, to all who wait', async () => {
	const { clock, queue, hear } = setUp();
	const waiting = Array.from({ length: 8 }, () =>
		queue.waitForPlace(get).catch((error: unknown) => error),
	);
	hear(rateLimited({ 'ratelimit-monthly-remaining': '0', 'retry-after': '864000' }));
	const start = clock.now();
	const outcomes = await clock.run(
		Promise.all([...waiting, queue.waitForPlace(get).catch((e: unknown) => e)]),
	);
	expect(clock.now()).toBe(start);
	const last = outcomes.pop() as Failure;
	expect(last).toMatchObject({ cause: 'quota_spent', status: 429, retryAt: start + 864_000_000 });
	expect(outcomes.map((outcome) => outcome instanceof Failure)).toEqual(
		Array<boolean>(8).fill(true),
	);
	expect(queue.month).toMatchObject({ monthlyRemaining: 0, monthReturnsAt: start + 864_000_000 });
});

test('those who wait while the month is used up hear of it within a second, and leave ten seconds later', async () => {
	const { clock, queue, hear } = setUp();
	const spent = rateLimited({ 'ratelimit-monthly-remaining': '0', 'retry-after': '864000' });
	const causeOf = async () =>
		await queue.waitForPlace(get).catch((error: unknown) => (error as Failure).cause);
	const leaving = Array.from({ length: 5 }, causeOf);
	await clock.run(Promise.all(leaving));
	const waiting = Array.from({ length: 20 }, causeOf);
	hear(spent);
	const heardAt = clock.now();
	expect(await clock.run(Promise.all(waiting))).toEqual(Array(20).fill('quota_spent'));
	expect(clock.now() - heardAt).toBeLessThanOrEqual(1_000);
	await clock.run(clock.sleep(10_000));
	expect(await clock.run(causeOf())).toBe(clock.now());
});

test('after a month that is used up, what asks always leaves at once, and any request ten seconds later', async () => {
	const { clock, queue, hear } = setUp();
	hear(rateLimited({ 'ratelimit-monthly-remaining': '0', 'retry-after': '864000' }));
	const reason = async (request: ApiRequest) =>
		await clock.run(
			queue.waitForPlace(request).then(
				() => undefined,
				(error: unknown) => error as Failure,
			),
		);
	expect(await reason(get)).toMatchObject({ cause: 'quota_spent' });
	expect(await reason({ ...get, mayExceedQuota: true })).toBeUndefined();
	await clock.run(clock.sleep(10_000));
	expect(await reason(get)).toBeUndefined();
	// Nothing is said of the month by a platform without headers, but the request was served.
	hear(rateLimited({ 'ratelimit-monthly-remaining': '0', 'retry-after': '864000' }));
	expect(await reason(get)).toMatchObject({ cause: 'quota_spent' });
	hear(ok());
	expect(await reason(get)).toBeUndefined();
});

test('a turn that would come after the deadline fails at once', async () => {
	const { clock, queue, hear } = setUp();
	const start = clock.now();
	const waiting = Array.from({ length: 30 }, () => queue.waitForPlace(get));
	const late = queue.waitForPlace({ ...get, deadlineAtMs: start + 2_000 });
	await expect(late).rejects.toMatchObject({ cause: 'time_over' });
	hear(rateLimited());
	const still = queue.waitForPlace({ ...get, deadlineAtMs: start + 2_000 });
	await expect(still).rejects.toMatchObject({ cause: 'time_over' });
	expect(clock.now()).toBe(start);
	await clock.run(Promise.all(waiting));
});

describe('a request that waits in the line, and whose deadline cannot be kept any more', () => {
	/** Eight requests of a run that waits as long as it takes, one of somebody who waits ten seconds, and one more of the run. */
	function lineOfRun(cap?: number) {
		const { clock, queue, hear } = setUp(cap);
		const start = clock.now();
		const left: number[] = [];
		const askOfRun = (index: number) => queue.waitForPlace(get).then(() => left.push(index));
		const ahead = [0, 1, 2, 3, 4, 5, 6, 7].map(askOfRun);
		const hurried = queue.waitForPlace({ ...get, deadlineAtMs: start + 10_000 }).then(
			() => undefined,
			(error: unknown) => ({ error, afterMs: clock.now() - start }),
		);
		const leftOfRun = Promise.all([...ahead, askOfRun(8)]).then(() => left);
		return { clock, hear, hurried, leftOfRun };
	}

	test('fails within a second of a pause that lasts longer, and the others leave in their order', async () => {
		const { clock, hear, hurried, leftOfRun } = lineOfRun();
		clock.later(500, () => hear(rateLimited({ 'retry-after': '100' })));
		const end = await clock.run(hurried);
		expect(end?.error).toMatchObject({ cause: 'rate_limited', request: { path: '/events' } });
		expect(end?.afterMs).toBeLessThanOrEqual(1_500);
		expect(await clock.run(leftOfRun)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	});

	test('fails at its deadline where the process has lost places meanwhile', async () => {
		const { clock, hear, hurried, leftOfRun } = lineOfRun(1);
		for (const atMs of [100, 1_500, 3_000]) clock.later(atMs, () => hear(rateLimited()));
		const end = await clock.run(hurried);
		expect(end?.error).toMatchObject({ cause: 'time_over' });
		// A request may leave at its deadline.
		expect(end?.afterMs).toBeLessThanOrEqual(10_001);
		expect(await clock.run(leftOfRun)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	});

	test('leaves no timer behind, and neither do the others that have left', async () => {
		const { clock, hear, hurried, leftOfRun } = lineOfRun();
		clock.later(500, () => hear(rateLimited({ 'retry-after': '100' })));
		await clock.run(Promise.all([hurried, leftOfRun]));
		const endedAt = clock.now();
		await expect(clock.run(new Promise(() => {}))).rejects.toThrow('Nothing is under way');
		expect(clock.now()).toBe(endedAt);
	});
});

test('a pause of a day, while requests are left in the month, is asked about again each hour, because it may be over', async () => {
	const { clock, queue, hear } = setUp();
	const pause = rateLimited({ 'retry-after': '86400', 'ratelimit-monthly-remaining': '9' });
	const leaves = () =>
		clock.run(queue.waitForPlace(get)).then(
			() => true,
			() => false,
		);
	for (let hour = 0; hour < 2; hour++) {
		hear(pause);
		await clock.run(clock.sleep(hourMs - 120_001));
		expect(await leaves()).toBe(false);
		await clock.run(clock.sleep(120_001));
		expect(await leaves()).toBe(true);
	}
});

test('a pause of two minutes is waited for, and a longer one fails at once, with its end', async () => {
	const { clock, queue, hear } = setUp();
	const start = clock.now();
	hear(rateLimited({ 'retry-after': '120' }));
	await clock.run(queue.waitForPlace(get));
	expect(clock.now() - start).toBeGreaterThanOrEqual(120_000);
	hear(rateLimited({ 'retry-after': '121' }));
	await expect(queue.waitForPlace(get)).rejects.toMatchObject({
		cause: 'rate_limited',
		retryAt: clock.now() + 121_000,
	});
});

test('a cancelled request leaves the line, and the others move up', async () => {
	const { clock, queue } = setUp(1);
	const stop = new AbortController();
	const first = queue.waitForPlace(get);
	const stopped = [queue.waitForPlace(get, stop.signal), queue.waitForPlace(get, stop.signal)];
	const ends = Promise.allSettled(stopped);
	const last = queue.waitForPlace(get);
	stop.abort();
	for (const end of await clock.run(ends)) {
		expect(end).toMatchObject({ status: 'rejected', reason: expect.any(Cancelled) as unknown });
	}
	const gap = (await clock.run(last)) - (await first);
	// Two who wait before it would take two seconds more.
	expect(gap).toBeLessThan(2_500);
});

test('one that waits leaves sooner when the cap is lifted', async () => {
	const { clock, queue } = setUp(0.1);
	const began = await queue.waitForPlace(get);
	clock.later(500, () => queue.setCap(undefined));
	expect((await clock.run(queue.waitForPlace(get))) - began).toBeLessThan(2_000);
});

test.each([
	[0.4, 0.4],
	[50, 5],
])('with a cap of %f a second the speed that is told is %f', (cap, perSecond) => {
	expect(setUp(cap).queue.perSecond).toBe(perSecond);
});

describe('the queue of a token', () => {
	const queueFor = (token: string, clock: VirtualClock, cap?: number) =>
		requestQueueFor(token, clock, cap);

	test('is the same for every credential that holds it', () => {
		const clock = new VirtualClock();
		expect(queueFor('shared', clock)).toBe(queueFor('shared', clock));
		expect(queueFor('shared', clock)).not.toBe(queueFor('another', clock));
	});

	test('has the cap of the credential that connected last', () => {
		const clock = new VirtualClock();
		const queue = queueFor('strict', clock, 2);
		expect(queue.perSecond).toBe(2);
		queueFor('strict', clock, 3);
		expect(queue.perSecond).toBe(3);
		queueFor('strict', clock);
		expect(queue.perSecond).toBe(5);
	});

	test('is forgotten where nobody has used it for a day, and not where somebody has', async () => {
		const clock = new VirtualClock();
		jest.spyOn(Date, 'now').mockImplementation(() => clock.now());
		const [kept, rare, lost] = ['kept', 'rare', 'lost'].map((token) => queueFor(token, clock));
		await clock.run(clock.sleep(20 * 3_600_000));
		expect(queueFor('kept', clock)).toBe(kept);
		expect(queueFor('rare', clock)).toBe(rare);
		await clock.run(clock.sleep(10 * 3_600_000));
		expect(queueFor('kept', clock)).toBe(kept);
		expect(queueFor('lost', clock)).not.toBe(lost);
		await clock.run(clock.sleep(30 * 3_600_000));
		expect(queueFor('kept', clock)).toBe(kept);
	});
});

test('a cancelled request does not wait for its place, nor count among those ahead of others', async () => {
	const { clock, queue } = setUp(1);
	const start = clock.now();
	const waiting = [0, 1].map(() => queue.waitForPlace(get));
	const stop = new AbortController();
	const cancelled = Array.from({ length: 50 }, () => queue.waitForPlace(get, stop.signal));
	stop.abort();
	await clock.run(Promise.allSettled(cancelled));
	expect(clock.now()).toBe(start);
	await clock.run(queue.waitForPlace({ ...get, deadlineAtMs: start + 4_000 }));
	await Promise.all(waiting);
});
