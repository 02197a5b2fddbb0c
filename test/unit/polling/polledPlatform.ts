import { setImmediate } from 'node:timers/promises';
import type { Cursor } from '../../../nodes/EventPlatform/core/polling/lists/cursor';
import { parseLeadTime } from '../../../nodes/EventPlatform/core/polling/schedule/leadTime';
import { poll, readNews } from '../../../nodes/EventPlatform/core/polling/poll';
import {
	scheduleShape,
	type Schedule,
} from '../../../nodes/EventPlatform/core/polling/schedule/schedule';
import { Allowance } from '../../../nodes/EventPlatform/core/polling/allowance';
import { choosePollWork, leastCostOf } from '../../../nodes/EventPlatform/core/polling/pollWork';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import {
	scheduleTypes,
	type ListedEvent,
} from '../../../nodes/EventPlatform/core/events/eventTypes';
import type { Filters } from '../../../nodes/EventPlatform/core/events/filters';
import { unlimited, type Search } from '../../../nodes/EventPlatform/core/polling/pollSettings';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { shaped } from '../../../nodes/EventPlatform/core/values/storedShape';
import { daySeconds, minuteSeconds } from '../../support/time/units';
import { noFilters } from '../../support/runs/filters';
import { pageOf } from '../../support/platform/fakePlatform';
import { polledRun } from '../../support/runs/measuredClient';

export const quarterSeconds = 15 * minuteSeconds;
/** When a polled platform begins, in seconds. */
export const start = 1_800_000_000;

export const peopleOfSession = '/sessions/s/people';

export interface Person {
	id: string;
	joinedAt: number;
	/** When the platform came to know the person. Absent: it does not tell. */
	created_at?: number;
	/** When the person registered for the session. Absent: the platform does not tell. */
	registered_at?: number;
	attended?: boolean;
	hasViewedReplay?: boolean;
	role?: 'participant' | 'team_member';
	/** The only session that the person is in. Absent: each session counts the person, and the first one lists it. */
	session?: string;
}

/** The part that the platform does not show as it is. */
type Flaw = 'no sessions' | 'no people' | 'no counts' | 'upper case' | 'flat jobs';

let platforms = 0;

const latestSeconds = start + 400 * daySeconds;
const tell = (path: string) => expect(path).toBe('no part that does not fit');

/** n8n keeps as JSON what a trigger stores. */
const asStored = <Value>(value: Value): Value =>
	value && (JSON.parse(JSON.stringify(value)) as Value);

/** A platform with a session, or more, and a trigger that polls it. All times are in seconds. */
export class PolledPlatform {
	nowSeconds = start;
	/** How far the trigger's clock is ahead of the platform's. */
	clockAheadSeconds = 0;
	/** How far the header `Date` is ahead; undefined: there is none. */
	dateAheadSeconds: number | undefined = 0;
	flaw: Flaw | undefined;
	/** People show up in the list so long after they were counted. */
	listLagSeconds = 0;
	people: Person[] = [];
	id = 's';
	session: JsonObject = { status: 'upcoming', estimated_started_at: start + 90 * daySeconds };
	/** The ids of more sessions. One that begins with `empty` counts nobody. */
	moreSessions: string[] = [];
	/** Sessions with attributes of their own, by id. Where one is planned, these are all that there are. */
	planned = new Map<string, JsonObject>();
	/** Which sessions a list by date leaves out. */
	unlisted: string[] = [];
	/** A list by date has the sessions of all dates. */
	ignoresDates = false;
	/** Registrations have a time of their own. */
	showsTimes = true;
	knowsStatusFilter = true;
	countsAttendees = true;
	/** The paths that fail. */
	failing = new Set<string>();
	/** Why they fail. */
	cause: Cause = 'platform_error';
	/** The pages of people from this one on are not found. */
	goneFrom = Infinity;
	/** So many requests take the time of a poll. */
	requestsInTime = Infinity;
	/** By our clock. Absent: a poll has no end that its requests know. */
	deadlineAtMs?: number;
	/** Sessions whose people take more time than a poll has. */
	endless: string[] = [];
	events: JsonObject[] = [];
	/** Of each session. */
	recordings: JsonObject[] = [];
	/** The status of each job, by id. */
	jobs: Record<string, string> = {};
	/** The id that each job is shown with, where it is not its own. */
	shownJobId?: string;
	/** The paths that the last poll asked for. */
	requests: string[] = [];
	/** The time from which on each of these requests wants the changes. */
	sinces: Array<number | undefined> = [];
	/** The paths that the polls of `pollUntil` asked for. */
	requestsUntil: string[] = [];
	cursor?: Cursor;
	schedule?: Schedule;
	eventTypes = ['people.registered'];
	jobIds: string[] = [];
	endedWithinDays = 1;
	leadTimes = [parseLeadTime(1, 'hours')];
	filters: Partial<Filters> = {};
	/** What a delivery has told the trigger. */
	isDelivered?: Search['isDelivered'];
	/** The events of the last poll. */
	news: ListedEvent[] = [];
	/** The events that have started a run, such as `registered person-1`, `s 60 min` and `s moved, renamed`. */
	started: string[] = [];
	/** How many events and requests each poll had. */
	readonly polls: Array<{ started: number; requests: number }> = [];
	/** The people who registered while the trigger was active. */
	newcomers: string[] = [];
	/** Lists that the last poll could not read. */
	failures: Failure[] = [];
	/** The last poll has left something over. */
	hasUntold = false;
	private joined = 0;
	/** The requests of which the last poll has had the time. */
	private spent = 0;
	/** When the trigger began by its clock, where nothing could be read since then. */
	private begunAt?: number;
	/** Each platform has one of its own. */
	private token = `token-${++platforms}`;
	/** How far the trigger takes its clock to be ahead. */
	private knownAheadSeconds = 0;

