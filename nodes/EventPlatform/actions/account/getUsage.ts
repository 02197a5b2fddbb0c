import { isoTime } from '../../core/records/outputDates';
import { askQuota } from '../../core/client/askQuota';
import type { JsonObject } from '../../core/values/json';
import type { ItemOperation } from '../operation';
import type { ItemContext } from '../runContext';

const dayMs = 24 * 3_600_000;
/** A day before the end of time in JavaScript. */
const lastMoment = 8.64e15 - dayMs;

async function usage({ api, clock, parameters }: ItemContext): Promise<JsonObject> {
	const quota = await askQuota(api, clock);
	const { monthlyLimit: limit = null, monthlyRemaining: remaining = null, monthReturnsAt } = quota;
	const used = limit === null || remaining === null ? null : limit - remaining;
	const now = clock.now();
	// Where the platform says when the month ends, it is known when it began.
	const beganAt = (monthReturnsAt ?? NaN) - 30 * dayMs;
	const days = (now - beganAt) / dayMs;
	const ofMonth = used !== null && days >= 1 ? { perDay: used / days, beganAt } : undefined;
	const rate = api.usage.rate ?? ofMonth;
	const lastsUntil =
		remaining && rate?.perDay ? now + (remaining / rate.perDay) * dayMs : undefined;
	// The requests of an unlimited plan last longer than there are dates.
	const date = (time = Infinity) => (time < lastMoment ? isoTime(time, parameters.zone) : null);
	return {
		per_second: quota.intervalLimit ?? null,
		per_month: limit,
		used_this_month: used,
		remaining,
		returns_at: date(monthReturnsAt),
		used_per_day: rate ? Math.round(rate.perDay) : null,
		measured_since: date(rate?.beganAt),
		lasts_until: date(lastsUntil),
	};
}

export const getUsage: ItemOperation = {
	action: 'Get API usage',
	description:
		'Retrieve how many requests the platform allows, how many are left, and how long they will last',
	usesReserve: true,
	fields: [],
	run: usage,
};
