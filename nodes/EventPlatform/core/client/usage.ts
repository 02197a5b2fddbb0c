import type { ConsumptionRate } from './consumption';

/** The quota as the platform last told it, and the requests that this client has spent. */
export interface Usage {
	/** HTTP requests sent, repetitions included. */
	requests: number;
	/** Those of them answered 429. */
	refused?: number;
	monthlyLimit?: number;
	monthlyRemaining?: number;
	monthReturnsAt?: number;
	perSecond: number;
	/** HTTP requests that this process has ever sent with the credential, by whatever node or run. */
	sentByProcess?: number;
	/** How fast all who use the token spend the month, once seen for an hour. */
	rate?: ConsumptionRate;
}

export type RequestCount = Pick<Usage, 'requests' | 'refused'>;

/** "202 requests, 3 refused (429), 41 s" */
export function describeUsage(
	{ requests, refused = 0 }: RequestCount,
	seconds: number,
	between = ', ',
): string {
	const sent = `${thousands(requests)} ${requests === 1 ? 'request' : 'requests'}`;
	const turnedAway = refused === 0 ? [] : [`${thousands(refused)} refused (429)`];
	return [sent, ...turnedAway, `${thousands(Math.round(seconds))} s`].join(between);
}

export function thousands(count: number): string {
	return count.toLocaleString('en-US');
}
