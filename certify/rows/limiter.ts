import { burstRequests, requestsAfterBurst, roundOf } from '../asks/limits';
import { differs, holds, NotSeen, type Row } from '../row';
import type { Seen } from '../seen';
import { words } from '../words';

const common = { section: '8', needs: 'limits', reliesOn: ['pace'] } as const;

/** How the limiter counts, as far as a few refusals tell. */
export const limiterRows: readonly Row[] = [
	{
		...common,
		id: 'limiter.burst',
		says: 'Five requests at once are answered, the sixth is a 429',
		check(seen) {
			// Around the turn of a second more may pass.
			const taken = Math.min(...rounds(seen).map((round) => round.taken));
			return taken === burstRequests - 1
				? holds
				: differs(
						words`${burstRequests - 1} answered`,
						words`${taken} of ${burstRequests} answered`,
					);
		},
	},
	{
		...common,
		id: 'limiter.retry-after',
		says: 'A 429 says in Retry-After how many seconds to wait',
		check(seen) {
			const refused = rounds(seen).flatMap((round) => round.refused);
			if (refused.length === 0) throw new NotSeen(words`nothing was refused`);
			const without = refused.filter(({ headers }) => !/^\d+$/.test(headers['retry-after'] ?? ''));
			return without.length === 0
				? holds
				: differs(
						words`Retry-After in seconds`,
						words`${without.length} of ${refused.length} without it`,
					);
		},
	},
	{
		...common,
		id: 'limiter.window',
		says: 'The requests of any second are counted, not those of a second of the clock',
		check(seen) {
			const all = rounds(seen);
			const waits = all.map(({ againMs }) => againMs ?? 0);
			if (all.some(({ againMs }) => againMs === undefined))
				throw new NotSeen(words`nothing was answered again in time`);
			if (all.every(({ takenAfter }) => takenAfter < requestsAfterBurst - 1)) {
				return differs(
					words`all are free again after a second`,
					words`one after the other is free again`,
					{ limiter: 'bucket' },
				);
			}
			if (waits.every((ms) => ms >= 900)) return holds;
			return differs(
				words`free again after a second`,
				words`free again after ${Math.min(...waits)} ms`,
				{ limiter: 'fixed' },
			);
		},
	},
];

function rounds(seen: Seen) {
	const all = [1, 2]
		.map((round) => roundOf(seen, round))
		.filter(({ refused, taken }) => refused.length + taken > 0);
	if (all.length === 0) throw new NotSeen(seen.why('everything') ?? words`not asked`);
	return all;
}
