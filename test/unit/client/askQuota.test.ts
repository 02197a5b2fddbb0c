import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type {
	ApiResponse,
	Client,
	ApiRequest,
} from '../../../nodes/EventPlatform/core/client/request';
import { RefusedQueries } from '../../../nodes/EventPlatform/core/client/refusedQueries';
import { askQuota, askMonthlyRemaining } from '../../../nodes/EventPlatform/core/client/askQuota';

const ping: ApiRequest = { method: 'GET', path: '/ping', ignoresQuota: true };

const seven: ApiResponse = {
	status: 200,
	headers: { 'ratelimit-monthly-remaining': '7' },
	body: '',
};

/** A platform that answers the ping like this. */
function platform(response: ApiResponse | Failure): Client {
	const send = (request: ApiRequest) => {
		expect(request).toEqual(ping);
		return response instanceof Failure ? Promise.reject(response) : Promise.resolve(response);
	};
	const usage = { requests: 0, responses: 0, perSecond: 5, month: { monthlyLimit: 8 } };
	return { send, usage, refused: new RefusedQueries(clock) };
}

const clock = { now: () => 0, sleep: () => Promise.resolve() };

test.each([
	{
		what: 'nothing left, where the month is used up',
		response: new Failure('quota_spent', ping, { status: 429, retryAt: 5 }),
		quota: { monthlyLimit: 8, monthlyRemaining: 0, monthReturnsAt: 5 },
		remaining: 0,
	},
	{
		what: 'what the headers say',
		response: seven,
		quota: { monthlyRemaining: 7 },
		remaining: 7,
	},
])('what a ping tells of the month is $what', async ({ response, quota, remaining }) => {
	expect(await askQuota(platform(response), clock)).toMatchObject(quota);
	expect(await askMonthlyRemaining(platform(response), clock)).toBe(remaining);
});

test('where a ping fails, nothing is known of the month, and who asks for its limits is told the failure', async () => {
	const client = platform(new Failure('platform_error', ping));
	expect(await askMonthlyRemaining(client, clock)).toBeUndefined();
	await expect(askQuota(client, clock)).rejects.toThrow('platform_error');
});