	constructor(state: Partial<PolledPlatform> = {}) {
		this.change(state);
	}

	change(state: Partial<PolledPlatform>): void {
		Object.assign(this, state);
	}

	pass(seconds: number): void {
		this.nowSeconds += seconds;
	}

	/** It is another trigger of the same token, for which the same sessions are planned. */
	joinTo({ token, planned }: PolledPlatform): void {
		this.token = token;
		this.planned = planned;
	}

	/** Puts somebody into the session; gives the id. */
	add(person: Partial<Person> = {}): string {
		const id = person.id ?? `person-${++this.joined}`;
		const registered_at = this.showsTimes ? this.nowSeconds : undefined;
		this.people.push({
			id,
			joinedAt: this.nowSeconds,
			created_at: this.nowSeconds,
			registered_at,
			...person,
		});
		return id;
	}

	/** Somebody registers a second later, and has to start a run. */
	register(person?: Partial<Person>): void {
		this.pass(1);
		this.newcomers.push(this.add(person));
	}

	/** A session is planned, or a planned one becomes another. */
	plan(id: string, startsAt: number | null, more: JsonObject = {}): void {
		const times = { estimated_started_at: startsAt, created_at: start - daySeconds };
		this.planned.set(id, { status: 'upcoming', ...times, ...more });
	}

	/** The session has just ended. */
	end(): void {
		Object.assign(this.session, {
			status: 'past',
			estimated_started_at: start,
			ended_at: this.nowSeconds,
		});
	}

	/** Gives the events that start a run. */
	async poll({
		isActivated = false,
		startFrom,
	}: { isActivated?: boolean; startFrom?: number } = {}): Promise<string[]> {
		const { eventTypes, jobIds, endedWithinDays, isDelivered } = this;
		const ours = this.nowSeconds + this.clockAheadSeconds;
		this.begunAt = this.cursor ? undefined : (this.begunAt ?? ours);
		const begunAgoSeconds = ours - (this.begunAt ?? ours);
		const search = {
			eventTypes,
			filters: { ...noFilters, jobIds, ...this.filters },
			endedWithinDays,
			leadTimes: this.leadTimes.flatMap((leadTime) => leadTime ?? []),
			isDelivered,
			isActivated,
			startFrom,
			begunAgoSeconds,
		};
		this.requests = [];
		this.sinces = [];
		this.spent = 0;
		const tellsSchedule = scheduleTypes(eventTypes).length > 0;
		const polled = await (tellsSchedule ? this.pollAll(search) : this.pollLists(search));
		const { failures, news } = polled;
		const failing = [...this.failing, ...(this.goneFrom < Infinity ? [peopleOfSession] : [])];
		for (const { request } of failures) expect(failing).toContain(request.path);
		this.failures = failures;
		this.news = news;
		const started = news.map(wordsOf);
		this.started.push(...started);
		this.polls.push({ started: started.length, requests: this.requests.length });
		return started;
	}

