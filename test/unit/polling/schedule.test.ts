import { parseLeadTime } from '../../../nodes/EventPlatform/core/polling/leadTime';
import { findDueSteps, pollSchedule } from '../../../nodes/EventPlatform/core/polling/pollSchedule';
import { scheduleShape, type Schedule } from '../../../nodes/EventPlatform/core/polling/schedule';
import type { Search } from '../../../nodes/EventPlatform/core/polling/cursor';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { shaped } from '../../../nodes/EventPlatform/core/values/storedShape';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { noFilters } from '../../support/runs/filters';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { daySeconds, hourSeconds, minuteSeconds } from '../../support/time/units';

const start = 1_800_000_000;
const oneHour = parseLeadTime(1, 'hours');

/** A platform that lists these sessions, and a trigger that asks it when there is something to ask for. Times are in seconds. */
class ScheduledPlatform {
	nowSeconds = start;
	sessions = new Map<string, JsonObject>();
	/** The platform does not know the filters of dates. */
	ignoresDates = false;
	/** The ids that the list leaves out. */
	unlisted = new Set<string>();
	requests: string[] = [];
	told: string[] = [];
	stored?: Schedule;

	constructor(private readonly search: Partial<Search> = {}) {}

	plan(id: string, startsAt: number | string | null, more: JsonObject = {}): void {
		const times = { estimated_started_at: startsAt, created_at: start - daySeconds };
		this.sessions.set(id, { status: 'upcoming', ...times, ...more });
	}

	/** Polls as n8n does: what is stored goes through JSON. Gives what is told. */
	async poll({ isNew = false } = {}): Promise<string[]> {
		const stored = this.stored && read(JSON.parse(JSON.stringify(this.stored)));
		const search: Search = {
			eventTypes: ['session.starting'],
			filters: noFilters,
			endedWithinDays: 1,
			leadTimes: oneHour && [oneHour],
			isNew,
			...this.search,
		};
		const clock = () => this.nowSeconds * 1_000;
		const {
			steps: [step],
		} = findDueSteps(stored, search, clock());
		this.requests = [];
		if (!step) return [];
		const { ask } = fakePlatform((request) => this.answer(request));
		const limits = { isTimeOver: () => false, step };
		const { news, failures, next } = await pollSchedule(ask, stored, search, clock, limits);
		expect(failures).toEqual([]);
		this.stored = next;
		const told = news.map(({ record: { id, attributes } }) => {
			const { changes, lead_minutes: minutes } = attributes;
			return `${id} ${typeof changes === 'string' ? changes : `${Number(minutes)} min`}`;
		});
		this.told.push(...told);
		return told;
	}

	/** Polls every minute. */
	async pollUntil(seconds: number): Promise<string[]> {
		const before = this.told.length;
		while (this.nowSeconds < seconds) {
			this.nowSeconds += minuteSeconds;
			await this.poll();
		}
		return this.told.slice(before);
	}

	private answer({ path, query = {} }: ApiRequest): object | 'not_found' {
		this.requests.push(path);
		const [, collection, id] = path.split('/');
		if (collection === 'sessions' && id !== undefined) {
			const attributes = this.sessions.get(id);
			return attributes ? { data: { type: 'sessions', id, attributes } } : 'not_found';
		}
		const from = Number(query['filter[date_from]'] ?? 0);
		const until = Number(query['filter[date_to]'] ?? Infinity);
		const listed = [...this.sessions]
			.map(([session, attributes]) => ({ type: 'sessions', id: session, attributes }))
			.filter(({ id: session }) => !this.unlisted.has(session))
			.filter(({ attributes: { estimated_started_at: at } }) => {
				return this.ignoresDates || (Number(at) >= from && Number(at) <= until);
			});
		return pageOf(listed, query);
	}
}

const latestSeconds = start + 400 * daySeconds;
const misfits: string[] = [];
const read = (value: unknown) =>
	shaped(scheduleShape)(value, { latestSeconds, tell: (path) => misfits.push(path) });

afterEach(() => expect(misfits).toEqual([]));

const changes = { eventTypes: ['session.changed'] };

describe('summer time', () => {
	// In Paris the clocks go back on 25 October 2026 at 03:00, which is 01:00 UTC.
	const change = Date.UTC(2026, 9, 25, 1) / 1_000;
	const day = parseLeadTime(1, 'days');

	test('a day is 24 hours, and a start on the clock of the session is told once', async () => {
		const platform = new ScheduledPlatform({ leadTimes: day && [day] });
		platform.ignoresDates = true;
		platform.nowSeconds = change - 2 * daySeconds;
		// Ten o'clock in Paris is nine o'clock UTC by then.
		platform.plan('s', '2026-10-25 10:00:00', { timezone: 'Europe/Paris', created_at: 1 });
		await platform.poll();
		const dueAt = change + 8 * hourSeconds - daySeconds;
		expect(await platform.pollUntil(dueAt - minuteSeconds)).toEqual([]);
		expect(await platform.pollUntil(dueAt)).toEqual(['s 1440 min']);
		expect(await platform.pollUntil(change + daySeconds)).toEqual([]);
	});

	test('moves no session', async () => {
		const platform = new ScheduledPlatform(changes);
		platform.ignoresDates = true;
		platform.nowSeconds = change - daySeconds;
		platform.plan('s', '2026-10-26 10:00:00', { timezone: 'Europe/Paris' });
		expect(await platform.pollUntil(change + hourSeconds)).toEqual([]);
	});
});

