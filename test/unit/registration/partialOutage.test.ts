import { createClient } from '../../../nodes/EventPlatform/core/client/client';
import type { ApiRequest, ApiResponse } from '../../../nodes/EventPlatform/core/client/request';
import { RequestQueue } from '../../../nodes/EventPlatform/core/client/requestQueue';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { planRun } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import {
	countStatuses,
	outcomesOf,
} from '../../../nodes/EventPlatform/core/registration/runOutcome';
import { runBulk } from '../../../nodes/EventPlatform/core/registration/bulkRun';
import { begunRun, timedRun } from '../../support/runs/begunRun';
import { modelScene, someRows } from '../../support/runs/simulation';

/** A session whose form asks for an email, so that people whose answer got lost are sent again. */
const event = { type: 'events', id: 'e', attributes: { fields: [{ id: 'email' }] } };
const session = { type: 'sessions', id: 's', attributes: { status: 'upcoming', event_id: 'e' } };
const form = { status: 200, headers: {}, body: { data: session, included: [event] } };
const withStatus503 = (headers: ApiResponse['headers'] = {}) => ({
	status: 503,
	headers,
	body: { errors: [] },
});

/** A run against a platform that answers some requests to send people with 503, and whose jobs can be read. */
async function run(
	rows: readonly Row[],
	jobMs: number,
	refuses: (request: ApiRequest, nthSent: number) => boolean,
	{ showsForms = true, unavailable = withStatus503() } = {},
) {
	const { clock, platform } = modelScene({ platform: { jobMs: () => jobMs } });
	let sent = 0;
	const client = createClient({
		async send(request) {
			const isSend = request.method === 'POST';
			sent += Number(isSend);
			if (!isSend && !request.path.startsWith('/jobs')) return showsForms ? form : unavailable;
			return isSend && refuses(request, sent) ? unavailable : await platform.send(request);
		},
		clock,
		queue: new RequestQueue(clock, () => 0.5),
		random: () => 0.5,
	});
	const report = await clock.run(runBulk(planRun(rows), ...timedRun(begunRun(client, clock))));
	const accepted = outcomesOf(report).filter(({ jobId }) => jobId !== undefined);
	return { accepted: countStatuses(accepted), requests: report.requests };
}

describe.each([5_000, 20_000, 100_000])('people whose jobs take %i ms are registered', (jobMs) => {
	test('where nobody else can be sent any more', async () => {
		const { accepted, requests } = await run(someRows(1_000), jobMs, (_, nth) => nth > 10);
		expect(accepted).toEqual({ registered: 500 });
		expect(requests).toBeLessThanOrEqual(60);
	});

	test('where the platform asks those who send people to wait for an hour', async () => {
		const unavailable = withStatus503({ 'retry-after': '3600' });
		const { accepted, requests } = await run(someRows(1_000), jobMs, (_, nth) => nth > 10, {
			unavailable,
		});
		expect(accepted).toEqual({ registered: 500 });
		expect(requests).toBeLessThanOrEqual(60);
	});

	test('where people of another session cannot be sent', async () => {
		const rows = [...someRows(150, 'a'), ...someRows(200, 'b')];
		const { accepted, requests } = await run(rows, jobMs, ({ path }) => path.includes('/a/'));
		expect(accepted).toEqual({ registered: 200 });
		expect(requests).toBeLessThanOrEqual(60);
	});

	test('where every third request to send people fails, and no form can be read after it', async () => {
		const rows = Array.from({ length: 10 }, (_, session) => someRows(200, `${session}`)).flat();
		const isThird = (_: ApiRequest, nth: number) => nth % 3 === 0;
		const { accepted, requests } = await run(rows, jobMs, isThird, { showsForms: false });
		const { registered = 0, ...others } = accepted;
		expect(others).toEqual({});
		// Nothing shows in time what becomes of emails where jobs take longest: fifty people are given up.
		expect(registered).toBeGreaterThanOrEqual(1_950);
		expect(requests).toBeLessThanOrEqual(200);
	});
});
