import type { IDataObject } from 'n8n-workflow';
import { DrawnPlatform } from '../support/n8n/drawnPlatform';
import { VirtualPolling, VirtualTime } from '../support/n8n/virtualPolling';
import { pageOf } from '../support/platform/fakePlatform';
import { hourSeconds, minuteMs } from '../support/time/units';

/*
 * Random worlds of sessions that are planned, moved, renamed, canceled and reopened, while requests fail, n8n restarts, the clocks differ, and
 * ours is set back.
 * A start is told once for each lead time, never early and never late, and a change within two hours.
 */

const time = new VirtualTime();

interface Planned {
	id: string;
	startsAt: number;
	name: string;
	isCanceled: boolean;
	createdAt: number;
	/** Since when it has been as it is. */
	sinceAt: number;
	/** Since when it has this start, and is not canceled. */
	plannedSinceAt: number;
	isChanged: boolean;
}

class PlannedWorld extends DrawnPlatform {
	readonly sessions: Planned[] = [];
	readonly leads: number[];
	readonly pollMinutes: number;
	readonly tellsChanges: boolean;
	readonly restarts: number;
	readonly changesPerMinute: number;
	readonly faultsOfWorld: number;
	/** Ours is set back by so many minutes in the middle. */
	readonly setBackMinutes: number;
	private readonly knowsFilters: boolean;
	private readonly beganAtMs = Date.now();

	constructor(seed: number) {
		super(seed);
		const lengths = [5, 15, 30, 60, 180, 720, 1_440, 2_880];
		this.leads = [...new Set(Array.from({ length: this.count(1, 3) }, () => this.pick(lengths)))];
		this.pollMinutes = this.pick([1, 5, 5, 15]);
		this.tellsChanges = this.chance(0.5);
		this.restarts = this.pick([0, 0, 0.002, 0.02]);
		this.changesPerMinute = this.pick([0.002, 0.01, 0.05]);
		this.faultsOfWorld = this.pick([0, 0, 0.05]);
		this.clockAheadMs = this.pick([0, 0, 20, -20]) * minuteMs;
		this.knowsFilters = this.chance(0.7);
		// What is polled less often sees only a part of it.
		this.setBackMinutes = this.pollMinutes < 15 ? this.pick([0, 0, 10, 25, 50]) : 0;
		const sessions = this.pick([2, 8, 30]);
		for (let nth = 0; nth < sessions; nth++) this.plan(this.count(10, 2_880) * 60);
	}

	setClockBack(): void {
		time.pass(-this.setBackMinutes * minuteMs);
		this.clockAheadMs += this.setBackMinutes * minuteMs;
	}

	happen(): void {
		const toCome = this.sessions.filter(({ startsAt }) => startsAt > this.now);
		if (toCome.length === 0 || this.chance(0.3)) return this.plan(this.count(60, 2_880) * 60);
		const session = this.pick(toCome);
		const change = this.pick(['move', 'rename', 'cancel', 'reopen'] as const);
		if (change === 'move' && !session.isCanceled) {
			session.startsAt = this.minute(this.count(15, 2_880) * 60);
			session.plannedSinceAt = this.now;
		} else if (change === 'rename') {
			session.name = `${session.id} ${this.now}`;
		} else if (change === 'cancel' && !session.isCanceled) {
			session.isCanceled = true;
		} else if (change === 'reopen' && session.isCanceled) {
			session.isCanceled = false;
			session.plannedSinceAt = this.now;
		} else return;
		session.sinceAt = this.now;
		session.isChanged = true;
	}

	protected read(path: string, query: URLSearchParams) {
		const id = path.split('/')[3];
		if (id === undefined) {
			const from = this.knowsFilters ? Number(query.get('filter[date_from]') ?? 0) : 0;
			const until = this.knowsFilters ? Number(query.get('filter[date_to]') ?? Infinity) : Infinity;
			const listed = this.sessions.filter(({ startsAt }) => startsAt >= from && startsAt <= until);
			return this.shown(200, pageOf(listed.map(recordOf), query));
		}
		const session = this.sessions.find((each) => each.id === id);
		return session ? this.shown(200, { data: recordOf(session) }) : this.shown(404, {});
	}

	private shown(status: number, body: unknown) {
		return this.response(status, body, {
			'ratelimit-monthly-limit': '10000',
			'ratelimit-monthly-remaining': String(10_000 - this.requests),
			'ratelimit-reset': String(Math.floor(this.beganAtMs / 1_000) + 30 * 24 * hourSeconds),
		});
	}

	private plan(inSeconds: number): void {
		const id = `s${this.sessions.length}`;
		const { now } = this;
		const startsAt = this.minute(inSeconds);
		const times = { createdAt: now, sinceAt: now, plannedSinceAt: now };
		this.sessions.push({ id, startsAt, name: id, isCanceled: false, isChanged: false, ...times });
	}

