import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { askQuota, askMonthlyRemaining } from '../../../nodes/EventPlatform/core/client/askQuota';
import { fakePlatform } from '../../support/platform/fakePlatform';

const ping: ApiRequest = { method: 'GET', path: '/ping', mayExceedQuota: true };
const clock = { now: () => 0, sleep: () => Promise.resolve() };

/** Asks a platform whose month has a limit of 8. */
async function ask(failure?: Failure) {
	const headers = { 'ratelimit-monthly-remaining': '7' };
	const { client: platform, asked } = fakePlatform(() => failure ?? {}, headers);
	const client = { ...platform, usage: { ...platform.usage, month: { monthlyLimit: 8 } } };
	const remaining = await askMonthlyRemaining(client, clock);
	const quota = await askQuota(client, clock).catch((error: unknown) => error);
	expect(asked).toEqual([ping, ping]);
	return { quota, remaining };
}

test('a ping tells what is left of the month', async () => {
	expect(await ask()).toMatchObject({ quota: { monthlyRemaining: 7 }, remaining: 7 });
});

test('nothing is left where a ping is refused because the month is used up', async () => {
	expect(await ask(new Failure('quota_spent', ping, { status: 429, retryAt: 5 }))).toEqual({
		quota: { monthlyLimit: 8, monthlyRemaining: 0, monthReturnsAt: 5 },
		remaining: 0,
	});
});

test('where a ping fails, nothing is known of the month, and who asks for its limits is told the failure', async () => {
	const failure = new Failure('platform_error', ping);
	expect(await ask(failure)).toEqual({ quota: failure, remaining: undefined });
});
