import { problemOfId } from '../client/path';
import { duplicateOf, notSendable, notSent, type Outcome, type Preview } from '../people/outcome';
import type { Reason } from '../people/reason';
import type { Row } from '../people/registration';
import { candidateOf, divideIntoBatches, type Batch, type Candidate } from './candidate';
import { thousands, type Usage } from '../client/usage';
import type { PlannedJob } from './job';
import type { Cost } from './runParts';
import type { Forecast } from './report';

/** The plan of a bulk registration: who is sent in which request, and why the others are not sent. */
export interface Plan {
	/** A candidate for each row of the list, in the order of the input. Those who are not sent have an outcome. */
	readonly candidates: readonly Candidate[];
	/** The people who are sent, request by request. */
	readonly batches: readonly Batch[];
	/** The index of each duplicate, with that of the earlier row with the same person. */
	readonly firstOf: ReadonlyMap<number, number>;
}

/**
 * Groups people by session, and divides each group into batches. Invalid people and duplicates are not sent, and nobody is sent to a
 * session that is known to take nobody any more (`reasonClosed`).
 */
export function planRun(
	people: readonly Row[],
	reasonClosed: (sessionId: string) => Reason | undefined = () => undefined,
): Plan {
	/** The index of the first row of each person, by session and address. */
	const firstIndexes = new Map<string, number>();
	const firstOf = new Map<number, number>();
	const outcomeOf = (row: Row, index: number): Outcome | undefined => {
		const problems = problemsOf(row);
		if (problems.length > 0) return notSendable('invalid', problems);
		const { sessionId, address } = row;
		const key = JSON.stringify([sessionId, address]);
		const firstIndex = firstIndexes.get(key);
		if (firstIndex !== undefined) {
			firstOf.set(index, firstIndex);
			return duplicateOf(firstIndex);
		}
		firstIndexes.set(key, index);
		const reason = reasonClosed(sessionId);
		return reason && notSent(reason);
	};
	const candidates = people.map((row, index) => candidateOf(row, outcomeOf(row, index)));
	const batches = divideIntoBatches(candidates.filter(({ outcome }) => !outcome));
	return { candidates, batches, firstOf };
}

/** Gives the reasons, in words for people, why a row cannot be sent. */
function problemsOf({ sessionId, email, problems }: Row): readonly string[] {
	if (problems.length > 0) return problems;
	// A session id that cannot stand in a path is a problem of the rows of that session alone.
	const problem = problemOfId(sessionId);
	if (problem !== undefined) return [`The session: ${problem}`];
	return email === undefined ? ['There is no email.'] : [];
}

/** Computes the least that it costs to send these requests, added to what was spent before. */
export function costOf(
	toSend: ReadonlyArray<{ sessionId: string }>,
	{ perSecond }: Pick<Usage, 'perSecond'>,
	spent: Omit<Cost, 'seconds'> = { requests: 0, sessionOfEach: [] },
): Cost {
	const requests = spent.requests + toSend.length;
	const sessionOfEach = [...spent.sessionOfEach, ...toSend.map(({ sessionId }) => sessionId)];
	// The time is rounded up to tenths of a second.
	const seconds = Math.ceil((10 * requests) / perSecond) / 10;
	return { requests, sessionOfEach, seconds };
}

/** Forecasts a run: one request sends each job, and another one reads its results where they are needed. */
export function forecast(
	{ batches }: Plan,
	needsResults: boolean,
	usage: Pick<Usage, 'perSecond'>,
): Cost {
	return costOf(needsResults ? [...batches, ...batches] : batches, usage);
}

/** Gives the reason why a run must not begin; undefined where the month's requests are enough, or the platform does not tell them. */
export function shortage(requests: number, remaining?: number): Reason | undefined {
	if (remaining === undefined || remaining >= requests) return undefined;
	const message = `This run needs at least ${thousands(requests)} requests, but the platform has only ${thousands(remaining)} left for this month.`;
	return { code: 'quota_spent', message };
}

/** Describes what a run would do. People who would be sent have the status `valid`. */
export function dryRun({ candidates, batches }: Plan, cost: Cost): Forecast {
	return {
		...cost,
		outcomes: candidates.map(({ outcome }): Preview => outcome ?? { status: 'valid', reasons: [] }),
		jobs: planJobs(batches),
	};
}

/** Gives the jobs that a run would start. */
export function planJobs(batches: readonly Batch[]): PlannedJob[] {
	return batches.map((batch) => ({ ...batch, status: 'planned' }));
}
