import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import {
	PolledPlatform,
	manySessions,
	peopleOfSession,
	quarterSeconds,
	start,
} from './polledPlatform';
import { daySeconds, hourSeconds, minuteSeconds } from '../../support/time/units';
import { createDraws } from '../../../sandbox/world/draws';
import { itemOf } from '../../../nodes/EventPlatform/core/events/item';
import { seenKey } from '../../../nodes/EventPlatform/core/events/eventKey';
import type { Delivery } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { unlimited, type Search } from '../../../nodes/EventPlatform/core/polling/search';
import type { Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import { readNews } from '../../../nodes/EventPlatform/core/polling/poll';
import { fakePlatform } from '../../support/platform/fakePlatform';
import recorded from '../../support/recordedAnswers/recordings.json';
import { noFilters } from '../../support/runs/filters';
import { polledRun } from '../../support/runs/measuredClient';

/** The time of the polls, in Unix seconds. */
const now = 1_800_000_000;

describe('what happens to sessions and events starts one run', () => {
	const eventTypes = ['session.created', 'session.started', 'event.created'];
	const createdAt = (id: string, created_at: number) => {
		return { type: 'events', id, attributes: { created_at } };
	};

	test('and what was before the activation starts none', async () => {
		const session: JsonObject = {
			...new PolledPlatform().session,
			created_at: start - 2 * hourSeconds,
		};
		const events = [createdAt('before', start - 1)];
		const platform = new PolledPlatform({ eventTypes, session, events });
		await platform.poll();
		platform.pass(quarterSeconds);
		session.started_at = platform.nowSeconds - 1;
		events.push(createdAt('soon', platform.nowSeconds + daySeconds));
		await platform.pollEvery(minuteSeconds);
		events.push(createdAt('since', platform.nowSeconds));
		await platform.pollEvery(minuteSeconds, 50);
		expect(platform.started).toEqual(['started s', 'created soon', 'created since']);
	});

	test('and costs one request for each list, which asks for what changed since ten minutes before the last poll', async () => {
		const platform = new PolledPlatform({ eventTypes, events: [createdAt('before', start - 1)] });
		await platform.poll();
		platform.pass(quarterSeconds);
		platform.events.push(createdAt('since', platform.nowSeconds));
		await platform.pollEvery(minuteSeconds, 50);
		expect(platform.requests).toEqual(['/sessions', '/events']);
		expect(platform.sinces).toEqual([undefined, platform.nowSeconds - 11 * minuteSeconds]);
	});

	test('also where only the list of all sessions shows it', async () => {
		const session = { ...new PolledPlatform().session };
		const platform = new PolledPlatform({
			eventTypes: ['session.created'],
			session,
			moreSessions: manySessions,
		});
		await platform.poll();
		platform.change({ id: 'new', unlisted: ['new'], moreSessions: ['s', ...manySessions] });
		session.created_at = platform.nowSeconds + minuteSeconds;
		await platform.pollEvery(quarterSeconds, 97);
		await platform.pollEvery(hourSeconds, 50);
		expect(platform.started.filter((event) => event === 'created new')).toHaveLength(1);
	});
});

test('a session whose event cannot be read for an hour starts one run, although others have come meanwhile', async () => {
	const filters = { ...noFilters, eventTitleContains: 'web' };
	const search = { eventTypes: ['session.created'], filters, endedWithinDays: 1 };
	const sessions: JsonObject[] = [];
	const failing = new Set<string>();
	const told: string[] = [];
	let cursor: Cursor | undefined;
	let nowSeconds = now;
	const poll = async () => {
		nowSeconds += 30 * minuteSeconds;
		const { ask } = fakePlatform(({ path }) => {
			if (failing.has(path)) return 'platform_error';
			if (path === '/sessions') return { data: sessions };
			return { type: 'events', id: path, attributes: { title: 'Webinar' } };
		});
		const clock = () => nowSeconds * 1_000;
		const { news, next } = await readNews(polledRun(ask, clock), cursor, search, clock);
		cursor = next;
		told.push(...news.map(({ record }) => record.id));
	};
	const add = (id: string) => {
		const relationships = { event: { data: { type: 'events', id: `of-${id}` } } };
		const attributes = { status: 'upcoming', created_at: nowSeconds };
		sessions.push({ type: 'sessions', id, attributes, relationships });
	};
	await poll();
	add('a');
	failing.add('/events/of-a');
	await poll();
	add('b');
	await poll();
	failing.clear();
	await poll();
	await poll();
	expect(told).toEqual(['b', 'a']);
});

describe('a recording', () => {
	test('that began before the trigger, in a session that has ended since then, is told once', async () => {
		const created_at = start - hourSeconds;
		const platform = new PolledPlatform({
			eventTypes: ['recording.ready'],
			session: { status: 'live', started_at: created_at },
			recordings: [{ type: 'recordings', id: 'r', attributes: { created_at } }],
		});
		await platform.poll();
		platform.pass(10 * minuteSeconds);
		platform.end();
		await platform.pollEvery(quarterSeconds, 3);
		expect(platform.started).toEqual(['ready r']);
	});

	test('without an id, as the platform was seen to answer, is told once by its name', async () => {
		const platform = new PolledPlatform({ eventTypes: ['recording.ready'] });
		await platform.poll();
		platform.end();
		const [recording] = recorded.data;
		const told: object[] = [];
		for (let poll = 1; poll < 5; poll++) {
			await platform.pollEvery(quarterSeconds);
			told.push(...platform.news.map((event) => itemOf(event, platform.nowSeconds * 1_000)));
			// The address has another signature each time.
			const url = `https://files.example.org/evening.mp4?signature=${poll}`;
			platform.recordings = [{ ...recording, attributes: { ...recording?.attributes, url } }];
		}
		expect(told).toMatchObject([{ event: 'recording.ready', id: null, recording_id: null }]);
	});
});

describe('a Start From', () => {
	/** A session that was created and a job that ended since the Start From, and somebody who registered after it. */
	async function startedBefore(): Promise<PolledPlatform> {
		const platform = new PolledPlatform({
			eventTypes: ['session.created', 'people.registered', 'job.ended'],
			session: { ...new PolledPlatform().session, created_at: start - 2 * hourSeconds },
			jobIds: ['a'],
			jobs: { a: 'ended' },
		});
		await platform.activate(start - 3 * hourSeconds);
		platform.register();
		await platform.pollEvery(minuteSeconds, 2);
		return platform;
	}

	test('has what happened since then start a run', async () => {
		const platform = await startedBefore();
		expect(platform.started).toEqual(['created s', 'ended a', 'registered person-1']);
	});

	test('that is the same at the next activation starts nothing again', async () => {
		const platform = await startedBefore();
		expect(await platform.activate(start - 3 * hourSeconds)).toEqual([]);
	});

	test('that is another one begins anew: what has started a run before starts one again, and then none', async () => {
		const platform = await startedBefore();
		const again = await platform.activate(start - 4 * hourSeconds);
		expect(again).toEqual(['created s', 'registered person-1']);
		expect(await platform.pollEvery(minuteSeconds, 50)).toEqual([]);
	});
});

describe('a named job', () => {
	/** One job is processed, one has ended, and one is not there. */
	const jobs = () =>
		new PolledPlatform({
			eventTypes: ['job.ended', 'event.created'],
			jobIds: ['a', 'b', 'a', 'gone'],
			jobs: { a: 'processing', b: 'ended' },
			failing: new Set(['/jobs/gone']),
			cause: 'not_found',
			// Events count from the activation on, by the clock of the platform.
			clockAheadSeconds: -minuteSeconds,
		});

	test('is not asked for any more when it has ended, and starts one run', async () => {
		const platform = jobs();
		await platform.poll();
		platform.jobs.a = 'failed';
		expect(await platform.pollEvery(minuteSeconds, 3)).toEqual(['ended a']);
		expect(platform.requests).toEqual(['/events', '/jobs/gone']);
	});

	test('that has ended starts no second run after another activation', async () => {
		const platform = jobs();
		await platform.poll();
		expect(await platform.activate()).toEqual([]);
	});
});

describe('while the sessions cannot be read', () => {
	/** An event is created and somebody registers, which nobody can see for thirty hours. */
	async function brokenSessions(cause: Cause): Promise<PolledPlatform> {
		const platform = new PolledPlatform({ eventTypes: ['people.registered', 'event.created'] });
		await platform.poll();
		const created_at = platform.nowSeconds + 1;
		platform.change({
			events: [{ type: 'events', id: 'e', attributes: { created_at } }],
			failing: new Set(['/sessions']),
			cause,
		});
		platform.pass(minuteSeconds);
		platform.add();
		return platform;
	}

	test.each<Cause>(['platform_error', 'not_found'])(
		'events start runs, each poll says why, and people start theirs once they can be read (%s)',
		async (cause) => {
			const platform = await brokenSessions(cause);
			expect(await platform.poll()).toEqual(['created e']);
			await platform.pollEvery(hourSeconds, 30);
			expect(platform.failures).toMatchObject([{ cause }]);
			platform.failing.clear();
			expect(await platform.pollEvery(minuteSeconds)).toEqual(['registered person-1']);
		},
	);
});

describe('a list that fails', () => {
	/** The cause that ends the next poll, if one does. */
	async function causeOfEnd(platform: PolledPlatform): Promise<Cause | undefined> {
		const failure = await platform.pollEvery(minuteSeconds).catch((error: unknown) => error);
		return failure instanceof Failure ? failure.cause : undefined;
	}

	/** Somebody has registered since the last poll. */
	async function polledOnce(): Promise<PolledPlatform> {
		const platform = new PolledPlatform({ eventTypes: ['people.registered', 'event.created'] });
		await platform.poll();
		platform.add();
		return platform;
	}

	test.each<Cause>(['platform_error', 'forbidden'])(
		'with %s leaves the runs of the other lists',
		async (cause) => {
			const platform = await polledOnce();
			platform.change({ failing: new Set(['/events']), cause });
			expect(await platform.pollEvery(minuteSeconds)).toEqual(['registered person-1']);
		},
	);

	test.each(['/events', peopleOfSession])(
		'is left over while it waits to be read again: %s',
		async (path) => {
			const platform = await polledOnce();
			platform.change({ failing: new Set([path]) });
			await platform.pollEvery(quarterSeconds, 2);
			platform.failing.clear();
			await platform.pollEvery(minuteSeconds);
			expect(platform.requests).not.toContain(path);
			expect([platform.failures, platform.hasLeftOver]).toEqual([[], true]);
		},
	);

	test('is asked for once a day where it was read before and is gone for good', async () => {
		const platform = await polledOnce();
		await platform.pollEvery(quarterSeconds, 2);
		platform.change({ failing: new Set([peopleOfSession]), cause: 'not_found' });
		await platform.pollEvery(daySeconds);
		let asked = 0;
		for (let poll = 0; poll < 2 * 96; poll++) {
			await platform.pollEvery(quarterSeconds);
			asked += platform.requests.filter((path) => path === peopleOfSession).length;
		}
		expect(asked).toBe(2);
	});

	test.each<Cause>(['unauthorized', 'rate_limited'])('with %s ends the poll', async (cause) => {
		const platform = await polledOnce();
		platform.change({ failing: new Set(['/events']), cause });
		expect(await causeOfEnd(platform)).toBe(cause);
	});

	test('is a failure of the poll where it is that of the people of a session', async () => {
		const platform = await polledOnce();
		platform.change({ failing: new Set([peopleOfSession]), cause: 'forbidden' });
		await platform.pollEvery(minuteSeconds);
		expect(platform.failures).toMatchObject([{ cause: 'forbidden' }]);
	});

	test('ends the poll where it is that of the people of a session, and the credential is refused', async () => {
		const platform = await polledOnce();
		platform.change({ failing: new Set([peopleOfSession]), cause: 'unauthorized' });
		expect(await causeOfEnd(platform)).toBe('unauthorized');
	});
});

describe('a poll that has little time', () => {
	/** A platform with so many sessions, on which a poll has time for so many requests. */
	const hurried = (sessions: number, requestsInTime: number) =>
		new PolledPlatform({
			id: 'first',
			moreSessions: Array.from({ length: sessions - 1 }, (_, index) => `s${index + 1}`),
			requestsInTime,
		});
	const sessionsOf = ({ id, moreSessions }: PolledPlatform) => [id, ...moreSessions];
	/** Somebody registers for a session, whom the platform has not known before. */
	const join = (platform: PolledPlatform, session: string, id: string) =>
		platform.add({ session, id, created_at: undefined });
	/** Somebody registers for each session. */
	const joinAll = (platform: PolledPlatform) =>
		sessionsOf(platform).map((session) => join(platform, session, `in-${session}`));
	const registered = (ids: readonly string[]) => ids.map((id) => `registered ${id}`).sort();

	test.each([true, false])(
		'of thirty sessions with 500 people each ends in time where it is the first, and the next ones finish it (times: %s)',
		async (showsTimes) => {
			const platform = hurried(30, 100);
			platform.change({ showsTimes });
			for (const session of sessionsOf(platform)) {
				for (let person = 0; person < 500; person++) {
					join(platform, session, `${session}-${person}`);
				}
			}
			await platform.pollEvery(minuteSeconds);
			expect(await platform.pollEvery(quarterSeconds, 5)).toEqual([]);
			const ids = joinAll(platform);
			await platform.pollEvery(minuteSeconds, 5);
			expect([...platform.started].sort()).toEqual(registered(ids));
		},
	);

	test('brings everybody of a list that shows the newest first, although it ends after the first page', async () => {
		const platform = hurried(1, 3);
		await platform.poll();
		const ids = Array.from({ length: 200 }, (_, nth) => {
			platform.pass(minuteSeconds);
			return join(platform, 'first', `person-${nth}`);
		});
		platform.people.reverse();
		await platform.pollEvery(minuteSeconds, 10);
		expect([...platform.started].sort()).toEqual(registered(ids));
	});

	test('reads every session, although the people of some take more time than it has', async () => {
		const platform = hurried(12, 5);
		const endless = ['first', 's5', 's11'];
		platform.change({ endless });
		await platform.pollEvery(minuteSeconds);
		joinAll(platform);
		await platform.pollEvery(minuteSeconds, 20);
		const finite = sessionsOf(platform).filter((session) => !endless.includes(session));
		expect([...platform.started].sort()).toEqual(registered(finite.map((id) => `in-${id}`)));
	});

	test('reads first what it has tried longest ago, so that people who cannot be read keep out no others', async () => {
		const platform = hurried(6, 20);
		await platform.poll();
		const failing = new Set(['first', 's1'].map((id) => `/sessions/${id}/people`));
		platform.change({ requestsInTime: 4, failing });
		platform.pass(minuteSeconds);
		joinAll(platform);
		await platform.pollEvery(minuteSeconds, 2);
		expect(platform.started).toEqual(registered(['in-s2', 'in-s3', 'in-s4', 'in-s5']));
	});

	test.each(Array.from({ length: 40 }, (_, index) => index))(
		'misses nobody and brings nobody twice, whatever time it has and whatever n8n forgets: %s',
		async (seed) => {
			const draw = createDraws(seed);
			const platform = hurried(1 + Math.floor(draw() * 15), 3 + Math.floor(draw() * 12));
			const sessions = sessionsOf(platform);
			const ids: string[] = [];
			await platform.pollEvery(minuteSeconds);
			// n8n stores the cursor at the end of the activation, and with each run.
			let stored = platform.cursor;
			for (let polls = 0; polls < 60; polls++) {
				platform.pass(1 + Math.floor(draw() * 20 * minuteSeconds));
				for (let joined = Math.floor(draw() * 5); joined > 0; joined--) {
					const session = sessions[Math.floor(draw() * sessions.length)] ?? '';
					ids.push(join(platform, session, `person-${ids.length}`));
				}
				// Killed before the run and what is stored with it are saved, or restarted since the last run.
				const isKilled = draw() < 0.1;
				const before = platform.started.length;
				if (draw() < 0.1) platform.cursor = stored;
				const news = await platform.pollEvery(1);
				if (isKilled) {
					platform.started.length = before;
					platform.cursor = stored;
				} else if (news.length > 0) stored = platform.cursor;
			}
			await platform.pollEvery(quarterSeconds, 30);
			expect([...platform.started].sort()).toEqual(registered(ids));
		},
	);
});

describe('the jobs that people named', () => {
	interface PolledJobs extends Partial<Pick<Search, 'eventTypes' | 'isDelivered'>> {
		/** The jobs that people named. */
		named?: string[];
		/** The state of a job by its id, or why it cannot be read. The others have ended. */
		jobs?: Record<string, object | Cause>;
		/** The jobs that have started a run. */
		seen?: string[];
		startedAt?: number;
		/** After so many requests the time of the poll is over. */
		mostRequests?: number;
	}

	const eventOf = (id: string): Delivery => ({
		eventType: 'job.ended',
		record: { type: 'jobs', id, attributes: {}, relationships: {} },
	});

	const recordOf = (id: string, status = 'ended') => ({ type: 'jobs', id, attributes: { status } });

	/** Looks for ended jobs; gives them, the requests, and the failures of the poll. */
	async function poll({
		named = ['a'],
		jobs = {},
		seen = [],
		startedAt = now,
		...more
	}: PolledJobs) {
		const { eventTypes = ['job.ended'], isDelivered, mostRequests = Infinity } = more;
		const filters = { ...noFilters, jobIds: named };
		const { ask, asked } = fakePlatform(({ path }) => {
			const id = path.split('/').at(-1) ?? '';
			return path.startsWith('/jobs/') ? (jobs[id] ?? recordOf(id)) : { data: [] };
		});
		const search = { eventTypes, filters, isDelivered, endedWithinDays: 1 };
		const listed = { sinceAt: startedAt, timedKeys: '', isOldKnown: true };
		const lists = Object.fromEntries(
			seen.map((id) => [`/jobs/${id}`, { ...listed, untimedKeys: seenKey(eventOf(id)) }]),
		);
		const cursor = { startedAt, polledAt: now, lists };
		const limits = { ...unlimited, isTimeOver: () => asked.length >= mostRequests };
		const clock = () => now * 1_000;
		const polled = await readNews(polledRun(ask, clock), cursor, search, clock, limits);
		const ids = polled.news.map(({ record }) => record.id);
		const paths = asked.map(({ path }) => path).filter((path) => path.startsWith('/jobs/'));
		const { news: ended, failures, next } = polled;
		return { ids, ended, paths, failures, after: next?.lists };
	}

	test('a job that has started a run costs no request', async () => {
		expect((await poll({ named: ['a', 'b'], seen: ['a'] })).paths).toEqual(['/jobs/b']);
	});

	test('a job that starts a run is remembered beside those before', async () => {
		const { after } = await poll({ named: ['a', 'b'], seen: ['a'] });
		expect(after).toMatchObject({
			'/jobs/a': { untimedKeys: seenKey(eventOf('a')) },
			'/jobs/b': { untimedKeys: seenKey(eventOf('b')) },
		});
	});

	test('a job that people named twice, in two letter cases, costs a request', async () => {
		const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
		expect((await poll({ named: [id.toUpperCase(), id] })).paths).toEqual([`/jobs/${id}`]);
	});

	test('nothing is asked where nobody wants to know of jobs', async () => {
		expect((await poll({ eventTypes: ['session.ended'] })).paths).toEqual([]);
	});

	test('nothing more is asked when the time of the poll is over', async () => {
		expect((await poll({ named: ['a', 'b'], mostRequests: 1 })).paths).toEqual(['/jobs/a']);
	});

	test.each<[string, object | Cause, string[]]>([
		['is running, starts no run', recordOf('a', 'processing'), []],
		['does not exist, starts no run', 'not_found', []],
		['cannot be read, starts no run', 'platform_error', []],
		['is shown as no job, starts no run', {}, []],
		['has failed, starts a run', recordOf('a', 'failed'), ['a']],
		['has ended, starts a run', recordOf('a'), ['a']],
	])('a job that %s', async (_, answer, ids) => {
		expect((await poll({ jobs: { a: answer } })).ids).toEqual(ids);
	});

	test.each<[Cause, boolean]>([
		['not_found', false],
		['platform_error', true],
	])('a job that cannot be read holds up no other, and %s is told: %s', async (cause, isTold) => {
		const { ids, failures } = await poll({ named: ['a', 'b'], jobs: { a: cause } });
		expect(ids).toEqual(['b']);
		expect(failures.map((error) => error instanceof Failure)).toEqual(isTold ? [true] : []);
	});

	test('a job keeps the ID that people named, so that it is remembered by that', async () => {
		expect((await poll({ jobs: { a: recordOf('another') } })).ids).toEqual(['a']);
	});

	test('a job that a delivery has told starts no run', async () => {
		expect((await poll({ isDelivered: ({ record }) => record.id === 'a' })).ids).toEqual([]);
	});

	test.each([
		['the moment', now - 9, now],
		['the beginning of polling where that is later', now + 9, now + 9],
	])('an ended job happens at %s', async (_, startedAt, happenedAtSeconds) => {
		const { ended } = await poll({ startedAt });
		expect(ended[0]).toMatchObject({ eventType: 'job.ended', happenedAtSeconds, isUntimed: true });
	});
});
