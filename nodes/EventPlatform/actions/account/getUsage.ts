import { endOfDatesMs, isoTime } from '../../core/values/dates';
import { askQuota } from '../../core/client/askQuota';
import { usualPerSecond } from '../../core/client/limiter';
import type { JsonObject } from '../../core/values/json';
import { dayMs } from '../../core/values/units';
import type { ItemOperation } from '../operation';
import type { ItemContext } from '../runContext';

/** The length of a month in which the platform counts requests. */
const monthMs = 30 * dayMs;

/** The hint about empty columns. Without it they look like an account without limits. */
const noLimitsTold = `The platform does not say how many requests it allows, so nothing is known of its limits. The node sends ${usualPerSecond} a second at most.`;

async function usage({ client, clock, parameters, notes }: ItemContext): Promise<JsonObject> {
	const quota = await askQuota(client, clock);
	const toldLimits = [quota.intervalLimit, quota.monthlyLimit, quota.monthlyRemaining];
	if (toldLimits.every((limit) => limit === undefined)) notes.hint(noLimitsTold);
	const { monthlyLimit: limit = null, monthlyRemaining: remaining = null, monthReturnsAt } = quota;
	const used = limit === null || remaining === null ? null : limit - remaining;
	const nowMs = clock.now();
	// Where the platform says when the month ends, that also tells when it began.
	const beganAtMs = (monthReturnsAt ?? NaN) - monthMs;
	const days = (nowMs - beganAtMs) / dayMs;
	const rate = used !== null && days >= 1 ? { perDay: used / days, beganAt: beganAtMs } : undefined;
	const lastsUntil =
		remaining && rate?.perDay ? nowMs + (remaining / rate.perDay) * dayMs : undefined;
	// The requests of an unlimited plan last longer than there are dates.
	const dateOrNull = (time = Infinity) =>
		time < endOfDatesMs ? isoTime(time, parameters.zone) : null;
	return {
		per_second: quota.intervalLimit ?? null,
		per_month: limit,
		used_this_month: used,
		remaining,
		returns_at: dateOrNull(monthReturnsAt),
		used_per_day: rate ? Math.round(rate.perDay) : null,
		measured_since: dateOrNull(rate?.beganAt),
		lasts_until: dateOrNull(lastsUntil),
	};
}

export const getUsage: ItemOperation = {
	action: 'Get API usage',
	description:
		'Retrieve how many requests Livestorm allows, how many are left, and how long they will last',
	fields: [],
	run: usage,
};
