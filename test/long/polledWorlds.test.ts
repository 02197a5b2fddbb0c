import type { IDataObject } from 'n8n-workflow';
import { DrawnPlatform, requestsOfMonth, seedsOfWorlds } from '../support/n8n/drawnPlatform';
import { VirtualPolling, VirtualTime } from '../support/n8n/virtualPolling';
import { dayMs, hourMs, minuteMs, minuteSeconds } from '../support/time/units';

/*
 * Random worlds of a polled platform: sessions, people, events, recordings, questions and messages come, people leave, sessions are moved,
 * canceled, reopened and deleted, and jobs end; requests fail or are slow, n8n restarts or is off, the clocks differ, and ours is set. Each event
 * is told once, whatever happens, once the platform answers again.
 */

const time = new VirtualTime();
const kinds = [
	'people.registered',
	'people.attended',
	'people.not_attended',
	'people.watched_replay',
	'session.created',
	'session.started',
	'session.ended',
	'event.created',
	'event.published',
	'recording.ready',
	'question.asked',
	'chat.message_sent',
	'job.ended',
];
const contents = ['recordings', 'questions', 'chat_messages'] as const;
const eventOfContent = {
	recordings: 'recording.ready',
	questions: 'question.asked',
	chat_messages: 'chat.message_sent',
};

interface Entry {
	id: string;
	type: string;
	attributes: IDataObject;
}

/** A job that people have named. */
interface Job {
	id: string;
	status: string;
	/** Until then the platform, or a gateway, says that there is no such job. Infinity: the ID is mistyped. */
	unknownUntil: number;
}

class DrawnWorld extends DrawnPlatform {
	readonly sessions: Entry[] = [];
	readonly events: Entry[] = [];
	readonly people = new Map<string, Entry[]>();
	readonly contents = new Map<string, Entry[]>();
	readonly jobs: Job[];
	/** The jobs that were asked for, by id. */
	readonly jobsAsked = new Set<string>();
	/** People who are counted and not listed yet, and until when. */
	private readonly hiddenUntil = new Map<string, number>();
	/** The events that have to be told, such as `session.ended se-1`. */
	readonly expected = new Set<string>();
	/** Those that may have been told before their person or session was gone, or of whom no time tells that they registered after the end. */
	readonly possible = new Set<string>();
	private serial = 0;
	readonly chosen: string[];
	readonly pollMinutes: number;
	readonly restarts: number;
	readonly faultsOfWorld: number;
	readonly isLimited: boolean;
	/** Beyond some requests in a poll it takes its time. */
	readonly isSlow: boolean;
	/** Ours is set ahead by so many minutes in the middle. */
	readonly setMinutes: number;
	readonly title?: string;
	private readonly lagSeconds: number;
	private readonly showsTimes: boolean;
	private readonly showsContentTimes: boolean;
	private readonly countsPeople: boolean;

	constructor(seed: number) {
		super(seed, time);
		const share = this.pick([0.45, 0.45, 0.45, 0.1]);
		const chosen = kinds.filter(() => this.chance(share));
		this.chosen = chosen.length > 0 ? chosen : [this.pick(kinds)];
		this.pollMinutes = this.pick([5, 15, 60]);
		this.restarts = this.pick([0, 0.05]);
		this.faultsOfWorld = this.pick([0, 0, 0.05, 0.2]);
		this.isLimited = this.chance(0.3);
		this.isSlow = !this.isLimited && this.chance(0.2);
		this.setMinutes = this.pick([0, 0, 0, 300, -300, 7_200]);
		this.title = this.chance(0.3) ? 'webinar' : undefined;
		this.lagSeconds = this.pick([0, 0, 9]) * minuteSeconds;
		this.showsTimes = this.chance(0.8);
		this.showsContentTimes = this.chance(0.7);
		this.countsPeople = this.chance(0.9);
		for (const id of ['se-1', 'se-2']) this.addSession(id, this.now - 99_999);
		// Several slow pages of sessions would take all the time of each poll.
		const past = this.isSlow ? 0 : this.pick([0, 0, 60, 150]);
		for (let nth = 0; nth < past; nth++)
			this.addSession(`past-${nth}`, this.now - 99_999, {
				status: 'past',
				estimated_started_at: this.now - (9 + nth) * 86_400,
				ended_at: this.now - 8 * 86_400,
				registrants_count: 5,
			});
		this.events.push(
			this.entry('events', 'ev-0', { title: 'My Webinar', created_at: this.now - 99_999 }),
			this.entry('events', 'ev-1', { title: 'Other', created_at: this.now - 99_999 }),
		);
		this.jobs = ['job-1', 'job-2', 'job-3'].map((id) => {
			const job = { id, status: 'processing', unknownUntil: this.pick([0, 0, 0, Infinity]) };
			return this.chance(0.2) ? this.endJob(job) : job;
		});
	}

