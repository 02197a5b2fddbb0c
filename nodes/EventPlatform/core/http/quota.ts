import type { Answer } from './ports';

/** What an answer says about the limits of section 8, as far as it says anything. */
export interface Quota {
	intervalLimit?: number;
	intervalRemaining?: number;
	monthlyLimit?: number;
	monthlyRemaining?: number;
	/** Clock time at which a refused request may be tried again. */
	retryAt?: number;
}

const hourMs = 3_600_000;

/** Clock time, when the platform says one of its own accord. */
export function readRetryAfter({ headers }: Pick<Answer, 'headers'>, now: number) {
	return delay(headers['retry-after'], now);
}

export function readQuota({ headers }: Answer, now: number): Quota {
	// The platform once misspelled the month, and may still.
	const monthly = (name: string) =>
		count(headers[`ratelimit-monthly-${name}`] ?? headers[`ratelimit-montly-${name}`]);
	const monthlyRemaining = monthly('remaining');
	const reset = instant(headers['ratelimit-reset'], now);
	// With requests left in the month, a far reset is the month's and not the second's.
	const isOfTheSecond = reset !== undefined && reset - now <= hourMs;
	return {
		intervalLimit: count(headers['ratelimit-interval-limit']),
		intervalRemaining: count(headers['ratelimit-interval-remaining']),
		monthlyLimit: monthly('limit'),
		monthlyRemaining,
		retryAt:
			readRetryAfter({ headers }, now) ?? (isOfTheSecond || !monthlyRemaining ? reset : undefined),
	};
}

/** The month's requests are used up: waiting a few seconds is of no use. */
export function isMonthSpent(answer: Answer, now: number): boolean {
	if (answer.status !== 429) return false;
	const { monthlyRemaining, retryAt } = readQuota(answer, now);
	if (monthlyRemaining !== undefined) return monthlyRemaining === 0;
	return retryAt !== undefined && retryAt - now > hourMs;
}

function count(text: string | undefined): number | undefined {
	if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
	return Number(text);
}

/** Seconds, or the date that HTTP also allows. */
function delay(text: string | undefined, now: number): number | undefined {
	if (text === undefined) return undefined;
	const seconds = count(text);
	if (seconds !== undefined) return now + Math.min(seconds * 1_000, 366 * 24 * hourMs);
	// Without a name of a month or an ISO year, almost any text would be some date.
	const date = /[A-Z][a-z]{2}|\d{4}-\d\d-/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(now, date);
}

/** A time stamp in seconds or milliseconds; a small number is seconds from now. */
function instant(text: string | undefined, now: number): number | undefined {
	const value = count(text);
	if (value === undefined) return text === undefined ? undefined : delay(text, now);
	if (value < 1e8) return now + value * 1_000;
	return Math.max(now, value < 1e11 ? value * 1_000 : value);
}
