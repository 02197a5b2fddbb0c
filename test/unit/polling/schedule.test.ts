import { parseLeadTime } from '../../../nodes/EventPlatform/core/polling/schedule/leadTime';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { daySeconds, hourSeconds, minuteSeconds } from '../../support/time/units';
import { PolledPlatform, start } from './polledPlatform';

const startsOf = (state: Partial<PolledPlatform> = {}) =>
	new PolledPlatform({ eventTypes: ['session.starting'], ...state });
const changesOf = (state: Partial<PolledPlatform> = {}) =>
	new PolledPlatform({ eventTypes: ['session.changed'], ...state });

describe('summer time', () => {
	// In Paris the clocks go back on 25 October 2026 at 03:00, which is 01:00 UTC.
	const change = Date.UTC(2026, 9, 25, 1) / 1_000;
	const day = parseLeadTime(1, 'days');

	test('a day is 24 hours, and a start on the clock of the session is told once', async () => {
		const platform = startsOf({ leadTimes: [day] });
		platform.ignoresDates = true;
		platform.nowSeconds = change - 2 * daySeconds;
		// Ten o'clock in Paris is nine o'clock UTC by then.
		platform.plan('s', change + 8 * hourSeconds, { timezone: 'Europe/Paris', created_at: 1 });
		await platform.poll();
		const dueAt = change + 8 * hourSeconds - daySeconds;
		expect(await platform.pollUntil(dueAt - minuteSeconds)).toEqual([]);
		expect(await platform.pollUntil(dueAt)).toEqual(['s 1440 min']);
		expect(await platform.pollUntil(change + daySeconds)).toEqual([]);
	});

	test('moves no session', async () => {
		const platform = changesOf();
		platform.ignoresDates = true;
		platform.nowSeconds = change - daySeconds;
		platform.plan('s', change + 32 * hourSeconds, { timezone: 'Europe/Paris' });
		expect(await platform.pollUntil(change + hourSeconds)).toEqual([]);
	});
});

describe('a platform', () => {
	test('that does not know the filters shows past sessions, too, and none of them is told or kept', async () => {
		const platform = changesOf();
		platform.ignoresDates = true;
		platform.plan('past', start - hourSeconds, { status: 'past' });
		platform.plan('next', start + 3 * hourSeconds);
		platform.plan('undated', null);
		await platform.poll();
		expect(Object.keys(platform.schedule?.plans ?? {})).toEqual(['next']);
	});

	test('that does not say when a session was created tells it all the same', async () => {
		const platform = startsOf();
		platform.plan('s', start + 2 * hourSeconds, { created_at: null });
		await platform.poll();
		expect(await platform.pollUntil(start + 3 * hourSeconds)).toEqual(['s 60 min']);
	});

	test('whose list leaves out canceled sessions has each of them read once', async () => {
		const platform = changesOf();
		for (const id of ['a', 'b']) platform.plan(id, start + 9 * hourSeconds);
		await platform.poll();
		platform.plan('a', start + 9 * hourSeconds, { status: 'canceled' });
		platform.unlisted = ['a'];
		const told = await platform.pollUntil(start + hourSeconds);
		expect([told, platform.requests]).toEqual([['a canceled'], ['/sessions', '/sessions/a']]);
		await platform.pollUntil(start + 2 * hourSeconds);
		expect(platform.requests).toEqual(['/sessions']);
		platform.plan('a', start + 9 * hourSeconds);
		platform.unlisted = [];
		expect(await platform.pollUntil(start + 3 * hourSeconds)).toEqual(['a reopened']);
	});

	test('whose list is empty all at once has no more than ten sessions read with each list', async () => {
		const platform = changesOf();
		for (let nth = 0; nth < 100; nth++) platform.plan(`s${nth}`, start + 9 * hourSeconds + nth);
		await platform.poll();
		platform.unlisted = [...platform.planned.keys()];
		await platform.pollUntil(start + hourSeconds);
		expect(platform.requests).toHaveLength(11);
		expect(Object.keys(platform.schedule?.plans ?? {})).toHaveLength(100);
	});

	test('that leaves out the name in one response has renamed nothing', async () => {
		const platform = changesOf();
		const at = start + 9 * hourSeconds;
		platform.plan('a', at, { name: 'Class' });
		await platform.poll();
		platform.plan('a', at);
		expect(await platform.pollUntil(start + hourSeconds)).toEqual([]);
		platform.plan('a', at + 60, { name: 'Course' });
		expect(await platform.pollUntil(start + 2 * hourSeconds)).toEqual(['a moved, renamed']);
	});
});

