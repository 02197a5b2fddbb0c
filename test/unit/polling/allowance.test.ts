import {
	Allowance,
	allowanceShape,
	type DuePoll,
} from '../../../nodes/EventPlatform/core/polling/allowance';
import type { MonthlyQuota } from '../../../nodes/EventPlatform/core/client/quota';
import { shaped } from '../../../nodes/EventPlatform/core/values/storedShape';
import { dayMs, hourMs, minuteMs } from '../../support/time/units';

const start = Date.UTC(2026, 0, 1);

const poller = { id: 'trigger', token: 'token', leastCost: 1 };
const goesOn: DuePoll = { isAtOnce: false, hasMore: false };
const activated: DuePoll = { ...goesOn, isAtOnce: true };
const nothing = { requests: 0, month: {}, haveListsWaited: false };
/** A request melts in so many milliseconds: 10,000 ÷ 31 ÷ 3 are 107.5 a day. */
const perRequestMs = 803_520;

/** When a poll is due that n8n has called for. */
function dueAtMs(allowance: Allowance, duePoll: DuePoll, nowMs: number): number {
	allowance.noteCall(poller, duePoll, nowMs);
	return allowance.dueAtMs(poller, duePoll, nowMs);
}

/** An allowance after a poll that has cost so much, with the time of the next one. */
function afterPoll(requests: number, month: MonthlyQuota = {}, nowMs = start) {
	const allowance = new Allowance();
	allowance.noteCall(poller, goesOn, nowMs);
	// The first poll of a process counts twice.
	allowance.addPoll(poller, { ...nothing, month }, nowMs);
	const stored = allowance.addPoll(poller, { ...nothing, requests, month }, nowMs);
	const waitMs = (duePoll: Partial<DuePoll> = {}, atMs = nowMs) =>
		dueAtMs(allowance, { ...goesOn, ...duePoll }, atMs) - nowMs;
	return { allowance, stored, waitMs };
}

describe('the next poll is due', () => {
	test('when nothing is owed', () => {
		const { waitMs } = afterPoll(3);
		expect(waitMs()).toBeCloseTo(3 * perRequestMs, 0);
		expect(waitMs({}, start + 3 * perRequestMs - 1)).toBeGreaterThan(3 * perRequestMs - 1);
		expect(waitMs({}, start + 3 * perRequestMs)).toBe(3 * perRequestMs);
	});

	test('no sooner after a quiet time, because nothing is saved up', () => {
		const { allowance, waitMs } = afterPoll(1);
		const laterMs = start + 5 * dayMs;
		expect(waitMs({}, laterMs)).toBe(5 * dayMs);
		allowance.addPoll(poller, { ...nothing, requests: 1 }, laterMs);
		expect(waitMs({}, laterMs) - 5 * dayMs).toBeCloseTo(perRequestMs, 0);
	});

	test.each<[number, boolean]>([
		[752, true],
		[753, false],
	])(
		'at once after one that could not take everything, while %i requests are owed: %s',
		(requests, isDue) => {
			expect(afterPoll(requests).waitMs({ hasMore: true }) <= 0).toBe(isDue);
			expect(afterPoll(requests).waitMs() > 0).toBe(true);
		},
	);

	test('at once when somebody activates the trigger, whatever is owed', () => {
		expect(afterPoll(100).waitMs({ isAtOnce: true })).toBe(0);
	});

	test('by a third of what is left until the month returns, where that is less than a third of an even month', () => {
		const usage = {
			monthlyLimit: 10_000,
			monthlyRemaining: 900,
			monthReturnsAt: start + 10 * dayMs,
		};
		expect(afterPoll(1, usage).waitMs()).toBeCloseTo(dayMs / 30, 0);
	});

	test('four times a day at least', () => {
		expect(afterPoll(1, { monthlyRemaining: 0 }).waitMs()).toBeCloseTo(6 * hourMs, 0);
	});

	test('by an even month once the month has returned', () => {
		const usage = { monthlyLimit: 10_000, monthlyRemaining: 0, monthReturnsAt: start + hourMs };
		const { waitMs } = afterPoll(20, usage);
		expect(waitMs({}, start + hourMs - 1)).toBeGreaterThan(5 * dayMs - hourMs);
		expect(waitMs({}, start + hourMs)).toBeCloseTo(20 * perRequestMs, 0);
	});
});

