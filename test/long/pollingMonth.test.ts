import {
	Allowance,
	type Poller,
	type StoredAllowance,
} from '../../nodes/EventPlatform/core/polling/allowance';
import type { MonthlyQuota } from '../../nodes/EventPlatform/core/client/quota';
import { dayMs, hourMs, minuteMs } from '../support/time/units';

const start = Date.UTC(2026, 0, 1);
const limit = 10_000;
const third = 3_333;

interface MonthOptions {
	triggers?: number;
	/** Each has a process of its own with all of these triggers. */
	processes?: number;
	/** How long a process lives. */
	lifeMs?: number;
	/** The time from one poll of a process to its next. */
	betweenPollsMs?: number;
	/** How much the answers tell: nothing, how much is left, or also when the month returns. */
	headers?: 'none' | 'left' | 'all';
	/** n8n stores at the end of an activation what its first poll wrote, and after a poll with news; or it stores nothing. */
	stores?: boolean;
	/** The cost of a poll that finds nothing. One that finds news costs a request more. */
	quietCost?: number;
	/** What a poll costs besides, by its number. */
	moreCost?: (poll: number) => number;
	/** The pieces of news a day for each trigger. */
	news?: number;
	/** How many requests of others use the token in a minute. */
	requestsOfOthers?: (minute: number) => number;
}

/** One trigger of one process. */
interface Polling {
	poller: Poller;
	process: number;
	stored?: StoredAllowance;
	live?: StoredAllowance;
	lastAtMs: number;
	/** The number of the next piece of news. */
	nextNews: number;
}

/** Thirty days of polls. */
function pollingMonth({
	triggers = 1,
	processes = 1,
	lifeMs = Infinity,
	betweenPollsMs = minuteMs,
	headers = 'all',
	stores = true,
	quietCost = 1,
	moreCost = () => 0,
	news = 0,
	requestsOfOthers = () => 0,
}: MonthOptions) {
	const all = Array.from({ length: processes * triggers }, (_, nth): Polling => {
		const process = Math.floor(nth / triggers);
		const poller = { id: `trigger-${nth}`, token: 'token', leastCost: quietCost };
		return { poller, process, lastAtMs: start, nextNews: 0 };
	});
	const begun = () => Array.from({ length: processes }, () => new Allowance());
	const newsAtMs = (nth: number) => start + ((nth + 0.37) / news) * dayMs;
	const delays: number[] = [];
	let [allowances, bornAt] = [begun(), start];
	let [used, requests, polls, longestMs] = [0, 0, 0, 0];
	for (let now = start; now < start + 30 * dayMs; now += betweenPollsMs) {
		used += requestsOfOthers(Math.floor((now - start) / minuteMs));
		const isStart = now - bornAt >= lifeMs || now === start;
		if (isStart) {
			[allowances, bornAt] = [begun(), now];
			for (const polling of all) polling.live = polling.stored;
		}
		for (const polling of all) {
			const allowance = allowances[polling.process] as Allowance;
			const duePoll = { stored: polling.live, isAtOnce: now === start, hasMore: false };
			allowance.noteCall(polling.poller, duePoll, now);
			if (allowance.dueAtMs(polling.poller, duePoll, now) > now) continue;
			const firstNews = polling.nextNews;
			for (; newsAtMs(polling.nextNews) <= now; polling.nextNews++)
				delays.push((now - newsAtMs(polling.nextNews)) / minuteMs);
			const hasNews = polling.nextNews > firstNews;
			const spent = quietCost + moreCost(polls++) + Number(hasNews);
			[used, requests] = [used + spent, requests + spent];
			const left = { monthlyLimit: limit, monthlyRemaining: Math.max(0, limit - used) };
			const usages: Record<typeof headers, MonthlyQuota> = {
				none: {},
				left,
				all: { ...left, monthReturnsAt: start + 30 * dayMs },
			};
			const pollCost = { requests: spent, month: usages[headers], haveListsWaited: false };
			polling.live = allowance.addPoll(polling.poller, pollCost, now);
			longestMs = Math.max(longestMs, now - polling.lastAtMs);
			polling.lastAtMs = now;
			if (stores && (isStart || hasNews)) polling.stored = polling.live;
		}
	}
	const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
	return { requests, used, longestHours: longestMs / hourMs, mean, worst: Math.max(...delays) };
}

interface Life {
	title: string;
	lifeMs: number;
	betweenPollsMs: number;
	/** The longest time in which each trigger polls, if there is one trigger. */
	longestHours: number;
}

const lives: Life[] = [
	{ title: 'never ends', lifeMs: 60 * dayMs, betweenPollsMs: 3 * minuteMs, longestHours: 1 },
	{ title: 'is restarted each night', lifeMs: dayMs, betweenPollsMs: minuteMs, longestHours: 1 },
	{
		title: 'is restarted each hour',
		lifeMs: hourMs,
		betweenPollsMs: minuteMs,
		longestHours: 1,
	},
	{
		title: 'crashes every five minutes',
		lifeMs: 5 * minuteMs,
		betweenPollsMs: minuteMs,
		longestHours: 2,
	},
	{ title: 'crashes every minute', lifeMs: minuteMs, betweenPollsMs: minuteMs, longestHours: 6 },
];

