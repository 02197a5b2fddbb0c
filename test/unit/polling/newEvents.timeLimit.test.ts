import type { Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import { readNews } from '../../../nodes/EventPlatform/core/polling/newEvents';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { pageOf } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';
import { random } from '../../support/platform/random';

const start = 1_800_000_000;
const minute = 60;

interface Joined {
	id: string;
	at: number;
}

/** A platform with many sessions, polled by a process that has time for so many requests in each poll. */
class Hurried {
	now = start;
	/** The people by session. */
	readonly people = new Map<string, Joined[]>();
	/** Whether the platform says when somebody registered. */
	showsTimes = true;
	/** Sessions whose people take more time than a poll has. */
	readonly endless = new Set<string>();
	readonly emittedIds: string[] = [];
	cursor?: Cursor;
	private asked = 0;

	constructor(
		sessions: number,
		private readonly requestsInTime: number,
	) {
		for (let session = 0; session < sessions; session++) this.people.set(`s${session}`, []);
	}

	join(session: string, id: string): void {
		this.people.get(session)?.push({ id, at: this.now });
	}

	/** `isStored`: n8n stores what the poll wrote. */
	async poll(isStored = true): Promise<string[]> {
		this.asked = 0;
		const stored = this.cursor && (JSON.parse(JSON.stringify(this.cursor)) as Cursor);
		const search = { eventTypes: ['people.registered'], filters: noFilters, endedWithinDays: 1 };
		const isTimeOver = () => this.asked >= this.requestsInTime;
		const limits = { isTimeOver, mayReadDaily: true };
		const answer = (request: ApiRequest) => Promise.resolve().then(() => this.answer(request));
		const poll = await readNews(answer, stored, search, () => this.now * 1_000, limits);
		expect(poll.failures).toEqual([]);
		if (isStored) this.cursor = poll.next;
		const news = poll.news.map(({ record }) => record.id);
		this.emittedIds.push(...news);
		return news;
	}

	private answer(request: ApiRequest): ApiResponse {
		const [, , session = '', collection] = request.path.split('/');
		if (this.asked >= this.requestsInTime) throw new Failure('time_over', request);
		this.asked += this.endless.has(session) && collection ? this.requestsInTime : 1;
		if (this.asked > this.requestsInTime) throw new Failure('time_over', request);
		const headers = { date: new Date(this.now * 1_000).toUTCString() };
		return { status: 200, headers, body: this.recordOf(session, request.query ?? {}) };
	}

	private recordOf(session: string, query: NonNullable<ApiRequest['query']>): JsonObject {
		if (session !== '') {
			const since = Number(query['filter[updated_since]'] ?? 0);
			const listed = (this.people.get(session) ?? []).filter(({ at }) => at >= since);
			return pageOf(
				listed.map((person) => this.person(person)),
				query,
			);
		}
		const sessions = [...this.people].map(([id, people]) => {
			const attributes = { status: 'upcoming', registrants_count: people.length };
			return { type: 'sessions', id, attributes };
		});
		return pageOf(sessions, query);
	}

	private person({ id, at }: Joined): JsonObject {
		const times: JsonObject = this.showsTimes ? { created_at: at } : {};
		return { type: 'people', id, attributes: { registrant_detail: times } };
	}
}

test.each([true, false])(
	'a first poll of thirty sessions with 500 people ends in time, and the next ones finish it (times: %s)',
	async (showsTimes) => {
		const hurried = new Hurried(30, 100);
		hurried.showsTimes = showsTimes;
		for (const session of hurried.people.keys()) {
			for (let person = 0; person < 500; person++) hurried.join(session, `${session}-${person}`);
		}
		hurried.now += minute;
		await hurried.poll();
		for (let polls = 0; polls < 5; polls++) {
			hurried.now += 15 * minute;
			await hurried.poll();
		}
		expect(hurried.emittedIds).toEqual([]);
		for (const session of hurried.people.keys()) hurried.join(session, `new-in-${session}`);
		for (let polls = 0; polls < 5; polls++) {
			hurried.now += minute;
			await hurried.poll();
		}
		const expected = [...hurried.people.keys()].map((session) => `new-in-${session}`);
		expect([...hurried.emittedIds].sort()).toEqual(expected.sort());
	},
);

test('a session whose people take more time than a poll has keeps out no other', async () => {
	const hurried = new Hurried(12, 5);
	for (const session of ['s0', 's5', 's11']) hurried.endless.add(session);
	hurried.now += minute;
	await hurried.poll();
	for (const session of hurried.people.keys()) hurried.join(session, `in-${session}`);
	for (let polls = 0; polls < 20; polls++) {
		hurried.now += minute;
		await hurried.poll();
	}
	const finite = [...hurried.people.keys()].filter((session) => !hurried.endless.has(session));
	expect([...hurried.emittedIds].sort()).toEqual(finite.map((session) => `in-${session}`).sort());
});

test.each(Array.from({ length: 40 }, (_, index) => index))(
	'nobody is missed and nobody comes twice, whatever time polls have and whatever n8n forgets: %s',
	async (seed) => {
		const draw = random(seed);
		const hurried = new Hurried(1 + Math.floor(draw() * 15), 3 + Math.floor(draw() * 12));
		const expected: string[] = [];
		const sessions = [...hurried.people.keys()];
		hurried.now += minute;
		await hurried.poll();
		// n8n stores the cursor at the end of the activation, and with each run.
		let stored = hurried.cursor;
		for (let polls = 0; polls < 60; polls++) {
			hurried.now += 1 + Math.floor(draw() * 20 * minute);
			for (let joined = Math.floor(draw() * 5); joined > 0; joined--) {
				const id = `person-${expected.length}`;
				hurried.join(sessions[Math.floor(draw() * sessions.length)] ?? '', id);
				expected.push(id);
			}
			hurried.now += 1;
			// Killed before the run and what is stored with it are saved, or restarted since the last run.
			const isKilled = draw() < 0.1;
			const before = hurried.emittedIds.length;
			if (draw() < 0.1) hurried.cursor = stored;
			const news = await hurried.poll();
			if (isKilled) {
				hurried.emittedIds.length = before;
				hurried.cursor = stored;
			} else if (news.length > 0) stored = hurried.cursor;
		}
		for (let polls = 0; polls < 30; polls++) {
			hurried.now += 15 * minute;
			await hurried.poll();
		}
		expect([...hurried.emittedIds].sort()).toEqual([...expected].sort());
	},
);
