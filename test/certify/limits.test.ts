import { Asker } from '../../certify/ask';
import { askLimits } from '../../certify/asks/limits';
import type { SendAs } from '../../certify/send';
import { judge } from '../../certify/row';
import { limiterRows } from '../../certify/rows/limiter';
import { RequestQueue } from '../../nodes/EventPlatform/core/client/requestQueue';
import { createRateLimit, limiters } from '../../sandbox/access/rateLimit';
import { VirtualClock } from '../support/time/virtualClock';

test.each(limiters)('a limiter that is %s is known by what it refuses', async (limiter) => {
	const clock = new VirtualClock();
	const limit = createRateLimit(5, limiter);
	const send: SendAs = async () => {
		await clock.sleep(20);
		const { allowed } = limit.take('token', clock.now());
		return { status: allowed ? 200 : 429, headers: { 'retry-after': '1' }, body: '' };
	};
	const asker = new Asker({
		send,
		authorization: 'token',
		clock,
		queue: new RequestQueue(clock),
		signal: new AbortController().signal,
		most: 40,
		guard: () => {},
	});
	await clock.run(askLimits(asker));
	const [burst, retryAfter, window] = limiterRows.map((row) => judge(row, asker.seen));
	expect([burst?.state, retryAfter?.state]).toEqual(['holds', 'holds']);
	const judged = window?.state === 'differs' ? window.traits?.limiter : 'sliding';
	expect(judged).toBe(limiter);
});
