import { createTurns, Health, type Turn } from '../../../nodes/EventPlatform/core/bulk/turns';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/client/failure';
import { VirtualClock } from '../../support/time/virtualClock';

const why = { code: 'why', message: 'Because.' };

const failure = (reason: Cause = 'platform_error') =>
	new Failure(reason, { method: 'POST', path: '/x' });

/** A run of which `most` requests may be under way at once, and what its turns have come to. */
function scene(most: 1 | 4 = 4) {
	const clock = new VirtualClock();
	const began = clock.now();
	const over = new AbortController();
	const turns = createTurns(clock, { perSecond: 5 }, over.signal);
	const { health } = turns;
	if (most === 1) health.failed(0, 0, failure());
	health.pausedUntil = -Infinity;
	const told: string[] = [];
	const wait = (kind: Turn['kind'], name: string, dueAt = 0, sessionId = 's') =>
		void turns
			.next({ kind, sessionId, dueAt: () => began + dueAt })
			.then((whyNot) => told.push(`${name} ${whyNot?.code ?? clock.now() - began}`));
	const after = (ms: number) => clock.run(clock.sleep(ms)).then(() => told.join(', '));
	return { clock, began, health, turns, told, wait, after, over };
}

test('what goes again goes before what is new, and sending before reading, as many at once as may', async () => {
	const { turns, wait, after } = scene(1);
	wait('read', 'first');
	wait('read', 'read');
	wait('readAgain', 'read again');
	wait('new', 'new');
	wait('new', 'newer');
	wait('again', 'again');
	wait('part', 'part');
	expect(await after(0)).toBe('first 0');
	for (const kind of ['read', 'part', 'again', 'new', 'new'] as const) {
		turns.done({ kind, sessionId: 's' });
		await after(0);
	}
	turns.done({ kind: 'readAgain', sessionId: 's' });
	expect(await after(0)).toBe('first 0, part 0, again 0, new 0, newer 0, read again 0, read 0');
	expect(turns.underWay).toEqual({ sends: 0, reads: 1 });
});

test('nothing leaves in a pause', async () => {
	const { health, began, wait, after } = scene();
	health.pausedUntil = began + 500;
	wait('new', 'one');
	expect(await after(499)).toBe('');
	expect(await after(1)).toBe('one 500');
});

test('what is ended never leaves: of one session, of sending, or all', async () => {
	const { turns, wait, after } = scene();
	turns.end({ why, sessionId: 's' });
	wait('new', 's');
	wait('new', 'other', 100, 'other');
	expect(await after(0)).toBe('s why');
	expect(turns.whyNot({})).toBeUndefined();
	turns.end({ why: { ...why, code: 'over' }, isOfSending: true });
	wait('read', 'read', 100, 'other');
	expect(await after(100)).toBe('s why, other over, read 100');
	expect(turns.whyNot({ kind: 'read' })).toBeUndefined();
	turns.end({ why });
	expect([turns.whyNot({ kind: 'read' }), turns.whyNot({})?.code]).toEqual([why, 'over']);
});

test('a wait is let go when the run is over, so that it holds nothing of it', async () => {
	let signal: AbortSignal | undefined;
	const sleep = (_: number, given?: AbortSignal) => {
		signal = given;
		return new Promise<void>(() => {});
	};
	const over = new AbortController();
	const turns = createTurns({ now: () => 0, sleep }, { perSecond: 5 }, over.signal);
	void turns.next({ kind: 'new', sessionId: 's', dueAt: () => 60_000 });
	over.abort('The run is over');
	expect(signal?.aborted).toBe(true);
	await Promise.resolve();
});

/** After so many failures, one per second. */
function failed(failures: number) {
	const health = new Health();
	health.answered();
	for (let second = 1; second <= failures; second++) {
		health.failed(second * 1_000, second * 1_000, failure());
	}
	return health;
}

test('as many are under way as the pace and the failures in a row allow', () => {
	expect([5, 100].map((perSecond) => failed(0).concurrency(perSecond))).toEqual([20, 64]);
	expect(failed(1).concurrency(5)).toBe(5);
});

test('after five failures nothing is sent for two seconds', () => {
	expect(failed(5).pausedUntil).toBe(7_000);
});

test('requests that failed together are one failure', () => {
	const health = failed(0);
	health.failed(0, 100, failure());
	health.failed(50, 110, failure());
	health.failed(99, 120, failure());
	expect(health.concurrency(5)).toBe(5);
	health.failed(100, 200, failure());
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
		for (const now of times) health.failed(now === 60_000 ? 0 : now, now, failure());
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
		health.failed(0, 1_000, failure('platform_error'));
		health.failed(2_000, 20_000, failure(reason));
		expect(health.unreached?.reason).toBe(unreached);
		expect(health.isHopeless).toBe(unreached !== undefined);
	});
});

test('twelve failures in a row are enough', () => {
	expect(failed(11).isHopeless).toBe(false);
	expect(failed(12).isHopeless).toBe(true);
});
