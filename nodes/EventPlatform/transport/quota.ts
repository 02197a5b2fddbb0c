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

const dayMs = 86_400_000;

export function readQuota({ headers }: Answer, now: number): Quota {
	return {
		intervalLimit: count(headers['ratelimit-interval-limit']),
		intervalRemaining: count(headers['ratelimit-interval-remaining']),
		// The platform once misspelled these two, and may still.
		monthlyLimit: count(headers['ratelimit-monthly-limit'] ?? headers['ratelimit-montly-limit']),
		monthlyRemaining: count(
			headers['ratelimit-monthly-remaining'] ?? headers['ratelimit-montly-remaining'],
		),
		retryAt: delay(headers['retry-after'], now) ?? instant(headers['ratelimit-reset'], now),
	};
}

/** The month's requests are used up: waiting a few seconds is of no use. */
export function isMonthSpent(answer: Answer, now: number): boolean {
	if (answer.status !== 429) return false;
	const { monthlyRemaining, retryAt } = readQuota(answer, now);
	return monthlyRemaining === 0 || (retryAt !== undefined && retryAt - now > dayMs / 24);
}

function count(text: string | undefined): number | undefined {
	if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
	return Number(text);
}

/** Seconds, or the date that HTTP also allows. */
function delay(text: string | undefined, now: number): number | undefined {
	if (text === undefined) return undefined;
	const seconds = count(text);
	if (seconds !== undefined) return now + Math.min(seconds * 1_000, 366 * dayMs);
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