	/** Lets one thing happen. */
	happen(): void {
		const id = `n-${this.serial++}`;
		const session = this.pick(this.sessions.filter((each) => !each.id.startsWith('past')));
		const { attributes } = session;
		switch (this.count(0, 10)) {
			case 0:
			case 1:
				if (attributes.status === 'canceled') return this.reopen(session);
				if (attributes.ended_at && attributes.status !== 'on_demand') return;
				// People come together, too.
				for (let together = this.count(1, 4); together > 0; together--)
					this.register(session, `${id}-${together}`);
				return;
			case 2:
				this.addSession(id, this.now);
				return this.expect('session.created', id, id);
			case 3: {
				const title = this.pick(['New Webinar', 'Other']);
				this.events.push(this.entry('events', id, { title, created_at: this.now }));
				return this.expect('event.created', id, id);
			}
			case 4:
				return this.publish(this.pick(this.events));
			case 5:
				if (attributes.status !== 'upcoming') return;
				Object.assign(attributes, { status: 'live', started_at: this.now });
				this.touch(session);
				return this.expect('session.started', session.id, session.id);
			case 6:
				if (attributes.status === 'live') this.end(session);
				else if (this.chance(0.1)) this.delete(session);
				else this.watchReplay(session);
				return;
			case 7:
				return this.changeJob();
			case 8:
				if (attributes.status !== 'upcoming') return;
				if (this.chance(0.5)) attributes.estimated_started_at = this.drawnStart();
				else Object.assign(attributes, { status: 'canceled', canceled_at: this.now });
				return this.touch(session);
			default:
				return this.addContent(session, id);
		}
	}

	protected read(path: string, query: URLSearchParams) {
		const changed = {
			updated_since: ({ attributes }: Entry, value: string) =>
				Number(attributes.updated_at) >= Number(value),
		};
		const [, , collection = '', id = '', below = ''] = path.split('/');
		if (collection === 'events' && id === '') return this.list(this.events, query, changed);
		if (collection === 'sessions' && id === '')
			return this.list(this.sessions, query, {
				date_from: ({ attributes }, value) =>
					Number(attributes.estimated_started_at) >= Number(value),
				status: ({ attributes }, value) => attributes.status === value,
			});
		if (collection === 'jobs') return this.readJob(id);
		const data = [...this.sessions, ...this.events].find((each) => each.id === id);
		if (data === undefined) return this.response(404, {});
		if (below === 'people') {
			const isVisible = (person: Entry) => (this.hiddenUntil.get(person.id) ?? 0) <= this.now;
			return this.list((this.people.get(id) ?? []).filter(isVisible), query, changed);
		}
		if (below !== '') return this.list(this.contents.get(`${id} ${below}`) ?? [], query);
		return this.response(200, { data });
	}

	private entry(type: string, id: string, attributes: IDataObject): Entry {
		return { id, type, attributes: { updated_at: this.now, ...attributes } };
	}

	private addSession(id: string, createdAt: number, more: IDataObject = {}): void {
		const attributes = {
			event_id: this.pick(['ev-0', 'ev-0', 'ev-1']),
			name: id,
			status: 'upcoming',
			created_at: createdAt,
			estimated_started_at: this.drawnStart(),
			registrants_count: 0,
			...more,
		};
		this.sessions.push(this.entry('sessions', id, attributes));
		this.people.set(id, []);
	}

	private drawnStart(): number {
		return this.now + this.count(1, 20) * 3_600;
	}

	private reopen(session: Entry): void {
		Object.assign(session.attributes, { status: 'upcoming', canceled_at: 0 });
		if (this.chance(0.5)) session.attributes.estimated_started_at = this.drawnStart();
		this.touch(session);
	}

	private changeJob(): void {
		const job = this.pick(this.jobs);
		if (this.chance(0.5)) this.endJob(job);
		else if (job.unknownUntil < Infinity) job.unknownUntil = this.now + this.count(0, 9) * 3_600;
	}

	private endJob(job: Job): Job {
		if (job.status !== 'processing' || job.unknownUntil === Infinity) return job;
		job.status = this.pick(['ended', 'failed', 'completed']);
		if (this.chosen.includes('job.ended')) this.expected.add(`job.ended ${job.id}`);
		return job;
	}