test('a session that was moved a little and canceled, and is held after all, is not announced again', async () => {
	const platform = startsOf({ leadTimes: [parseLeadTime(1, 'days')] });
	const startsAt = start + 25 * hourSeconds;
	platform.plan('s', startsAt);
	await platform.poll();
	expect(await platform.pollUntil(start + 2 * hourSeconds)).toEqual(['s 1440 min']);
	platform.plan('s', startsAt - hourSeconds, { status: 'canceled' });
	expect(await platform.pollUntil(start + 4 * hourSeconds)).toEqual([]);
	platform.plan('s', startsAt - hourSeconds);
	expect(await platform.pollUntil(startsAt)).toEqual([]);
});

describe('what cannot be read', () => {
	const day = parseLeadTime(1, 'days');

	test.each<Cause>(['forbidden', 'platform_error', 'unauthorized'])(
		'a session (%s) costs fewer and fewer requests, and is told when it can be read',
		async (cause) => {
			const platform = startsOf({ leadTimes: [day] });
			platform.plan('s', start + 26 * hourSeconds);
			await platform.poll();
			platform.unlisted = ['s'];
			platform.change({ failing: new Set(['/sessions/s']), cause });
			expect(await platform.pollUntil(start + 12 * hourSeconds)).toEqual([]);
			const lateMinutes = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
			const reads = platform.requestsUntil.filter((path) => path !== '/sessions');
			expect(reads).toHaveLength(lateMinutes.length);
			platform.failing.clear();
			expect(await platform.pollUntil(start + 20 * hourSeconds)).toEqual(['s 1440 min']);
		},
	);

	test.each<[number, Cause, number, number]>([
		[15, 'forbidden', 9, 12],
		[15, 'platform_error', 13, 14],
		[20, 'unauthorized', 11, 14],
		[30, 'forbidden', 18, 23],
		[30, 'unreachable', 25, 27],
		[30, 'time_over', 28, 29],
	])(
		'a session with a lead time of %s minutes (%s) that can be read after %s minutes is told after %s, before it starts',
		async (minutes, cause, failingMinutes, toldAfterMinutes) => {
			const lead = parseLeadTime(minutes, 'minutes');
			const platform = startsOf({ leadTimes: [lead] });
			const dueAt = start + 10 * minuteSeconds;
			platform.plan('s', dueAt + minutes * minuteSeconds);
			await platform.poll();
			platform.unlisted = ['s'];
			platform.change({ failing: new Set(['/sessions/s']), cause });
			await platform.pollUntil(dueAt + failingMinutes * minuteSeconds);
			platform.failing.clear();
			await platform.pollUntil(dueAt + (toldAfterMinutes - 1) * minuteSeconds);
			expect(platform.started).toEqual([]);
			await platform.pollUntil(dueAt + toldAfterMinutes * minuteSeconds);
			expect(platform.started).toEqual([`s ${minutes} min`]);
		},
	);

	test('a session until it starts costs a dozen requests', async () => {
		const lead = parseLeadTime(30, 'minutes');
		const platform = startsOf({ leadTimes: [lead] });
		platform.plan('s', start + 50 * minuteSeconds);
		await platform.poll();
		platform.unlisted = ['s'];
		platform.change({ failing: new Set(['/sessions/s']), cause: 'forbidden' });
		expect(await platform.pollUntil(start + 55 * minuteSeconds)).toEqual([]);
		const reads = platform.requestsUntil.filter((path) => path !== '/sessions').length;
		expect([reads >= 8, reads <= 12]).toEqual([true, true]);
	});

	test.each<Cause>(['unreachable', 'unauthorized'])(
		'the list (%s): many starts that are due ask for it less and less often',
		async (cause) => {
			const platform = startsOf();
			for (let nth = 0; nth < 6; nth++) platform.plan(`s${nth}`, start + 90 * minuteSeconds);
			await platform.poll();
			platform.change({ failing: new Set(['/sessions']), cause });
			expect(await platform.pollUntil(start + 55 * minuteSeconds)).toEqual([]);
			const lateMinutes = [0, 1, 2, 4, 8, 16];
			expect(platform.requestsUntil).toHaveLength(lateMinutes.length);
			platform.failing.clear();
			expect(await platform.pollUntil(start + 62 * minuteSeconds)).toHaveLength(6);
		},
	);

	test('anything, for hours: who publishes the workflow again has the list read at once', async () => {
		const platform = startsOf({ leadTimes: [parseLeadTime(10, 'minutes')] });
		await platform.activate();
		platform.change({ failing: new Set(['/sessions']), cause: 'unauthorized' });
		await platform.pollUntil(start + 5 * hourSeconds);
		platform.failing.clear();
		platform.plan('s', platform.nowSeconds + 40 * minuteSeconds);
		await platform.activate();
		expect(platform.requests).toContain('/sessions');
		await platform.pollUntil(platform.nowSeconds + 40 * minuteSeconds);
		expect(platform.started).toEqual(['s 10 min']);
	});

	test('anything, for hours: another search has its list read at once', async () => {
		const platform = startsOf({ leadTimes: [parseLeadTime(10, 'minutes')] });
		await platform.poll();
		platform.change({ failing: new Set(['/sessions']), cause: 'unauthorized' });
		await platform.pollUntil(start + 5 * hourSeconds);
		platform.failing.clear();
		platform.leadTimes = [parseLeadTime(20, 'minutes')];
		await platform.pollEvery(minuteSeconds);
		expect(platform.requests).toContain('/sessions');
	});

	test('a session is told by the next list, where that shows it', async () => {
		const platform = startsOf({ leadTimes: [day] });
		platform.plan('s', start + 26 * hourSeconds - 60);
		await platform.poll();
		platform.change({ failing: new Set(['/sessions/s']), cause: 'forbidden' });
		expect(await platform.pollUntil(start + 2 * hourSeconds - 60)).toEqual([]);
		expect(await platform.pollUntil(start + 2 * hourSeconds)).toEqual(['s 1440 min']);
	});

	test('a session that can be read again keeps no other one waiting, whose start has become due meanwhile', async () => {
		const platform = startsOf();
		platform.plan('a', start + 125 * minuteSeconds);
		platform.plan('b', start + 172 * minuteSeconds);
		await platform.poll();
		platform.change({ failing: new Set(['/sessions/a', '/sessions']), cause: 'unreachable' });
		await platform.pollUntil(start + 110 * minuteSeconds);
		platform.failing.clear();
		await platform.pollUntil(start + 119 * minuteSeconds);
		expect(platform.started).toEqual(['a 60 min', 'b 60 min']);
	});

	test('a session that a list shows in the same poll keeps no other one waiting', async () => {
		const platform = startsOf();
		platform.plan('a', start + 2 * hourSeconds);
		platform.plan('b', start + 145 * minuteSeconds);
		await platform.poll();
		platform.change({ failing: new Set(['/sessions/a']), cause: 'platform_error' });
		platform.nowSeconds = start + 59 * minuteSeconds;
		await platform.pollUntil(start + 84 * minuteSeconds);
		expect(platform.started).toEqual(['a 60 min']);
		platform.failing.add('/sessions/b');
		await platform.pollUntil(start + 85 * minuteSeconds);
		platform.failing.clear();
		await platform.pollUntil(start + 86 * minuteSeconds);
		expect(platform.started).toEqual(['a 60 min', 'b 60 min']);
	});

	test.each<Cause>(['time_over', 'unauthorized'])(
		'the list (%s): the starts that are due are told all the same',
		async (cause) => {
			const platform = startsOf();
			platform.plan('s', start + 2 * hourSeconds);
			await platform.poll();
			platform.change({ failing: new Set(['/sessions']), cause });
			expect(await platform.pollUntil(start + hourSeconds)).toEqual(['s 60 min']);
		},
	);

	test('the list, for good: more starts than are read alone are told, a few in each poll', async () => {
		const platform = startsOf();
		for (let nth = 0; nth < 12; nth++) platform.plan(`s${nth}`, start + 90 * minuteSeconds);
		await platform.poll();
		platform.change({ failing: new Set(['/sessions']), cause: 'platform_error' });
		const told = await platform.pollUntil(start + 33 * minuteSeconds);
		expect([told.length, new Set(told).size]).toEqual([12, 12]);
		// The list is tried while it costs less than to read each session.
		expect(platform.requestsUntil.length).toBeLessThanOrEqual(12 + 2);
	});

	test('a session because the time is over: those that were read before are told', async () => {
		const platform = startsOf();
		for (let nth = 0; nth < 60; nth++) platform.plan(`far${nth}`, start + 20 * hourSeconds);
		platform.plan('a', start + 90 * minuteSeconds);
		platform.plan('b', start + 90 * minuteSeconds);
		await platform.poll();
		platform.change({ failing: new Set(['/sessions/b']), cause: 'time_over' });
		expect(await platform.pollUntil(start + 50 * minuteSeconds)).toEqual(['a 60 min']);
		platform.failing.clear();
		expect(await platform.pollUntil(start + 51 * minuteSeconds)).toEqual(['b 60 min']);
	});

	test('the event that has the title for the filter: the session is told when it can be', async () => {
		const filters = { eventTitleContains: 'tour' };
		const events = [{ type: 'events', id: 'e', attributes: { title: 'Product Tour' } }];
		const platform = startsOf({ filters, events });
		platform.plan('s', start + hourSeconds + 20 * minuteSeconds, { event_id: 'e' });
		await platform.poll();
		platform.change({ failing: new Set(['/events/e']), cause: 'platform_error' });
		expect(await platform.pollUntil(start + 20 * minuteSeconds)).toEqual([]);
		platform.failing.clear();
		expect(await platform.pollUntil(start + 21 * minuteSeconds)).toEqual(['s 60 min']);
	});

	test('the events that have the titles for the filter in the time of a poll: they are not read again in each poll', async () => {
		const filters = { eventTitleContains: 'tour' };
		const events = [{ type: 'events', id: 'e', attributes: { title: 'Product Tour' } }];
		const platform = startsOf({ filters, events });
		platform.plan('s', start + 5 * hourSeconds, { event_id: 'e' });
		platform.change({ failing: new Set(['/events/e']), cause: 'time_over' });
		await platform.pollUntil(start + hourSeconds);
		const reads = platform.requestsUntil.filter((request) => request === '/events/e');
		expect(reads.length).toBeLessThanOrEqual(10);
		platform.failing.clear();
		expect(await platform.pollUntil(start + 5 * hourSeconds)).toEqual(['s 60 min']);
	});

	test('the right time: after a wrong Date nothing is told a second time', async () => {
		const fourHours = parseLeadTime(4, 'hours');
		const platform = startsOf({ leadTimes: [fourHours] });
		platform.plan('s', start + 5 * hourSeconds);
		await platform.poll();
		expect(await platform.pollUntil(start + 2 * hourSeconds - 60)).toEqual(['s 240 min']);
		platform.dateAheadSeconds = 20 * hourSeconds;
		await platform.pollUntil(start + 2 * hourSeconds);
		platform.dateAheadSeconds = 0;
		expect(await platform.pollUntil(start + 5 * hourSeconds)).toEqual([]);
	});
});

