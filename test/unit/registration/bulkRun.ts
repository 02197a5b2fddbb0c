import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import { planRun } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { runBulk } from '../../../nodes/EventPlatform/core/registration/bulkRun';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import type { RecordView } from '../../../nodes/EventPlatform/core/records/recordView';
import { measuredClient } from '../../support/runs/measuredClient';
import { begunRun, timedRun, type TimedOptions } from '../../support/runs/begunRun';
import { VirtualClock } from '../../support/time/virtualClock';

/** Gives the result of a bulk run whose requests are answered like this, and of its people by session. */
export async function runAgainst(
	rows: readonly Row[],
	answer: (request: ApiRequest, now: number) => ApiResponse | Error,
	{
		latencyMs = () => 100,
		...options
	}: TimedOptions & {
		latencyMs?: (path: string) => number;
	} = {},
	view?: RecordView,
) {
	const clock = new VirtualClock();
	const asked: ApiRequest[] = [];
	const send = async (request: ApiRequest) => {
		asked.push(request);
		await clock.sleep(latencyMs(request.path));
		const response = answer(request, clock.now());
		if (response instanceof Error) throw response;
		return response;
	};
	const client = measuredClient(send, () => clock.now());
	const parts = { ...begunRun(client, clock), view };
	const report = await clock.run(runBulk(planRun(rows), ...timedRun(parts, options)));
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
