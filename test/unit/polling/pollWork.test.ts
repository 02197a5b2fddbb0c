import { Allowance } from '../../../nodes/EventPlatform/core/polling/allowance';
import {
	choosePollWork,
	leastCostOf,
	type CalledTrigger,
} from '../../../nodes/EventPlatform/core/polling/pollWork';
import { parseLeadTime } from '../../../nodes/EventPlatform/core/polling/schedule/leadTime';
import {
	beginSchedule,
	type Schedule,
} from '../../../nodes/EventPlatform/core/polling/schedule/schedule';
import { noFilters } from '../../support/runs/filters';
import { dayMs, hourMs, hourSeconds, minuteMs } from '../../support/time/units';

const startMs = Date.UTC(2026, 0, 1);
const startSeconds = startMs / 1_000;

let triggers = 0;

/** A trigger of a token of its own. It has polled once in this process, and nothing is owed. */
class KnownTrigger {
	readonly allowance = new Allowance();
	readonly called: CalledTrigger;

	constructor(eventTypes: readonly string[], more: Partial<CalledTrigger> = {}) {
		const id = `trigger-${++triggers}`;
		const lead = parseLeadTime(1, 'hours');
		const search = {
			eventTypes,
			filters: noFilters,
			endedWithinDays: 1,
			leadTimes: lead && [lead],
		};
		const poller = { id, token: id, leastCost: leastCostOf(search, undefined) };
		this.called = { search, poller, stored: {}, isNew: false, isLimited: true, ...more };
		this.choose();
		this.spend(0);
	}

	/** A list has just shown so many sessions that start then. */
	plan(count: number, startsAt: number, more: Partial<Schedule> = {}): void {
		const { search, stored } = this.called;
		const plans = Array.from({ length: count }, (_, nth) => {
			const plan = { state: 'planned', startsAt } as const;
			return [`session-${nth}`, plan] as const;
		});
		const begun = beginSchedule(undefined, search, startSeconds);
		const schedule = {
			...begun,
			listedAt: startSeconds,
			plans: Object.fromEntries(plans),
			...more,
		};
		Object.assign(stored, { schedule });
	}

	spend(requests: number, monthlyRemaining = 10_000): void {
		const monthReturnsAt = startMs + 30 * dayMs;
		const month = { monthlyLimit: 10_000, monthlyRemaining, monthReturnsAt };
		const cost = { requests, month, haveListsWaited: false };
		this.allowance.addPoll(this.called.poller, cost, startMs);
	}

	choose(afterMs = 0, more: Partial<CalledTrigger> = {}) {
		const trigger = { ...this.called, ...more };
		const work = choosePollWork(this.allowance, trigger, startMs + afterMs);
		const { mayReadLists, scheduleWork, listsWaitUntilMs } = work;
		return { mayReadLists, step: scheduleWork?.step, waits: listsWaitUntilMs !== undefined };
	}
}

/** It is tried again after an hour. */
const trouble = { sinceAt: startSeconds - hourSeconds, triedAt: startSeconds };

const both = ['session.created', 'session.starting'];

describe('the lists', () => {
	test('are read where nothing is owed', () => {
		const trigger = new KnownTrigger(['session.created']);
		expect(trigger.choose()).toEqual({ mayReadLists: true, step: undefined, waits: false });
	});

	test('show the sessions to come, so that these are not listed alone', () => {
		expect(new KnownTrigger(both).choose()).toEqual({
			mayReadLists: true,
			step: 'list',
			waits: false,
		});
	});

	test('of other records do not show them', () => {
		const trigger = new KnownTrigger(['event.created', 'session.starting']);
		trigger.plan(1, startSeconds + 9 * hourSeconds, { trouble });
		expect(trigger.choose(minuteMs)).toEqual({
			mayReadLists: true,
			step: undefined,
			waits: false,
		});
	});

	test('wait while something is owed, unless somebody has just activated the trigger, or it has no limit', () => {
		const trigger = new KnownTrigger(['session.created']);
		trigger.spend(9);
		const waiting = { mayReadLists: false, step: undefined, waits: true };
		const reading = { mayReadLists: true, step: undefined, waits: false };
		const search = { ...trigger.called.search, isActivated: true };
		expect(trigger.choose()).toEqual(waiting);
		expect(trigger.choose(0, { isLimited: false })).toEqual(reading);
		expect(trigger.choose(0, { isNew: true })).toEqual(reading);
		expect(trigger.choose(0, { search })).toEqual(reading);
	});
});

describe('of the schedule', () => {
	test('nothing is read while no reminder is due, nor the list', () => {
		const trigger = new KnownTrigger(['session.starting']);
		trigger.plan(1, startSeconds + 9 * hourSeconds, { trouble });
		expect(trigger.choose(minuteMs)).toEqual({
			mayReadLists: false,
			step: undefined,
			waits: false,
		});
	});

	test('a reminder that is due is read, whatever is owed', () => {
		const trigger = new KnownTrigger(both);
		trigger.plan(1, startSeconds + 9 * hourSeconds);
		trigger.spend(900, 1);
		expect(trigger.choose(8 * hourMs)).toEqual({
			mayReadLists: false,
			step: 'reminders',
			waits: true,
		});
	});

	test('the list is read in its turn once twice its cost has melted, and at once without a limit', () => {
		const trigger = new KnownTrigger(['session.starting']);
		trigger.plan(200, startSeconds + 90 * hourSeconds);
		trigger.spend(900);
		// Its four pages melt in less than an hour, and twice as many in 108 minutes. Turns come each hour.
		expect(trigger.choose(hourMs).step).toBeUndefined();
		expect(trigger.choose(hourMs, { isLimited: false }).step).toBe('list');
		expect(trigger.choose(2 * hourMs).step).toBe('list');
	});
});

test.each([
	[['session.starting'], 0],
	[['session.created', 'session.starting', 'people.registered'], 1],
	[['event.created', 'people.registered'], 2],
])('a poll of %j that finds nothing new costs %i', (eventTypes, cost) => {
	const { search } = new KnownTrigger(eventTypes).called;
	expect(leastCostOf(search, undefined)).toBe(cost);
});
