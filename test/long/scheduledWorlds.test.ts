import type { IDataObject } from 'n8n-workflow';
import { DrawnPlatform, requestsOfMonth, seedsOfWorlds } from '../support/n8n/drawnPlatform';
import { VirtualPolling, VirtualTime } from '../support/n8n/virtualPolling';
import { daySeconds, hourSeconds, minuteMs } from '../support/time/units';

/*
 * Random worlds of sessions that are planned, moved, renamed, canceled, reopened and deleted, while requests fail, n8n restarts or is off,
 * the month is spent, the clocks differ, and ours is set.
 * A start is told once for each lead time, never early and never late, and a change within the hour. Lists keep to a third of the month.
 */

const time = new VirtualTime();

interface Plan {
	startsAt: number;
	name: string;
	isCanceled: boolean;
}

interface Planned extends Plan {
	id: string;
	createdAt: number;
	/** Since when it has been as it is. */
	sinceAt: number;
	/** Since when it has this start, and is not canceled. */
	plannedSinceAt: number;
	isDeleted: boolean;
	/** All that it has been, the latest last. */
	history: Array<Plan & { sinceAt: number }>;
}

class PlannedWorld extends DrawnPlatform {
	readonly sessions: Planned[] = [];
	readonly leads: number[];
	readonly events: string[];
	readonly pollMinutes: number;
	/** How many starts of n8n there are in an hour, and how many times of trouble. */
	readonly restarts: number;
	readonly troubles: number;
	readonly changesPerMinute: number;
	readonly faultsOfWorld: number;
	readonly hasFewRequests: boolean;
	/** Ours is set ahead by so many minutes in the middle. */
	readonly setMinutes: number;
	readonly hours: number;
	/** Requests of lists, and of sessions alone. */
	listRequests = 0;
	/** Where filters are refused, a list of one page costs the refusals as well. */
	readonly requestsPerList: number;
	private readonly plansInstantly: boolean;
	private outageUntil = 0;
	private spentUntil = 0;

	constructor(seed: number) {
		super(seed, time);
		const lengths = [5, 10, 15, 30, 60, 180, 720, 1_440, 2_880];
		this.requestsPerList = this.filters === 'refused' ? 3 : 1;
		this.leads = [...new Set(Array.from({ length: this.count(1, 3) }, () => this.pick(lengths)))];
		this.events = this.pick([
			['session.starting'],
			['session.starting'],
			['session.changed'],
			['session.starting', 'session.changed'],
			['session.starting', 'session.changed', 'session.created'],
		]);
		this.pollMinutes = this.pick([1, 5, 5, 15]);
		this.restarts = this.pick([0, 0, 0.02, 0.2]);
		this.troubles = this.pick([0, 0, 0.04]);
		this.changesPerMinute = this.pick([0.002, 0.01, 0.05]);
		this.faultsOfWorld = this.pick([0, 0, 0.05, 0.1]);
		this.hasFewRequests = this.chance(0.2);
		if (this.hasFewRequests) this.requestsLeft = 100;
		// What is polled less often sees only a part of it.
		this.setMinutes = this.pollMinutes < 15 ? this.pick([0, 0, 0, -10, -25, -50, -300, 300]) : 0;
		this.hours = this.pick([30, 30, 54]);
		this.plansInstantly = this.chance(0.5);
		const sessions = this.pick([2, 8, 30, 60]);
		for (let nth = 0; nth < sessions; nth++) this.plan(this.count(10, this.hours * 60));
	}

	/** Our clock is set. Where few requests are left, nothing tells before the next list that it is ahead. */
	setClock(): Gap[] {
		this.setOurClock(this.setMinutes * minuteMs);
		return this.hasFewRequests && this.setMinutes > 0 ? [{ fromAt: this.now, toAt: this.now }] : [];
	}

