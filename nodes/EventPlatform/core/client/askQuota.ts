import { type Quota, readQuota } from './quota';
import type { Client, ApiRequest } from './request';
import type { Clock } from './clock';
import { asFailure, Failure } from './failure';

/** Asks for the limits by a ping, which does nothing else. The specification has no ping, but a list of events. */
export async function askQuota(client: Client, clock: Clock): Promise<Quota> {
	const ping = await client
		.send({ method: 'GET', path: '/ping', mayExceedQuota: true })
		.catch(asFailure);
	const hasPing = !(ping instanceof Failure) || ping.cause !== 'no_endpoint';
	const oneEvent: ApiRequest = {
		method: 'GET',
		path: '/events',
		query: { 'page[size]': 1 },
		mayExceedQuota: true,
	};
	const response = hasPing ? ping : await client.send(oneEvent).catch(asFailure);
	if (!(response instanceof Failure)) return readQuota(response, clock.now());
	if (response.cause !== 'quota_spent') throw response;
	// A month that is used up is no failure here, because it is what the caller wants to know.
	const { monthlyLimit } = client.usage.month;
	return { monthlyLimit, monthlyRemaining: 0, monthReturnsAt: response.retryAt };
}

/**
 * Asks how many requests the month has left, because an earlier response may be of a month that is over. Gives undefined where
 * the platform does not say.
 */
export async function askMonthlyRemaining(
	client: Client,
	clock: Clock,
): Promise<number | undefined> {
	// The run meets any failure itself, and says so.
	const quota = await askQuota(client, clock).catch(asFailure);
	return quota instanceof Failure ? undefined : quota.monthlyRemaining;
}
