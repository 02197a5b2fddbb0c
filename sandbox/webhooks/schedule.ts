import type { Outcome } from './post';

/** The delays as the platform publishes them: about 30 s, 1 m, 2.5 m, 6 m and 12 m. */
const delaysMs = [30_000, 60_000, 150_000, 360_000, 720_000];

type Verdict = 'delivered' | 'dropped' | 'failed' | { retryInMs: number };

/** Gives the verdict after the nth attempt, counted from 1. Only the statuses that are published are retried. */
export function afterAttempt({ status }: Outcome, attempt: number, factor: number): Verdict {
	if (status !== null && !isRetried(status)) {
		return status >= 200 && status < 300 ? 'delivered' : 'dropped';
	}
	const delayMs = delaysMs[attempt - 1];
	return delayMs === undefined ? 'failed' : { retryInMs: Math.round(delayMs * factor) };
}

function isRetried(status: number): boolean {
	return (status >= 400 && status <= 456) || (status >= 500 && status <= 511);
}
