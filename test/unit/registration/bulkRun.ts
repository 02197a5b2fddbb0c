import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/report';
import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import type { RunOptions } from '../../../nodes/EventPlatform/core/registration/runParts';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { runBulk } from '../../../nodes/EventPlatform/core/registration/run';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import type { RecordView } from '../../../nodes/EventPlatform/core/records/recordView';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { VirtualClock } from '../../support/time/virtualClock';

/** Gives the result of a bulk run whose requests are answered like this, and of its people by session. */
export async function runAgainst(
	rows: readonly Row[],
	answer: (request: ApiRequest, now: number) => ApiResponse | Error,
	{
		latencyMs = () => 100,
		...options
	}: Partial<RunOptions> & {
		latencyMs?: (path: string) => number;
	} = {},
	view?: RecordView,
) {
	const clock = new VirtualClock();
	const asked: ApiRequest[] = [];
	const usage = { requests: 0, responses: 0, perSecond: 5 };
	const send = async (request: ApiRequest) => {
		asked.push(request);
		usage.requests = asked.length;
		await clock.sleep(latencyMs(request.path));
		const response = answer(request, clock.now());
		if (response instanceof Error) throw response;
		return response;
	};
	const parts = { client: { send, usage }, clock, sessions: new SessionCache(send), view };
	const settings = { needsResults: true, maxWaitSeconds: 900, mayDivide: true, ...options };
	const report = await clock.run(runBulk(planRun(rows), parts, settings));
	// An answer that comes back later changes nothing of the report.
	await clock.run(clock.sleep(3_600_000));
	const became = (sessionId: string) => {
		const theirs = outcomesOf(report).filter((_, index) => rows[index]?.sessionId === sessionId);
		const results = theirs.map(({ status, jobId, reasons: [why] }) =>
			[status, why?.code, jobId].filter(Boolean).join(' '),
		);
		return [...new Set(results)].join(', ');
	};
	const sent = asked.filter(({ method }) => method === 'POST').map(({ path }) => path);
	return { report, asked, became, sent };
}