	private readJob(id: string) {
		this.jobsAsked.add(id);
		const job = this.jobs.find((each) => each.id === id);
		if (job === undefined || this.now < job.unknownUntil) return this.response(404, {});
		const { status } = job;
		const record = { id, attributes: { status } };
		return this.response(200, this.pick([{ id, status }, record, { data: record }]));
	}

	private touch(session: Entry): void {
		const count = this.people.get(session.id)?.length ?? 0;
		const registrants_count = this.countsPeople ? count : null;
		Object.assign(session.attributes, { updated_at: this.now, registrants_count });
	}

	private register(session: Entry, id: string): void {
		const times = this.showsTimes ? { created_at: this.now, updated_at: this.now } : {};
		const detail = { session_id: session.id, attended: false, fields: [], ...times };
		const attributes = {
			role: 'participant',
			email: `${id}@example.org`,
			created_at: this.now,
			registrant_detail: detail,
		};
		const people = this.people.get(session.id) ?? [];
		const [first] = people;
		// One person leaves when another one comes, so that the count stays.
		if (first && !session.attributes.ended_at && this.chance(0.1)) {
			people.shift();
			this.forget((key) => key.endsWith(` ${keyOfPerson(session, first)}`));
		}
		const person = this.entry('people', id, attributes);
		people.push(person);
		this.hiddenUntil.set(id, this.now + this.draw() * this.lagSeconds);
		this.touch(session);
		const key = keyOfPerson(session, person);
		this.expect('people.registered', key, session.id);
		const { ended_at: endedAt } = session.attributes;
		if (endedAt && (!this.showsTimes || endedAt === this.now))
			this.possible.add(`people.not_attended ${key}`);
	}

	private delete(session: Entry): void {
		this.sessions.splice(this.sessions.indexOf(session), 1);
		const { id } = session;
		const inIt = contents.flatMap(
			(kind) => this.contents.get(`${id} ${kind}`)?.map((each) => each.id) ?? [],
		);
		const ids = [id, ...inIt];
		this.forget((key) => ids.some((each) => key.endsWith(` ${each}`) || key.includes(` ${id}/`)));
		if (this.sessions.every((each) => each.id.startsWith('past')))
			this.addSession(`new-${id}`, this.now - 99_999);
	}

	private watchReplay(session: Entry): void {
		const { ended_at: endedAt } = session.attributes;
		const [person] = this.people.get(session.id) ?? [];
		// A session is looked at for a day after its end.
		if (!person || !endedAt || this.now - Number(endedAt) > 80_000) return;
		const detail = person.attributes.registrant_detail as IDataObject;
		if (detail.has_viewed_replay === true) return;
		detail.has_viewed_replay = true;
		this.touch(session);
		this.expect('people.watched_replay', keyOfPerson(session, person), session.id);
	}

	/** What is gone may have been told before. */
	private forget(isGone: (key: string) => boolean): void {
		for (const key of [...this.expected].filter(isGone)) {
			this.expected.delete(key);
			this.possible.add(key);
		}
	}

	private publish({ id, attributes }: Entry): void {
		if (attributes.published_at !== undefined) return;
		Object.assign(attributes, { published_at: this.now, updated_at: this.now });
		this.expect('event.published', id, id);
	}

	private end(session: Entry): void {
		Object.assign(session.attributes, {
			status: this.pick(['past', 'on_demand']),
			ended_at: this.now,
		});
		let attendees_count = 0;
		for (const person of this.people.get(session.id) ?? []) {
			const attended = this.chance(0.5);
			if (attended) attendees_count++;
			if (attended) person.attributes.updated_at = this.now;
			Object.assign(person.attributes.registrant_detail as IDataObject, { attended });
			const event = attended ? 'people.attended' : 'people.not_attended';
			this.expect(event, keyOfPerson(session, person), session.id);
		}
		session.attributes.attendees_count = attendees_count;
		this.touch(session);
		this.expect('session.ended', session.id, session.id);
	}

	private addContent({ id: session, attributes }: Entry, id: string): void {
		const kind = this.pick(contents);
		const { started_at: startedAt, ended_at: endedAt } = attributes;
		if (!(kind === 'recordings' ? endedAt : startedAt)) return;
		// A session is looked at for a day after its end.
		if (endedAt && this.now - Number(endedAt) > 80_000) return;
		const created = this.showsContentTimes ? { created_at: this.now } : {};
		const name = `${session} ${kind}`;
		this.contents.set(name, [...(this.contents.get(name) ?? []), this.entry(kind, id, created)]);
		this.expect(eventOfContent[kind], id, session);
	}

