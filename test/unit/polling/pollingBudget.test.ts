import {
	isPollPaid,
	PollingBudget,
	type Poller,
} from '../../../nodes/EventPlatform/core/polling/pollingBudget';
import { usualPerDay, type Share } from '../../../nodes/EventPlatform/core/polling/monthlyShare';

const nowMs = 1_800_000_000_000;
const dayMs = 86_400_000;

const poller = (id: string, more: Partial<Poller> = {}): Poller => {
	return { id, credential: 'credential', isNew: true, leastCost: 1, ...more };
};
const nothing = { requests: 1, usage: {}, sentByProcess: 1 };

/** Polls with a new trigger; gives the share that is stored then. */
function pollOnce(budget: PollingBudget, id: string): Share {
	const current = budget.updateShare(poller(id), undefined, nowMs);
	return budget.recordPoll(poller(id), current, nothing, nowMs);
}

test('those divide a share that polled with its credential within a day', () => {
	const budget = new PollingBudget();
	const of = (id: string, credential: string, at: number) =>
		budget.updateShare(poller(id, { credential }), undefined, at).triggers;
	expect([of('1', 'a', nowMs), of('2', 'a', nowMs + 1)]).toEqual([1, 2]);
	expect([of('3', 'b', nowMs + 1), of('2', 'a', nowMs + 1)]).toEqual([1, 2]);
	expect([of('2', 'a', nowMs + dayMs), of('2', 'a', nowMs + dayMs + 1)]).toEqual([2, 1]);
});

test('after a start the others that divided the share count before they have polled, for a day', () => {
	const first = new PollingBudget();
	const [, second] = [pollOnce(first, '1'), pollOnce(first, '2')];
	expect(second.triggers).toBe(2);
	const restarted = new PollingBudget();
	const triggers = (at: number) => restarted.updateShare(poller('2'), second, at).triggers;
	expect([triggers(nowMs + 1), triggers(nowMs + dayMs), triggers(nowMs + dayMs + 2)]).toEqual([
		2, 2, 1,
	]);
});

test('a process goes on with what it knows, and one that was started trusts nothing that was saved up', () => {
	const budget = new PollingBudget();
	const stored = pollOnce(budget, '1');
	expect(isPollPaid(budget.updateShare(poller('1'), stored, nowMs + 1), false)).toBe(true);
	const restarts = Array.from({ length: 20 }, (_, restart) =>
		new PollingBudget().updateShare(poller('1'), stored, nowMs + restart * 60_000),
	);
	// Nor does a note that there are more events count, which is older than the start.
	expect(restarts.filter((current) => isPollPaid(current, true)).length).toBeLessThan(3);
	expect(restarts.every(({ isFirst, share }) => isFirst && share.credit <= 1)).toBe(true);
});

test('a share that another process has stored since is taken as after a start', () => {
	const budget = new PollingBudget();
	const stored = pollOnce(budget, '1');
	const later = { ...stored, credit: -9, calculatedAtMs: nowMs + 60_000 };
	const current = budget.updateShare(poller('1'), later, nowMs + 60_000);
	expect(current).toMatchObject({ isFirst: true, share: { credit: -9 } });
	expect(isPollPaid(current, false)).toBe(false);
});

test('a poll that found more than a run takes may spend in advance, as long as the process goes on', () => {
	const budget = new PollingBudget();
	const current = budget.updateShare(poller('1'), undefined, nowMs);
	budget.recordPoll(poller('1'), current, { ...nothing, requests: 300 }, nowMs);
	const next = budget.updateShare(poller('1'), undefined, nowMs + 60_000);
	expect([isPollPaid(next, false), isPollPaid(next, true)]).toEqual([false, true]);
});

test('what others send with the token between two polls is told by what is left, and paid for', () => {
	const budget = new PollingBudget();
	const due = (at: number) => budget.updateShare(poller('1'), undefined, at);
	const costsOf = (remaining: number, sentByProcess: number) => {
		return { requests: 1, usage: { monthlyRemaining: remaining }, sentByProcess };
	};
	budget.recordPoll(poller('1'), due(nowMs), costsOf(5_000, 1), nowMs);
	const later = nowMs + dayMs / 2;
	const before = due(later);
	// 30 are gone: one by this poll, nine by a run of this process, and twenty by somebody else.
	const after = budget.recordPoll(poller('1'), before, costsOf(4_970, 11), later);
	expect(before.share.credit - after.credit).toBeCloseTo(1 + 20, 6);
	const month = due(later);
	expect(budget.recordPoll(poller('1'), month, costsOf(10_000, 12), later).credit).toBeCloseTo(
		after.credit - 1,
		6,
	);
});

test('where the platform tells nothing, a month with a restart each night stays below a third', () => {
	let requests = 0;
	let stored;
	for (let days = 0; days < 30; days++) {
		const budget = new PollingBudget();
		for (let minute = 0; minute < 24 * 60; minute += 2) {
			const at = nowMs + days * dayMs + minute * 60_000;
			const trigger = poller('1', { isNew: days === 0 });
			const current = budget.updateShare(trigger, stored, at);
			if (!isPollPaid(current, false)) continue;
			requests++;
			const share = budget.recordPoll(trigger, current, nothing, at);
			// n8n stores it at the end of an activation, and not after a poll without news.
			if (minute === 0) stored = share;
		}
	}
	expect(requests).toBeLessThanOrEqual(3_333);
	expect(requests).toBeGreaterThan(30 * usualPerDay * 0.9);
});
