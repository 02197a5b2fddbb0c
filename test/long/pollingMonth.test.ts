import { isPollPaid, PollingBudget } from '../../nodes/EventPlatform/core/polling/pollingBudget';
import type { MonthlyUsage, Share } from '../../nodes/EventPlatform/core/polling/monthlyShare';

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
	stored?: Share;
	live?: Share;
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
	const budgets = Array.from({ length: processes }, () => new PollingBudget());
	const sentBy = Array.from({ length: processes }, () => 0);
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
			for (const process of budgets.keys()) {
				budgets[process] = new PollingBudget();
				sentBy[process] = 0;
			}
			for (const polling of all) polling.live = polling.stored;
		}
		for (const polling of all) {
			const isNew = now === start;
			const poller = { id: polling.id, credential: 'credential', isNew, leastCost: 1 };
			const budget = budgets[polling.process] as PollingBudget;
			const current = budget.updateShare(poller, polling.live, now);
			if (isPollPaid(current, false) || isNew) {
				const spent = cost(polls++);
				used += spent;
				requests += spent;
				sentBy[polling.process] = (sentBy[polling.process] ?? 0) + spent;
				const left = { monthlyLimit: limit, monthlyRemaining: Math.max(0, limit - used) };
				const usages: Record<MonthOptions['headers'], MonthlyUsage> = {
					none: {},
					left,
					all: { ...left, monthReturnsAt: start + 30 * dayMs },
				};
				const sentByProcess = sentBy[polling.process] ?? 0;
				const costs = { requests: spent, usage: usages[headers], sentByProcess };
				polling.live = budget.recordPoll(poller, current, costs, now);
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
	'%s processes that poll with one token spend about a third together, as the answers tell what is left',
	(processes) => {
		for (const { lifeMs, betweenPollsMs } of lives.slice(0, 2)) {
			const options = { triggers: 1, processes, lifeMs, betweenPollsMs };
			const month = pollingMonth({ ...options, headers: 'all', stores: 'activation' });
			expect(month.requests).toBeLessThanOrEqual(third * 1.2);
		}
	},
);

test('others who use half of the month slow polling down to a quarter at most', () => {
	const requestsOfOthers = (minute: number) => Number(minute % 9 === 0);
	const night = { triggers: 1, lifeMs: dayMs, headers: 'all', stores: 'activation' } as const;
	const { requests, used } = pollingMonth({ ...night, requestsOfOthers });
	expect(requests).toBeGreaterThan(third / 5);
	expect(used).toBeLessThan(limit);
});