describe('a new trigger', () => {
	/** Counts the polls of a trigger in its first hour, minute by minute. */
	function pollsOfHour(allowance: Allowance, duePoll: DuePoll): number {
		let polls = 0;
		for (let minute = 0; minute < 60; minute++) {
			const nowMs = start + minute * minuteMs;
			const ofMinute = { ...duePoll, isAtOnce: duePoll.isAtOnce && minute === 0 };
			if (dueAtMs(allowance, ofMinute, nowMs) > nowMs) continue;
			polls++;
			allowance.addPoll(poller, { ...nothing, requests: 1 }, nowMs);
		}
		return polls;
	}

	test('may spend half a day at once, so that nobody who tries it has to wait', () => {
		// 53.8 are half a day, of which the first poll takes two.
		expect(pollsOfHour(new Allowance(), activated)).toBe(54);
	});

	test('may not where another one divides the third already', () => {
		const allowance = new Allowance();
		allowance.noteCall({ ...poller, id: 'other' }, goesOn, start);
		expect(pollsOfHour(allowance, activated)).toBeLessThanOrEqual(3);
	});

	test('is none where something is stored of it', () => {
		const stored = { owed: -50, atMs: start - hourMs, cost: 1, startPollAtMs: start - hourMs };
		expect(pollsOfHour(new Allowance(), { ...activated, stored })).toBeLessThanOrEqual(5);
	});

	test('does not have again after a start what it had at first', () => {
		const stored = { owed: -50, atMs: start - hourMs, cost: 1, startPollAtMs: start - hourMs };
		expect(pollsOfHour(new Allowance(), { ...goesOn, stored })).toBeLessThanOrEqual(5);
	});
});

describe('a third is divided', () => {
	/** Gives how long a trigger waits after a poll of one request, where another one was due. */
	function waitBeside(token: string, dueAgoMs: number): number {
		const allowance = new Allowance();
		allowance.noteCall({ ...poller, id: 'other', token }, goesOn, start - dueAgoMs);
		allowance.noteCall(poller, goesOn, start);
		allowance.addPoll(poller, nothing, start);
		allowance.addPoll(poller, { ...nothing, requests: 1 }, start);
		return dueAtMs(allowance, goesOn, start) - start;
	}

	test('among the triggers of a token that were due within a day', () => {
		expect(waitBeside('token', dayMs)).toBeCloseTo(2 * perRequestMs, 0);
	});

	test('not with one that was not due for longer', () => {
		expect(waitBeside('token', dayMs + 1)).toBeCloseTo(perRequestMs, 0);
	});

	test('not with one that was last due while the clock was days ahead', () => {
		expect(waitBeside('token', -3 * dayMs)).toBeCloseTo(perRequestMs, 0);
	});

	test('not with a trigger of another token', () => {
		expect(waitBeside('another', 0)).toBeCloseTo(perRequestMs, 0);
	});
});

