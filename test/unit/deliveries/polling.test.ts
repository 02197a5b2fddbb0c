import type { Cursor } from '../../../nodes/EventPlatform/core/deliveries/cursor';
import { mostAtOnce, readNews } from '../../../nodes/EventPlatform/core/deliveries/polling';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import type { ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

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
	kinds = ['people.registered'];
	jobIds: string[] = [];
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
		const { jobIds, sessionId } = this;
		const filters = { jobIds, onlyWithFailures: false, sessionId, eventId: '' };
		const wanted = { kinds: this.kinds, filters, endedWithinDays: 1, isNew, startFrom };
		const api = (request: ApiRequest) => Promise.resolve(this.answer(request));
		const clock = () => (this.now + this.oursAhead) * 1_000;
		this.requests = [];
		this.sinces = [];
		const poll = await readNews(api, stored, wanted, clock);
		this.cursor = poll.next;
		this.failures = poll.failures;
		const news = poll.news.map(({ kind, record }) => `${kind.split('.')[1]} ${record.id}`);
		this.told.push(...news);
		return news;
	}

	async every(seconds: number, polls: number): Promise<string[]> {
		const before = this.told.length;
		for (let count = 0; count < polls; count++) {
			this.now += seconds;
			await this.poll();
		}
		return this.told.slice(before);
	}

	private answer({ path, query = {} }: ApiRequest) {
		this.requests.push(path);
		const updatedSince = query['filter[updated_since]'];
		this.sinces.push(updatedSince === undefined ? undefined : Number(updatedSince));
		if (this.failing.has(path)) throw new Failure(this.cause, { method: 'GET', path });
		const date = new Date((this.now + (this.dateAhead ?? 0)) * 1_000).toUTCString();
		const headers: Record<string, string> = this.dateAhead === undefined ? {} : { date };
		const every = [this.record(), ...this.others.map((id) => ({ ...this.record(), id }))];
		const sessions = this.lie === 'no sessions' ? [] : every;
		const from = Number(query['filter[date_from]'] ?? 0);
		const since = 'filter[updated_since]' in query ? Number(updatedSince) : 0;
		const one = /^\/sessions\/([\w-]+)$/.exec(path)?.[1];
		if (one) {
			const data = every.find(({ id }) => id.toLowerCase() === one.toLowerCase());
			return { status: 200, headers, body: { data } };
		}
		if (path.startsWith('/jobs/')) {
			const id = path.slice('/jobs/'.length);
			const job = { type: 'jobs', id, attributes: { status: this.jobs[id] ?? null } };
			return { status: 200, headers, body: id in this.jobs ? job : {} };
		}
		if (path === '/events') return { status: 200, headers, body: { data: this.events } };
		const all =
			path === '/sessions'
				? sessions.filter(
						({ id, attributes }) =>
							Number(attributes.estimated_started_at) >= from &&
							!(from && this.hidden.includes(id)),
					)
				: path.toLowerCase() === `/sessions/${this.id}/people`
					? this.people.filter(
							({ joinedAt }) => joinedAt >= since && this.now - joinedAt >= this.lag,
						)
					: [];
		const size = Number(query['page[size]'] ?? 50);
		const page = Number(query['page[number]'] ?? 0);
		const page_count = Math.ceil(all.length / size);
		const shown = all.slice(page * size, (page + 1) * size);
		const data = shown.map((one) => ('joinedAt' in one ? personRecord(one) : one));
		return { status: 200, headers, body: { data, meta: { page_count, current_page: page } } };
	}

	private record() {
		const attendees_count = this.people.filter(({ attended }) => attended).length;
		const registrants_count = this.lie === 'no people' ? 0 : this.people.length;
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
const activate =
	(startFrom?: number): Step =>
	(polled) =>
		polled.poll({ isNew: true, startFrom });
const every =
	(seconds: number, polls = 1): Step =>
	(polled) =>
		polled.every(seconds, polls);
const wait =
	(seconds: number): Step =>
	(polled) =>
		(polled.now += seconds);
const is =
	(state: Partial<Polled>): Step =>
	(polled) =>
		Object.assign(polled, state);
const was =
	(more: Partial<Person> = {}): Step =>
	(polled) =>
		polled.join(more);
const joins =
	(more: Partial<Person> = {}): Step =>
	(polled) => {
		polled.now += 1;
		polled.expected.push(polled.join(more));
	};

const quarter = 15 * minute;
const untimed = { created_at: undefined };
const knownBefore = (days: number) => ({ created_at: start - days * day });
const many = Array.from({ length: 120 }, (_, index) => `other-${index}`);
const uuid = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';

const cases: Array<[string, Step[]]> = [
	[
		'a registration that the count shows minutes before the list does',
		[
			is({ lag: 9 * minute }),
			poll,
			wait(quarter - 2),
			joins(),
			wait(1),
			poll,
			every(5 * minute, 3),
		],
	],
	...[-hour, hour].map((oursAhead): (typeof cases)[number] => [
		`everybody who registers after the activation, and nobody from before, with a clock that differs by ${oursAhead} s`,
		[
			...[is({ oursAhead }), was(), wait(2 * minute), poll],
			...[joins(), every(quarter), joins(), every(quarter, 2)],
		],
	]),
	['a registration that no count shows', [is({ lie: 'no counts' }), poll, joins(), every(quarter)]],
	[
		'somebody who joined when somebody else left, within a day',
		[was(), poll, every(hour, 2), is({ people: [] }), joins(), every(hour, 25)],
	],
	[
		'registrations of people whom the platform knew before, where only they have a time',
		[
			...[is({ showsTimes: false }), was(knownBefore(9)), poll],
			...[joins(knownBefore(8)), joins(), every(quarter, 2)],
		],
	],
	[
		'registrations without any time, except those that the first look found',
		[
			...[is({ showsTimes: false }), was(untimed), poll],
			...[joins(untimed), every(quarter), joins(untimed), every(quarter, 2)],
		],
	],
	...[
		`{ "status": "live", "started_at": ${start - 9 * day}, "estimated_started_at": ${start - 9 * day} }`,
		'{ "status": "upcoming", "estimated_started_at": 0 }',
		`{ "status": "on_demand", "estimated_started_at": ${start - 99 * day} }`,
	].map((session): (typeof cases)[number] => [
		`registrations for a session like ${session}, among so many that not all are listed each time`,
		[
			is({ session: JSON.parse(session) as JsonObject, others: many }),
			...[poll, every(quarter), joins(), every(quarter, 2)],
		],
	]),
	...(['no sessions', 'no people'] as const).flatMap((lie) =>
		[true, false].map((showsTimes): (typeof cases)[number] => {
			const ago = start - 9 * hour;
			const before = { joinedAt: ago, registered_at: showsTimes ? ago : undefined, ...untimed };
			const more = showsTimes ? {} : untimed;
			return [
				`registrations around a poll that is shown ${lie} (times: ${showsTimes})`,
				[
					...[is({ showsTimes }), was(before), poll, joins(more), every(quarter), joins(more)],
					...[is({ lie }), every(quarter), is({ lie: undefined }), every(quarter, 2)],
				],
			];
		}),
	),
	[
		'registrations of a session whose id changes its letter case, and of which the filter has another',
		[
			...[is({ id: uuid, sessionId: uuid.toUpperCase() }), poll],
			...[undefined, 'upper case' as const, undefined, 'upper case' as const].flatMap((lie) => {
				return [is({ lie }), joins(), every(2 * minute)];
			}),
			is({ lie: undefined }),
		],
	],
	[
		'registrations while a session that is not listed any more, and a job, answer with errors',
		[
			is({ kinds: ['people.registered', 'job.ended'], jobIds: ['broken'] }),
			...[is({ others: [...many, 'hidden'] }), poll, is({ hidden: ['hidden'] })],
			is({ failing: new Set(['/sessions/hidden', '/jobs/broken']) }),
			...[joins(), every(quarter, 2)],
		],
	],
	[
		'registrations after both clocks were an hour ahead, and were set right',
		[
			...[is({ oursAhead: hour, dateAhead: hour }), poll, every(quarter)],
			...[is({ oursAhead: 0, dateAhead: 0 }), every(quarter), joins(), every(quarter)],
		],
	],
	...(
		[
			[hour, hour],
			[hour, undefined],
			[-hour, undefined],
			[8 * minute, undefined],
			[0, 365 * day],
			[0, -365 * day],
		] as const
	).flatMap(([ours, date]) =>
		[0, 30 * minute].map((quiet): (typeof cases)[number] => {
			const right = is({ oursAhead: 0, dateAhead: date && 0 });
			const wrong = is({ oursAhead: ours, dateAhead: date });
			const states = [wrong, wrong, wrong, right, wrong, right, right];
			return [
				`registrations around polls at which our clock was ${ours} s ahead and the Date header ${date} s, ${quiet} s after the last`,
				[
					...[right, poll, joins(), every(minute), wait(quiet)],
					...states.flatMap((state) => [state, joins(), every(minute)]),
				],
			];
		}),
	),
	[
		'nothing of what happened while the workflow was off, where no time tells of it',
		[is({ showsTimes: false }), was(untimed), poll, wait(hour), was(untimed), activate()],
	],
	[
		'registrations in a session that is new, of people whom the platform knew before, where only they have a time',
		[
			...[is({ showsTimes: false, lie: 'no sessions' }), poll, wait(hour), is({ lie: undefined })],
			(polled) => (polled.session.created_at = polled.now),
			...[joins(knownBefore(4)), joins(knownBefore(8)), every(quarter, 2)],
		],
	],
	[
		'what happened while the workflow was off, since a Start From that is another one than before',
		[
			...[activate(start - hour), joins(), every(quarter, 3), wait(hour), joins()],
			...[is({ failing: new Set(['/sessions/s/people']) }), every(quarter)],
			...[is({ failing: new Set() }), wait(hour), activate(start - 2 * hour)],
			activate(start - 3 * hour),
		],
	],
];

test.each(cases)('nothing is missed and nothing comes twice: %s', async (_, steps) => {
	const polled = new Polled();
	for (const step of steps) await step(polled);
	expect([...polled.told].sort()).toEqual(registered(polled.expected).sort());
	await polled.every(hour, 50);
	expect(polled.told).toHaveLength(polled.expected.length);
});

test.each([true, false])(
	'attendance that becomes known step by step: everybody who came, and who stayed away when it has settled (counted: %s)',
	async (countsAttendees) => {
		const polled = new Polled();
		polled.countsAttendees = countsAttendees;
		polled.kinds = ['people.attended', 'people.not_attended'];
		for (let person = 0; person < 12; person++) polled.join();
		await polled.poll();
		polled.now += hour;
		polled.session = { ...polled.session, status: 'past', ended_at: polled.now };
		for (const person of polled.people.slice(0, 10)) {
			expect(await polled.every(4 * minute, 2)).not.toContain('not_attended person-12');
			person.attended = true;
		}
		await polled.every(5 * minute, 6);
		const came = polled.people.slice(0, 10).map(({ id }) => `attended ${id}`);
		const stayedAway = [11, 12].map((person) => `not_attended person-${person}`);
		expect(polled.told).toEqual([...came, ...stayedAway]);
		expect(polled.requests).toEqual(['/sessions']);
		if (!countsAttendees) return;
		for (const person of polled.people) person.attended = true;
		await polled.every(5 * minute, 1);
		expect(polled.told.slice(12)).toEqual(['attended person-11', 'attended person-12']);
	},
);

test.each([true, false])(
	'more than one run takes: the oldest first, the rest at the next poll, and none twice (times: %s)',
	async (showsTimes) => {
		const polled = new Polled();
		polled.showsTimes = showsTimes;
		polled.join({ registered_at: showsTimes ? 9 : undefined, created_at: 9, joinedAt: 9 });
		await polled.poll();
		const ids: string[] = [];
		for (let person = 0; person < 2 * mostAtOnce + 7; person++) {
			if (person % 2 === 0) polled.now += 1;
			ids.push(polled.join());
		}
		polled.people.reverse();
		const counts: number[] = [];
		const froms: number[] = [];
		for (let poll = 0; poll < 4; poll++) {
			polled.now += minute;
			counts.push((await polled.poll()).length);
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
		const polled = new Polled();
		polled.showsTimes = showsTimes;
		polled.join();
		await polled.poll();
		await polled.every(hour, 1);
		polled.join();
		await polled.every(hour, 1);
		expect(polled.requests).toEqual(['/sessions', '/sessions/s/people']);
		expect(polled.sinces).toEqual([undefined, start]);
		polled.join();
		await polled.every(hour, 1);
		expect(polled.sinces).toEqual([undefined, start + 2 * hour - 10 * minute]);
	},
);

test('5,000 registrations leave little behind two hours later, and a poll stays fast', async () => {
	const polled = new Polled();
	await polled.poll();
	for (let person = 0; person < 5_000; person++) {
		if (person % 25 === 0) polled.now += 3;
		polled.join();
		if (person % 1_000 === 999) await polled.poll();
	}
	await polled.every(15 * minute, 8);
	expect(new Set(polled.told).size).toBe(5_000);
	expect(polled.told).toHaveLength(5_000);
	expect(JSON.stringify(polled.cursor).length).toBeLessThan(60_000);
});

test('one request is all that a poll costs while nothing happens, and one a session after a day', async () => {
	const polled = new Polled();
	for (let person = 0; person < 60; person++) polled.join();
	await polled.poll();
	// Whether the platform tells when somebody registered is asked once.
	expect(polled.requests).toEqual(['/sessions', '/sessions/s/people']);
	await polled.every(15 * minute, 90);
	expect(polled.requests).toEqual(['/sessions']);
	await polled.every(15 * minute, 7);
	await polled.poll();
	expect(polled.cursor?.lists['/sessions/s/people']?.readAt).toBe(start + day);
	expect(polled.requests).toEqual(['/sessions']);
});

test('after a day without news at most five sessions are read in one poll, the longest unread first', async () => {
	const polled = new Polled();
	polled.others = ['a', 'b', 'c', 'd', 'e', 'f'];
	polled.join();
	await polled.poll();
	polled.now += 25 * hour;
	await polled.poll();
	const first = polled.requests.filter((path) => path.endsWith('/people'));
	polled.now += minute;
	await polled.poll();
	const second = polled.requests.filter((path) => path.endsWith('/people'));
	expect([first.length, second.length]).toEqual([5, 2]);
	expect(new Set([...first, ...second]).size).toBe(7);
});

test('the end of a session costs nothing where attendance is not asked for', async () => {
	const polled = new Polled();
	polled.join();
	await polled.poll();
	polled.session = { ...polled.session, status: 'past', started_at: start, ended_at: start + hour };
	polled.now = start + hour;
	await polled.poll();
	await polled.every(15 * minute, 1);
	expect(polled.requests).toEqual(['/sessions']);
});

test('the people of a session that is not shown any more are forgotten after a day', async () => {
	const polled = new Polled();
	polled.join();
	await polled.poll();
	polled.lie = 'no sessions';
	await polled.every(hour, 24);
	expect(polled.cursor?.lists).toHaveProperty(['/sessions/s/people']);
	await polled.every(hour, 1);
	expect(polled.cursor?.lists).not.toHaveProperty(['/sessions/s/people']);
});

test('what happens to sessions and events is told once, and what was before only for a Start From', async () => {
	const polled = new Polled();
	polled.kinds = ['session.created', 'session.started', 'event.created'];
	const createdAt = (id: string, created_at: number) => ({
		...{ type: 'events', id },
		attributes: { created_at },
	});
	polled.session.created_at = start - 2 * hour;
	polled.events = [createdAt('before', start - 1)];
	await polled.poll();
	polled.now += 15 * minute;
	polled.session.started_at = polled.now - 1;
	polled.events.push(createdAt('since', polled.now));
	await polled.every(minute, 50);
	expect(polled.told).toEqual(['started s', 'created since']);
	expect(polled.requests).toEqual(['/sessions', '/events']);
	expect(polled.sinces).toEqual([undefined, polled.now - 11 * minute]);
	expect(await polled.poll({ isNew: true, startFrom: start - 3 * hour })).toEqual([
		'created s',
		'created before',
	]);
	expect(await polled.every(minute, 50)).toEqual([]);
});

test('each named job is asked for until it has ended, and told once, whatever is activated again', async () => {
	const polled = new Polled();
	polled.kinds = ['job.ended', 'event.created'];
	// From the activation on counts by the clock of the platform.
	polled.oursAhead = -minute;
	polled.jobIds = ['one', 'two', 'one', 'gone'];
	polled.jobs = { one: 'processing', two: 'ended' };
	polled.failing.add('/jobs/gone');
	polled.cause = 'not_found';
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

test.each<[Cause, boolean]>([
	['platform_error', true],
	['forbidden', true],
	['unauthorized', false],
	['rate_limited', false],
])('a list that fails (%s) leaves the others to be told of: %s', async (cause, isOfOneList) => {
	const polled = new Polled();
	polled.kinds = ['people.registered', 'event.created'];
	await polled.poll();
	polled.failing.add('/events');
	polled.cause = cause;
	polled.now += minute;
	polled.join();
	const poll = polled.poll().catch((error: unknown) => (error as Failure).reason);
	expect(await poll).toEqual(isOfOneList ? ['registered person-1'] : cause);
});
