import type { Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import { readNews } from '../../../nodes/EventPlatform/core/polling/poll';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { pageOf } from '../../support/platform/fakePlatform';
import { noFilters } from '../../support/runs/filters';
import { start } from './polledPlatform';
import { polledRun } from '../../support/runs/measuredClient';

interface Joined {
	id: string;
	joinedAt: number;
}

/** A platform with many sessions, which a process polls that has time for so many requests in each poll. */
export class HurriedPlatform {
	nowSeconds = start;
	/** The people by session. */
	readonly people = new Map<string, Joined[]>();
	/** The platform says when somebody registered. */
	showsTimes = true;
	/** Sessions whose people take more time than a poll has. */
	readonly endless = new Set<string>();
	/** Sessions whose people cannot be read. */
	readonly failing = new Set<string>();
	readonly emittedIds: string[] = [];
	cursor?: Cursor;
	private asked = 0;

	constructor(
		sessions: number,
		public requestsInTime: number,
	) {
		for (let session = 0; session < sessions; session++) this.people.set(`s${session}`, []);
	}

	join(session: string, id: string): void {
		this.people.get(session)?.push({ id, joinedAt: this.nowSeconds });
	}

	/** Polls as n8n does that stores what the poll wrote; gives the ids of the people who registered. */
	async poll(): Promise<string[]> {
		this.asked = 0;
		const stored = this.cursor && (JSON.parse(JSON.stringify(this.cursor)) as Cursor);
		const search = { eventTypes: ['people.registered'], filters: noFilters, endedWithinDays: 1 };
		const isTimeOver = () => this.asked >= this.requestsInTime;
		const limits = { isTimeOver };
		const answer = (request: ApiRequest) => Promise.resolve().then(() => this.answer(request));
		const clock = () => this.nowSeconds * 1_000;
		const poll = await readNews(polledRun(answer, clock), stored, search, clock, limits);
		const failedPaths = poll.failures.map(({ request: { path } }) => path);
		for (const path of failedPaths) expect(this.failing).toContain(path.split('/')[2]);
		this.cursor = poll.next;
		const news = poll.news.map(({ record }) => record.id);
		this.emittedIds.push(...news);
		return news;
	}

	private answer(request: ApiRequest): ApiResponse {
		const [, , session = '', collection] = request.path.split('/');
		if (this.asked >= this.requestsInTime) throw new Failure('time_over', request);
		this.asked += this.endless.has(session) && collection ? this.requestsInTime : 1;
		if (this.asked > this.requestsInTime) throw new Failure('time_over', request);
		if (this.failing.has(session)) throw new Failure('platform_error', request);
		const headers = { date: new Date(this.nowSeconds * 1_000).toUTCString() };
		return { status: 200, headers, body: this.recordOf(session, request.query ?? {}) };
	}

	private recordOf(session: string, query: NonNullable<ApiRequest['query']>): JsonObject {
		if (session !== '') {
			const since = Number(query['filter[updated_since]'] ?? 0);
			const listed = (this.people.get(session) ?? []).filter(({ joinedAt }) => joinedAt >= since);
			const records = listed.map((person) => this.recordOfPerson(person));
			return pageOf(records, query);
		}
		const sessions = [...this.people].map(([id, people]) => {
			const attributes = { status: 'upcoming', registrants_count: people.length };
			return { type: 'sessions', id, attributes };
		});
		return pageOf(sessions, query);
	}

	private recordOfPerson({ id, joinedAt }: Joined): JsonObject {
		const times: JsonObject = this.showsTimes ? { created_at: joinedAt } : {};
		return { type: 'people', id, attributes: { registrant_detail: times } };
	}
}