test('a process that began while the clock was ahead lists at the next poll, because its turn would come hours later', async () => {
	const ended = startsOf();
	ended.nowSeconds = Date.UTC(2026, 0, 1, 10, 30) / 1_000;
	await ended.poll({ isActivated: true });
	const begun = startsOf();
	begun.schedule = ended.schedule;
	begun.nowSeconds = ended.nowSeconds + 7 * minuteSeconds;
	await begun.poll();
	expect(begun.requests).toEqual(['/sessions']);
});

test('a run has at most 2,000 items, and the next poll tells the rest', async () => {
	const platform = startsOf();
	for (let nth = 0; nth < 2_100; nth++) platform.plan(`s${nth}`, start + 2 * hourSeconds);
	await platform.poll();
	const first = await platform.pollUntil(start + hourSeconds);
	const second = await platform.pollUntil(start + hourSeconds + minuteSeconds);
	expect([first.length, second.length]).toEqual([2_000, 100]);
	expect(new Set(platform.started).size).toBe(2_100);
	// One list of 42 pages is less than a read of each.
	expect(platform.requests).toHaveLength(42);
});

test('a start that was told is forgotten a day after it has passed', async () => {
	const platform = startsOf();
	platform.plan('s', start + 2 * hourSeconds);
	await platform.poll();
	await platform.pollUntil(start + hourSeconds);
	expect(Object.keys(platform.schedule?.told ?? {})).toHaveLength(1);
	await platform.pollUntil(start + 26 * hourSeconds - 60);
	expect(Object.keys(platform.schedule?.told ?? {})).toHaveLength(1);
	expect(platform.schedule).toMatchObject({ plans: {} });
	await platform.pollUntil(start + 27 * hourSeconds);
	expect(platform.schedule?.told).toEqual({});
});

