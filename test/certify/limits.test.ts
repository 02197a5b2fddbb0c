import { Asker } from '../../certify/ask';
import { askLimits } from '../../certify/asks/limits';
import { clock } from '../../certify/clock';
import { Ours } from '../../certify/ours';
import { judge } from '../../certify/row';
import { limiterRows } from '../../certify/rows/limiter';
import { createPace } from '../../nodes/EventPlatform/core/pace/pace';
import { limiters } from '../../sandbox/access/rateLimit';
import { sandboxForTests } from '../support/sandbox';
import { partsFor } from './running';

test.concurrent.each(limiters)(
	'a limiter that is %s is known by what it refuses',
	async (limiter) => {
		const { baseUrl } = await sandboxForTests({ rate: 5, limiter });
		const { send, signal, token } = partsFor(baseUrl);
		const pace = createPace({ clock });
		const asker = new Asker({
			send,
			authorization: token,
			clock,
			pace,
			signal,
			most: 40,
			guard: Ours.guard,
		});
		await askLimits(asker);
		const verdicts = limiterRows.map((row) => judge(row, asker.seen));
		const [burst, retryAfter, window] = verdicts;
		expect([burst?.state, retryAfter?.state]).toEqual(['holds', 'holds']);
		const told = window?.state === 'differs' ? window.traits?.limiter : 'sliding';
		expect(told).toBe(limiter);
	},
);
