import type { IDataObject } from 'n8n-workflow';
import { text } from '../../nodes/EventPlatform/core/values/text';
import { VirtualPolling, VirtualTime } from '../support/n8n/virtualPolling';
import { pageOf } from '../support/platform/fakePlatform';
import { hourSeconds } from '../support/time/units';

/*
 * A platform that sends sessions without their events, and a trigger with a filter of titles, which reads each event for its title. The
 * event of one session cannot be read.
 */

const time = new VirtualTime();
const ofUnread = 'event-unread';

class UntitledSessions {
	readonly requests: string[] = [];
	isFailing = false;
	title = 'Product Tour';
	private readonly people: IDataObject[] = [];

	get now(): number {
		return Math.floor(Date.now() / 1_000);
	}

	readonly sessions = [
		this.session('unread', ofUnread, 2 * hourSeconds),
		this.session('read', 'event-read', 9 * hourSeconds),
	];

	/** Somebody registers for the session whose event can be read. */
	register(): void {
		const times = { created_at: this.now, updated_at: this.now };
		const attributes = {
			role: 'participant',
			email: 'ada@example.org',
			...times,
			registrant_detail: { session_id: 'read', fields: [], ...times },
		};
		this.people.push({ id: 'ada', type: 'people', attributes });
		Object.assign(this.sessions[1]?.attributes ?? {}, {
			registrants_count: 1,
			updated_at: this.now,
		});
	}

	/** A session is planned. */
	plan(id: string, eventId: string, inSeconds: number): void {
		this.sessions.push(this.session(id, eventId, inSeconds));
	}

	readonly answer = (path: string, query: URLSearchParams) => {
		this.requests.push(path);
		const [, , collection, id, below] = path.split('/');
		const date = new Date(Date.now()).toUTCString();
		const headers = { date, 'ratelimit-interval-limit': '500' };
		if (this.isFailing && id === ofUnread) return { status: 500, headers, body: {} };
		const body = () => {
			if (below === 'people') return pageOf(id === 'read' ? this.people : [], query);
			if (id === undefined) return pageOf(this.sessions, query);
			const attributes = { title: this.title, updated_at: this.now };
			return collection === 'events'
				? { data: { id, type: 'events', attributes } }
				: { data: this.sessions.find((session) => session.id === id) };
		};
		return { status: 200, headers, body: structuredClone(body()) };
	};

	private session(id: string, eventId: string, inSeconds: number) {
		const attributes = {
			event_id: eventId,
			name: id,
			status: 'upcoming',
			created_at: this.now - hourSeconds,
			updated_at: this.now - hourSeconds,
			estimated_started_at: this.now + inSeconds,
			registrants_count: 0,
		};
		return { id, type: 'sessions', attributes };
	}
}

async function activated(
	events = ['session.starting', 'people.registered'],
): Promise<[UntitledSessions, VirtualPolling]> {
	const platform = new UntitledSessions();
	const parameters = {
		events,
		leadTimes: { lead: [{ amount: 1, unit: 'hours' }] },
		eventTitleContains: 'tour',
		options: { keepToShare: false },
	};
	const trigger = new VirtualPolling(parameters, platform.answer);
	await trigger.poll(true);
	return [platform, trigger];
}

async function pollAfter(trigger: VirtualPolling, minutes: number) {
	time.pass(minutes * 60_000);
	const items = await trigger.poll();
	return items.map(({ event, id }) => `${text(event)} ${text(id)}`);
}

describe('an event that cannot be read', () => {
	test('keeps out no registration of another session, although the start of its own is due', async () => {
		const [platform, trigger] = await activated();
		await pollAfter(trigger, 30);
		platform.register();
		platform.isFailing = true;
		expect(await pollAfter(trigger, 31)).toEqual(['people.registered ada']);
		platform.isFailing = false;
		expect(await pollAfter(trigger, 1)).toEqual(['session.starting unread']);
	});

	test('keeps out no start of its own session, whose list was the first to show it', async () => {
		const [platform, trigger] = await activated(['session.starting']);
		platform.plan('late', ofUnread, 1.75 * hourSeconds);
		platform.isFailing = true;
		expect(await pollAfter(trigger, 61)).toEqual([]);
		platform.isFailing = false;
		const told = ['session.starting unread', 'session.starting late'];
		expect((await pollAfter(trigger, 1)).sort()).toEqual(told.sort());
	});

	test('leaves out its own session, where the title turns out to be another one', async () => {
		const [platform, trigger] = await activated(['session.starting']);
		platform.plan('late', ofUnread, 1.75 * hourSeconds);
		platform.isFailing = true;
		await pollAfter(trigger, 61);
		platform.isFailing = false;
		platform.title = 'Another';
		expect(await pollAfter(trigger, 1)).toEqual([]);
	});

	test('keeps out no start of another session, and is asked for again in the next poll', async () => {
		const [platform, trigger] = await activated();
		platform.plan('soon', 'event-read', 1.5 * hourSeconds);
		platform.isFailing = true;
		expect(await pollAfter(trigger, 61)).toEqual(['session.starting soon']);
		platform.requests.length = 0;
		expect(await pollAfter(trigger, 1)).toEqual([]);
		expect(platform.requests.filter((path) => path.endsWith(ofUnread))).toHaveLength(1);
	});
});
