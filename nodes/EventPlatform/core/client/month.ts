import { asFailure, Failure, type Cause } from './failure';
import type { Api, ApiRequest, Clock } from './request';
import { readQuota, type Quota } from './quota';

/** What the platform last said. All times are those of the clock. */
export interface Month extends Pick<Quota, 'monthlyLimit' | 'monthlyRemaining' | 'monthReturnsAt'> {
	/** What is used up, or kept as the reserve, is so until then: then a request leaves to tell. */
	readonly askAgainAt?: number;
	/** When the platform last said what remains. */
	readonly heardAt?: number;
}

/** A larger plan ends a spent month at once, so ten seconds later a request asks about it. */
const askAgainMs = 10_000;
/** The same for the reserve, where asking uses it up: four requests a day. */
const reserveAskedAgainMs = 6 * 3_600_000;

export function monthAfter(month: Month, quota: Quota, now: number): Month {
	const { monthlyLimit = month.monthlyLimit, monthlyRemaining, retryAt } = quota;
	if (quota.isSpent) {
		const askAgainAt = Math.min(retryAt ?? Infinity, now + askAgainMs);
		const monthReturnsAt = retryAt;
		return { monthlyLimit, monthlyRemaining: 0, askAgainAt, monthReturnsAt, heardAt: now };
	}
	if (monthlyRemaining === undefined) {
		// What was refused for want of requests is done again, so there are some, however many.
		const isBack = quota.isServed && month.monthlyRemaining === 0 && month.askAgainAt !== undefined;
		return isBack ? { monthlyLimit } : { ...month, monthlyLimit };
	}
	// Not every answer tells it.
	const { monthReturnsAt: known = -Infinity } = month;
	const { monthReturnsAt = known > now ? known : undefined } = quota;
	const end = Math.min(monthReturnsAt ?? Infinity, now + reserveAskedAgainMs);
	// Where nothing is left, nothing is kept by not asking.
	const askAgainAt = monthlyRemaining === 0 ? undefined : end;
	return { monthlyLimit, monthlyRemaining, askAgainAt, monthReturnsAt, heardAt: now };
}

/** `reserve`: so many are for registering people. */
export function refusalByMonth(
	{ askAgainAt = 0, monthlyRemaining: remaining = Infinity }: Month,
	reserve: number,
	{ usesReserve, asksAlways }: Pick<ApiRequest, 'usesReserve' | 'asksAlways'>,
	now: number,
): Cause | undefined {
	if (asksAlways) return undefined;
	if (now >= askAgainAt || remaining > reserve) return undefined;
	if (remaining === 0) return 'quota_spent';
	return usesReserve ? undefined : 'quota_reserved';
}

/** What was left at several moments, oldest first: how fast all who use the token spend the month. */
export type Consumption = ReadonlyArray<{ at: number; remaining: number }>;

const dayMs = 24 * 3_600_000;
/** 96 samples make a day. */
const betweenSamplesMs = 15 * 60_000;
/** Below that, one bulk run would be taken for the habit of the whole day. */
const leastMs = 3_600_000;
/** Answers may overtake each other, but no more than 20 requests are under way. More is a new month. */
const mostOvertaken = 20;

export function observe(before: Consumption, remaining: number | undefined, at: number) {
	if (remaining === undefined) return before;
	const last = before.at(-1);
	if (last && remaining > last.remaining + mostOvertaken) return [{ at, remaining }];
	if (last && at - last.at < betweenSamplesMs) return before;
	// The newest sample that is a day old is what the day is measured from; older ones are not needed.
	const start = before.findLastIndex((sample) => at - sample.at >= dayMs);
	return [...before.slice(Math.max(0, start)), { at, remaining }];
}

/** Over the last day, or as much of it as is known; undefined below an hour. */
export function rateOf(consumption: Consumption, remaining: number | undefined, now: number) {
	const first = consumption.findLast(({ at }) => now - at >= dayMs) ?? consumption[0];
	if (first === undefined || remaining === undefined || now - first.at < leastMs) return undefined;
	const used = Math.max(0, first.remaining - remaining);
	return { perDay: (used * dayMs) / (now - first.at), since: first.at };
}

/** What the platform says now: a ping has nothing else. The specification has no ping, but a list of events. */
export async function askQuota(api: Api, clock: Clock): Promise<Quota> {
	const ping = await api({ method: 'GET', path: '/ping', asksAlways: true }).catch(asFailure);
	const hasPing = !(ping instanceof Failure) || ping.reason !== 'no_endpoint';
	const one: ApiRequest = {
		method: 'GET',
		path: '/events',
		query: { 'page[size]': 1 },
		asksAlways: true,
	};
	const answer = hasPing ? ping : await api(one).catch(asFailure);
	if (!(answer instanceof Failure)) return readQuota(answer, clock.now());
	if (answer.reason !== 'quota_spent') throw answer;
	// A month that is used up is no failure here but the answer.
	const { monthlyLimit } = api.usage;
	return { monthlyLimit, monthlyRemaining: 0, monthReturnsAt: answer.retryAt };
}

/** What was said earlier may be of a month that is over, so nothing is refused before this; undefined: not said. */
export async function remainingNow(api: Api, clock: Clock): Promise<number | undefined> {
	// Whatever else is wrong, the run meets it itself and says so.
	const quota = await askQuota(api, clock).catch(asFailure);
	return quota instanceof Failure ? undefined : quota.monthlyRemaining;
}
