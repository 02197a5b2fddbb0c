import { differs, holds, NotSeen, type Row } from '../row';
import type { SeenResponse, Seen } from '../seen';
import { joined, words, type Words } from '../words';

const common = { section: '8', needs: 'read', reliesOn: ['pace'] } as const;

/** A header, under its name in responses and in the words of the report. */
interface LimitHeader {
	name: string;
	title: Words;
}

const headers: readonly LimitHeader[] = [
	{ name: 'ratelimit-interval-limit', title: words`RateLimit-Interval-Limit` },
	{ name: 'ratelimit-interval-remaining', title: words`RateLimit-Interval-Remaining` },
	{ name: 'ratelimit-monthly-limit', title: words`RateLimit-Monthly-Limit` },
	{ name: 'ratelimit-monthly-remaining', title: words`RateLimit-Monthly-Remaining` },
];

/** These rows check what the headers say of the limits, and whether that is so. */
export const limitRows: readonly Row[] = [
	{
		...common,
		id: 'limits.headers',
		says: 'Answers carry the four headers of the limits',
		evidence: [['components', 'headers', 'RateLimit-Monthly-Remaining']],
		check(seen) {
			const responses = counted(seen);
			const missing = headers.filter(({ name }) =>
				responses.every((response) => response.headers[name] === undefined),
			);
			if (missing.length === 0) return holds;
			const traits = missing.length === headers.length ? { limitHeaders: false } : undefined;
			return differs(
				joined(headers.map(({ title }) => title)),
				words`without ${joined(missing.map(({ title }) => title))}`,
				traits,
			);
		},
	},
	{
		...common,
		id: 'limits.second',
		says: 'Five requests a second are allowed',
		evidence: [['components', 'headers', 'RateLimit-Interval-Limit']],
		check(seen) {
			const limit = Number(lastHeader(seen, 'ratelimit-interval-limit'));
			return limit === 5 ? holds : differs(words`5 a second`, words`${limit} a second`);
		},
	},
	{
		...common,
		id: 'limits.month',
		reliesOn: ['month'],
		says: 'Each answered request takes one from what the month has left',
		check(seen) {
			const responses = counted(seen).filter(
				(response) => response.headers['ratelimit-monthly-remaining'] !== undefined,
			);
			const left = (response: SeenResponse | undefined) =>
				Number(response?.headers['ratelimit-monthly-remaining']);
			// Responses to requests that left at once may come in another order.
			const fell = left(responses[0]) - Math.min(...responses.map(left));
			if (responses.length < 3 || Number.isNaN(fell))
				throw new NotSeen(words`the headers do not tell`);
			// Another client of the token may take more.
			return fell >= responses.length - 1
				? holds
				: differs(words`${responses.length - 1} fewer`, words`${fell} fewer`);
		},
	},
	{
		...common,
		id: 'limits.reset',
		says: 'RateLimit-Reset is a time in seconds',
		check(seen) {
			const reset = Number(lastHeader(seen, 'ratelimit-reset'));
			if (Number.isNaN(reset)) throw new NotSeen(words`it is no number`);
			if (reset < 1e11) return holds;
			return reset < 1e14
				? differs(words`seconds`, words`milliseconds`, { resetUnit: 'milliseconds' })
				: differs(words`seconds`, words`a smaller unit than milliseconds`);
		},
	},
	{
		...common,
		id: 'limits.clock',
		says: "The platform's clock, in Date, is within a minute of this machine's",
		check(seen) {
			const dated = seen.all().find((exchange) => exchange.headers['date'] !== undefined);
			if (!dated) throw new NotSeen(words`there is no Date`);
			const aheadMs = Date.parse(dated.headers['date'] ?? '') - dated.at;
			if (Number.isNaN(aheadMs)) throw new NotSeen(words`Date is no date`);
			const seconds = Math.round(aheadMs / 1_000);
			if (Math.abs(seconds) <= 60) return holds;
			return differs(words`at most 60 s apart`, words`${Math.abs(seconds)} s apart`, {
				clockAheadMs: seconds * 1_000,
			});
		},
	},
];

/** Gives the responses to requests that count. A request that is turned away for its token may not count. */
function counted(seen: Seen): SeenResponse[] {
	const responses = seen.all().filter(({ status }) => status >= 200 && status < 300);
	if (responses.length === 0) throw new NotSeen(words`nothing was answered`);
	return responses;
}

function lastHeader(seen: Seen, name: string): string {
	const response = counted(seen).findLast(({ headers }) => headers[name] !== undefined);
	if (!response) throw new NotSeen(words`the header is missing`);
	return response.headers[name] ?? '';
}
