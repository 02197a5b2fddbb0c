import { createMeter } from '../../../nodes/EventPlatform/core/registration/runParts';
import type { ApiRequest, Client } from '../../../nodes/EventPlatform/core/client/request';
import { VirtualClock } from '../../support/time/virtualClock';

const request: ApiRequest = { method: 'GET', path: '/events' };

/** A platform that has answered 30 requests before the run, and takes two for each that the run sends. */
function scene(maxSeconds?: number) {
	const clock = new VirtualClock();
	const startedAt = clock.now();
	const usage = { requests: 30, responses: 0, perSecond: 5 };
	const asked: ApiRequest[] = [];
	const call = async (sent: ApiRequest) => {
		asked.push(sent);
		usage.requests += 2;
		return Promise.resolve({ status: 200, headers: {}, body: 'answer' });
	};
	const api: Client = Object.assign(call, { usage });
	return { clock, startedAt, asked, meter: createMeter({ api, clock }, maxSeconds) };
}

test('a run costs what its requests and their repetitions cost, and nothing that was sent before', async () => {
	const { meter } = scene();
	expect(meter.spent()).toEqual({ requests: 0, sessionOfEach: [], seconds: 0 });
	const [askForA, askForB] = [meter.askFor('a'), meter.askFor('b')];
	await askForA(request);
	await askForB(request);
	await askForA(request);
	expect(meter.spent()).toMatchObject({ requests: 6, sessionOfEach: ['a', 'b', 'a'] });
});

test('the response is handed on', async () => {
	const { meter } = scene();
	await expect(meter.askFor('a')(request)).resolves.toMatchObject({ body: 'answer' });
});

test.each([
	[0, 0],
	[49, 0],
	[50, 0.1],
	[1_249, 1.2],
	[60_000, 60],
])('%i ms are told as %d s', async (ms, seconds) => {
	const { clock, meter } = scene();
	await clock.run(clock.sleep(ms));
	expect(meter.spent().seconds).toBe(seconds);
});

test('no request of a run that somebody waits for may last beyond its end', async () => {
	const { clock, startedAt, asked, meter } = scene(90);
	await clock.run(clock.sleep(5_000));
	await meter.askFor('a')(request);
	expect(meter.deadlineAt).toBe(startedAt + 90_000);
	expect(asked).toEqual([{ ...request, deadlineAtMs: startedAt + 90_000 }]);
});

test('a run of no seconds is over at once', () => {
	const { startedAt, meter } = scene(0);
	expect(meter.deadlineAt).toBe(startedAt);
});

test('a run that nobody waits for has no end', async () => {
	const { asked, meter } = scene();
	await meter.askFor('a')(request);
	expect(meter.deadlineAt).toBeUndefined();
	expect(asked).toStrictEqual([request]);
});
