/*
 * What a platform refuses in a query is left out for ten minutes, and for a day once it is refused again. Beside pages the specification only
 * says that there are filters by dates (9). A platform that does not know a parameter refuses each request that has it, and each poll would
 * pay for that.
 */
import type { Cause } from './cause';
import type { Clock } from './clock';
import { asFailure, Failure } from './failure';
import type { OptionalQuery, Refusals } from './request';
import { text } from '../values/text';
import { ProcessMap } from '../values/processState';
import { ageOf } from '../values/recentTimes';
import { dayMs, minuteMs, type Ms } from '../values/units';

interface Refused {
	readonly atMs: Ms;
	readonly inRow: number;
}

/**
 * A gateway may refuse a request once, or the platform one value of a parameter, so the first pause is short. But it outlasts the reading of a
 * list, all of whose pages are read in the same way: with the query, or without.
 */
const firstPauseMs = 10 * minuteMs;
const laterPauseMs = dayMs;

export class RefusedQueries implements Refusals {
	private readonly refused = new Map<string, Refused>();

	constructor(private readonly clock: Pick<Clock, 'now'>) {}

	async readOrLeaveOut<With, Without>(
		optional: OptionalQuery,
		readWith: () => Promise<With>,
		readWithout: () => Promise<Without>,
	): Promise<With | Without> {
		const key = queryKeyOf(optional);
		const { atMs = -Infinity, inRow = 0 } = this.refused.get(key) ?? {};
		const pauseMs = inRow > 1 ? laterPauseMs : firstPauseMs;
		if (ageOf(atMs, this.clock.now()) < pauseMs) return await readWithout();
		const result = await readWith().catch(asFailure);
		if (!(result instanceof Failure)) {
			this.refused.delete(key);
			return result;
		}
		if (!causesOfQuery.has(result.cause)) throw result;
		const resultWithout = await readWithout();
		// Something else would have refused that, too.
		if (!mayMeanEmptyList(optional, result)) {
			this.refused.set(key, { atMs: this.clock.now(), inRow: inRow + 1 });
		}
		return resultWithout;
	}
}

/** A platform refuses a query in one of these ways. Any other failure says nothing of it. */
const causesOfQuery: ReadonlySet<Cause> = new Set([
	'refused',
	'unprocessable',
	'nothing_or_filter',
]);

/** With a filter such a 400 may mean an empty list, so it does not show that the filter is refused. */
function mayMeanEmptyList({ query }: OptionalQuery, { cause }: Failure): boolean {
	const hasFilter = Object.keys(query).some((name) => name.startsWith('filter['));
	return hasFilter && cause === 'nothing_or_filter';
}

/**
 * A key looks like "/sessions/:id/questions include=person". A date differs in each request, so that its value does not count. Any other
 * does: half of an address, typed in the editor, may be refused and the whole one not.
 */
function queryKeyOf({ path, query }: OptionalQuery): string {
	const [, ...segments] = path.split('/');
	const pattern = segments.map((segment, index) => (index % 2 === 0 ? segment : ':id'));
	const parameters = Object.entries(query).map(([name, value]) =>
		typeof value === 'number' ? name : `${name}=${text(value)}`,
	);
	return `/${pattern.join('/')} ${parameters.join(' ')}`;
}

const memories = new ProcessMap<RefusedQueries>('refusedQueries');

/** What the platform refuses is the same for all who use a token. */
export function refusedQueriesFor(tokenKey: string, clock: Clock): RefusedQueries {
	const memory = memories.get(tokenKey) ?? new RefusedQueries(clock);
	memories.set(tokenKey, memory);
	return memory;
}
