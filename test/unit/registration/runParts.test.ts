import { beginTotals } from '../../../nodes/EventPlatform/core/registration/runParts';
import type { ApiRequest, Client } from '../../../nodes/EventPlatform/core/client/request';
import { VirtualClock } from '../../support/time/virtualClock';

const request: ApiRequest = { method: 'GET', path: '/events' };

/** A run that has read its forms with 30 requests within a second, and takes two for each that it sends now. */
function scene(maxSeconds?: number) {
	const clock = new VirtualClock();
	const startedAt = clock.now();
	const usage = { requests: 30, responses: 0, perSecond: 5 };
	const asked: ApiRequest[] = [];
	const send = async (sent: ApiRequest) => {
		asked.push(sent);
		usage.requests += 2;
		return Promise.resolve({ status: 200, headers: {}, body: 'answer' });
	};
	const client: Client = { send, usage };
	return {
		clock,
		startedAt,
		asked,
		totals: beginTotals({ client, clock, startedAtMs: startedAt - 1_000 }, maxSeconds),
	};
}

test('a run costs what its requests and their repetitions cost, and what its forms have cost before', async () => {
	const { totals } = scene();
	expect(totals.spent()).toEqual({ requests: 30, seconds: 1 });
	for (let sent = 0; sent < 3; sent += 1) await totals.ask(request);
	expect(totals.spent()).toMatchObject({ requests: 36 });
});

test('the response is handed on', async () => {
	const { totals } = scene();
	await expect(totals.ask(request)).resolves.toMatchObject({ body: 'answer' });
});

test.each([
	[0, 1],
	[49, 1],
	[50, 1.1],
	[1_249, 2.2],
	[60_000, 61],
])('%i ms after a second of reading are told as %d s', async (ms, seconds) => {
	const { clock, totals } = scene();
	await clock.run(clock.sleep(ms));
	expect(totals.spent().seconds).toBe(seconds);
});

test('no request of a run that somebody waits for may last beyond its end', async () => {
	const { clock, startedAt, asked, totals } = scene(90);
	await clock.run(clock.sleep(5_000));
	await totals.ask(request);
	expect(totals.deadlineAt).toBe(startedAt + 90_000);
	expect(asked).toEqual([{ ...request, deadlineAtMs: startedAt + 90_000 }]);
});

test('a run of no seconds is over at once', () => {
	const { startedAt, totals } = scene(0);
	expect(totals.deadlineAt).toBe(startedAt);
});

test('a run that nobody waits for has no end', async () => {
	const { asked, totals } = scene();
	await totals.ask(request);
	expect(totals.deadlineAt).toBeUndefined();
	expect(asked).toStrictEqual([request]);
});
