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
import type { Cursor } from '../../../nodes/EventPlatform/core/polling/lists/cursor';
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
	expect(told.sort()).toEqual(['a', 'b']);
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
		expect(platform.requests).toEqual(['/jobs/gone', '/events']);
	});

	/** How often it is asked for in so many polls, each a quarter of an hour after the one before. */
	async function countAsked(platform: PolledPlatform, path: string, polls: number) {
		let asked = 0;
		for (let poll = 0; poll < polls; poll++) {
			await platform.pollEvery(quarterSeconds);
			asked += platform.requests.filter((each) => each === path).length;
		}
		return asked;
	}

	test('that the platform does not know is asked for once an hour', async () => {
		const platform = jobs();
		await platform.poll();
		expect(await countAsked(platform, '/jobs/gone', 96)).toBeLessThanOrEqual(24 + 2);
		expect(platform.failures).toEqual([]);
	});

	test('that the platform did not know for two hours is told at most two hours later', async () => {
		const platform = jobs();
		await platform.poll();
		await platform.pollEvery(quarterSeconds, 8);
		platform.change({ failing: new Set(), jobs: { gone: 'ended' } });
		expect(await platform.pollEvery(quarterSeconds, 8)).toEqual(['ended gone']);
	});

	test('that the platform did not know is asked for when a person activates the workflow', async () => {
		const platform = jobs();
		await platform.poll();
		await platform.pollEvery(daySeconds, 3);
		platform.change({ failing: new Set(), jobs: { gone: 'ended' } });
		platform.pass(minuteSeconds);
		expect(await platform.activate()).toEqual(['ended gone']);
	});

	test('that has ended starts no second run after another activation', async () => {
		const platform = jobs();
		await platform.poll();
		expect(await platform.activate()).toEqual([]);
	});

	/** A trigger that names these jobs, of which each has ended unless something else is said, after its first poll. */
	async function named(jobIds: string[], more: Partial<PolledPlatform> = {}) {
		const ended = Object.fromEntries(jobIds.map((id) => [id, 'ended']));
		const platform = new PolledPlatform({
			eventTypes: ['job.ended'],
			jobIds,
			jobs: ended,
			...more,
		});
		await platform.poll();
		return platform;
	}

	test('twice, in two letter cases, costs a request', async () => {
		const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
		expect((await named([id.toUpperCase(), id])).requests).toEqual([`/jobs/${id}`]);
	});

	test('is not asked for where nobody wants to know of jobs', async () => {
		const { requests } = await named(['a'], { eventTypes: ['event.created'] });
		expect(requests).toEqual(['/events']);
	});

	test('is not asked for when the time of the poll is over', async () => {
		expect((await named(['a', 'b'], { requestsInTime: 1 })).requests).toEqual(['/jobs/a']);
	});

	test.each<[string, Partial<PolledPlatform>, string[]]>([
		['is running, starts no run', { jobs: { a: 'processing' } }, []],
		['is shown as no job, starts no run', { jobs: {} }, []],
		['has failed, starts a run', { jobs: { a: 'failed' } }, ['ended a']],
		['has ended, starts a run', {}, ['ended a']],
		['shows beside its ID that it has ended, starts a run', { flaw: 'flat jobs' }, ['ended a']],
		['is shown with another ID, keeps the one that people named', { shownJobId: 'b' }, ['ended a']],
		['a delivery has told, starts no run', { isDelivered: ({ record: { id } }) => id === 'a' }, []],
	])('that %s', async (_, more, started) => {
		expect((await named(['a'], more)).started).toEqual(started);
	});

	test.each<[Cause, boolean]>([
		['not_found', false],
		['platform_error', true],
	])('that cannot be read holds up no other, and %s is told: %s', async (cause, isTold) => {
		const { started, failures } = await named(['a', 'b'], { failing: new Set(['/jobs/a']), cause });
		expect(started).toEqual(['ended b']);
		expect(failures.map((failure) => failure.cause)).toEqual(isTold ? [cause] : []);
	});

	test('has ended at the moment, or at the beginning of polling where that is later', async () => {
		const happened = { eventType: 'job.ended', isUntimed: true };
		const platform = await named(['a'], { jobs: { a: 'processing' } });
		platform.jobs.a = 'ended';
		await platform.pollEvery(9);
		expect(platform.news).toMatchObject([{ ...happened, happenedAtSeconds: start + 9 }]);
		const later = new PolledPlatform({
			eventTypes: ['job.ended'],
			jobIds: ['a'],
			jobs: { a: 'ended' },
		});
		await later.activate(start + 9);
		expect(later.news).toMatchObject([{ ...happened, happenedAtSeconds: start + 9 }]);
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
			expect([platform.failures, platform.hasUntold]).toEqual([[], true]);
		},
	);

	test.each(['our clock', 'the Date of a response'])(
		'while %s is days ahead is read again once it is right',
		async (wrong) => {
			const platform = await polledOnce();
			const aheadSeconds = 5 * daySeconds;
			platform.change(
				wrong === 'our clock'
					? { clockAheadSeconds: aheadSeconds, failing: new Set(['/sessions', '/events']) }
					: { dateAheadSeconds: aheadSeconds, failing: new Set(['/events']) },
			);
			await platform.pollEvery(minuteSeconds, 2);
			platform.change({ clockAheadSeconds: 0, dateAheadSeconds: 0, failing: new Set() });
			await platform.pollEvery(hourSeconds);
			expect(platform.requests).toContain('/events');
		},
	);

	test('keeps its time where the Date of a response was days behind for once', async () => {
		const platform = await polledOnce();
		await platform.pollEvery(minuteSeconds, 2);
		platform.change({ dateAheadSeconds: -5 * daySeconds });
		await platform.pollEvery(minuteSeconds);
		platform.change({ dateAheadSeconds: 0 });
		await platform.pollEvery(minuteSeconds);
		expect(platform.requests).not.toContain(peopleOfSession);
	});

	test('is tried ever more rarely where our clock was an hour ahead when it first failed', async () => {
		const platform = await polledOnce();
		platform.change({ failing: new Set(['/events']), clockAheadSeconds: hourSeconds });
		await platform.pollEvery(minuteSeconds, 3);
		platform.clockAheadSeconds = 0;
		let asked = 0;
		for (let poll = 0; poll < 60; poll++) {
			await platform.pollEvery(minuteSeconds);
			asked += platform.requests.filter((path) => path === '/events').length;
		}
		expect(asked).toBeLessThanOrEqual(10);
	});

	test('because others use up the limit per second is said by each poll, and read by the next one that has a turn', async () => {
		const platform = new PolledPlatform({ eventTypes: ['event.created'], deadlineAtMs: Infinity });
		await platform.poll();
		platform.change({ failing: new Set(['/events']), cause: 'rate_limited' });
		platform.events = [{ id: 'e', type: 'events', attributes: { created_at: start } }];
		for (let poll = 0; poll < 30; poll++) {
			await platform.pollEvery(minuteSeconds);
			expect(platform.failures).toMatchObject([{ cause: 'rate_limited' }]);
		}
		platform.failing = new Set();
		expect(await platform.pollEvery(minuteSeconds)).toEqual(['created e']);
	});

	test('is asked for once an hour where it was read before and is gone for good', async () => {
		const platform = await polledOnce();
		await platform.pollEvery(quarterSeconds, 2);
		platform.change({ failing: new Set([peopleOfSession]), cause: 'not_found' });
		await platform.pollEvery(daySeconds);
		let asked = 0;
		for (let poll = 0; poll < 96; poll++) {
			await platform.pollEvery(quarterSeconds);
			asked += platform.requests.filter((path) => path === peopleOfSession).length;
		}
		expect(asked).toBeLessThanOrEqual(24 + 2);
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

	test('goes on with a long list by turns with the others', async () => {
		const platform = hurried(2, 20);
		await platform.pollEvery(minuteSeconds, 3);
		for (let person = 0; person < 5_000; person++) {
			platform.add({ session: 'first', joinedAt: start - 1, registered_at: start - 1 });
		}
		await platform.pollEvery(minuteSeconds);
		for (const name of ['a', 'b', 'c']) {
			join(platform, 's1', name);
			expect(await platform.pollEvery(minuteSeconds, 2)).toContain(`registered ${name}`);
		}
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
