import {
	Allowance,
	type MonthlyUsage,
	type StoredAllowance,
} from '../../nodes/EventPlatform/core/polling/allowance';

const start = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const limit = 10_000;
const third = 3_333;

interface MonthOptions {
	triggers: number;
	/** Each has a process of its own with all of these triggers. */
	processes?: number;
	/** How long a process lives. */
	lifeMs: number;
	/** The time from one poll of a process to its next. */
	betweenPollsMs?: number;
	/** How much the answers tell: nothing, how much is left, or also when the month returns. */
	headers: 'none' | 'left' | 'all';
	/** Whether n8n stores at the end of an activation what its first poll wrote, or always. */
	stores: 'activation' | 'always' | 'never';
	/** The cost of a poll, by its number. */
	cost?: (poll: number) => number;
	/** How many requests of others use the token in a minute. */
	requestsOfOthers?: (minute: number) => number;
}

/** One trigger of one process. */
interface Polling {
	id: string;
	process: number;
	stored?: StoredAllowance;
	live?: StoredAllowance;
}

/** A month of polls every minute that find nothing new. */
function pollingMonth(options: MonthOptions) {
	const { triggers, processes = 1, lifeMs, betweenPollsMs = minuteMs, headers, stores } = options;
	const { cost = () => 1, requestsOfOthers = () => 0 } = options;
	const all: Polling[] = [];
	for (let process = 0; process < processes; process++) {
		for (let trigger = 0; trigger < triggers; trigger++) {
			all.push({ id: `workflow-${process} trigger-${trigger}`, process });
		}
	}
	const allowances = Array.from({ length: processes }, () => new Allowance());
	let used = 0;
	let requests = 0;
	let polls = 0;
	/** The longest time without a poll of a trigger. */
	let longestMs = 0;
	const lastAt = new Map<string, number>();
	let bornAt = start;
	for (let now = start; now < start + 30 * dayMs; now += betweenPollsMs) {
		const minute = Math.floor((now - start) / minuteMs);
		used += requestsOfOthers(minute);
		const isStart = now - bornAt >= lifeMs || now === start;
		if (isStart) {
			bornAt = now;
			for (const process of allowances.keys()) {
				allowances[process] = new Allowance();
			}
			for (const polling of all) polling.live = polling.stored;
		}
		for (const polling of all) {
			const isNew = now === start;
			const poller = { id: polling.id, token: 'token', leastCost: 1 };
			const allowance = allowances[polling.process] as Allowance;
			const duePoll = { stored: polling.live, isActivated: isNew, hasMore: false };
			if (allowance.dueAtMs(poller, duePoll, now) <= now) {
				const spent = cost(polls++);
				used += spent;
				requests += spent;
				const left = { monthlyLimit: limit, monthlyRemaining: Math.max(0, limit - used) };
				const usages: Record<MonthOptions['headers'], MonthlyUsage> = {
					none: {},
					left,
					all: { ...left, monthReturnsAt: start + 30 * dayMs },
				};
				const costs = { requests: spent, usage: usages[headers] };
				polling.live = allowance.addPoll(poller, costs, now);
				longestMs = Math.max(longestMs, now - (lastAt.get(polling.id) ?? now));
				lastAt.set(polling.id, now);
			}
			if (stores === 'always' || (isStart && stores === 'activation'))
				polling.stored = polling.live;
		}
	}
	return { requests, used, longestHours: longestMs / (60 * minuteMs) };
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
		lifeMs: 60 * minuteMs,
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
		for (const stores of ['activation', 'never'] as const) {
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
		const cost = (poll: number) => (poll % 7 === 0 ? 9 : 2);
		const options = { triggers: 2, lifeMs, betweenPollsMs, cost };
		const month = pollingMonth({ ...options, headers: 'none', stores: 'activation' });
		expect(month.requests).toBeLessThanOrEqual(third);
	});
});

test('a process that crashes faster than n8n starts polls once in each turn', () => {
	const month = pollingMonth({
		triggers: 1,
		lifeMs: 15_000,
		betweenPollsMs: 15_000,
		headers: 'none',
		stores: 'never',
	});
	expect(month.requests).toBeLessThanOrEqual(third);
});

test('twenty triggers divide the share, whatever is restarted', () => {
	const night = { triggers: 20, lifeMs: dayMs, betweenPollsMs: 3 * minuteMs };
	const month = pollingMonth({ ...night, headers: 'all', stores: 'activation' });
	expect(month.requests).toBeLessThanOrEqual(third);
	expect(month.longestHours).toBeLessThan(24);
});

test.each([2, 3, 4])(
	'%s processes that poll with one token spend a third each, and less as the month runs out',
	(processes) => {
		for (const { lifeMs, betweenPollsMs } of lives.slice(0, 2)) {
			const options = { triggers: 1, processes, lifeMs, betweenPollsMs };
			const month = pollingMonth({ ...options, headers: 'all', stores: 'activation' });
			expect(month.requests).toBeLessThanOrEqual(third * processes);
			expect(month.used).toBeLessThan(limit);
		}
	},
);

