import { problemOfId } from '../client/path';
import { duplicateOf, notSendable, notSent, type Reason } from '../people/outcome';
import type { Row } from '../people/registration';
import { groupBy, upTo } from '../values/collections';
import { setOutcome, type Batch, type Candidate } from './candidate';
import type { Cost, Usage } from '../client/usage';
import { countOf, thousands } from '../values/text';
import { withOutcomes, type RunOutcome } from './runOutcome';

export interface Plan {
	readonly candidates: readonly Candidate[];
	readonly batches: readonly Batch[];
}

/**
 * Groups people by session, and divides each group into batches. Invalid people and duplicates are not sent, and nobody is sent to a
 * session that is known to take nobody any more (`reasonClosed`).
 */
export function planRun(
	people: readonly Row[],
	reasonClosed: (sessionId: string) => Reason | undefined = () => undefined,
): Plan {
	const firstOfSession = new Map<string, Map<string, Candidate>>();
	const candidates = people.map((row, index): Candidate => {
		const { sessionId, address } = row;
		const candidate: Candidate = { row, rowNumber: index + 1 };
		const problems = problemsOf(row);
		if (problems.length > 0) {
			setOutcome([candidate], notSendable('invalid', problems));
			return candidate;
		}
		const firstOf = firstOfSession.get(sessionId) ?? new Map<string, Candidate>();
		firstOfSession.set(sessionId, firstOf);
		candidate.first = firstOf.get(address);
		if (candidate.first) {
			setOutcome([candidate], duplicateOf(candidate.first));
			return candidate;
		}
		firstOf.set(address, candidate);
		const reason = reasonClosed(sessionId);
		if (reason) setOutcome([candidate], notSent(reason));
		return candidate;
	});
	const batches = divideIntoBatches(candidates.filter(({ outcome }) => !outcome));
	return { candidates, batches };
}

/** Section 8 allows no more people in one request. */
export const mostTasksInBatch = 50;
/** A page, which says how long the list of a session is, and the people of one full batch. */
export const mostRequestsForBatch = 1 + mostTasksInBatch;

export function divideIntoBatches(candidates: readonly Candidate[]): Batch[] {
	const bySession = groupBy(candidates, ({ row }) => row.sessionId);
	return [...bySession].flatMap(([sessionId, members]) =>
		upTo(Math.ceil(members.length / mostTasksInBatch)).map((nth) => {
			const people = members.slice((nth - 1) * mostTasksInBatch, nth * mostTasksInBatch);
			return { sessionId, people };
		}),
	);
}

function problemsOf({ sessionId, email, problems }: Row): readonly string[] {
	if (problems.length > 0) return problems;
	// A session id that cannot stand in a path is a problem of the rows of that session alone.
	const problem = problemOfId(sessionId);
	if (problem !== undefined) return [`'Session': ${problem}`];
	return email === '' ? ['There is no email.'] : [];
}

/** The time is rounded up to tenths of a second. */
export function costOf(toSend: number, { perSecond }: Pick<Usage, 'perSecond'>, spent = 0): Cost {
	const requests = spent + toSend;
	return { requests, seconds: Math.ceil((10 * requests) / perSecond) / 10 };
}

/** How many requests a plan takes at least: one sends a batch, and another reads its results. */
export function requestsFor({ batches }: Pick<Plan, 'batches'>, needsResults: boolean): number {
	return batches.length * (needsResults ? 2 : 1);
}

export function shortage(requests: number, remaining?: number): Reason | undefined {
	if (remaining === undefined || remaining >= requests) return undefined;
	const message = `This run needs at least ${countOf(requests, 'request')}, but the platform has only ${thousands(remaining)} left for this month.`;
	return { code: 'quota_spent', message };
}

/** Describes what a run would do. People who would be sent have the status `valid`. */
export function dryRun({ candidates, batches }: Plan, cost: Cost): RunOutcome {
	const people = withOutcomes(candidates, { status: 'valid', reasons: [] });
	return { ...cost, people, jobs: batches };
}