	private async pollLists(search: Search) {
		const limits = { isTimeOver: () => this.spent >= this.requestsInTime };
		const stored = asStored(this.cursor);
		const polled = await readNews(this.run(), stored, search, this.ourClockMs, limits);
		this.hasUntold = polled.hasUntold;
		this.cursor = polled.next;
		return polled;
	}

	/** The schedule, and the lists where the trigger tells what they show as well: then both are read at each poll. */
	private async pollAll(search: Search) {
		const { token } = this;
		const readShape = shaped(scheduleShape);
		const stored = {
			cursor: asStored(this.cursor),
			schedule: this.schedule && readShape(asStored(this.schedule), { latestSeconds, tell }),
			clockAheadSeconds: this.knownAheadSeconds,
		};
		const poller = { id: token, token, leastCost: leastCostOf(search, stored.cursor) };
		const trigger = { search, poller, stored, isNew: false, isLimited: false };
		const work = choosePollWork(this.allowance, trigger, this.ourClockMs());
		if (!work.mayReadLists && work.scheduleWork === undefined) return { news: [], failures: [] };
		const scope = { search, token, ...work };
		const polled = await poll(this.run(), stored, scope, unlimited);
		this.cursor = polled.cursor;
		this.schedule = polled.schedule;
		this.knownAheadSeconds = polled.clockAheadSeconds ?? 0;
		return polled;
	}

	private readonly allowance = new Allowance();

	private readonly ourClockMs = () => (this.nowSeconds + this.clockAheadSeconds) * 1_000;

	private run() {
		// Responses come one after the other, as over a network.
		const api = (request: ApiRequest) => setImmediate().then(() => this.answer(request));
		return { ...polledRun(api, this.ourClockMs), deadlineAtMs: this.deadlineAtMs };
	}

	/** The workflow is activated, perhaps with a `Start From`, and polls. */
	async activate(startFrom?: number): Promise<string[]> {
		return await this.poll({ isActivated: true, startFrom });
	}

	/** Polls as often as that, each time after so many seconds. Gives the events that start a run. */
	async pollEvery(seconds: number, polls = 1): Promise<string[]> {
		const before = this.started.length;
		for (let count = 0; count < polls; count++) {
			this.pass(seconds);
			await this.poll();
		}
		return this.started.slice(before);
	}

	/** Polls every minute. Gives the events that start a run. */
	async pollUntil(seconds: number): Promise<string[]> {
		const before = this.started.length;
		while (this.nowSeconds < seconds) {
			await this.pollEvery(minuteSeconds);
			this.requestsUntil.push(...this.requests);
		}
		return this.started.slice(before);
	}

	private answer({ path, query = {} }: ApiRequest): ApiResponse {
		this.spend(path);
		this.requests.push(path);
		const since = query['filter[updated_since]'];
		this.sinces.push(since === undefined ? undefined : Number(since));
		if (this.failing.has(path)) throw new Failure(this.cause, { method: 'GET', path });
		const date = new Date((this.nowSeconds + (this.dateAheadSeconds ?? 0)) * 1_000).toUTCString();
		const headers: Record<string, string> = this.dateAheadSeconds === undefined ? {} : { date };
		return { status: 200, headers, body: this.bodyOf(path, query) };
	}

	/** A request that would take more time than the poll has left does not come to its end. */
	private spend(path: string): void {
		const [, , session = '', people] = path.split('/');
		const isEndless = people !== undefined && this.endless.includes(session);
		const hasTime = this.spent < this.requestsInTime;
		if (hasTime) this.spent += isEndless ? this.requestsInTime : 1;
		if (!hasTime || this.spent > this.requestsInTime)
			throw new Failure('time_over', { method: 'GET', path });
	}