describe('after a start of n8n', () => {
	const stored = { owed: 0, atMs: start - hourMs, cost: 1, startPollAtMs: start - hourMs };

	/** Gives how long a trigger waits that has just been started. */
	const waitMs = (duePoll: Partial<DuePoll>, nowMs = start) =>
		dueAtMs(new Allowance(), { ...goesOn, ...duePoll }, nowMs) - nowMs;
	/** When the turn of the trigger comes after `start`. */
	const turnMs = start + waitMs({});

	test('a trigger waits for its turn, which comes within the time in which a request melts', () => {
		expect(waitMs({ stored })).toBeGreaterThan(0);
		expect(waitMs({ stored })).toBeLessThanOrEqual(perRequestMs);
		expect(waitMs({ stored })).toBe(waitMs({}));
	});

	test.each([
		['with it', 0, true],
		['fifteen seconds after it began', 14_999, true],
		['later', 15_001, false],
	])('its turn is taken by a process that starts %s', (_, afterTurnMs, isDue) => {
		expect(waitMs({ stored }, Math.ceil(turnMs) + afterTurnMs) <= 0).toBe(isDue);
	});

	test('a turn that begins later is taken whenever the next poll comes', () => {
		const allowance = new Allowance();
		expect(dueAtMs(allowance, goesOn, start)).toBeGreaterThan(start);
		const laterMs = Math.ceil(turnMs) + 10 * minuteMs;
		expect(dueAtMs(allowance, goesOn, laterMs)).toBe(laterMs);
	});

	test('the wait for it ends where the clock was ahead at the start, and has been set right', () => {
		const allowance = new Allowance();
		allowance.noteCall(poller, goesOn, start + 5 * hourMs);
		expect(dueAtMs(allowance, goesOn, start)).toBe(start);
	});

	test('turns are as long as the cost of the last poll takes to melt', () => {
		const costly = { ...stored, cost: 9.6 };
		const hoursOfDay = Array.from({ length: 24 }, (_, hour) => start + hour * hourMs);
		const waits = hoursOfDay.map((atMs) => waitMs({ stored: costly }, atMs));
		expect(Math.max(...waits)).toBeGreaterThan(5 * perRequestMs);
		expect(Math.max(...waits)).toBeLessThanOrEqual(10 * perRequestMs);
	});

	test.each([
		['twelve hours', 12 * hourMs, true],
		['less than twelve hours', 12 * hourMs - 1, false],
	])('a trigger polls at once where the start before was %s ago', (_, agoMs, isDue) => {
		const before = { ...stored, startPollAtMs: start - agoMs };
		expect(waitMs({ stored: before }) <= 0).toBe(isDue);
	});

	test('the first poll owes twice, because the one before the start may not have been paid', () => {
		const allowance = new Allowance();
		const longAgo = { ...stored, startPollAtMs: 0 };
		expect(dueAtMs(allowance, { ...goesOn, stored: longAgo }, start)).toBe(start);
		const pollCost = { ...nothing, requests: 3 };
		expect(allowance.addPoll(poller, pollCost, start)).toMatchObject({
			owed: 6,
			startPollAtMs: start,
		});
	});

	test('the first poll of a trigger that has no lists owes twice as well, and the second one once', () => {
		const allowance = new Allowance();
		const reminding = { ...poller, leastCost: 0 };
		const pollCost = { ...nothing, requests: 3 };
		const polled = () => allowance.addPoll(reminding, pollCost, start);
		allowance.noteCall(reminding, { ...goesOn, stored }, start);
		expect(polled().owed).toBeCloseTo(6, 0);
		expect(polled().owed).toBeCloseTo(9, 0);
	});

	test('a poll of the schedule alone owes once, and leaves the lists their turn and their cost', () => {
		const allowance = new Allowance();
		allowance.noteCall(poller, { ...goesOn, stored }, start);
		const pollCost = { ...nothing, requests: 3, haveListsWaited: true };
		expect(allowance.addPoll(poller, pollCost, start)).toEqual({
			...stored,
			atMs: start,
			owed: 3,
		});
		expect(allowance.hasPolled(poller)).toBe(false);
	});

	test('what was owed when n8n stored it is still owed', () => {
		const owing = { ...stored, owed: 100, startPollAtMs: 0 };
		expect(waitMs({ stored: owing })).toBeCloseTo(100 * perRequestMs - hourMs, -1);
	});

	test('that one run could not take everything is old, so nothing may be owed', () => {
		expect(waitMs({ stored: { ...stored, owed: 100 }, hasMore: true })).toBeGreaterThan(hourMs);
	});

	test('what was stored at a time to come counts as not stored', () => {
		const toCome = { owed: 100, atMs: start + 1, cost: 9, startPollAtMs: 0 };
		expect(waitMs({ stored: toCome })).toBeLessThanOrEqual(perRequestMs);
	});
});

test('a poll of another process that is stored later replaces what this process knows', () => {
	const { waitMs, stored } = afterPoll(1);
	const laterMs = start + 30 * minuteMs;
	const byAnother = { ...stored, owed: 50, atMs: laterMs };
	expect(waitMs({ stored: byAnother }, laterMs)).toBeGreaterThan(49 * perRequestMs);
});

test('a trigger has polled once a poll is counted', () => {
	const allowance = new Allowance();
	expect(allowance.hasPolled(poller)).toBe(false);
	allowance.noteCall(poller, goesOn, start);
	expect(allowance.hasPolled(poller)).toBe(false);
	allowance.addPoll(poller, { ...nothing, requests: 1 }, start);
	expect(allowance.hasPolled(poller)).toBe(true);
	expect(allowance.hasPolled({ ...poller, id: 'other' })).toBe(false);
});

test('what is stored of an allowance is read with its bounds, and not without a part', () => {
	const read = (stored: object) =>
		shaped(allowanceShape)(stored, { latestSeconds: 0, tell: () => undefined });
	const whole = { owed: -1e9, atMs: 1, cost: 0.5, startPollAtMs: 2 };
	for (const stored of [whole, { ...whole, owed: 1e9 }]) expect(read(stored)).toEqual(stored);
	for (const owed of [-1e9 - 1, 1e9 + 1]) expect(read({ ...whole, owed })).toBeUndefined();
	for (const name of Object.keys(whole)) {
		expect(read({ ...whole, [name]: undefined })).toBeUndefined();
	}
});
