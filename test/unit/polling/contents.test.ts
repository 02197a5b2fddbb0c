import type { Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import { readNews } from '../../../nodes/EventPlatform/core/polling/poll';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { noFilters } from '../../support/runs/filters';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { minuteSeconds, daySeconds } from '../../support/time/units';

const start = 1_800_000_000;

/** A platform with sessions and what they have, and a trigger that polls it. */
class PolledContents {
	nowSeconds = start;
	sessions: JsonObject[] = [];
	/** The records of each list, by path. */
	lists: Record<string, JsonObject[]> = {};
	cursor?: Cursor;
	/** Paths that the platform refuses to show. */
	readonly refused = new Set<string>();
	/** Paths at which nothing is. */
	readonly gone = new Set<string>();
	private readonly platform = fakePlatform(({ path, query }) => {
		if (this.gone.has(path)) return 'not_found';
		if (this.refused.has(path)) return 'forbidden';
		const data = path === '/sessions' ? this.sessions : (this.lists[path] ?? []);
		return pageOf(data, query);
	});

	constructor(private readonly eventTypes: string[]) {}

	session(id: string, attributes: JsonObject): void {
		this.sessions.push({
			type: 'sessions',
			id,
			attributes: { event_title: 'Launch', ...attributes },
		});
	}

	add(path: string, id: string, attributes: JsonObject = {}): void {
		const list = (this.lists[path] ??= []);
		list.push({ type: path.split('/').at(-1) ?? '', id, attributes });
	}

	/** Gives the news of a poll. The stored cursor goes through JSON, as in n8n's database. */
	async poll(afterSeconds = 5 * minuteSeconds): Promise<string[]> {
		this.nowSeconds += afterSeconds;
		const stored = this.cursor && (JSON.parse(JSON.stringify(this.cursor)) as Cursor);
		const search = { eventTypes: this.eventTypes, filters: noFilters, endedWithinDays: 1 };
		this.platform.asked.splice(0);
		const poll = await readNews(this.platform.ask, stored, search, () => this.nowSeconds * 1_000);
		this.cursor = poll.next;
		return poll.news.map(({ eventType, record }) => `${eventType} ${record.id}`);
	}

	get requests(): string[] {
		return this.platform.asked.map(({ path }) => path);
	}
}

const recordings = '/sessions/s/recordings';
const questions = '/sessions/s/questions';

test('a recording starts a run once, when it is there after the end of its session', async () => {
	const polled = new PolledContents(['recording.ready']);
	polled.session('s', { status: 'past', ended_at: start + minuteSeconds });
	polled.session('live', { status: 'live', started_at: start });
	expect(await polled.poll()).toEqual([]);
	expect(polled.requests).toEqual(['/sessions', recordings]);
	polled.add(recordings, 'video', { created_at: polled.nowSeconds + minuteSeconds });
	expect(await polled.poll()).toEqual(['recording.ready video']);
	expect(await polled.poll()).toEqual([]);
	polled.add(recordings, 'audio', { created_at: polled.nowSeconds + minuteSeconds });
	expect(await polled.poll()).toEqual(['recording.ready audio']);
});

test('recordings that were there before the trigger began start no run, also where none has a time', async () => {
	const polled = new PolledContents(['recording.ready']);
	polled.session('s', { status: 'past', ended_at: start - 60 * minuteSeconds });
	polled.add(recordings, 'dated', { created_at: start - minuteSeconds });
	polled.add(recordings, 'undated');
	expect(await polled.poll(0)).toEqual([]);
	polled.add(recordings, 'new');
	expect(await polled.poll()).toEqual(['recording.ready new']);
	expect(await polled.poll()).toEqual([]);
});

test('a session that ended longer ago than is asked for costs nothing any more', async () => {
	const polled = new PolledContents(['recording.ready']);
	polled.session('s', { status: 'past', ended_at: start });
	await polled.poll();
	await polled.poll(2 * daySeconds);
	await polled.poll();
	expect(polled.requests).toEqual(['/sessions']);
});

describe('a list that was not read for more than a day', () => {
	/** Fifty questions or recordings have started a run; then the list is not read for a day. */
	async function unreadList(recordType: string, attributes: JsonObject, status = 'on_demand') {
		const eventType = recordType === 'recordings' ? 'recording.ready' : 'question.asked';
		const polled = new PolledContents([eventType]);
		const path = `/sessions/s/${recordType}`;
		polled.session('s', { status, ended_at: start + minuteSeconds });
		await polled.poll();
		for (let record = 0; record < 50; record++) polled.add(path, `record-${record}`, attributes);
		expect(await polled.poll()).toHaveLength(50);
		return { polled, path };
	}

	const hour = 60 * minuteSeconds;
	const longAgo = { created_at: start + 7 * minuteSeconds };

	interface Unread {
		title: string;
		recordType: string;
		attributes: JsonObject;
		/** How long the list goes on being read before. */
		readForSeconds: number;
	}

	const unread: Unread[] = ['questions', 'recordings'].flatMap((recordType) => [
		{ title: 'some minutes old', recordType, attributes: longAgo, readForSeconds: 0 },
		{ title: 'an hour old', recordType, attributes: longAgo, readForSeconds: hour },
		{ title: 'without a time', recordType, attributes: {}, readForSeconds: hour },
	]);

	describe.each(unread)('of $recordType $title', ({ recordType, attributes, readForSeconds }) => {
		test('because the platform refused it, tells none again, and what came meanwhile', async () => {
			const { polled, path } = await unreadList(recordType, attributes);
			await polled.poll(readForSeconds);
			polled.refused.add(path);
			for (let poll = 0; poll < 30; poll++) expect(await polled.poll(hour)).toEqual([]);
			polled.add(path, 'meanwhile', attributes === longAgo ? { created_at: start + 9 * hour } : {});
			polled.refused.clear();
			expect(await polled.poll()).toEqual([expect.stringMatching(/ meanwhile$/)]);
			expect(await polled.poll()).toEqual([]);
		});

		test('because the session was put on demand only later, tells none again', async () => {
			const { polled } = await unreadList(recordType, attributes, 'past');
			await polled.poll(readForSeconds);
			for (let day = 0; day < 5; day++) await polled.poll(daySeconds);
			expect(polled.requests).toEqual(['/sessions']);
			const [{ attributes: session } = {}] = polled.sessions;
			Object.assign(session as JsonObject, { status: 'on_demand' });
			expect(await polled.poll()).toEqual([]);
			expect(polled.requests).toHaveLength(2);
		});

		test('because n8n was off, tells none again', async () => {
			const { polled, path } = await unreadList(recordType, attributes);
			polled.refused.add(path);
			await polled.poll(3 * daySeconds);
			polled.refused.clear();
			expect(await polled.poll()).toEqual([]);
		});
	});

	test('is remembered by the time of its last read, and not by what it has shown', async () => {
		const { polled } = await unreadList('questions', longAgo, 'past');
		await polled.poll(hour);
		for (let day = 0; day < 5; day++) await polled.poll(daySeconds);
		expect(JSON.stringify(polled.cursor?.contents).length).toBeLessThan(120);
	});
});

test('a question starts a run once, of sessions that are live or ended recently', async () => {
	const polled = new PolledContents(['question.asked']);
	polled.session('s', { status: 'live', started_at: start });
	polled.session('planned', { status: 'upcoming', estimated_started_at: start + daySeconds });
	polled.add(questions, 'before', { created_at: start - minuteSeconds });
	expect(await polled.poll(0)).toEqual([]);
	expect(polled.requests).toEqual(['/sessions', questions]);
	polled.add(questions, 'first', { created_at: start + minuteSeconds });
	polled.add(questions, 'second', { created_at: start + 2 * minuteSeconds });
	expect(await polled.poll()).toEqual(['question.asked first', 'question.asked second']);
	expect(await polled.poll()).toEqual([]);
});

test.each<[string, JsonObject]>([
	['whose status alone says that it is live', { status: 'live' }],
	['whose status is written in other letters', { status: ' Live ' }],
	['whose end alone says that it took place', { status: 'past', ended_at: start }],
	['whose start alone says that it took place', { started_at: start }],
])('the questions of a session are read %s', async (_, attributes) => {
	const polled = new PolledContents(['question.asked']);
	polled.session('s', attributes);
	await polled.poll(0);
	expect(polled.requests).toEqual(['/sessions', questions]);
});

test('a session that is gone when its questions are read holds up nothing', async () => {
	const polled = new PolledContents(['question.asked', 'session.started']);
	await polled.poll(0);
	polled.session('s', { status: 'live', started_at: start + minuteSeconds });
	polled.gone.add(questions);
	expect(await polled.poll()).toEqual(['session.started s']);
	expect(polled.requests).toEqual(['/sessions', questions]);
});

test('what was read of a session is remembered while it is out of view', async () => {
	const polled = new PolledContents(['recording.ready']);
	polled.session('s', { status: 'past', ended_at: start + minuteSeconds });
	await polled.poll();
	polled.add(recordings, 'video', { created_at: polled.nowSeconds + minuteSeconds });
	expect(await polled.poll()).toEqual(['recording.ready video']);
	const [session] = polled.sessions.splice(0);
	await polled.poll();
	expect(Object.keys(polled.cursor?.contents ?? {})).toEqual([recordings]);
	polled.sessions.push(...(session ? [session] : []));
	expect(await polled.poll()).toEqual([]);
});

describe('more than a thousand lists', () => {
	/** A recording of each of 1,001 sessions has started a run. */
	async function manyLists(): Promise<PolledContents> {
		const polled = new PolledContents(['recording.ready']);
		await polled.poll(0);
		for (let index = 0; index <= 1_000; index++) {
			polled.session(`s-${index}`, { status: 'past', ended_at: start + minuteSeconds });
			polled.add(`/sessions/s-${index}/recordings`, `r-${index}`, {
				created_at: start + 2 * minuteSeconds,
			});
		}
		expect(await polled.poll()).toHaveLength(1_001);
		return polled;
	}

	test('tell nothing again while their sessions are in view, and what is listed late', async () => {
		const polled = await manyLists();
		polled.add('/sessions/s-0/recordings', 'late', { created_at: start + 3 * minuteSeconds });
		expect(await polled.poll()).toEqual(['recording.ready late']);
		expect(await polled.poll()).toEqual([]);
	});

	test('tell nothing again when their sessions come back into view, and what is new then', async () => {
		const polled = await manyLists();
		await polled.poll();
		for (let day = 0; day < 3; day++) await polled.poll(daySeconds);
		expect([...new Set(polled.requests)]).toEqual(['/sessions']);
		expect(Object.keys(polled.cursor?.contents ?? {})).toHaveLength(1_000);
		for (const { attributes } of polled.sessions)
			Object.assign(attributes as JsonObject, { status: 'on_demand' });
		polled.add('/sessions/s-0/recordings', 'new', { created_at: polled.nowSeconds });
		expect(await polled.poll()).toEqual(['recording.ready new']);
		expect(await polled.poll()).toEqual([]);
	});

	test('tell what comes into the list of a session that has ended since', async () => {
		const polled = await manyLists();
		for (let day = 0; day < 3; day++) await polled.poll(daySeconds);
		polled.session('later', { status: 'past', ended_at: polled.nowSeconds });
		polled.add('/sessions/later/recordings', 'early', { created_at: start + minuteSeconds });
		expect(await polled.poll()).toEqual(['recording.ready early']);
	});
});
