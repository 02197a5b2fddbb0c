import { setImmediate } from 'node:timers/promises';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { ApiRequest, ApiResponse } from '../../../nodes/EventPlatform/core/client/request';
import type { Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import { readNews } from '../../../nodes/EventPlatform/core/polling/poll';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { pageOf } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';
import { hourSeconds, minuteSeconds } from '../../support/time/units';
import { polledRun } from '../../support/runs/measuredClient';

const start = 1_800_000_000;

interface Attendee {
	id: string;
	attended: boolean;
	registeredAt?: number;
}

/** A platform with one session of very many people, which a process polls that has time for so many requests in each poll. */
class CrowdedPlatform {
	nowSeconds = start;
	people: Attendee[] = [];
	endedAt?: number;
	/** Registrations have a time. */
	showsTimes = true;
	/** The session is on demand after its end. */
	isOnDemand = false;
	/** The pages of people from this one on are not found. */
	goneFrom = Infinity;
	/** The events that have started a run, such as `attended p1`, by poll. */
	readonly polls: string[][] = [];
	/** The requests of each poll. */
	readonly requests: number[] = [];
	cursor?: Cursor;
	private asked = 0;

	constructor(
		private readonly eventTypes: string[],
		public requestsInTime: number,
	) {}

	/** So many people, of whom every third stays away. */
	add(count: number, person: Partial<Attendee> = {}): void {
		for (let nth = 0; nth < count; nth++) {
			const id = `p${this.people.length}`;
			this.people.push({ id, attended: nth % 3 > 0, registeredAt: start - 1, ...person });
		}
	}

	end(): void {
		this.endedAt = this.nowSeconds;
	}

	/** Polls so often, each time after so many seconds. The stored cursor goes through JSON, as in n8n's database. */
	async poll(times = 1, afterSeconds = 5 * minuteSeconds): Promise<void> {
		for (let nth = 0; nth < times; nth++) {
			this.nowSeconds += afterSeconds;
			this.asked = 0;
			const stored = this.cursor && (JSON.parse(JSON.stringify(this.cursor)) as Cursor);
			const search = { eventTypes: this.eventTypes, filters: noFilters, endedWithinDays: 1 };
			const isTimeOver = () => this.asked >= this.requestsInTime;
			const limits = { isTimeOver };
			// Responses come one after the other, as over a network.
			const ask = (request: ApiRequest) => setImmediate().then(() => this.answer(request));
			const clock = () => this.nowSeconds * 1_000;
			const poll = await readNews(polledRun(ask, clock), stored, search, clock, limits);
			expect(poll.failures).toEqual([]);
			this.cursor = poll.next;
			this.requests.push(this.asked);
			this.polls.push(
				poll.news.map(({ eventType, record }) => `${eventType.split('.')[1]} ${record.id}`),
			);
		}
	}

	get started(): string[] {
		return this.polls.flat();
	}

	private answer(request: ApiRequest): ApiResponse {
		if (this.asked >= this.requestsInTime) throw new Failure('time_over', request);
		this.asked += 1;
		const headers = { date: new Date(this.nowSeconds * 1_000).toUTCString() };
		return { status: 200, headers, body: this.bodyOf(request) };
	}

	private bodyOf({ path, query = {} }: ApiRequest): JsonObject {
		if (path !== '/sessions') {
			const since = Number(query['filter[updated_since]'] ?? 0);
			const listed = this.people.filter(({ registeredAt = 0 }) => registeredAt >= since);
			if (Number(query['page[number]'] ?? 0) >= this.goneFrom)
				throw new Failure('not_found', { method: 'GET', path }, { status: 404 });
			return pageOf(
				listed.map((person) => recordOf(person, this.showsTimes)),
				query,
			);
		}
		const ended = this.endedAt && { ended_at: this.endedAt };
		const endedStatus = this.isOnDemand ? 'on_demand' : 'past';
		const status = this.endedAt ? endedStatus : 'upcoming';
		const attributes = { status, registrants_count: this.people.length, ...ended };
		return pageOf([{ type: 'sessions', id: 's', attributes }], query);
	}
}

function recordOf({ id, attended, registeredAt }: Attendee, showsTimes: boolean): JsonObject {
	const registrant_detail = {
		attended,
		...(showsTimes && registeredAt && { created_at: registeredAt }),
	};
	return { type: 'people', id, attributes: { registrant_detail } };
}

const registrations = (people: readonly Attendee[]) =>
	people.map(({ id }) => `registered ${id}`).sort();

const outcomes = (people: readonly Attendee[]) =>
	people.map(({ id, attended }) => `${attended ? 'attended' : 'not_attended'} ${id}`);

describe('people of a session whom one poll cannot read', () => {
	/** 3,000 people are on 60 pages; a poll has time for twenty requests. */
	async function endedSession(eventTypes = ['people.attended', 'people.not_attended']) {
		const platform = new CrowdedPlatform(eventTypes, 20);
		platform.add(3_000);
		await platform.poll();
		platform.end();
		return platform;
	}

	test.each([5, 15, 61])(
		'each start one run, when they have attended or when attendance has settled, with polls %s minutes apart',
		async (minutes) => {
			const platform = new CrowdedPlatform(['people.attended', 'people.not_attended'], 20);
			platform.add(3_000);
			await platform.poll();
			platform.nowSeconds += minuteSeconds;
			platform.end();
			// The first poll after the end comes at another time of the hour than the others.
			await platform.poll(1, 10 * minuteSeconds);
			await platform.poll(40, minutes * minuteSeconds);
			expect(platform.started.sort()).toEqual(outcomes(platform.people).sort());
			expect(platform.requests.at(-1)).toBe(1);
		},
	);

	test('are told by the next poll that goes on where the one before stopped', async () => {
		const platform = await endedSession(['people.attended']);
		await platform.poll(4);
		// 19 pages, of which two of three people have attended; the last of them is read again, in case the list became shorter.
		expect(platform.polls.map(({ length }) => length)).toEqual([0, 633, 600, 600, 167]);
	});

	test('cost little more than their pages, and nothing once all are told', async () => {
		const platform = await endedSession(['people.attended']);
		await platform.poll(4);
		const requests = platform.requests.slice(1).reduce((sum, count) => sum + count, 0);
		// 60 pages, four lists of sessions, and what is read twice or of no more use.
		expect(requests).toBeLessThanOrEqual(80);
		await platform.poll(20);
		expect(platform.requests.at(-1)).toBe(1);
	});

	test('are read on after a poll that has no time for them at all', async () => {
		const platform = await endedSession(['people.attended']);
		await platform.poll(2);
		platform.requestsInTime = 1;
		await platform.poll(2);
		platform.requestsInTime = 20;
		await platform.poll(2);
		expect(platform.started).toHaveLength(2_000);
		expect(new Set(platform.started).size).toBe(2_000);
	});

	test('are read although a poll has time for one page only', async () => {
		const platform = new CrowdedPlatform(['people.attended'], 2);
		platform.add(300);
		await platform.poll();
		platform.end();
		await platform.poll(7);
		expect(platform.started).toHaveLength(200);
	});

	test('leave a note that there are more, while there are', async () => {
		const platform = await endedSession(['people.attended']);
		const notes: unknown[] = [];
		for (let poll = 0; poll < 4; poll++) {
			await platform.poll();
			notes.push(platform.cursor?.hasMore);
		}
		expect(notes).toEqual([true, true, true, false]);
	});

	test('are absent only once nobody new has come for ten minutes, also where some are counted late', async () => {
		const platform = await endedSession();
		await platform.poll(2);
		// Somebody on a page that was read already turns out to have attended.
		const [person] = platform.people;
		if (person) person.attended = true;
		await platform.poll(40);
		expect(platform.started.sort()).toEqual(outcomes(platform.people).sort());
	});

	test.each([true, false])(
		'start one run each when they register (times: %s)',
		async (hasTimes) => {
			const platform = new CrowdedPlatform(['people.registered'], 20);
			await platform.poll();
			const registeredAt = hasTimes ? platform.nowSeconds + minuteSeconds : undefined;
			platform.add(3_000, { registeredAt });
			await platform.poll(30);
			await platform.poll(30, hourSeconds);
			expect(platform.started.sort()).toEqual(registrations(platform.people));
		},
	);

	test('start one run each when they register while the list is read, and stand in front of those who were read', async () => {
		const platform = new CrowdedPlatform(['people.registered'], 20);
		await platform.poll();
		platform.add(3_000, { registeredAt: platform.nowSeconds + minuteSeconds });
		await platform.poll(2, 15 * minuteSeconds);
		const registeredAt = platform.nowSeconds;
		platform.people.unshift({ id: 'late', attended: true, registeredAt });
		await platform.poll(30, 15 * minuteSeconds);
		expect(platform.started.sort()).toEqual(registrations(platform.people));
	});

	test.each([40, 120, 700, 2_400])(
		'start one run each when %i of those who were read are removed before the next poll',
		async (removed) => {
			const platform = new CrowdedPlatform(['people.registered'], 20);
			await platform.poll();
			platform.add(3_000, { registeredAt: platform.nowSeconds + minuteSeconds });
			await platform.poll(1, 15 * minuteSeconds);
			const gone = platform.people.splice(0, removed).map(({ id }) => `registered ${id}`);
			await platform.poll(30, 15 * minuteSeconds);
			const told = new Set(platform.started);
			expect(platform.started).toHaveLength(told.size);
			for (const each of gone) told.delete(each);
			expect([...told].sort()).toEqual(registrations(platform.people));
		},
	);

	test('start none a second time where the session comes into view again', async () => {
		const platform = await endedSession(['people.attended']);
		await platform.poll(4);
		await platform.poll(6, 24 * hourSeconds);
		platform.isOnDemand = true;
		await platform.poll(10);
		expect(platform.started).toHaveLength(2_000);
	});

	test('are told as absent, also of the pages that were read before the end', async () => {
		const platform = new CrowdedPlatform(['people.registered', 'people.not_attended'], 20);
		platform.add(3_000, { registeredAt: undefined });
		await platform.poll();
		platform.end();
		await platform.poll(8, 2 * hourSeconds);
		const absent = platform.people.filter(({ attended }) => !attended);
		expect(platform.started.sort()).toEqual(outcomes(absent).sort());
	});
});

describe('people of a list that is not found for once start one run each', () => {
	test('where they have no times and a later page is not found at the first read', async () => {
		const platform = new CrowdedPlatform(['people.registered'], 20);
		platform.showsTimes = false;
		platform.add(120);
		platform.goneFrom = 1;
		await platform.poll();
		platform.goneFrom = Infinity;
		await platform.poll(2);
		const before = platform.people.length;
		platform.add(2, { registeredAt: platform.nowSeconds + minuteSeconds });
		await platform.poll(4);
		expect(platform.started).toEqual(registrations(platform.people.slice(before)));
	});

	test('where a later page is not found and has those who registered before', async () => {
		const platform = new CrowdedPlatform(['people.registered'], 20);
		await platform.poll();
		await platform.poll(1, hourSeconds);
		platform.add(50, { registeredAt: platform.nowSeconds + 59 * minuteSeconds });
		platform.add(50, { registeredAt: platform.nowSeconds + minuteSeconds });
		platform.goneFrom = 1;
		await platform.poll(1, hourSeconds);
		platform.goneFrom = Infinity;
		await platform.poll(4);
		expect(platform.started.sort()).toEqual(registrations(platform.people));
	});

	test('where they stayed away, and attendance had settled by then', async () => {
		const platform = new CrowdedPlatform(['people.not_attended'], 20);
		platform.add(3);
		await platform.poll();
		platform.nowSeconds += minuteSeconds;
		platform.end();
		platform.goneFrom = 0;
		await platform.poll(1, 2 * hourSeconds);
		platform.goneFrom = Infinity;
		await platform.poll(4);
		expect(platform.started).toEqual(['not_attended p0']);
	});

	test.each([
		['the first two reads after the end', [0, 1]],
		['the read with which attendance would settle', [2]],
	])('where %s do not find it', async (_reads, missed) => {
		const platform = new CrowdedPlatform(['people.attended', 'people.not_attended'], 20);
		platform.add(3);
		await platform.poll();
		platform.end();
		for (const [nth, minutes] of [20, 20, 30, 60, 60].entries()) {
			platform.goneFrom = missed.includes(nth) ? 0 : Infinity;
			await platform.poll(1, minutes * minuteSeconds);
		}
		expect([...platform.started].sort()).toEqual(outcomes(platform.people).sort());
	});

	test('and cost few requests where it stays so', async () => {
		const platform = new CrowdedPlatform(['people.not_attended'], 20);
		platform.add(3);
		await platform.poll();
		platform.end();
		platform.goneFrom = 0;
		await platform.poll(3 * 24 * 4, 15 * minuteSeconds);
		const ofPeople = platform.requests.reduce((sum, count) => sum + count - 1, 0);
		expect(ofPeople).toBeLessThanOrEqual(8);
		expect(platform.requests.slice(-100)).toEqual(Array.from({ length: 100 }, () => 1));
	});
});

test('a poll that has time reads no more people who attended than one run can take', async () => {
	const platform = new CrowdedPlatform(['people.attended'], 1_000);
	platform.add(9_000, { attended: true });
	await platform.poll();
	platform.end();
	await platform.poll(5);
	expect(platform.polls.map(({ length }) => length)).toEqual([
		0, 2_000, 2_000, 2_000, 2_000, 1_000,
	]);
	const requests = platform.requests.slice(1).reduce((sum, count) => sum + count, 0);
	expect(requests).toBeLessThanOrEqual(260);
});
