import { Cancelled, Failure } from '../http/failure';
import type { Api, Clock } from '../http/ports';
import { pathTo } from '../http/path';
import { expectJob, type JobState } from './jobState';

export interface Waiting {
	api: Api;
	clock: Clock;
	signal?: AbortSignal;
	maxWaitSeconds: number;
}

/** How a wait ended, and the job as it was last seen. It does not throw for time or a cancel. */
export type Waited =
	{ ended: 'SUCCESS'; job: JobState } | { ended: 'TIMEOUT' | 'ABORTED'; job?: JobState };

/** Waits until the job has a final status. What it throws is a `Failure` whose path has the job id. */
export async function waitForJob(
	jobId: string,
	{ api, clock, signal, maxWaitSeconds }: Waiting,
): Promise<Waited> {
	const path = pathTo`/jobs/${jobId}`;
	const deadline = clock.now() + maxWaitSeconds * 1_000;
	let job: JobState | undefined;
	let reads: Progress[] = [];

	async function readUntilFinal(): Promise<Waited> {
		for (;;) {
			const request = { method: 'GET', path, deadline } as const;
			job = expectJob(request, await api(request));
			if (job.isFinal) return { ended: 'SUCCESS', job };
			const now = clock.now();
			if (now >= deadline) return { ended: 'TIMEOUT', job };
			reads = [...reads, { at: now, processed: job.processed ?? 0 }].slice(-8);
			await clock.sleep(Math.min(nextReadMs(reads, job.total), deadline - now), signal);
		}
	}

	return await readUntilFinal().catch((error: unknown): Waited => {
		if (error instanceof Cancelled) return { ended: 'ABORTED', job };
		if (error instanceof Failure && error.reason === 'time_over') return { ended: 'TIMEOUT', job };
		throw error;
	});
}

/** How far a job was when it was read. */
export interface Progress {
	at: number;
	processed: number;
}

const shortestPauseMs = 500;
const longestPauseMs = 30_000;

/**
 * How long to wait before an unfinished job is read again. Progress between reads predicts the
 * end; without progress each pause is twice as long as the time since the last change.
 */
export function nextReadMs(reads: readonly Progress[], total = 50): number {
	const last = reads[reads.length - 1];
	const first = reads[0];
	if (!last || !first || last === first) return 2 * shortestPauseMs;
	const idleSince = reads.find(({ processed }) => processed >= last.processed) ?? last;
	if (idleSince !== last) return within(2 * (last.at - idleSince.at));
	const perTaskMs = (last.at - first.at) / (last.processed - first.processed);
	// A twentieth late costs less than one request too many.
	return within(1.05 * perTaskMs * Math.max(1, total - last.processed));
}

function within(ms: number): number {
	return Math.min(longestPauseMs, Math.max(shortestPauseMs, ms));
}
