import type { IDataObject } from 'n8n-workflow';
import { DrawnPlatform } from '../support/n8n/drawnPlatform';
import { VirtualPolling, VirtualTime } from '../support/n8n/virtualPolling';
import { pageOf } from '../support/platform/fakePlatform';
import { hourMs, minuteMs } from '../support/time/units';

/*
 * Random worlds of a polled platform: sessions, people, events, recordings, questions and messages come; requests fail, n8n restarts, the
 * clocks differ. Each event is told once, whatever happens, once the platform answers again.
 */

const time = new VirtualTime();
const kinds = [
	'people.registered',
	'people.attended',
	'people.not_attended',
	'session.created',
	'session.started',
	'session.ended',
	'event.created',
	'event.published',
	'recording.ready',
	'question.asked',
	'chat.message_sent',
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

class DrawnWorld extends DrawnPlatform {
	readonly sessions: Entry[] = [];
	readonly events: Entry[] = [];
	readonly people = new Map<string, Entry[]>();
	readonly contents = new Map<string, Entry[]>();
	/** People who are counted and not listed yet, and until when. */
	private readonly hiddenUntil = new Map<string, number>();
	/** The events that have to be told, such as `session.ended se-1`. */
	readonly expected = new Set<string>();
	private serial = 0;
	readonly chosen: string[];
	readonly pollMinutes: number;
	readonly restarts: number;
	readonly faultsOfWorld: number;
	private readonly lagMs: number;
	private readonly showsTimes: boolean;
	private readonly knowsFilters: boolean;
	private readonly showsContentTimes: boolean;

	constructor(seed: number) {
		super(seed);
		const chosen = kinds.filter(() => this.chance(0.45));
		this.chosen = chosen.length > 0 ? chosen : ['people.registered'];
		this.pollMinutes = this.pick([5, 15, 60]);
		this.restarts = this.pick([0, 0.05]);
		this.faultsOfWorld = this.pick([0, 0, 0.05, 0.2]);
		this.clockAheadMs = this.pick([0, 0, -20, 20]) * minuteMs;
		this.lagMs = this.pick([0, 0, 5]) * minuteMs;
		this.showsTimes = this.chance(0.8);
		this.knowsFilters = this.chance(0.85);
		this.showsContentTimes = this.chance(0.7);
		for (const id of ['se-1', 'se-2']) this.addSession(id, this.now - 99_999);
		const past = this.pick([0, 0, 60, 150]);
		for (let nth = 0; nth < past; nth++)
			this.addSession(`past-${nth}`, this.now - 99_999, {
				status: 'past',
				estimated_started_at: this.now - (9 + nth) * 86_400,
				ended_at: this.now - 8 * 86_400,
				registrants_count: 5,
			});
		this.events.push(
			this.entry('events', 'ev-0', { title: 'Event', created_at: this.now - 99_999 }),
		);
	}

	/** Lets one thing happen. */
	happen(): void {
		const id = `n-${this.serial++}`;
		const session = this.pick(this.sessions.filter((each) => !each.id.startsWith('past')));
		const { attributes } = session;
		switch (this.count(0, 6)) {
			case 0:
				if (!attributes.ended_at) this.register(session, id);
				return;
			case 1:
				this.addSession(id, this.now);
				return this.expect('session.created', id);
			case 2:
				this.events.push(this.entry('events', id, { title: 'New', created_at: this.now }));
				return this.expect('event.created', id);
			case 3:
				return this.publish(this.pick(this.events));
			case 4:
				if (attributes.status !== 'upcoming') return;
				Object.assign(attributes, { status: 'live', started_at: this.now });
				this.touch(session);
				return this.expect('session.started', session.id);
			case 5:
				if (attributes.status === 'live') this.end(session);
				return;
			default:
				return this.addContent(session, id);
		}
	}

	protected read(path: string, query: URLSearchParams) {
		const since = this.knowsFilters ? Number(query.get('filter[updated_since]') ?? 0) : 0;
		const changed = (list: Entry[]) =>
			list.filter(({ attributes }) => Number(attributes.updated_at) >= since);
		const from = this.knowsFilters ? Number(query.get('filter[date_from]') ?? 0) : 0;
		const status = query.get('filter[status]');
		const [, , collection = '', id = '', below = ''] = path.split('/');
		if (collection === 'events' && id === '')
			return this.response(200, pageOf(changed(this.events), query));
		if (collection === 'sessions' && id === '') {
			const listed = this.sessions.filter(
				({ attributes }) =>
					Number(attributes.estimated_started_at) >= from &&
					(status === null || attributes.status === status),
			);
			return this.response(200, pageOf(listed, query));
		}
		if (below === 'people') {
			const visible = (this.people.get(id) ?? []).filter(
				(person) => (this.hiddenUntil.get(person.id) ?? 0) <= Date.now(),
			);
			return this.response(200, pageOf(changed(visible), query));
		}
		if (below !== '')
			return this.response(200, pageOf(this.contents.get(`${id} ${below}`) ?? [], query));
		const data = [...this.sessions, ...this.events].find((each) => each.id === id);
		return data ? this.response(200, { data }) : this.response(404, {});
	}

	private entry(type: string, id: string, attributes: IDataObject): Entry {
		return { id, type, attributes: { updated_at: this.now, ...attributes } };
	}

	private addSession(id: string, createdAt: number, more: IDataObject = {}): void {
		const attributes = {
			event_id: 'ev-0',
			name: id,
			status: 'upcoming',
			created_at: createdAt,
			estimated_started_at: this.now + this.count(1, 20) * 3_600,
			registrants_count: 0,
			...more,
		};
		this.sessions.push(this.entry('sessions', id, attributes));
		this.people.set(id, []);
	}

	private touch(session: Entry): void {
		const registrants_count = this.people.get(session.id)?.length ?? 0;
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
		this.people.get(session.id)?.push(this.entry('people', id, attributes));
		this.hiddenUntil.set(id, Date.now() + this.draw() * this.lagMs);
		this.touch(session);
		this.expect('people.registered', `${session.id}/${id}@example.org`);
	}

	private publish({ id, attributes }: Entry): void {
		if (attributes.published_at !== undefined) return;
		Object.assign(attributes, { published_at: this.now, updated_at: this.now });
		this.expect('event.published', id);
	}

	private end(session: Entry): void {
		Object.assign(session.attributes, {
			status: this.pick(['past', 'on_demand']),
			ended_at: this.now,
		});
		let attendees_count = 0;
		for (const { attributes } of this.people.get(session.id) ?? []) {
			const attended = this.chance(0.5);
			if (attended) attendees_count++;
			if (attended) attributes.updated_at = this.now;
			Object.assign(attributes.registrant_detail as IDataObject, { attended });
			const event = attended ? 'people.attended' : 'people.not_attended';
			this.expect(event, `${session.id}/${attributes.email as string}`);
		}
		session.attributes.attendees_count = attendees_count;
		this.touch(session);
		this.expect('session.ended', session.id);
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
		this.expect(eventOfContent[kind], id);
	}

	private expect(event: string, key: string): void {
		if (this.chosen.includes(event)) this.expected.add(`${event} ${key}`);
	}
}

function keyOf(item: IDataObject): string {
	const { event, id, email, session_id } = item as Record<string, string>;
	return email === undefined ? `${event} ${id}` : `${event} ${session_id}/${email}`;
}

const worlds = Array.from({ length: 20 }, (_, nth) => nth + 1);
let toldInAll = 0;

// Worlds in which nothing happens would prove nothing.
afterAll(() => expect(toldInAll).toBeGreaterThan(200));

test.each(worlds)('in world %i each event is told once', async (seed) => {
	const world = new DrawnWorld(seed);
	const parameters = { events: world.chosen, options: { keepToShare: false } };
	const trigger = new VirtualPolling(parameters, world.answer);
	await trigger.poll(true);
	time.pass(minuteMs);
	world.faults = world.faultsOfWorld;
	const polls = world.count(12, 40);
	const hasNight = world.chance(0.15);
	for (let poll = 0; poll < polls; poll++) {
		for (let nth = world.count(0, 4); nth > 0; nth--) world.happen();
		if (hasNight && poll === 20) time.pass(5 * hourMs);
		time.pass(world.pollMinutes * minuteMs);
		await trigger.poll();
		if (world.chance(world.restarts)) await trigger.restart();
	}
	world.faults = 0;
	for (let poll = 0; poll < 24; poll++) {
		time.pass(11 * minuteMs);
		await trigger.poll();
	}
	toldInAll += trigger.items.length;
	expect(trigger.items.map(keyOf).sort()).toEqual([...world.expected].sort());
});