test('other filters begin with another list, so that what they show is no change', async () => {
	const platform = changesOf();
	platform.plan('s', start + 9 * hourSeconds, { event_id: 'e' });
	await platform.poll();
	const filtered = changesOf({ filters: { eventId: 'e' } });
	filtered.schedule = platform.schedule;
	filtered.plan('s', start + 8 * hourSeconds, { event_id: 'e' });
	expect(await filtered.poll()).toEqual([]);
	expect(filtered.requests).toEqual(['/events/e/sessions']);
});

describe('a session in the filter', () => {
	const filters = { sessionId: 's' };

	test('is read once in a poll in which both the list and its start are due', async () => {
		const platform = startsOf({ filters });
		platform.plan('s', start + 2 * hourSeconds);
		await platform.poll();
		expect(await platform.pollUntil(start + hourSeconds)).toEqual(['s 60 min']);
		expect(platform.requestsUntil).toEqual(['/sessions/s']);
		await platform.pollUntil(start + 2 * hourSeconds - minuteSeconds);
		expect(platform.requestsUntil).toEqual(['/sessions/s']);
	});

	test('is read once at an activation that finds its start due', async () => {
		const startFrom = start - daySeconds;
		const platform = startsOf({ filters });
		platform.plan('s', start + 2 * hourSeconds);
		await platform.poll({ startFrom });
		platform.nowSeconds = start + hourSeconds;
		expect(await platform.activate(startFrom)).toEqual(['s 60 min']);
		expect(platform.requests).toEqual(['/sessions/s']);
	});

	test('is tried once in such a poll', async () => {
		const platform = startsOf({ filters });
		platform.plan('s', start + 2 * hourSeconds);
		await platform.poll();
		platform.change({ failing: new Set(['/sessions/s']), cause: 'platform_error' });
		expect(await platform.pollUntil(start + hourSeconds)).toEqual([]);
		expect(platform.requestsUntil).toEqual(['/sessions/s']);
		platform.failing.clear();
		await platform.pollUntil(start + hourSeconds + minuteSeconds);
		expect(platform.started).toEqual(['s 60 min']);
	});
});

