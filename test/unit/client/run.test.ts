import { costSoFar, endingAt, platformNowMs } from '../../../nodes/EventPlatform/core/client/run';
import type { ApiRequest, Client } from '../../../nodes/EventPlatform/core/client/request';
import { fakePlatform } from '../../support/platform/fakePlatform';
import { VirtualClock } from '../../support/time/virtualClock';

const request: ApiRequest = { method: 'GET', path: '/events' };

test('no request of a run that somebody waits for lasts beyond its end', async () => {
	const { client, asked } = fakePlatform(() => ({}));
	const run = endingAt({ client, name: 'a run' }, 90);
	for (const deadlineAtMs of [undefined, 100, 80])
		await run.client.send({ ...request, deadlineAtMs });
	expect(run).toMatchObject({ deadlineAtMs: 90, name: 'a run' });
	expect(asked.map(({ deadlineAtMs }) => deadlineAtMs)).toEqual([90, 90, 80]);
	expect(run.client.usage).toBe(client.usage);
});

test.each([
	[undefined, 1_000_000],
	[1_999, 1_000_000],
	[2_000, 998_000],
	[-5_000, 1_005_000],
])('where our clock is ahead by %s ms, the platform has the time %d', (clockAheadMs, time) => {
	const usage = { requests: 1, responses: 1, month: {}, perSecond: 5, clockAheadMs };
	const client: Client = { ...fakePlatform(() => ({})).client, usage };
	const clock = { now: () => 1_000_000, sleep: () => Promise.resolve() };
	expect(platformNowMs({ client, clock })).toBe(time);
});

test.each([
	[0, 0],
	[49, 0],
	[50, 0.1],
	[1_249, 1.2],
	[60_000, 60],
])('%i ms are told as %d s, with all requests so far', async (ms, seconds) => {
	const clock = new VirtualClock();
	const startedAtMs = clock.now();
	const usage = { requests: 36, responses: 30, month: {}, perSecond: 5 };
	const client: Client = { ...fakePlatform(() => ({})).client, usage };
	await clock.run(clock.sleep(ms));
	expect(costSoFar({ client, clock, startedAtMs })).toEqual({ requests: 36, seconds });
});
