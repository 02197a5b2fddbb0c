import { asFailure, Failure } from '../client/failure';
import type { Ask } from '../client/request';
import type { Clock } from '../client/clock';
import { pathTo } from '../client/path';
import { expectJob } from './jobState';
import { type JobState } from '../dialect/jobs';
import { nextReadMs, type Progress } from './nextRead';

/** Waits until the job has a final status or the time is over, and gives it as it was last seen. */
export async function waitForJob(
	jobId: string,
	maxWaitSeconds: number,
	{ api, clock, signal }: { api: Ask; clock: Clock; signal?: AbortSignal },
): Promise<JobState | undefined> {
	const deadline = clock.now() + maxWaitSeconds * 1_000;
	const request = { method: 'GET', path: pathTo`/jobs/${jobId}`, deadline } as const;
	let job: JobState | undefined;
	let reads: Progress[] = [];
	for (;;) {
		const answer = await api(request).catch(asFailure);
		if (answer instanceof Failure && answer.cause === 'time_over') return job;
		if (answer instanceof Failure) throw answer;
		job = expectJob(request, answer);
		const at = clock.now();
		if (job.isFinal || at >= deadline) return job;
		reads = [...reads, { at, processed: job.processed ?? 0 }].slice(-8);
		await clock.sleep(Math.min(nextReadMs(reads, job.total), deadline - at), signal);
	}
}