test.each<[number, string, ReturnType<typeof parseLeadTime>]>([
	[1, 'minutes', { minutes: 1, words: '1 minute' }],
	[2, 'days', { minutes: 2_880, words: '2 days' }],
	[0.5, 'hours', { minutes: 30, words: '0.5 hours' }],
	[366, 'days', { minutes: 527_040, words: '366 days' }],
	[367, 'days', undefined],
	[0, 'minutes', undefined],
	[-1, 'hours', undefined],
	[NaN, 'hours', undefined],
	[1, 'toString', undefined],
])('a lead time of %s %s', (amount, unit, leadTime) => {
	expect(parseLeadTime(amount, unit)).toEqual(leadTime);
});

describe('of several triggers of a token', () => {
	/** The first one has the platform of the others. */
	const together = (...states: [Partial<PolledPlatform>, ...Array<Partial<PolledPlatform>>]) => {
		const [first, ...others] = states.map((state) => new PolledPlatform(state));
		if (first) others.forEach((other) => other.joinTo(first));
		return [first, ...others] as PolledPlatform[];
	};
	const pollAfter = async (trigger: PolledPlatform | undefined, minutes: number) => {
		trigger?.change({ nowSeconds: start + minutes * minuteSeconds });
		return await trigger?.poll();
	};

	test('one takes no earlier list than before, where the latest does not reach so far ahead', async () => {
		const [ofEvent, withLists, ofStarts] = together(
			{ eventTypes: ['session.changed'], filters: { eventId: 'e' } },
			{ eventTypes: ['session.starting', 'people.registered'] },
			{ eventTypes: ['session.starting'] },
		);
		ofEvent?.plan('s', start + 9 * hourSeconds, { event_id: 'e' });
		await pollAfter(ofEvent, 0);
		ofEvent?.plan('s', start + 10 * hourSeconds, { event_id: 'e' });
		await pollAfter(withLists, 11);
		expect(await pollAfter(ofEvent, 12)).toEqual(['s moved']);
		await pollAfter(ofStarts, 72);
		ofEvent?.failing.add('/events/e/sessions');
		expect(await pollAfter(ofEvent, 73)).toEqual([]);
	});

	test('one whose list has failed for hours takes what another one lists', async () => {
		const changed = { eventTypes: ['session.changed'] };
		const [failing, other] = together(changed, changed);
		failing?.plan('s', start + daySeconds);
		await pollAfter(failing, 0);
		failing?.failing.add('/sessions');
		await failing?.pollUntil(start + 4 * hourSeconds);
		failing?.plan('s', start + 2 * daySeconds);
		await pollAfter(other, 240);
		expect(await pollAfter(failing, 241)).toEqual(['s moved']);
	});
});
