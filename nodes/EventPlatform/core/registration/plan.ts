import { problemOfId } from '../client/path';
import { duplicateOf, notSendable, notSent, type Preview } from '../people/outcome';
import type { Reason } from '../people/reason';
import type { Row } from '../people/registration';
import { decide, divideIntoBatches, type Batch, type Candidate } from './candidate';
import { thousands, type Usage } from '../client/usage';
import type { PlannedJob } from './job';
import type { Cost } from './runParts';
import { reported, type Forecast } from './report';

/** The plan of a bulk registration: who is sent in which request, and why the others are not sent. */
export interface Plan {
	/** A candidate for each row of the list, in the order of the input. Those who are not sent have an outcome. */
	readonly candidates: readonly Candidate[];
	/** The people who are sent, request by request. */
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
	/** The first candidate who is each person, by session and address. */
	const firstOf = new Map<string, Candidate>();
	const candidates = people.map((row, index): Candidate => {
		const { sessionId, address } = row;
		const candidate: Candidate = { row, rowNumber: index + 1, address };
		const problems = problemsOf(row);
		if (problems.length > 0) {
			decide([candidate], notSendable('invalid', problems));
			return candidate;
		}
		const key = JSON.stringify([sessionId, address]);
		candidate.first = firstOf.get(key);
		if (candidate.first) {
			decide([candidate], duplicateOf(candidate.first));
			return candidate;
		}
		firstOf.set(key, candidate);
		const reason = reasonClosed(sessionId);
		if (reason) decide([candidate], notSent(reason));
		return candidate;
	});
	const batches = divideIntoBatches(candidates.filter(({ outcome }) => !outcome));
	return { candidates, batches };
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
		people: reported(
			candidates,
			({ outcome }): Preview => outcome ?? { status: 'valid', reasons: [] },
		),
		jobs: planJobs(batches),
	};
}

/** Gives the jobs that a run would start. */
export function planJobs(batches: readonly Batch[]): PlannedJob[] {
	return batches.map((batch) => ({ ...batch, status: 'planned' }));
}
