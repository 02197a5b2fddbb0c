import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type {
	ApiResponse,
	Client,
	ApiRequest,
} from '../../../nodes/EventPlatform/core/client/request';
import { askQuota, remainingNow } from '../../../nodes/EventPlatform/core/client/askQuota';

const ping: ApiRequest = { method: 'GET', path: '/ping', ignoresQuota: true };

const seven: ApiResponse = {
	status: 200,
	headers: { 'ratelimit-monthly-remaining': '7' },
	body: '',
};

test.each<[string, ApiResponse | Failure, object | undefined, number | undefined]>([
	[
		'nothing left, where the month is used up',
		new Failure('quota_spent', ping, { status: 429, retryAt: 5 }),
		{ monthlyLimit: 8, monthlyRemaining: 0, monthReturnsAt: 5 },
		0,
	],
	['what the headers say', seven, { monthlyRemaining: 7 }, 7],
	['not known where the platform fails', new Failure('platform_error', ping), undefined, undefined],
])('what a ping tells of the month is %s', async (_, said, quota, remaining) => {
	const clock = { now: () => 0, sleep: () => Promise.resolve() };
	const call = (request: ApiRequest) => {
		expect(request).toEqual(ping);
		return said instanceof Failure ? Promise.reject(said) : Promise.resolve(said);
	};
	const api: Client = Object.assign(call, {
		usage: { requests: 0, perSecond: 5, monthlyLimit: 8 },
	});
	expect(await remainingNow(api, clock)).toBe(remaining);
	if (quota) expect(await askQuota(api, clock)).toMatchObject(quota);
	else await expect(askQuota(api, clock)).rejects.toThrow('platform_error');
});