	/** `inId`: the session or the event that it happens in. */
	private expect(event: string, key: string, inId: string): void {
		const session = this.sessions.find(({ id }) => id === inId);
		const eventId = session?.attributes.event_id ?? inId;
		const title = this.events.find(({ id }) => id === eventId)?.attributes.title as string;
		const isWanted = this.title === undefined || title.toLowerCase().includes(this.title);
		if (isWanted && this.chosen.includes(event)) this.expected.add(`${event} ${key}`);
	}
}

function keyOfPerson(session: Entry, person: Entry): string {
	return `${session.id}/${person.attributes.email as string}`;
}

function keyOf(item: IDataObject): string {
	const { event, id, email, session_id } = item as Record<string, string>;
	return email === undefined ? `${event} ${id}` : `${event} ${session_id}/${email}`;
}

let toldInAll = 0;

// Worlds in which nothing happens would prove nothing.
afterAll(() => expect(toldInAll).toBeGreaterThan(10 * (seedsOfWorlds.length - 1)));

test.each(seedsOfWorlds)('in world %i each event is told once', async (seed) => {
	const world = new DrawnWorld(seed);
	const parameters = {
		events: world.chosen,
		eventTitleContains: world.title ?? '',
		options: { keepToShare: world.isLimited, jobIds: world.jobs.map(({ id }) => id).join() },
	};
	let requestsBefore = 0;
	let mostRequests = 0;
	const trigger = new VirtualPolling(
		parameters,
		(path, query) => {
			if (world.isSlow && world.requests - requestsBefore >= 4) time.pass(minuteMs / 4);
			return world.answer(path, query);
		},
		world.isSlow ? minuteMs / 2 : undefined,
	);
	const poll = async (isActivation = false) => {
		requestsBefore = world.requests;
		await trigger.poll(isActivation);
		mostRequests = Math.max(mostRequests, world.requests - requestsBefore);
	};
	await poll(true);
	const beganAtMs = Date.now();
	time.pass(minuteMs);
	const polls = world.count(12, 40);
	const hasNight = world.chance(0.15);
	const outageFrom = world.pick([polls, world.count(0, polls)]);
	const outageUntil = outageFrom + world.count(1, 6);
	const hasFaults = world.faultsOfWorld > 0 || outageFrom < polls;
	for (let nth = 0; nth < polls; nth++) {
		for (let more = world.count(0, 4); more > 0; more--) {
			world.happen();
			time.pass(minuteMs);
		}
		if (nth === 10) world.setOurClock(world.setMinutes * minuteMs);
		world.faults = nth >= outageFrom && nth < outageUntil ? 1 : world.faultsOfWorld;
		const isNight = hasNight && nth === 20;
		if (isNight) time.pass(5 * hourMs);
		time.pass(world.pollMinutes * (0.8 + 0.4 * world.draw()) * minuteMs);
		await poll();
		if (isNight || world.chance(world.restarts)) await trigger.restart();
	}
	world.faults = 0;
	// A trigger that keeps to its third has to pay for what it has read, and a slow platform gives it a little each time.
	const more = world.isLimited ? 300 : world.isSlow ? 120 : 24;
	// A job that was unknown for long is asked for again once an hour, on a slow platform after the lists that were tried longer ago.
	const ofDay = world.isSlow ? 12 : 3;
	for (const atLast of [more, ofDay, ofDay]) {
		world.jobsAsked.clear();
		for (let nth = 0; nth < atLast; nth++) {
			time.pass(11 * minuteMs);
			await poll();
		}
		time.pass(dayMs);
	}
	toldInAll += trigger.items.length;
	const keys = trigger.items.map(keyOf);
	const told = keys.filter((key) => !world.possible.has(key));
	expect(told.sort()).toEqual([...world.expected].sort());
	expect(new Set(keys).size).toBe(keys.length);
	const isJobWanted = world.chosen.includes('job.ended');
	for (const { id, status, unknownUntil } of world.jobs) {
		// Where requests fail, or a gateway has said that it is not there, the log may have named it.
		const isNamed = trigger.warnings.some((text) => text.includes(`the job ${id} fails.`));
		if (unknownUntil === Infinity) expect([id, isNamed]).toEqual([id, isJobWanted]);
		if (unknownUntil === 0 && !hasFaults) expect([id, isNamed]).toEqual([id, false]);
		const isAsked = isJobWanted && status === 'processing';
		expect([id, world.jobsAsked.has(id)]).toEqual([id, isAsked]);
	}
	// A third of the month, half a day for a new trigger, and what the last poll has cost.
	const days = (Date.now() - beganAtMs) / dayMs + 1 / 2;
	const most = (days * requestsOfMonth) / 90 + mostRequests;
	if (world.isLimited) expect(world.requests).toBeLessThan(most);
});