describe.each(lives)('a process that $title', ({ lifeMs, betweenPollsMs, longestHours }) => {
	for (const headers of ['none', 'left', 'all'] as const) {
		for (const stores of [true, false]) {
			for (const triggers of [1, 3]) {
				test(`spends at most a third of the month on polling, and polls (${triggers} triggers, headers: ${headers}, stored: ${stores})`, () => {
					const options = { triggers, lifeMs, betweenPollsMs, headers, stores };
					const month = pollingMonth(options);
					expect(month.requests).toBeLessThanOrEqual(third);
					expect(month.requests).toBeGreaterThan(third / 5);
					// Each trigger has its turn.
					expect(month.longestHours).toBeLessThan(triggers * longestHours);
				});
			}
		}
	}

	test('spends at most a third on polls that cost more than one request', () => {
		const moreCost = (poll: number) => (poll % 7 === 0 ? 8 : 1);
		const options = { triggers: 2, lifeMs, betweenPollsMs, moreCost };
		const month = pollingMonth({ ...options, headers: 'none' });
		expect(month.requests).toBeLessThanOrEqual(third);
	});
});

test('a process that crashes faster than n8n starts polls once in each turn', () => {
	const often = { lifeMs: 15_000, betweenPollsMs: 15_000 };
	const month = pollingMonth({ ...often, headers: 'none', stores: false });
	expect(month.requests).toBeLessThanOrEqual(third);
});

test('twenty triggers divide the share, whatever is restarted', () => {
	const month = pollingMonth({ triggers: 20, lifeMs: dayMs, betweenPollsMs: 3 * minuteMs });
	expect(month.requests).toBeLessThanOrEqual(third);
	expect(month.longestHours).toBeLessThan(24);
});

test.each([2, 3, 4])(
	'%s processes that poll with one token spend a third each, and less as the month runs out',
	(processes) => {
		for (const { lifeMs, betweenPollsMs } of lives.slice(0, 2)) {
			const month = pollingMonth({ processes, lifeMs, betweenPollsMs });
			expect(month.requests).toBeLessThanOrEqual(third * processes);
			expect(month.used).toBeLessThan(limit);
		}
	},
);

test('others who use half of the month do not slow polling down', () => {
	const requestsOfOthers = (minute: number) => Number(minute % 9 === 0);
	const { requests, used } = pollingMonth({ lifeMs: dayMs, requestsOfOthers });
	expect(requests).toBeGreaterThan(third * 0.9);
	expect(used).toBeLessThan(limit);
});

interface Row extends MonthOptions {
	title: string;
	/** The most requests of a month. */
	requests: number;
	/** How many minutes after an event its run starts: on average, and at worst. */
	mean: number;
	worst: number;
}

test.each<Row>([
	{ title: 'no restart', requests: 3_150, mean: 8, worst: 14 },
	{ title: 'a restart each night', lifeMs: dayMs, requests: 3_150, mean: 7, worst: 14 },
	{ title: 'a restart every six hours', lifeMs: 6 * hourMs, requests: 3_000, mean: 8, worst: 20 },
	{ title: 'a restart every hour', lifeMs: hourMs, requests: 2_150, mean: 12, worst: 40 },
	{
		title: 'a restart every five minutes',
		lifeMs: 5 * minuteMs,
		requests: 1_550,
		mean: 18,
		worst: 60,
	},
	{
		title: 'three triggers, each night',
		triggers: 3,
		lifeMs: dayMs,
		requests: 3_210,
		mean: 15,
		worst: 40,
	},
	{
		title: 'three triggers, every six hours',
		triggers: 3,
		lifeMs: 6 * hourMs,
		requests: 2_750,
		mean: 28,
		worst: 120,
	},
	{
		title: 'ten triggers, every six hours',
		triggers: 10,
		lifeMs: 6 * hourMs,
		requests: 1_750,
		mean: 270,
		worst: 680,
	},
	{
		title: 'quiet polls of five requests',
		quietCost: 5,
		lifeMs: 6 * hourMs,
		requests: 2_600,
		mean: 48,
		worst: 135,
	},
	{
		title: 'a hundred pieces of news a day',
		news: 100,
		lifeMs: 6 * hourMs,
		requests: 3_000,
		mean: 16,
		worst: 55,
	},
	{
		title: '200 requests of other workflows a day',
		requestsOfOthers: (minute) => Number(minute % 7 === 0),
		requests: 3_150,
		mean: 8,
		worst: 14,
	},
])('$title: at most $requests requests a month, $mean and $worst minutes', (row) => {
	const result = pollingMonth({ news: 5, ...row });
	expect(result.requests).toBeLessThanOrEqual(row.requests);
	// A third that is not spent is of no use to anybody.
	expect(result.requests).toBeGreaterThan(row.requests / 2);
	expect(result.mean).toBeLessThanOrEqual(row.mean);
	expect(result.worst).toBeLessThanOrEqual(row.worst);
});