describe('a platform', () => {
	test('that does not know the filters shows past sessions, too, and none of them is told or kept', async () => {
		const platform = new ScheduledPlatform(changes);
		platform.ignoresDates = true;
		platform.plan('past', start - hourSeconds, { status: 'past' });
		platform.plan('next', start + 3 * hourSeconds);
		platform.plan('undated', null);
		await platform.poll();
		expect(Object.keys(platform.stored?.sessions ?? {})).toEqual(['next', 'undated']);
	});

	test('that does not say when a session was created tells it all the same', async () => {
		const platform = new ScheduledPlatform();
		platform.plan('s', start + 2 * hourSeconds, { created_at: null });
		await platform.poll();
		expect(await platform.pollUntil(start + 3 * hourSeconds)).toEqual(['s 60 min']);
	});

	test('whose list leaves out canceled sessions has each of them read once', async () => {
		const platform = new ScheduledPlatform(changes);
		for (const id of ['a', 'b']) platform.plan(id, start + 9 * hourSeconds);
		await platform.poll();
		platform.plan('a', start + 9 * hourSeconds, { status: 'canceled' });
		platform.unlisted.add('a');
		const told = await platform.pollUntil(start + hourSeconds);
		expect([told, platform.requests]).toEqual([['a canceled'], ['/sessions', '/sessions/a']]);
		await platform.pollUntil(start + 2 * hourSeconds);
		expect(platform.requests).toEqual(['/sessions']);
		platform.plan('a', start + 9 * hourSeconds);
		platform.unlisted.clear();
		expect(await platform.pollUntil(start + 3 * hourSeconds)).toEqual(['a reopened']);
	});

	test('whose list is empty all at once has no more than ten sessions read an hour', async () => {
		const platform = new ScheduledPlatform(changes);
		for (let nth = 0; nth < 100; nth++) platform.plan(`s${nth}`, start + 9 * hourSeconds + nth);
		await platform.poll();
		for (const id of platform.sessions.keys()) platform.unlisted.add(id);
		await platform.pollUntil(start + hourSeconds);
		expect(platform.requests).toHaveLength(11);
		expect(Object.keys(platform.stored?.sessions ?? {})).toHaveLength(100);
	});
});

describe('a date', () => {
	test('that a session gets or loses has moved it', async () => {
		const platform = new ScheduledPlatform(changes);
		platform.ignoresDates = true;
		platform.plan('s', null);
		await platform.poll();
		platform.plan('s', start + 9 * hourSeconds);
		expect(await platform.pollUntil(start + hourSeconds)).toEqual(['s moved']);
		platform.plan('s', null);
		expect(await platform.pollUntil(start + 2 * hourSeconds)).toEqual(['s moved']);
	});
});

test('a run has at most 2,000 items, and the next poll tells the rest', async () => {
	const platform = new ScheduledPlatform();
	for (let nth = 0; nth < 2_100; nth++) platform.plan(`s${nth}`, start + 2 * hourSeconds);
	await platform.poll();
	const first = await platform.pollUntil(start + hourSeconds);
	const second = await platform.pollUntil(start + hourSeconds + minuteSeconds);
	expect([first.length, second.length]).toEqual([2_000, 100]);
	expect(new Set(platform.told).size).toBe(2_100);
	// One list of 42 pages is less than a read of each.
	expect(platform.requests).toHaveLength(42);
});

test('a start that was told is forgotten when it has passed', async () => {
	const platform = new ScheduledPlatform();
	platform.plan('s', start + 2 * hourSeconds);
	await platform.poll();
	await platform.pollUntil(start + hourSeconds);
	expect(Object.keys(platform.stored?.told ?? {})).toHaveLength(1);
	await platform.pollUntil(start + 3 * hourSeconds);
	expect(platform.stored).toMatchObject({ told: {}, sessions: {} });
});

test('other filters begin with another list, so that what they show is no change', async () => {
	const platform = new ScheduledPlatform(changes);
	platform.plan('s', start + 9 * hourSeconds, { event_id: 'e' });
	await platform.poll();
	const filtered = new ScheduledPlatform({ ...changes, filters: { ...noFilters, eventId: 'e' } });
	filtered.stored = platform.stored;
	filtered.plan('s', start + 8 * hourSeconds, { event_id: 'e' });
	expect(await filtered.poll()).toEqual([]);
	expect(filtered.requests).toEqual(['/events/e/sessions']);
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