	happen(): void {
		const toCome = this.sessions.filter(
			({ startsAt, isDeleted }) => startsAt > this.now && !isDeleted,
		);
		if (toCome.length === 0 || this.chance(0.3))
			return this.plan(this.plansInstantly ? this.count(5, 40) : this.count(60, 2_880));
		const session = this.pick(toCome);
		const change = this.pick(['move', 'move', 'rename', 'cancel', 'reopen', 'delete'] as const);
		if (change === 'move' && !session.isCanceled) {
			session.startsAt = this.minute(this.count(15, 2_880));
			session.plannedSinceAt = this.now;
		} else if (change === 'rename') {
			session.name = `${session.id} ${this.requests} ${this.now}`;
		} else if (change === 'cancel' && !session.isCanceled) {
			session.isCanceled = true;
		} else if (change === 'reopen' && session.isCanceled) {
			session.isCanceled = false;
			session.plannedSinceAt = this.now;
		} else if (change === 'delete' && this.chance(0.3)) {
			session.isDeleted = true;
		} else return;
		session.sinceAt = this.now;
		session.history.push(planNow(session));
	}

	/** Lets n8n start again, be off for hours, or read nothing for hours, because the platform does not answer or the month is spent. */
	meetTrouble(): (Gap & { needsRestart: boolean }) | undefined {
		const { now: fromAt } = this;
		const hours = this.pollMinutes / 60;
		this.faults = fromAt < this.outageUntil ? 1 : this.faultsOfWorld;
		if (this.requestsLeft === 0 && this.spentUntil <= fromAt) {
			this.spentUntil = this.monthReturnsAt;
			return { fromAt, toAt: this.spentUntil, needsRestart: false };
		}
		const isRestart = this.chance(this.restarts * hours);
		if (isRestart) return { fromAt, toAt: fromAt, needsRestart: true };
		if (!this.chance(this.troubles * hours)) return undefined;
		const lasts = this.count(1, 6) * hourSeconds;
		const kind = this.pick(['off', 'outage', 'spent'] as const);
		if (kind === 'off') time.pass(lasts * 1_000);
		else if (kind === 'outage') this.outageUntil = fromAt + lasts;
		else {
			this.requestsLeft = 0;
			this.monthReturnsAt = this.spentUntil = fromAt + lasts;
		}
		return { fromAt, toAt: fromAt + lasts, needsRestart: kind === 'off' };
	}

	protected read(path: string, query: URLSearchParams) {
		const id = path.split('/')[3];
		const there = this.sessions.filter(({ isDeleted }) => !isDeleted);
		if (id === undefined) {
			this.listRequests++;
			return this.list(there.map(recordOf), query, {
				date_from: ({ attributes }, value) => attributes.estimated_started_at >= Number(value),
				date_to: ({ attributes }, value) => attributes.estimated_started_at <= Number(value),
			});
		}
		const session = there.find((each) => each.id === id);
		return session ? this.response(200, { data: recordOf(session) }) : this.response(404, {});
	}

	private plan(inMinutes: number): void {
		const { now } = this;
		const id = `s${this.sessions.length}`;
		const plan = { startsAt: this.minute(inMinutes), name: id, isCanceled: false };
		const times = { createdAt: now, sinceAt: now, plannedSinceAt: now };
		const history = [{ ...plan, sinceAt: now }];
		this.sessions.push({ id, ...plan, ...times, isDeleted: false, history });
	}

	private minute(inMinutes: number): number {
		return Math.floor(this.now / 60 + inMinutes) * 60;
	}
}

