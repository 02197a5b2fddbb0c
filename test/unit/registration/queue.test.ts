import { BulkQueue, type QueuedRequest } from '../../../nodes/EventPlatform/core/registration/pace';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { VirtualClock } from '../../support/time/virtualClock';

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