	private minute(inSeconds: number): number {
		return Math.floor((this.now + inSeconds) / 60) * 60;
	}
}

function recordOf({ id, startsAt, name, isCanceled, createdAt, sinceAt }: Planned) {
	const attributes = {
		event_id: 'ev',
		name,
		status: isCanceled ? 'canceled' : 'upcoming',
		created_at: createdAt,
		updated_at: sinceAt,
		estimated_started_at: startsAt,
		started_at: 0,
		ended_at: 0,
		canceled_at: isCanceled ? sinceAt : 0,
		registrants_count: 0,
	};
	return { id, type: 'sessions', attributes };
}

const secondsOf = (text: unknown) => Date.parse(String(text)) / 1_000;

/** What a trigger has told of a world. */
class Told {
	/** The lead times in minutes that were told, by session and planned start. */
	private readonly starts = new Map<string, Set<number>>();
	/** The last name and start of each session that a change has told. */
	private readonly changes = new Map<string, { name: unknown; startsAt: number }>();

	constructor(private readonly world: PlannedWorld) {}

	hear(items: readonly IDataObject[]): void {
		for (const item of items) {
			const session = this.world.sessions.find((each) => each.id === item.id);
			const id = item.id as string;
			const startsAt = secondsOf(item.starts_at);
			expect(session).toMatchObject({ startsAt });
			if (item.event === 'session.changed') {
				this.changes.set(id, { name: item.name, startsAt });
				continue;
			}
			const key = `${id} ${startsAt}`;
			const leads = this.starts.get(key) ?? new Set();
			const lead = Number(item.lead_minutes);
			expect([key, lead, leads.has(lead)]).toEqual([key, lead, false]);
			expect(session?.isCanceled).toBe(false);
			expect(this.world.now).toBeGreaterThanOrEqual(startsAt - lead * 60);
			expect(this.world.now).toBeLessThan(startsAt);
			this.starts.set(key, leads.add(lead));
		}
	}

	/** The sessions that have started, and of which a lead time was not told, nor a shorter one that has taken its place. */
	missing(beganAt: number): string[] {
		const { sessions, leads, now, pollMinutes } = this.world;
		return sessions.flatMap(({ id, startsAt, isCanceled, plannedSinceAt }) => {
			const told = this.starts.get(`${id} ${startsAt}`) ?? new Set();
			const due = leads.filter((lead) => {
				const dueAt = startsAt - lead * 60;
				// What is planned later than the list before its moment may be late, and polls may be longer apart than the lead time.
				const isKnown = dueAt > Math.max(beganAt, plannedSinceAt + 66 * 60);
				return isKnown && lead > pollMinutes && startsAt < now && !isCanceled;
			});
			const lost = due.filter((lead) => ![...told].some((each) => each <= lead));
			return lost.map((lead) => `${id}, ${lead} minutes`);
		});
	}

	/** The sessions whose last change was not told. */
	unknownChanges(): string[] {
		const { sessions, now } = this.world;
		const lately = sessions.filter(
			({ isChanged, sinceAt, createdAt, startsAt }) =>
				isChanged &&
				startsAt > now &&
				sinceAt < now - 2 * hourSeconds &&
				sinceAt > createdAt + 2 * hourSeconds,
		);
		return lately.flatMap(({ id, name, startsAt }) => {
			const told = this.changes.get(id);
			return told?.name === name && told.startsAt === startsAt ? [] : id;
		});
	}
}

const worlds = Array.from({ length: 20 }, (_, nth) => nth + 1);

test.each(worlds)('in world %i starts and changes are told as they should be', async (seed) => {
	const world = new PlannedWorld(seed);
	const events = ['session.starting', ...(world.tellsChanges ? ['session.changed'] : [])];
	const lead = world.leads.map((amount) => ({ amount, unit: 'minutes' }));
	const trigger = new VirtualPolling({ events, leadTimes: { lead } }, world.answer);
	const told = new Told(world);
	told.hear(await trigger.poll(true));
	const beganAt = world.now;
	world.faults = world.faultsOfWorld;
	const polls = (30 * 60) / world.pollMinutes;
	for (let poll = 0; poll < polls; poll++) {
		time.pass(world.pollMinutes * minuteMs);
		if (poll === Math.floor(polls / 2)) world.setClockBack();
		for (let minute = 0; minute < world.pollMinutes; minute++)
			if (world.chance(world.changesPerMinute)) world.happen();
		told.hear(await trigger.poll());
		if (world.chance(world.restarts)) told.hear(await trigger.restart());
	}
	world.faults = 0;
	for (let poll = 0; poll < 26; poll++) {
		time.pass(5 * minuteMs);
		told.hear(await trigger.poll());
	}
	expect(told.missing(beganAt)).toEqual([]);
	if (world.tellsChanges && world.restarts === 0) expect(told.unknownChanges()).toEqual([]);
	// A third of the month, and half a day for a new trigger.
	expect(world.requests).toBeLessThan(2 * 134 + 54);
});
