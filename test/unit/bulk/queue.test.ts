import { createQueue, type QueuedRequest } from '../../../nodes/EventPlatform/core/bulk/queue';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { VirtualClock } from '../../support/time/virtualClock';

const why = { code: 'why', message: 'Because.' };

const failure = (reason: Cause = 'platform_error') =>
	new Failure(reason, { method: 'POST', path: '/x' });

/** A run of which `most` requests may be under way at once, and what its turns have come to. */
function scene(most: 1 | 4 = 4) {
	const clock = new VirtualClock();
	const began = clock.now();
	const over = new AbortController();
	const turns = createQueue(clock, { perSecond: 5 }, over.signal);
	const { health } = turns;
	if (most === 1) health.recordFailure(0, 0, failure());
	health.pausedUntil = -Infinity;
	const told: string[] = [];
	const wait = (kind: QueuedRequest['kind'], name: string, dueAt = 0, sessionId = 's') =>
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
	const turns = createQueue({ now: () => 0, sleep }, { perSecond: 5 }, over.signal);
	void turns.next({ kind: 'new', sessionId: 's', dueAt: () => 60_000 });
	over.abort('The run is over');
	expect(signal?.aborted).toBe(true);
	await Promise.resolve();
});
