import type { Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import { mostAtOnce, readNews } from '../../../nodes/EventPlatform/core/polling/newEvents';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { pageOf } from '../../support/platform/fakePlatform';

interface Person {
	id: string;
	joinedAt: number;
	/** Absent: the platform does not tell. */
	created_at?: number;
	registered_at?: number;
	attended?: boolean;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const start = 1_800_000_000;

/** A platform with one session, unless told otherwise, and a trigger that polls it. */
class Polled {
	now = start;
	/** By how much our clock is ahead. */
	oursAhead = 0;
	/** By how much the header `Date` is; undefined: there is none. */
	dateAhead: number | undefined = 0;
	/** What the platform says instead of the list of sessions, of their counts and of letter case. */
	lie: 'no sessions' | 'no people' | 'no counts' | 'upper case' | undefined;
	/** How late people show up in the list, though they count. */
	lag = 0;
	people: Person[] = [];
	id = 's';
	session: JsonObject = { status: 'upcoming', estimated_started_at: start + 90 * day };
	/** More sessions, without people. */
	others: string[] = [];
	/** Which of them are not among the recent ones. */
	hidden: string[] = [];
	showsTimes = true;
	knowsStatusFilter = true;
	countsAttendees = true;
	failing = new Set<string>();
	cause: Cause = 'platform_error';
	events: JsonObject[] = [];
	/** Their status, by id. */
	jobs: Record<string, string> = {};
	requests: string[] = [];
	/** From when on each of them wants what changed. */
	sinces: Array<number | undefined> = [];
	cursor?: Cursor;
	/** When the trigger began by our clock, where nothing could be read since then. */
	begunAt?: number;
	eventTypes = ['people.registered'];
	jobIds: string[] = [];
	endedWithinDays = 1;
	sessionId = '';
	told: string[] = [];
	/** Who has to be told of. */
	expected: string[] = [];
	/** Lists that the last poll could not read. */
	failures: Failure[] = [];
	private joined = 0;

	join(more: Partial<Person> = {}): string {
		const id = more.id ?? `person-${++this.joined}`;
		const registered_at = this.showsTimes ? this.now : undefined;
		this.people.push({ id, joinedAt: this.now, created_at: this.now, registered_at, ...more });
		return id;
	}

	/** What is stored goes through JSON, as in n8n's database. */
	async poll({ isNew = false, startFrom }: { isNew?: boolean; startFrom?: number } = {}) {
		const stored = this.cursor && (JSON.parse(JSON.stringify(this.cursor)) as Cursor);
		const { eventTypes, jobIds, sessionId, endedWithinDays } = this;
		const filters = {
			jobIds,
			onlyWithFailures: false,
			sessionId,
			eventId: '',
			eventTitleContains: '',
		};
		const ours = this.now + this.oursAhead;
		this.begunAt = stored ? undefined : (this.begunAt ?? ours);
		const begunAgoSeconds = ours - (this.begunAt ?? ours);
		const wanted = { eventTypes, filters, endedWithinDays, isNew, startFrom, begunAgoSeconds };
		const api = (request: ApiRequest) => Promise.resolve(this.answer(request));
		const clock = () => ours * 1_000;
		this.requests = [];
		this.sinces = [];
		const poll = await readNews(api, stored, wanted, clock);
		this.cursor = poll.next;
		this.failures = poll.failures;
		const news = poll.news.map(
			({ eventType, record }) => `${eventType.split('.')[1]} ${record.id}`,
		);
		this.told.push(...news);
		return news;
	}

	async every(seconds: number, polls = 1): Promise<string[]> {
		const before = this.told.length;
		for (let count = 0; count < polls; count++) {
			this.now += seconds;
			await this.poll();
		}
		return this.told.slice(before);
	}

	private answer({ path, query = {} }: ApiRequest): ApiResponse {
		this.requests.push(path);
		const since = query['filter[updated_since]'];
		this.sinces.push(since === undefined ? undefined : Number(since));
		if (this.failing.has(path)) throw new Failure(this.cause, { method: 'GET', path });
		const date = new Date((this.now + (this.dateAhead ?? 0)) * 1_000).toUTCString();
		const headers: Record<string, string> = this.dateAhead === undefined ? {} : { date };
		return { status: 200, headers, body: this.shown(path, query) };
	}

	private shown(path: string, query: NonNullable<ApiRequest['query']>): JsonObject {
		const others = this.others.map((id) => ({ ...this.record(id.startsWith('empty')), id }));
		const sessions = [this.record(), ...others];
		const [, collection = '', id = '', people] = path.toLowerCase().split('/');
		if (collection === 'jobs') {
			const status = this.jobs[id];
			return status === undefined ? {} : { type: 'jobs', id, attributes: { status } };
		}
		if (collection === 'events') return { data: this.events };
		if (people !== undefined) {
			// Asked for without a time, it lists nobody.
			const since = 'filter[updated_since]' in query ? Number(query['filter[updated_since]']) : 0;
			const listed = this.people.filter(
				({ joinedAt }) => joinedAt >= since && this.now - joinedAt >= this.lag,
			);
			return pageOf(id === this.id ? listed.map(personRecord) : [], query);
		}
		if (id !== '') return { data: sessions.find((one) => one.id.toLowerCase() === id) ?? null };
		const from = Number(query['filter[date_from]'] ?? 0);
		const status = query['filter[status]'];
		if (status !== undefined && this.knowsStatusFilter) {
			return pageOf(
				sessions.filter(({ attributes }) => attributes.status === status),
				query,
			);
		}
		if (status !== undefined) {
			throw new Failure('refused', { method: 'GET', path }, { status: 400 });
		}
		const isListed = ({ id, attributes }: (typeof sessions)[number]) =>
			Number(attributes.estimated_started_at) >= from && !(from && this.hidden.includes(id));
		return pageOf(this.lie === 'no sessions' ? [] : sessions.filter(isListed), query);
	}

	private record(isEmpty = this.lie === 'no people') {
		const attendees_count = this.people.filter(({ attended }) => attended).length;
		const registrants_count = isEmpty ? 0 : this.people.length;
		const attributes: JsonObject = {
			...this.session,
			registrants_count: this.lie === 'no counts' ? null : registrants_count,
			...(this.countsAttendees && { attendees_count }),
		};
		const id = this.lie === 'upper case' ? this.id.toUpperCase() : this.id;
		return { type: 'sessions', id, attributes };
	}
}

function personRecord({ id, created_at, registered_at, attended }: Person) {
	const registrant_detail = {
		...(registered_at && { created_at: registered_at }),
		...(attended !== undefined && { attended }),
	};
	const attributes = { ...(created_at && { created_at }), registrant_detail };
	return { type: 'people', id, attributes };
}

const registered = (ids: readonly string[]) => ids.map((id) => `registered ${id}`);

/** What happens to a platform and its trigger. Those who join have to be told of; those who were there have not. */
type Step = (polled: Polled) => unknown;
const poll: Step = (polled) => polled.poll();
const ends: Step = ({ session, now }) => {
	Object.assign(session, { status: 'past', estimated_started_at: start, ended_at: now });
};
const activate = (startFrom?: number) => (polled: Polled) =>
	polled.poll({ isNew: true, startFrom });
const every = (seconds: number, polls?: number) => (polled: Polled) => polled.every(seconds, polls);
const wait = (seconds: number) => (polled: Polled) => (polled.now += seconds);
const is = (state: Partial<Polled>) => (polled: Polled) => Object.assign(polled, state);
const was = (more?: Partial<Person>) => (polled: Polled) => polled.join(more);
const joins = (more?: Partial<Person>) => (polled: Polled) => {
	polled.now += 1;
	polled.expected.push(polled.join(more));
};

async function after(...steps: Step[]): Promise<Polled> {
	const polled = new Polled();
	for (const step of steps) await step(polled);
	return polled;
}

const quarter = 15 * minute;
const untimed = { created_at: undefined };
const knownBefore = (days: number) => ({ created_at: start - days * day });
const many = Array.from({ length: 120 }, (_, index) => `other-${index}`);
const uuid = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
const theirPeople = '/sessions/s/people';

const cases: Record<string, Step[]> = {
	'a registration that the count shows minutes before the list does': [
		is({ lag: 9 * minute }),
		poll,
		wait(quarter - 2),
		joins(),
		wait(1),
		poll,
		every(5 * minute, 3),
	],
	'a registration that no count shows': [is({ lie: 'no counts' }), poll, joins(), every(quarter)],
	'somebody who joined when somebody else left, within a day': [
		was(),
		poll,
		every(hour, 2),
		is({ people: [] }),
		joins(),
		every(hour, 25),
	],
	'registrations of people whom the platform knew before, where only they have a time': [
		is({ showsTimes: false }),
		was(knownBefore(9)),
		poll,
		joins(knownBefore(8)),
		joins(),
		every(quarter, 2),
	],
	'registrations without any time, except those that the first look found': [
		is({ showsTimes: false }),
		was(untimed),
		poll,
		joins(untimed),
		every(quarter),
		joins(untimed),
		every(quarter, 2),
	],
	'registrations without any time, of a session that could not be read at first': [
		is({ showsTimes: false, failing: new Set([theirPeople]) }),
		was(untimed),
		poll,
		is({ failing: new Set() }),
		every(quarter),
		joins(untimed),
		every(quarter),
	],
	'registrations of a session whose id changes its letter case, and of which the filter has another':
		[
			is({ id: uuid, sessionId: uuid.toUpperCase() }),
			poll,
			...[undefined, 'upper case' as const, undefined, 'upper case' as const].flatMap((lie) => {
				return [is({ lie }), joins(), every(2 * minute)];
			}),
			is({ lie: undefined }),
		],
	'registrations while a session that is not listed any more, and a job, answer with errors': [
		is({ eventTypes: ['people.registered', 'job.ended'], jobIds: ['broken'] }),
		is({ others: [...many, 'hidden'] }),
		poll,
		is({ hidden: ['hidden'] }),
		is({ failing: new Set(['/sessions/hidden', '/jobs/broken']) }),
		joins(),
		every(quarter, 2),
	],
	'registrations of a session whose people cannot be read until long after its end': [
		is({ endedWithinDays: 0 }),
		poll,
		joins(),
		ends,
		is({ failing: new Set([theirPeople]) }),
		every(quarter, 3),
		is({ failing: new Set() }),
		every(quarter),
	],
	'more registrations than one run takes, of a session that is over': [
		is({ endedWithinDays: 0 }),
		poll,
		...Array.from({ length: mostAtOnce + 1 }, () => joins()),
		ends,
		every(minute, 2),
	],
	'registrations of a new session that nothing but the list of all sessions shows': [
		is({ id: 'first', others: many }),
		poll,
		every(quarter),
		is({ id: 's', others: ['first', ...many], hidden: ['s'] }),
		joins(),
		every(quarter, 97),
	],
	'nobody who joined sessions that a filter left out, where no time tells when': [
		is({ showsTimes: false, others: ['other'], sessionId: 'other' }),
		poll,
		wait(hour),
		was(),
		every(quarter),
		is({ sessionId: '' }),
		every(quarter),
		joins(),
		every(quarter),
	],
	'nobody who registered before that was asked for, among so many sessions that not all are listed each time':
		[
			is({ eventTypes: ['session.created'], others: many }),
			poll,
			every(quarter),
			was(),
			every(quarter, 2),
			is({ eventTypes: ['people.registered'] }),
			every(quarter),
			joins(),
			every(quarter),
		],
	'what happened since a Start From in a session that is over for long': [
		joins(),
		ends,
		wait(9 * day),
		activate(start - hour),
	],
	'nothing of what happened while the workflow was off, where no time tells of it': [
		is({ showsTimes: false }),
		was(untimed),
		poll,
		wait(hour),
		was(untimed),
		activate(),
	],
	'registrations in a session that is new, of people whom the platform knew before, where only they have a time':
		[
			is({ showsTimes: false, lie: 'no sessions' }),
			poll,
			wait(hour),
			is({ lie: undefined }),
			(polled) => (polled.session.created_at = polled.now),
			joins(knownBefore(4)),
			joins(knownBefore(8)),
			every(quarter, 2),
		],
};

for (const lie of [undefined, 'no counts'] as const) {
	const title = `a registration of somebody known before, where nobody was and no time shows it (${lie})`;
	cases[title] = [is({ lie, showsTimes: false }), poll, joins(knownBefore(8)), every(quarter)];
}

for (const oursAhead of [-hour, hour]) {
	const title = `everybody who registers after the activation, and nobody from before, with a clock that differs by ${oursAhead} s`;
	const before = [is({ oursAhead }), was(), wait(2 * minute), poll];
	cases[title] = [...before, joins(), every(quarter), joins(), every(quarter, 2)];
}

const sessionsThatMayNotBeListed: JsonObject[] = [
	{ status: 'live', started_at: start - 9 * day, estimated_started_at: start - 9 * day },
	{ status: 'upcoming', estimated_started_at: 0 },
	{ status: 'on_demand', estimated_started_at: start - 99 * day, ended_at: start - 98 * day },
];
for (const session of sessionsThatMayNotBeListed) {
	for (const knowsStatusFilter of [true, false]) {
		const title = `registrations for a session that is ${session.status as string}, among so many that not all are listed each time (filter of the status: ${knowsStatusFilter})`;
		const before = [is({ session, others: many, knowsStatusFilter }), poll, every(quarter)];
		cases[title] = [...before, joins(), every(quarter, 2), joins(), every(day), every(quarter)];
	}
}

for (const status of ['on_demand', 'live', 'upcoming']) {
	const session: JsonObject = {
		status,
		estimated_started_at: start - 9 * day,
		ended_at: start - 8 * day,
	};
	const title = `registrations for a session that is ${status} and has an end, which was long ago`;
	cases[title] = [
		is({ session }),
		was(),
		wait(minute),
		poll,
		joins(),
		every(quarter),
		joins(),
		every(9 * day),
	];
}

for (const oursAhead of [-hour, hour]) {
	const title = `nobody from before the activation, where our clock differs by ${oursAhead} s and the first list could not be read`;
	cases[title] = [
		is({ oursAhead, failing: new Set(['/sessions']) }),
		was(),
		wait(2 * minute),
		poll,
		joins(),
		wait(minute),
		poll,
		joins(),
		is({ failing: new Set() }),
		every(minute),
		joins(),
		every(minute),
	];
}

for (const lie of ['no sessions', 'no people'] as const) {
	for (const showsTimes of [true, false]) {
		const ago = start - 9 * hour;
		const before = { joinedAt: ago, registered_at: showsTimes ? ago : undefined, ...untimed };
		const more = showsTimes ? {} : untimed;
		cases[`registrations around a poll that is shown ${lie} (times: ${showsTimes})`] = [
			is({ showsTimes }),
			was(before),
			poll,
			joins(more),
			every(quarter),
			joins(more),
			is({ lie }),
			every(quarter),
			is({ lie: undefined }),
			every(quarter, 2),
		];
	}
}

const wrongClocks: Array<[oursAhead: number, dateAhead?: number]> = [
	[hour, hour],
	[hour],
	[-hour],
	[8 * minute],
	[0, 365 * day],
	[0, -365 * day],
];
for (const [oursAhead, dateAhead] of wrongClocks) {
	const right = is({ oursAhead: 0, dateAhead: dateAhead && 0 });
	const wrong = is({ oursAhead, dateAhead });
	for (const quiet of [0, 30 * minute]) {
		const title = `registrations around polls at which our clock was ${oursAhead} s ahead and the Date header ${dateAhead} s, ${quiet} s after the last`;
		const states = [wrong, wrong, wrong, right, wrong, right, right];
		cases[title] = [
			right,
			poll,
			joins(),
			every(minute),
			wait(quiet),
			...states.flatMap((state) => [state, joins(), every(minute)]),
		];
	}
}

const all = Object.entries(cases);
test.each(all)('nothing is missed and nothing comes twice: %s', async (_, steps) => {
	const polled = await after(...steps);
	expect([...polled.told].sort()).toEqual(registered(polled.expected).sort());
	await polled.every(hour, 50);
	expect(polled.told).toHaveLength(polled.expected.length);
});

test.each([true, false])(
	'attendance that becomes known step by step: everybody who came, and who stayed away when it has settled (counted: %s)',
	async (countsAttendees) => {
		const eventTypes = ['people.attended', 'people.not_attended'];
		const joined = Array.from({ length: 12 }, () => was());
		const polled = await after(is({ countsAttendees, eventTypes }), ...joined, poll, wait(hour));
		polled.session = { ...polled.session, status: 'past', ended_at: polled.now };
		for (const person of polled.people.slice(0, 10)) {
			expect(await polled.every(4 * minute, 2)).not.toContain('not_attended person-12');
			person.attended = true;
		}
		await polled.every(5 * minute, 6);
		const came = polled.people.slice(0, 10).map(({ id }) => `attended ${id}`);
		expect(polled.told).toEqual([...came, 'not_attended person-11', 'not_attended person-12']);
		expect(polled.requests).toEqual(['/sessions']);
		polled.session.updated_at = polled.now;
		expect(await polled.every(10 * minute, 3)).toEqual([]);
		expect(polled.requests).toEqual(['/sessions']);
		if (!countsAttendees) return;
		for (const person of polled.people) person.attended = true;
		expect(await polled.every(5 * minute)).toEqual(['attended person-11', 'attended person-12']);
	},
);

test.each([true, false])(
	'more than one run takes: the oldest first, the rest at the next poll, and none twice (times: %s)',
	async (showsTimes) => {
		const before = { registered_at: showsTimes ? 9 : undefined, created_at: 9, joinedAt: 9 };
		const polled = await after(is({ showsTimes }), was(before), poll);
		const ids: string[] = [];
		for (let person = 0; person < 2 * mostAtOnce + 7; person++) {
			if (person % 2 === 0) polled.now += 1;
			ids.push(polled.join());
		}
		polled.people.reverse();
		const counts: number[] = [];
		const froms: number[] = [];
		for (let poll = 0; poll < 4; poll++) {
			counts.push((await polled.every(minute)).length);
			froms.push(polled.sinces.at(-1) ?? 0);
			expect(polled.cursor?.hasMore).toBe(polled.told.length < ids.length);
		}
		expect(counts).toEqual([mostAtOnce, mostAtOnce, 7, 0]);
		// What was told is not read again, where its time tells which that is.
		expect((froms[1] ?? 0) > (froms[0] ?? 0)).toBe(showsTimes);
		expect(new Set(polled.told)).toEqual(new Set(registered(ids)));
	},
);

test.each([true, false])(
	'of people those are read who changed since ten minutes before the last look (times: %s)',
	async (showsTimes) => {
		const polled = await after(is({ showsTimes }), was(), poll, every(hour), was(), every(hour));
		expect(polled.requests).toEqual(['/sessions', theirPeople]);
		expect(polled.sinces).toEqual([undefined, showsTimes ? start : start + hour - 10 * minute]);
		polled.join();
		await polled.every(hour);
		expect(polled.sinces).toEqual([undefined, start + 2 * hour - 10 * minute]);
		await polled.every(minute);
		expect(polled.requests).toEqual(['/sessions']);
	},
);

test('5,000 registrations leave little behind two hours later, and a poll stays fast', async () => {
	const polled = await after(poll);
	for (let person = 0; person < 5_000; person++) {
		if (person % 25 === 0) polled.now += 3;
		polled.join();
		if (person % 1_000 === 999) await polled.poll();
	}
	await polled.every(15 * minute, 8);
	expect([new Set(polled.told).size, polled.told.length]).toEqual([5_000, 5_000]);
	expect(JSON.stringify(polled.cursor).length).toBeLessThan(60_000);
});

test('one request is all that a poll costs while nothing happens, and one a session after a day', async () => {
	const polled = await after(...Array.from({ length: 60 }, () => was()), poll);
	// Whether the platform tells when somebody registered is asked once.
	expect(polled.requests).toEqual(['/sessions', theirPeople]);
	await polled.every(quarter, 90);
	expect(polled.requests).toEqual(['/sessions']);
	await polled.every(quarter, 7);
	await polled.poll();
	expect(polled.cursor?.people.s).toMatchObject({ kind: 'read', readAt: start + day });
	expect(polled.requests).toEqual(['/sessions']);
});

test('after a day without news at most five sessions are read in one poll, the longest unread first', async () => {
	const others = [...Array.from({ length: 9 }, (_, index) => `empty-${index}`), ...'abcdef'];
	const polled = await after(is({ others }), was(), poll, wait(25 * hour));
	await polled.every(minute);
	const read = polled.requests;
	await polled.every(minute);
	expect([read.length, polled.requests.length]).toEqual([1 + 5, 1 + 2]);
	expect(new Set([...read, ...polled.requests]).size).toBe(1 + 7);
});

test('the end of a session costs nothing where attendance is not asked for, or it was before the activation', async () => {
	const polled = await after(was(), poll, wait(hour), ends, poll, every(quarter));
	expect(polled.requests).toEqual(['/sessions']);
	const before = [is({ eventTypes: ['people.attended'] }), was(), ends, wait(hour), poll];
	expect((await after(...before)).requests).toEqual(['/sessions']);
});

test('a session that is over is out of view once nobody is in it, although it could not be read', async () => {
	const polled = await after(
		is({ endedWithinDays: 0 }),
		was(),
		poll,
		joins(),
		is({ failing: new Set([theirPeople]) }),
		every(minute),
		is({ people: [], failing: new Set() }),
		ends,
	);
	await polled.every(quarter, 3);
	expect(polled.cursor?.open).toEqual([]);
});

test('the people of a session that is not shown any more are forgotten after a day', async () => {
	const polled = await after(was(), poll, is({ lie: 'no sessions' }), every(hour, 24));
	expect(polled.cursor?.people).toHaveProperty('s');
	await polled.every(hour);
	expect(polled.cursor?.people).not.toHaveProperty('s');
});

test('what happens to sessions and events is told once, and what was before only for a Start From', async () => {
	const eventTypes = ['session.created', 'session.started', 'event.created'];
	const createdAt = (id: string, created_at: number) => {
		return { type: 'events', id, attributes: { created_at } };
	};
	const session: JsonObject = { ...new Polled().session, created_at: start - 2 * hour };
	const events = [createdAt('before', start - 1)];
	const polled = await after(is({ eventTypes, session, events }), poll, wait(quarter));
	session.started_at = polled.now - 1;
	events.push(createdAt('soon', polled.now + day));
	await polled.every(minute);
	events.push(createdAt('since', polled.now));
	await polled.every(minute, 50);
	expect(polled.told).toEqual(['started s', 'created soon', 'created since']);
	expect(polled.requests).toEqual(['/sessions', '/events']);
	// Of events those are asked for that changed since ten minutes before the last poll.
	expect(polled.sinces).toEqual([undefined, polled.now - 11 * minute]);
});

test('another Start From begins anew: what has started a run before starts one again, and then none', async () => {
	const eventTypes = ['session.created', 'people.registered', 'job.ended'];
	const session: JsonObject = { ...new Polled().session, created_at: start - 2 * hour };
	const polled = await after(
		is({ eventTypes, session, jobIds: ['one'], jobs: { one: 'ended' } }),
		activate(start - 3 * hour),
		joins(),
		every(minute, 2),
	);
	expect(polled.told).toEqual(['created s', 'ended one', 'registered person-1']);
	expect(await polled.poll({ isNew: true, startFrom: start - 3 * hour })).toEqual([]);
	const again = await polled.poll({ isNew: true, startFrom: start - 4 * hour });
	expect(again).toEqual(['created s', 'registered person-1']);
	expect(await polled.every(minute, 50)).toEqual([]);
});

test('the creation of a session that only the list of all sessions shows is told once', async () => {
	const session = { ...new Polled().session };
	const polled = await after(is({ eventTypes: ['session.created'], session, others: many }), poll);
	Object.assign(polled, { id: 'new', hidden: ['new'], others: ['s', ...many] });
	session.created_at = polled.now + minute;
	await polled.every(quarter, 97);
	await polled.every(hour, 50);
	expect(polled.told.filter((one) => one === 'created new')).toHaveLength(1);
});

test('each named job is asked for until it has ended, and told once, whatever is activated again', async () => {
	const polled = await after(
		is({ eventTypes: ['job.ended', 'event.created'], jobIds: ['one', 'two', 'one', 'gone'] }),
		is({ jobs: { one: 'processing', two: 'ended' } }),
		is({ failing: new Set(['/jobs/gone']), cause: 'not_found' }),
		// From the activation on counts by the clock of the platform.
		is({ oursAhead: -minute }),
	);
	expect(await polled.poll()).toEqual(['ended two']);
	expect(polled.requests).toEqual(['/events', '/jobs/one', '/jobs/two', '/jobs/gone']);
	expect(polled.failures).toEqual([]);
	expect(await polled.every(minute, 2)).toEqual([]);
	expect(polled.requests).toEqual(['/events', '/jobs/one', '/jobs/gone']);
	polled.jobs.one = 'failed';
	expect(await polled.every(minute, 2)).toEqual(['ended one']);
	expect(await polled.poll({ isNew: true })).toEqual([]);
	expect(polled.requests).toEqual(['/events', '/jobs/gone']);
});

test.each<Cause>(['platform_error', 'not_found'])(
	'where the sessions cannot be read (%s), events are told of, and people when they can be',
	async (cause) => {
		const polled = await after(is({ eventTypes: ['people.registered', 'event.created'] }), poll);
		const created_at = polled.now + 1;
		polled.events = [{ type: 'events', id: 'e', attributes: { created_at } }];
		Object.assign(polled, { failing: new Set(['/sessions']), cause });
		polled.now += minute;
		polled.join();
		expect(await polled.poll()).toEqual(['created e']);
		for (let hours = 0; hours < 30; hours++) {
			polled.now += hour;
			await polled.poll();
			expect(polled.failures).toMatchObject([{ cause }]);
		}
		polled.failing.clear();
		expect(await polled.every(minute)).toEqual(['registered person-1']);
	},
);

test.each<[Cause, boolean]>([
	['platform_error', true],
	['forbidden', true],
	['unauthorized', false],
	['rate_limited', false],
])('a list that fails (%s) leaves the others to be told of: %s', async (cause, isOfOneList) => {
	const polled = await after(is({ eventTypes: ['people.registered', 'event.created'] }), poll);
	Object.assign(polled, { failing: new Set(['/events']), cause });
	polled.join();
	const news = polled.every(minute).catch((error: unknown) => (error as Failure).cause);
	expect(await news).toEqual(isOfOneList ? ['registered person-1'] : cause);
});