function planNow({ startsAt, name, isCanceled, sinceAt }: Planned) {
	return { startsAt, name, isCanceled, sinceAt };
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
const isSame = (first: Plan, second: Plan) =>
	first.startsAt === second.startsAt &&
	first.name === second.name &&
	first.isCanceled === second.isCanceled;

interface Gap {
	fromAt: number;
	toAt: number;
}

/**
 * What a trigger has told of a world. What it need not tell, and why (docs/triggers.md and docs/limits.md):
 *
 *   a lead time whose moment had passed when the session was made    "starts no run"
 *   one that was told of the former start, if the new moment passed  "not told again"
 *   a longer one where a shorter one was told                        "of several lead times only the shortest starts one"
 *   a start of which no list was due in time                         "may be announced late, and not at all"
 *   a change around a start of n8n                                   "within the hour before may be missed"
 *   one that is not listed within the hour                           "with about four requests a day if few of the month's requests are left"
 *   one that is due before a list has shown that our clock is ahead  "with about four requests a day if few of the month's requests are left"
 *   requests for starts beyond the third                             "announced also when the third is used up"
 */
class Told {
	/** By session and planned start, the lead times in minutes that were told, and when. */
	private readonly starts = new Map<string, Map<number, Map<number, number>>>();
	/** What the last change of each session has told. */
	private readonly changes = new Map<string, Plan>();
	private readonly createdIds = new Set<string>();
	/** When n8n was started again, or the platform could be read again, and since when it could not. */
	readonly gaps: Gap[] = [];
	private beganAt = 0;

	constructor(private readonly world: PlannedWorld) {}

	hear(items: readonly IDataObject[]): void {
		this.beganAt ||= this.world.now;
		for (const item of items) {
			const session = this.world.sessions.find(({ id }) => id === item.id);
			if (session === undefined) throw new Error(`There is no session ${item.id as string}`);
			expect({ ...session, heardOf: item.event }).toMatchObject({
				name: item.name,
				startsAt: secondsOf(item.starts_at ?? item.estimated_started_at),
				isDeleted: false,
			});
			if (item.event === 'session.starting') this.hearStart(session, Number(item.lead_minutes));
			else if (item.event === 'session.changed') this.hearChange(session, item);
			else this.hearCreated(session);
		}
	}

	private hearStart({ id, startsAt, createdAt, history, isCanceled }: Planned, lead: number): void {
		const { now } = this.world;
		const dueAt = startsAt - lead * 60;
		const told = this.starts.get(id) ?? new Map<number, Map<number, number>>();
		const leads = told.get(startsAt) ?? new Map<number, number>();
		const isNews = [...leads].every(([each, at]) => each > lead && at < now);
		const formerIndex = history.findLastIndex((each) => each.startsAt !== startsAt);
		const toldOfFormer = told.get(history[formerIndex]?.startsAt ?? 0);
		const movedAt = history[formerIndex + 1]?.sinceAt ?? 0;
		const isKnown = toldOfFormer?.has(lead) === true && dueAt <= movedAt;
		expect({ id, lead, isNews, isKnown, isCanceled }).toEqual({
			id,
			lead,
			isNews: true,
			isKnown: false,
			isCanceled: false,
		});
		expect(now).toBeGreaterThanOrEqual(dueAt);
		// The platform tells its time in whole seconds.
		expect(now).toBeLessThanOrEqual(startsAt);
		expect(dueAt).toBeGreaterThanOrEqual(Math.max(createdAt, this.beganAt));
		this.starts.set(id, told.set(startsAt, leads.set(lead, now)));
	}

	private hearChange(session: Planned, item: IDataObject): void {
		const { id, history, startsAt, name, isCanceled } = session;
		const before = {
			startsAt: secondsOf(item.previous_starts_at),
			name: item.previous_name,
		};
		const kinds = [
			before.startsAt !== startsAt && 'moved',
			before.name !== name && 'renamed',
		].filter((kind) => kind !== false);
		const told = (item.changes as string).split(', ');
		expect(told.filter((kind) => kind === 'moved' || kind === 'renamed')).toEqual(kinds);
		expect(told).not.toContain(isCanceled ? 'reopened' : 'canceled');
		expect(history).toContainEqual(expect.objectContaining(before));
		const last = this.changes.get(id);
		expect(last && isSame(last, session)).not.toBe(true);
		this.changes.set(id, planNow(session));
	}

	private hearCreated({ id, createdAt }: Planned): void {
		expect([id, this.createdIds.has(id)]).toEqual([id, false]);
		expect(createdAt).toBeGreaterThanOrEqual(this.beganAt);
		this.createdIds.add(id);
	}

	/** The sessions that have started, and of which a lead time was not told in time, nor a shorter one that has taken its place. */
	missing(): string[] {
		const { sessions, leads, now, pollMinutes, events, faultsOfWorld } = this.world;
		if (!events.includes('session.starting')) return [];
		return sessions.flatMap(
			({ id, startsAt, isCanceled, isDeleted, createdAt, plannedSinceAt }) => {
				if (startsAt >= now || isCanceled || isDeleted) return [];
				const told = [...(this.starts.get(id)?.get(startsAt) ?? [])];
				const toldBefore = [...(this.starts.get(id) ?? [])].flatMap(([start, all]) =>
					start === startsAt ? [] : [...all.keys()],
				);
				// What no run has stored is forgotten at a start of n8n, and comes with its next list.
				const gaps = this.gaps.filter(({ fromAt }) => fromAt < startsAt);
				// A list shows what starts within a day more than the longest lead time.
				const shownAt = startsAt - Math.max(...leads) * 60 - daySeconds;
				const sinceAt = Math.max(plannedSinceAt, shownAt, ...gaps.map(({ toAt }) => toAt));
				const knownAt = sinceAt > this.beganAt || gaps.length > 0 ? this.listedBy(sinceAt) : 0;
				const lost = leads.filter((lead) => {
					const dueAt = startsAt - lead * 60;
					const latestAt = Math.max(dueAt, knownAt) + 2 * pollMinutes * 60;
					const wasTold =
						dueAt <= this.listedBy(plannedSinceAt) && toldBefore.some((each) => each <= lead);
					const isPast = dueAt <= Math.max(this.beganAt, createdAt);
					if (wasTold || isPast || latestAt >= startsAt) return false;
					// Where requests fail, not all of so few may succeed.
					if (faultsOfWorld > 0 && startsAt - dueAt < 12 * pollMinutes * 60) return false;
					const byAt = faultsOfWorld > 0 ? startsAt : latestAt;
					return !told.some(([each, at]) => each <= lead && at <= byAt);
				});
				return lost.map((lead) => `${id}, ${lead} minutes`);
			},
		);
	}

	/** The sessions whose last change was not told. */
	unknownChanges(): string[] {
		const { sessions, now, events } = this.world;
		if (!events.includes('session.changed')) return [];
		const lately = sessions.filter(({ sinceAt, createdAt, startsAt, isDeleted }) => {
			const isOver = startsAt <= now || isDeleted || this.listedBy(sinceAt) > now;
			const isNearGap = this.gaps.some(
				({ fromAt, toAt }) => this.listedBy(sinceAt) > fromAt && sinceAt < this.listedBy(toAt),
			);
			return !isOver && !isNearGap && sinceAt > this.listedBy(createdAt);
		});
		return lately.flatMap((session) => {
			const { id, history, createdAt } = session;
			const told = this.changes.get(id);
			const firstSeen = history.filter(({ sinceAt }) => sinceAt <= this.listedBy(createdAt));
			const known = told ? [told] : firstSeen;
			return known.some((each) => isSame(each, session)) ? [] : id;
		});
	}

	/** When what happened then is listed at the latest, by the platform's clock. Where few requests are left, nobody knows how late several pages are. */
	private listedBy(at: number): number {
		const { hasFewRequests, faultsOfWorld, troubles, pollMinutes, sessions, requestsPerList } =
			this.world;
		// Four requests a day are spent on it.
		const hoursOfFew = Math.max(12, (24 / 4) * requestsPerList);
		const ofFew = sessions.length > 50 ? Infinity : hoursOfFew * hourSeconds;
		const betweenLists = hasFewRequests ? ofFew : hourSeconds;
		// What fails is tried again after as long at the latest.
		const retries = faultsOfWorld + troubles > 0 ? hourSeconds : 0;
		return at + betweenLists + retries + 2 * pollMinutes * 60;
	}
}

test.each(seedsOfWorlds)(
	'in world %i starts and changes are told as they should be',
	async (seed) => {
		const world = new PlannedWorld(seed);
		const lead = world.leads.map((amount) => ({ amount, unit: 'minutes' }));
		const trigger = new VirtualPolling({ events: world.events, leadTimes: { lead } }, world.answer);
		const told = new Told(world);
		told.hear(await trigger.poll(true));
		const beganAt = world.now;
		const polls = (world.hours * 60) / world.pollMinutes;
		for (let poll = 0; poll < polls; poll++) {
			time.pass(world.pollMinutes * minuteMs);
			if (poll === Math.floor(polls / 2)) told.gaps.push(...world.setClock());
			for (let minute = 0; minute < world.pollMinutes; minute++)
				if (world.chance(world.changesPerMinute)) world.happen();
			const gap = world.meetTrouble();
			if (gap) told.gaps.push(gap);
			if (gap?.needsRestart) told.hear(await trigger.restart());
			told.hear(await trigger.poll());
		}
		world.faults = 0;
		for (let minute = 0; minute < 130; minute += world.pollMinutes) {
			time.pass(world.pollMinutes * minuteMs);
			told.hear(await trigger.poll());
		}
		expect(told.missing()).toEqual([]);
		expect(told.unknownChanges()).toEqual([]);
		// A third of the month, and half a day for a new trigger.
		const days = (world.now - beganAt) / (24 * hourSeconds) + 1 / 2;
		expect(world.listRequests / days).toBeLessThan(requestsOfMonth / 90);
	},
);
