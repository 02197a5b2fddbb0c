import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import {
	day,
	hour,
	manySessions,
	minute,
	peopleOfSession,
	PolledPlatform,
	quarter,
	start,
} from '../../support/runs/polledPlatform';

describe('what happens to sessions and events starts one run', () => {
	const eventTypes = ['session.created', 'session.started', 'event.created'];
	const createdAt = (id: string, created_at: number) => {
		return { type: 'events', id, attributes: { created_at } };
	};

	test('and what was before the activation starts none', async () => {
		const session: JsonObject = { ...new PolledPlatform().session, created_at: start - 2 * hour };
		const events = [createdAt('before', start - 1)];
		const platform = new PolledPlatform({ eventTypes, session, events });
		await platform.poll();
		platform.pass(quarter);
		session.started_at = platform.now - 1;
		events.push(createdAt('soon', platform.now + day));
		await platform.pollEvery(minute);
		events.push(createdAt('since', platform.now));
		await platform.pollEvery(minute, 50);
		expect(platform.started).toEqual(['started s', 'created soon', 'created since']);
	});

	test('and costs one request for each list, which asks for what changed since ten minutes before the last poll', async () => {
		const platform = new PolledPlatform({ eventTypes, events: [createdAt('before', start - 1)] });
		await platform.poll();
		platform.pass(quarter);
		platform.events.push(createdAt('since', platform.now));
		await platform.pollEvery(minute, 50);
		expect(platform.requests).toEqual(['/sessions', '/events']);
		expect(platform.sinces).toEqual([undefined, platform.now - 11 * minute]);
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
		session.created_at = platform.now + minute;
		await platform.pollEvery(quarter, 97);
		await platform.pollEvery(hour, 50);
		expect(platform.started.filter((event) => event === 'created new')).toHaveLength(1);
	});
});

describe('a Start From', () => {
	/** A session that was created and a job that ended since the Start From, and somebody who registered after it. */
	async function startedBefore(): Promise<PolledPlatform> {
		const platform = new PolledPlatform({
			eventTypes: ['session.created', 'people.registered', 'job.ended'],
			session: { ...new PolledPlatform().session, created_at: start - 2 * hour },
			jobIds: ['one'],
			jobs: { one: 'ended' },
		});
		await platform.activate(start - 3 * hour);
		platform.register();
		await platform.pollEvery(minute, 2);
		return platform;
	}

	test('has what happened since then start a run', async () => {
		const platform = await startedBefore();
		expect(platform.started).toEqual(['created s', 'ended one', 'registered person-1']);
	});

	test('that is the same at the next activation starts nothing again', async () => {
		const platform = await startedBefore();
		expect(await platform.activate(start - 3 * hour)).toEqual([]);
	});

	test('that is another one begins anew: what has started a run before starts one again, and then none', async () => {
		const platform = await startedBefore();
		const again = await platform.activate(start - 4 * hour);
		expect(again).toEqual(['created s', 'registered person-1']);
		expect(await platform.pollEvery(minute, 50)).toEqual([]);
	});
});

describe('a named job', () => {
	/** One job is processed, one has ended, and one is not there. */
	const jobs = () =>
		new PolledPlatform({
			eventTypes: ['job.ended', 'event.created'],
			jobIds: ['one', 'two', 'one', 'gone'],
			jobs: { one: 'processing', two: 'ended' },
			failing: new Set(['/jobs/gone']),
			cause: 'not_found',
			// Events count from the activation on, by the clock of the platform.
			clockAhead: -minute,
		});

	test('that has ended starts a run, and one that is not there is no failure', async () => {
		const platform = jobs();
		expect(await platform.poll()).toEqual(['ended two']);
		expect(platform.failures).toEqual([]);
	});

	test('is asked for once in a poll, however often it is named', async () => {
		const platform = jobs();
		await platform.poll();
		expect(platform.requests).toEqual(['/events', '/jobs/one', '/jobs/two', '/jobs/gone']);
	});

	test('is not asked for any more when it has ended, and starts one run', async () => {
		const platform = jobs();
		await platform.poll();
		platform.jobs.one = 'failed';
		expect(await platform.pollEvery(minute, 3)).toEqual(['ended one']);
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
		const created_at = platform.now + 1;
		platform.change({
			events: [{ type: 'events', id: 'e', attributes: { created_at } }],
			failing: new Set(['/sessions']),
			cause,
		});
		platform.pass(minute);
		platform.add();
		return platform;
	}

	test.each<Cause>(['platform_error', 'not_found'])('events start runs (%s)', async (cause) => {
		const platform = await brokenSessions(cause);
		expect(await platform.poll()).toEqual(['created e']);
	});

	test.each<Cause>(['platform_error', 'not_found'])(
		'each poll says why they could not be read (%s)',
		async (cause) => {
			const platform = await brokenSessions(cause);
			await platform.pollEvery(hour, 30);
			expect(platform.failures).toMatchObject([{ cause }]);
		},
	);

	test.each<Cause>(['platform_error', 'not_found'])(
		'people wait, and start a run when they can be read (%s)',
		async (cause) => {
			const platform = await brokenSessions(cause);
			await platform.pollEvery(hour, 30);
			platform.failing.clear();
			expect(await platform.pollEvery(minute)).toEqual(['registered person-1']);
		},
	);
});

describe('a list that fails', () => {
	/** The cause that ends the next poll, if one does. */
	async function causeOfEnd(platform: PolledPlatform): Promise<Cause | undefined> {
		const failure = await platform.pollEvery(minute).catch((error: unknown) => error);
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
			expect(await platform.pollEvery(minute)).toEqual(['registered person-1']);
		},
	);

	test.each<Cause>(['unauthorized', 'rate_limited'])('with %s ends the poll', async (cause) => {
		const platform = await polledOnce();
		platform.change({ failing: new Set(['/events']), cause });
		expect(await causeOfEnd(platform)).toBe(cause);
	});

	test('is a failure of the poll where it is that of the people of a session', async () => {
		const platform = await polledOnce();
		platform.change({ failing: new Set([peopleOfSession]), cause: 'forbidden' });
		await platform.pollEvery(minute);
		expect(platform.failures).toMatchObject([{ cause: 'forbidden' }]);
	});

	test('ends the poll where it is that of the people of a session, and the credential is refused', async () => {
		const platform = await polledOnce();
		platform.change({ failing: new Set([peopleOfSession]), cause: 'unauthorized' });
		expect(await causeOfEnd(platform)).toBe('unauthorized');
	});
});
