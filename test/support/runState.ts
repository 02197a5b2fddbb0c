import { planRun, type Candidate } from '../../nodes/EventPlatform/core/bulk/plan';
import { BulkRun, type RunOptions } from '../../nodes/EventPlatform/core/bulk/run';
import type { Answer, ApiRequest } from '../../nodes/EventPlatform/core/http/ports';
import { VirtualClock } from './virtualClock';

/** What a run knows before anything is sent, with this for a platform. */
export function runState(
	people: readonly Candidate[],
	answer: (request: ApiRequest) => Promise<Answer>,
	options: Partial<RunOptions> = {},
) {
	const clock = new VirtualClock();
	const usage = { requests: 0, perSecond: 5 };
	const asked: ApiRequest[] = [];
	const api = Object.assign(
		(request: ApiRequest) => {
			usage.requests += 1;
			asked.push(request);
			return answer(request);
		},
		{ usage },
	);
	const parts = { api, clock, explain: ({ reason }: { reason: string }) => reason };
	const run = new BulkRun(planRun(people), parts, {
		...{ waits: true, maxWaitSeconds: 900, isolates: true },
		...options,
	});
	return { run, clock, asked };
}