	private bodyOf(path: string, query: NonNullable<ApiRequest['query']>): JsonObject {
		const [, collection, id = '', below] = path.toLowerCase().split('/');
		if (collection === 'jobs') return this.job(id);
		if (collection === 'events' && below === undefined) {
			return { data: id ? (this.events.find((event) => event.id === id) ?? null) : this.events };
		}
		if (below === 'recordings') return pageOf(this.recordings, query);
		if (below === 'people') return this.listPeople(id, query);
		const sessions = this.allSessions();
		if (collection === 'sessions' && id !== '') {
			return { data: sessions.find((session) => session.id.toLowerCase() === id) ?? null };
		}
		const status = query['filter[status]'];
		if (status !== undefined) {
			if (!this.knowsStatusFilter) {
				throw new Failure('refused', { method: 'GET', path }, { status: 400 });
			}
			const inThatStatus = sessions.filter(({ attributes }) => attributes.status === status);
			return pageOf(inThatStatus, query);
		}
		const from = Number(query['filter[date_from]'] ?? 0);
		const until = Number(query['filter[date_to]'] ?? Infinity);
		const listed = sessions.filter(({ id: session, attributes }) => {
			const startsAt = Number(attributes.estimated_started_at);
			const isMeant = this.ignoresDates || (startsAt >= from && startsAt <= until);
			return isMeant && !(from && this.unlisted.includes(session));
		});
		return pageOf(this.flaw === 'no sessions' ? [] : listed, query);
	}

	private job(id: string): JsonObject {
		const status = this.jobs[id];
		if (status === undefined) return {};
		const job = { type: 'jobs', id: this.shownJobId ?? id };
		return this.flaw === 'flat jobs' ? { ...job, status } : { ...job, attributes: { status } };
	}

	private listPeople(session: string, query: NonNullable<ApiRequest['query']>): JsonObject {
		if (Number(query['page[number]'] ?? 0) >= this.goneFrom) {
			const request = { method: 'GET', path: `/sessions/${session}/people` } as const;
			throw new Failure('not_found', request, { status: 404 });
		}
		// Asked for without a time, it lists nobody.
		const since = 'filter[updated_since]' in query ? Number(query['filter[updated_since]']) : 0;
		const listed = this.people.filter(
			({ joinedAt, session: own = this.id }) =>
				own === session && joinedAt >= since && this.nowSeconds - joinedAt >= this.listLagSeconds,
		);
		return pageOf(listed.map(recordOfPerson), query);
	}

	private allSessions() {
		if (this.planned.size > 0)
			return [...this.planned].map(([id, attributes]) => this.record(id, false, attributes));
		const more = this.moreSessions.map((id) => this.record(id, id.startsWith('empty')));
		const id = this.flaw === 'upper case' ? this.id.toUpperCase() : this.id;
		return [{ ...this.record(this.id, this.flaw === 'no people'), id }, ...more];
	}

	private record(id: string, isEmpty: boolean, own = this.session) {
		const people = this.people.filter(({ session = id }) => session === id);
		const attendees_count = people.filter(({ attended }) => attended).length;
		const registrants_count = isEmpty ? 0 : people.length;
		const attributes: JsonObject = {
			...own,
			registrants_count: this.flaw === 'no counts' ? null : registrants_count,
			...(this.countsAttendees && { attendees_count }),
		};
		return { type: 'sessions', id, attributes };
	}
}

function wordsOf({ eventType, record: { id, attributes } }: ListedEvent): string {
	const { changes, lead_minutes: minutes } = attributes;
	if (typeof changes === 'string') return `${id} ${changes}`;
	if (minutes !== undefined) return `${id} ${Number(minutes)} min`;
	return `${eventType.split('.')[1]} ${id}`;
}

function recordOfPerson(person: Person): JsonObject {
	const { id, created_at, registered_at, attended, role } = person;
	const registrant_detail = {
		...(registered_at && { created_at: registered_at }),
		...(attended !== undefined && { attended }),
		...(person.hasViewedReplay && { has_viewed_replay: true }),
	};
	const attributes = { role: role ?? null, ...(created_at && { created_at }), registrant_detail };
	return { type: 'people', id, attributes };
}

/** Ids of so many sessions that a poll cannot list all of them each time. */
export const manySessions = Array.from({ length: 120 }, (_, index) => `other-${index}`);