test('others who use half of the month do not slow polling down', () => {
	const requestsOfOthers = (minute: number) => Number(minute % 9 === 0);
	const night = { triggers: 1, lifeMs: dayMs, headers: 'all', stores: 'activation' } as const;
	const { requests, used } = pollingMonth({ ...night, requestsOfOthers });
	expect(requests).toBeGreaterThan(third * 0.9);
	expect(used).toBeLessThan(limit);
});

interface Scenario {
	title: string;
	triggers?: number;
	/** How often n8n is restarted. */
	restartMinutes?: number;
	/** The pieces of news a day; a poll that finds one costs a request more. */
	news?: number;
	/** The cost of a poll that finds nothing. */
	quietCost?: number;
	/** The requests that other workflows of this n8n spend in a day. */
	ofOthers?: number;
}

/** Thirty days, minute by minute, of polls every minute. n8n stores after a poll with news, and at its start. */
function eventfulMonth(scenario: Omit<Scenario, 'title'>) {
	const { restartMinutes = Infinity, quietCost = 1, ofOthers = 0, news = 5 } = scenario;
	const triggers = Array.from({ length: scenario.triggers ?? 1 }, (_, nth) => ({
		poller: { id: `trigger-${nth}`, token: 'token', leastCost: quietCost },
		stored: undefined as StoredAllowance | undefined,
		live: undefined as StoredAllowance | undefined,
		/** The number of the next piece of news. */
		nextNews: 0,
	}));
	const newsAtMs = (nth: number) => start + ((nth + 0.37) / news) * dayMs;
	const delays: number[] = [];
	let [allowance, used, requests] = [new Allowance(), 0, 0];
	for (let minute = 0; minute < 30 * 24 * 60; minute++) {
		const nowMs = start + minute * minuteMs;
		const isStart = minute % restartMinutes === 0;
		if (isStart) allowance = new Allowance();
		if (ofOthers > 0 && minute % Math.round(1_440 / ofOthers) === 0) used++;
		for (const trigger of triggers) {
			if (isStart) trigger.live = trigger.stored;
			const duePoll = { stored: trigger.live, isActivated: minute === 0, hasMore: false };
			if (allowance.dueAtMs(trigger.poller, duePoll, nowMs) > nowMs) continue;
			const firstNews = trigger.nextNews;
			for (; newsAtMs(trigger.nextNews) <= nowMs; trigger.nextNews++)
				delays.push((nowMs - newsAtMs(trigger.nextNews)) / minuteMs);
			const hasNews = trigger.nextNews > firstNews;
			const cost = quietCost + Number(hasNews);
			[used, requests] = [used + cost, requests + cost];
			const usage = {
				monthlyLimit: 10_000,
				monthlyRemaining: Math.max(0, 10_000 - used),
				monthReturnsAt: start + 30 * dayMs,
			};
			const pollCost = { requests: cost, usage };
			trigger.live = allowance.addPoll(trigger.poller, pollCost, nowMs);
			if (hasNews || isStart) trigger.stored = trigger.live;
		}
	}
	const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
	return { requests, mean, worst: Math.max(...delays) };
}

interface Row extends Scenario {
	/** The most requests of a month. */
	requests: number;
	/** How many minutes after an event its run starts: on average, and at worst. */
	mean: number;
	worst: number;
}

test.each<Row>([
	{ title: 'no restart', requests: 3_150, mean: 8, worst: 14 },
	{ title: 'a restart each night', restartMinutes: 1_440, requests: 3_150, mean: 7, worst: 14 },
	{ title: 'a restart every six hours', restartMinutes: 360, requests: 3_000, mean: 8, worst: 20 },
	{ title: 'a restart every hour', restartMinutes: 60, requests: 2_150, mean: 12, worst: 40 },
	{
		title: 'a restart every five minutes',
		restartMinutes: 5,
		requests: 1_550,
		mean: 18,
		worst: 60,
	},
	{
		title: 'three triggers, each night',
		triggers: 3,
		restartMinutes: 1_440,
		requests: 3_210,
		mean: 15,
		worst: 40,
	},
	{
		title: 'three triggers, every six hours',
		triggers: 3,
		restartMinutes: 360,
		requests: 2_750,
		mean: 28,
		worst: 120,
	},
	{
		title: 'ten triggers, every six hours',
		triggers: 10,
		restartMinutes: 360,
		requests: 1_750,
		mean: 270,
		worst: 680,
	},
	{
		title: 'quiet polls of five requests',
		quietCost: 5,
		restartMinutes: 360,
		requests: 2_600,
		mean: 48,
		worst: 135,
	},
	{
		title: 'a hundred pieces of news a day',
		news: 100,
		restartMinutes: 360,
		requests: 3_000,
		mean: 16,
		worst: 55,
	},
	{
		title: '200 requests of other workflows a day',
		ofOthers: 200,
		requests: 3_150,
		mean: 8,
		worst: 14,
	},
])('$title: at most $requests requests a month, $mean and $worst minutes', (row) => {
	const result = eventfulMonth(row);
	expect(result.requests).toBeLessThanOrEqual(row.requests);
	// A third that is not spent is of no use to anybody.
	expect(result.requests).toBeGreaterThan(row.requests / 2);
	expect(result.mean).toBeLessThanOrEqual(row.mean);
	expect(result.worst).toBeLessThanOrEqual(row.worst);
});
