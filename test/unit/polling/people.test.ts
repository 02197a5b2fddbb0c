import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import {
	manySessions,
	peopleOfSession,
	PolledPlatform,
	quarterSeconds,
	start,
	type Person,
} from './polledPlatform';
import { daySeconds, hourSeconds, minuteSeconds } from '../../support/time/units';

/** Neither the person nor the registration has a time. */
const untimed: Partial<Person> = { created_at: undefined };

/** The platform came to know the person so many days before the trigger began. */
const knownSince = (days: number): Partial<Person> => ({ created_at: start - days * daySeconds });

const registered = (ids: readonly string[]) => ids.map((id) => `registered ${id}`);

/** Everybody who registered has started one run by now, nobody else has, and nobody does in the two days after that. */
async function expectEachOnce(platform: PolledPlatform): Promise<void> {
	expect([...platform.started].sort()).toEqual(registered(platform.newcomers).sort());
	expect(await platform.pollEvery(hourSeconds, 50)).toEqual([]);
}

/** Two people register before a poll that is shown something else than there is, and the next polls see all again. */
async function registerAround(
	platform: PolledPlatform,
	flaw: PolledPlatform['flaw'],
	person?: Partial<Person>,
): Promise<void> {
	platform.register(person);
	await platform.pollEvery(quarterSeconds);
	platform.register(person);
	platform.change({ flaw });
	await platform.pollEvery(quarterSeconds);
	platform.change({ flaw: undefined });
	await platform.pollEvery(quarterSeconds, 2);
}

/** Sessions that a list of the recent ones may leave out, although people can register for them. */
const sessionsOfLongAgo: JsonObject[] = [
	{
		status: 'live',
		started_at: start - 9 * daySeconds,
		estimated_started_at: start - 9 * daySeconds,
	},
	{ status: 'upcoming', estimated_started_at: 0 },
	{
		status: 'on_demand',
		estimated_started_at: start - 99 * daySeconds,
		ended_at: start - 98 * daySeconds,
	},
];

describe('each registration starts one run', () => {
	test('although the list of the sessions is refused without words for longer than a day', async () => {
		const platform = new PolledPlatform();
		await platform.poll();
		platform.register();
		await platform.pollEvery(minuteSeconds);
		platform.change({ failing: new Set(['/sessions']), cause: 'page_out_of_range' });
		await platform.pollEvery(hourSeconds, 30);
		platform.failing.clear();
		platform.register();
		await platform.pollEvery(minuteSeconds);
		await expectEachOnce(platform);
	});

	test('although the count shows it minutes before the list does', async () => {
		const platform = new PolledPlatform({ listLagSeconds: 9 * minuteSeconds });
		await platform.poll();
		platform.pass(quarterSeconds - 2);
		platform.register();
		platform.pass(1);
		await platform.poll();
		await platform.pollEvery(5 * minuteSeconds, 3);
		await expectEachOnce(platform);
	});

	test('although the platform does not count', async () => {
		const platform = new PolledPlatform({ flaw: 'no counts' });
		await platform.poll();
		platform.register();
		await platform.pollEvery(quarterSeconds);
		await expectEachOnce(platform);
	});

	describe('where somebody else left, so that the count is the same,', () => {
		async function replacedPerson(): Promise<PolledPlatform> {
			const platform = new PolledPlatform();
			platform.add();
			await platform.poll();
			await platform.pollEvery(hourSeconds, 2);
			platform.change({ people: [] });
			platform.register();
			return platform;
		}

		test('at the next poll if the session says when it was changed', async () => {
			const platform = await replacedPerson();
			platform.session.updated_at = platform.nowSeconds;
			await platform.pollEvery(minuteSeconds);
			await expectEachOnce(platform);
		});

		test('within a day if nothing shows it', async () => {
			const platform = await replacedPerson();
			await platform.pollEvery(hourSeconds, 25);
			await expectEachOnce(platform);
		});
	});

	test('of a session whose id changes its letter case, and of which the filter has another', async () => {
		const id = '7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b';
		const platform = new PolledPlatform({ id, filters: { sessionId: id.toUpperCase() } });
		await platform.poll();
		for (const flaw of [undefined, 'upper case', undefined, 'upper case'] as const) {
			platform.change({ flaw });
			platform.register();
			await platform.pollEvery(2 * minuteSeconds);
		}
		platform.change({ flaw: undefined });
		await expectEachOnce(platform);
	});

	test.each([
		['of a session of the chosen event', 'e', 1],
		['and none of a session that names another event', 'f', 0],
	])('%s, where the records of people name neither', async (_, event_id, runs) => {
		const platform = new PolledPlatform({ filters: { eventId: 'e' } });
		platform.session.event_id = event_id;
		await platform.poll();
		platform.register();
		await platform.pollEvery(quarterSeconds);
		expect(platform.started).toHaveLength(runs);
	});

	test('while a session that is not listed any more, and a job, cannot be read', async () => {
		const platform = new PolledPlatform({
			eventTypes: ['people.registered', 'job.ended'],
			jobIds: ['broken'],
			moreSessions: [...manySessions, 'hidden'],
		});
		await platform.poll();
		platform.change({
			unlisted: ['hidden'],
			failing: new Set(['/sessions/hidden', '/jobs/broken']),
		});
		platform.register();
		await platform.pollEvery(quarterSeconds, 2);
		await expectEachOnce(platform);
	});

	test.each([true, false])(
		'although the platform said once that the session has no list of people (times: %s)',
		async (showsTimes) => {
			const platform = new PolledPlatform({ showsTimes });
			platform.register();
			await platform.poll();
			await platform.pollEvery(quarterSeconds);
			platform.register();
			platform.change({ failing: new Set([peopleOfSession]), cause: 'not_found' });
			await platform.pollEvery(quarterSeconds);
			platform.failing.clear();
			await platform.pollEvery(quarterSeconds, 2);
			await expectEachOnce(platform);
		},
	);

	test('although the platform said so at the first read, and tells no times', async () => {
		const platform = new PolledPlatform({ showsTimes: false });
		const untimed = { created_at: undefined };
		platform.add(untimed);
		platform.change({ failing: new Set([peopleOfSession]), cause: 'not_found' });
		await platform.poll();
		platform.failing.clear();
		await platform.pollEvery(quarterSeconds, 2);
		for (let count = 0; count < 2; count++) {
			platform.register(untimed);
			await platform.pollEvery(quarterSeconds, 2);
		}
		await expectEachOnce(platform);
	});

	test('although the platform said so twice: the list is read again after a day', async () => {
		const platform = new PolledPlatform();
		platform.add({ registered_at: start - daySeconds });
		platform.change({ failing: new Set([peopleOfSession]), cause: 'not_found' });
		await platform.poll();
		platform.register();
		await platform.pollEvery(quarterSeconds, 3);
		platform.failing.clear();
		await platform.pollEvery(daySeconds);
		await expectEachOnce(platform);
	});

	test('of a session whose people cannot be read until long after its end', async () => {
		const platform = new PolledPlatform({ endedWithinDays: 0 });
		await platform.poll();
		platform.register();
		platform.end();
		platform.change({ failing: new Set([peopleOfSession]) });
		await platform.pollEvery(quarterSeconds, 3);
		platform.change({ failing: new Set() });
		await platform.pollEvery(quarterSeconds, 2);
		await expectEachOnce(platform);
	});

	test('although they are more than one run takes, and the session is over', async () => {
		const platform = new PolledPlatform({ endedWithinDays: 0 });
		await platform.poll();
		for (let person = 0; person < 2_001; person++) platform.register();
		platform.end();
		await platform.pollEvery(minuteSeconds, 2);
		await expectEachOnce(platform);
	});

	test('of a new session that nothing but the list of all sessions shows', async () => {
		const platform = new PolledPlatform({ id: 'first', moreSessions: manySessions });
		await platform.poll();
		await platform.pollEvery(quarterSeconds);
		platform.change({ id: 's', moreSessions: ['first', ...manySessions], unlisted: ['s'] });
		platform.register();
		await platform.pollEvery(quarterSeconds, 97);
		await expectEachOnce(platform);
	});

	test('of people from before the activation, none, among so many sessions that not all are listed each time', async () => {
		const platform = new PolledPlatform({
			eventTypes: ['session.created'],
			moreSessions: manySessions,
		});
		await platform.poll();
		await platform.pollEvery(quarterSeconds);
		platform.add();
		await platform.pollEvery(quarterSeconds, 2);
		platform.change({ eventTypes: ['people.registered'] });
		await platform.pollEvery(quarterSeconds);
		platform.register();
		await platform.pollEvery(quarterSeconds);
		await expectEachOnce(platform);
	});

	test('since a Start From, of a session that has long been over', async () => {
		const platform = new PolledPlatform();
		platform.register();
		platform.end();
		platform.pass(9 * daySeconds);
		await platform.activate(start - hourSeconds);
		await expectEachOnce(platform);
	});

	describe.each(sessionsOfLongAgo)('of a session of long ago that is $status', (session) => {
		/** Somebody registers after two polls, and somebody a day before the last. */
		async function registerTwo(platform: PolledPlatform): Promise<void> {
			await platform.poll();
			await platform.pollEvery(quarterSeconds);
			platform.register();
			await platform.pollEvery(quarterSeconds, 2);
			platform.register();
			await platform.pollEvery(daySeconds);
			await platform.pollEvery(quarterSeconds);
		}

		test('among so many sessions that not all are listed each time', async () => {
			const platform = new PolledPlatform({ session, moreSessions: manySessions });
			await registerTwo(platform);
			await expectEachOnce(platform);
		});

		test('among many sessions of which the platform gives none by status', async () => {
			const more = { moreSessions: manySessions, knowsStatusFilter: false };
			const platform = new PolledPlatform({ session, ...more });
			await registerTwo(platform);
			await expectEachOnce(platform);
		});
	});

	test.each(['on_demand', 'live', 'upcoming'])(
		'of a session that is %s although it ended long ago',
		async (status) => {
			const platform = new PolledPlatform({
				session: {
					status,
					estimated_started_at: start - 9 * daySeconds,
					ended_at: start - 8 * daySeconds,
				},
			});
			platform.add();
			platform.pass(minuteSeconds);
			await platform.poll();
			platform.register();
			await platform.pollEvery(quarterSeconds);
			platform.register();
			await platform.pollEvery(9 * daySeconds);
			await expectEachOnce(platform);
		},
	);

	test.each(['no sessions', 'no people'] as const)(
		'although a poll in between is shown %s',
		async (flaw) => {
			const platform = new PolledPlatform();
			platform.add({
				joinedAt: start - 9 * hourSeconds,
				registered_at: start - 9 * hourSeconds,
				...untimed,
			});
			await platform.poll();
			await registerAround(platform, flaw);
			await expectEachOnce(platform);
		},
	);
});

describe('each registration starts one run, where registrations have no time,', () => {
	test('of people whom the platform has known for days', async () => {
		const platform = new PolledPlatform({ showsTimes: false });
		platform.add(knownSince(9));
		await platform.poll();
		platform.register(knownSince(8));
		platform.register();
		await platform.pollEvery(quarterSeconds, 2);
		await expectEachOnce(platform);
	});

	test.each([undefined, 'no counts'] as const)(
		'of the first person, known for days (what the session does not show: %s)',
		async (flaw) => {
			const platform = new PolledPlatform({ flaw, showsTimes: false });
			await platform.poll();
			platform.register(knownSince(8));
			await platform.pollEvery(quarterSeconds);
			await expectEachOnce(platform);
		},
	);

	test('of people without any time, but not of those whom the first poll found', async () => {
		const platform = new PolledPlatform({ showsTimes: false });
		platform.add(untimed);
		await platform.poll();
		platform.register(untimed);
		await platform.pollEvery(quarterSeconds);
		platform.register(untimed);
		await platform.pollEvery(quarterSeconds, 2);
		await expectEachOnce(platform);
	});

	test('of people without any time, in a session that could not be read at first', async () => {
		const platform = new PolledPlatform({
			showsTimes: false,
			failing: new Set([peopleOfSession]),
		});
		platform.add(untimed);
		await platform.poll();
		platform.change({ failing: new Set() });
		await platform.pollEvery(quarterSeconds);
		platform.register(untimed);
		await platform.pollEvery(quarterSeconds);
		await expectEachOnce(platform);
	});

	test('in a session that is new, of people whom the platform has known for days', async () => {
		const platform = new PolledPlatform({ showsTimes: false, flaw: 'no sessions' });
		await platform.poll();
		platform.pass(hourSeconds);
		platform.change({ flaw: undefined });
		platform.session.created_at = platform.nowSeconds;
		platform.register(knownSince(4));
		platform.register(knownSince(8));
		await platform.pollEvery(quarterSeconds, 2);
		await expectEachOnce(platform);
	});

	test('but none of those who were in sessions that a filter left out', async () => {
		const platform = new PolledPlatform({
			showsTimes: false,
			moreSessions: ['other'],
			filters: { sessionId: 'other' },
		});
		await platform.poll();
		platform.pass(hourSeconds);
		platform.add();
		await platform.pollEvery(quarterSeconds);
		platform.change({ filters: {} });
		await platform.pollEvery(quarterSeconds);
		platform.register();
		await platform.pollEvery(quarterSeconds);
		await expectEachOnce(platform);
	});

	test('but none again where the session comes into view a second time', async () => {
		const platform = new PolledPlatform({ showsTimes: false });
		await platform.poll();
		platform.session.created_at = platform.nowSeconds + minuteSeconds;
		platform.register(untimed);
		await platform.pollEvery(quarterSeconds, 2);
		platform.end();
		await platform.pollEvery(12 * hourSeconds, 8);
		platform.session.status = 'on_demand';
		await platform.pollEvery(quarterSeconds, 4);
		await expectEachOnce(platform);
	});

	test('but none before a Start From that is still to come', async () => {
		const platform = new PolledPlatform({ showsTimes: false });
		const startFrom = start + hourSeconds;
		await platform.activate(startFrom);
		for (const isCounted of [false, true]) {
			platform.pass(quarterSeconds);
			if (isCounted) platform.register(untimed);
			else platform.add(untimed);
			await platform.poll({ startFrom });
			platform.pass(hourSeconds);
		}
		await platform.poll({ startFrom });
		expect(platform.started).toEqual(registered(platform.newcomers));
	});

	test('but none from while the workflow was off', async () => {
		const platform = new PolledPlatform({ showsTimes: false });
		platform.add(untimed);
		await platform.poll();
		platform.pass(hourSeconds);
		platform.add(untimed);
		await platform.activate();
		await expectEachOnce(platform);
	});

	test.each(['no sessions', 'no people'] as const)(
		'although a poll in between is shown %s',
		async (flaw) => {
			const platform = new PolledPlatform({ showsTimes: false });
			platform.add({ joinedAt: start - 9 * hourSeconds, ...untimed });
			await platform.poll();
			await registerAround(platform, flaw, untimed);
			await expectEachOnce(platform);
		},
	);
});

describe('with clocks that differ, each registration after the activation starts one run', () => {
	test.each([-hourSeconds, hourSeconds])(
		'where ours is ahead by %i s',
		async (clockAheadSeconds) => {
			const platform = new PolledPlatform({ clockAheadSeconds });
			platform.add();
			platform.pass(2 * minuteSeconds);
			await platform.poll();
			platform.register();
			await platform.pollEvery(quarterSeconds);
			platform.register();
			await platform.pollEvery(quarterSeconds, 2);
			await expectEachOnce(platform);
		},
	);

	test.each([-hourSeconds, hourSeconds])(
		'where ours is ahead by %i s, and the first list could not be read',
		async (clockAheadSeconds) => {
			const platform = new PolledPlatform({ clockAheadSeconds, failing: new Set(['/sessions']) });
			platform.add();
			platform.pass(2 * minuteSeconds);
			await platform.poll();
			platform.register();
			platform.pass(minuteSeconds);
			await platform.poll();
			platform.register();
			platform.change({ failing: new Set() });
			await platform.pollEvery(minuteSeconds);
			platform.register();
			await platform.pollEvery(minuteSeconds);
			await expectEachOnce(platform);
		},
	);

	interface WrongClocks {
		clockAheadSeconds: number;
		dateAheadSeconds: number | undefined;
		/** Between the last poll at which the clocks were right and the first at which they are wrong. */
		quietSeconds: number;
	}
	const clocks: Array<Omit<WrongClocks, 'quietSeconds'>> = [
		{ clockAheadSeconds: hourSeconds, dateAheadSeconds: hourSeconds },
		{ clockAheadSeconds: hourSeconds, dateAheadSeconds: undefined },
		{ clockAheadSeconds: -hourSeconds, dateAheadSeconds: undefined },
		{ clockAheadSeconds: 8 * minuteSeconds, dateAheadSeconds: undefined },
		{ clockAheadSeconds: 0, dateAheadSeconds: 365 * daySeconds },
		{ clockAheadSeconds: 0, dateAheadSeconds: -365 * daySeconds },
	];

	test.each<WrongClocks>(
		clocks.flatMap(({ clockAheadSeconds, dateAheadSeconds }) => [
			{ clockAheadSeconds, dateAheadSeconds, quietSeconds: 0 },
			{ clockAheadSeconds, dateAheadSeconds, quietSeconds: 30 * minuteSeconds },
		]),
	)(
		'where ours is ahead by $clockAheadSeconds s and the Date header by $dateAheadSeconds s now and then, after $quietSeconds quiet s',
		async ({ clockAheadSeconds, dateAheadSeconds, quietSeconds }) => {
			const right = { clockAheadSeconds: 0, dateAheadSeconds: dateAheadSeconds && 0 };
			const wrong = { clockAheadSeconds, dateAheadSeconds };
			const platform = new PolledPlatform(right);
			await platform.poll();
			platform.register();
			await platform.pollEvery(minuteSeconds);
			platform.pass(quietSeconds);
			for (const state of [wrong, wrong, wrong, right, wrong, right, right]) {
				platform.change(state);
				platform.register();
				await platform.pollEvery(minuteSeconds);
			}
			await expectEachOnce(platform);
		},
	);
});

describe('more registrations than one run takes', () => {
	/** Twice as many register as a run takes, and seven more; then four polls take them. */
	async function pollCrowd(showsTimes: boolean) {
		const platform = new PolledPlatform({ showsTimes });
		platform.add({ registered_at: showsTimes ? 9 : undefined, created_at: 9, joinedAt: 9 });
		await platform.poll();
		const ids: string[] = [];
		for (let person = 0; person < 4_007; person++) {
			if (person % 2 === 0) platform.pass(1);
			ids.push(platform.add());
		}
		platform.people.reverse();
		const polls: Array<{ started: number; sinceAt: number; hasMore: boolean | undefined }> = [];
		for (let poll = 0; poll < 4; poll++) {
			const started = (await platform.pollEvery(minuteSeconds)).length;
			polls.push({
				started,
				sinceAt: platform.sinces.at(-1) ?? 0,
				hasMore: platform.cursor?.hasMore,
			});
		}
		return { platform, ids, polls };
	}

	test.each([true, false])('start the rest at the next polls (times: %s)', async (showsTimes) => {
		const { polls } = await pollCrowd(showsTimes);
		expect(polls.map(({ started }) => started)).toEqual([2_000, 2_000, 7, 0]);
	});

	test.each([true, false])('start each one run (times: %s)', async (showsTimes) => {
		const { platform, ids } = await pollCrowd(showsTimes);
		expect([...platform.started].sort()).toEqual(registered(ids).sort());
	});

	test.each([true, false])(
		'leave a note that there are more, while there are (times: %s)',
		async (showsTimes) => {
			const { polls } = await pollCrowd(showsTimes);
			expect(polls.map(({ hasMore }) => hasMore)).toEqual([true, true, false, false]);
		},
	);

	test.each([
		['', peopleOfSession, true],
		['', '/sessions', true],
		[' new', peopleOfSession, false],
	])(
		'come no sooner, and no later, where others use up the limit:%s %s',
		async (_, path, hasMore) => {
			const platform = new PolledPlatform({ deadlineAtMs: Infinity });
			await platform.poll();
			platform.pass(minuteSeconds);
			for (let person = 0; person < (hasMore ? 4_000 : 4); person++) platform.add();
			if (hasMore) await platform.pollEvery(minuteSeconds);
			platform.change({ failing: new Set([path]), cause: 'rate_limited' });
			await platform.pollEvery(minuteSeconds);
			expect([platform.failures.length, platform.cursor?.hasMore]).toEqual([1, hasMore]);
		},
	);

	test('come with the next poll where others use up the limit after a list was read', async () => {
		const eventTypes = ['people.registered', 'recording.ready'];
		const platform = new PolledPlatform({ eventTypes, deadlineAtMs: Infinity });
		await platform.poll();
		platform.end();
		platform.pass(minuteSeconds);
		const id = platform.add();
		platform.change({ failing: new Set(['/sessions/s/recordings']), cause: 'rate_limited' });
		const started = await platform.pollEvery(minuteSeconds);
		expect([started, platform.cursor?.hasMore]).toEqual([registered([id]), true]);
	});

	test('are not read again once they have started a run, where their time tells who they are', async () => {
		const { polls } = await pollCrowd(true);
		expect(polls[1]?.sinceAt).toBeGreaterThan(polls[0]?.sinceAt ?? Infinity);
	});

	test('are read again where no time tells who they are', async () => {
		const { polls } = await pollCrowd(false);
		expect(polls[1]?.sinceAt).toBe(polls[0]?.sinceAt);
	});
});

describe.each([true, false])('attendance (counted: %s)', (countsAttendees) => {
	/** Twelve people of a session that has just ended. */
	async function endedSession(): Promise<PolledPlatform> {
		const platform = new PolledPlatform({
			countsAttendees,
			eventTypes: ['people.attended', 'people.not_attended'],
		});
		for (let person = 0; person < 12; person++) platform.add();
		await platform.poll();
		platform.pass(hourSeconds);
		platform.session = { ...platform.session, status: 'past', ended_at: platform.nowSeconds };
		return platform;
	}

	/** Ten of them turn out to have attended, one at a time. */
	async function settledSession(): Promise<PolledPlatform> {
		const platform = await endedSession();
		for (const person of platform.people.slice(0, 10)) {
			await platform.pollEvery(4 * minuteSeconds, 2);
			person.attended = true;
		}
		await platform.pollEvery(5 * minuteSeconds, 6);
		return platform;
	}

	const came = Array.from({ length: 10 }, (_, index) => `attended person-${index + 1}`);

	test('that becomes known step by step starts a run for everybody who came, and last for who stayed away', async () => {
		const platform = await settledSession();
		expect(platform.started).toEqual([...came, 'not_attended person-11', 'not_attended person-12']);
	});

	test('is not read any more when it has settled, whatever changes in the session', async () => {
		const platform = await settledSession();
		platform.session.updated_at = platform.nowSeconds;
		expect(await platform.pollEvery(10 * minuteSeconds, 3)).toEqual([]);
		expect(platform.requests).toEqual(['/sessions']);
	});
});

test('attendance is not read any more once its session is out of view, where people are not counted', async () => {
	const eventTypes = ['people.attended', 'people.not_attended'];
	const platform = new PolledPlatform({ eventTypes, flaw: 'no counts' });
	platform.add({ attended: true });
	platform.add();
	await platform.poll();
	platform.end();
	await platform.pollEvery(quarterSeconds, 100);
	expect(platform.started).toEqual(['attended person-1', 'not_attended person-2']);
	expect(platform.requests).toEqual(['/sessions']);
});

test('who is counted as an attendee after attendance has settled starts a run', async () => {
	const platform = new PolledPlatform({ eventTypes: ['people.attended', 'people.not_attended'] });
	platform.add({ attended: true });
	platform.add();
	await platform.poll();
	platform.pass(hourSeconds);
	platform.end();
	await platform.pollEvery(5 * minuteSeconds, 20);
	expect(platform.started).toEqual(['attended person-1', 'not_attended person-2']);
	for (const person of platform.people) person.attended = true;
	expect(await platform.pollEvery(5 * minuteSeconds)).toEqual(['attended person-2']);
});

test('who stayed away is told although somebody registers for the replay before each poll', async () => {
	const eventTypes = ['people.attended', 'people.not_attended'];
	const platform = new PolledPlatform({ eventTypes });
	platform.add({ attended: true });
	platform.add();
	await platform.poll();
	platform.pass(hourSeconds);
	platform.end();
	platform.session.status = 'on_demand';
	for (let nth = 0; nth < 16; nth++) {
		platform.register({ attended: false });
		await platform.pollEvery(5 * minuteSeconds);
	}
	expect(platform.started).toEqual(['attended person-1', 'not_attended person-2']);
	expect(platform.hasUntold).toBe(false);
});

describe('who registers for the replay, after the end, has not missed the session', () => {
	/** Two people of whom one came, and after the end five who register, each five minutes apart. */
	async function startedBy(showsTimes: boolean): Promise<string[]> {
		const platform = new PolledPlatform({ showsTimes, eventTypes: ['people.not_attended'] });
		platform.add({ attended: true, ...knownSince(9) });
		platform.add({ attended: false, ...knownSince(9) });
		await platform.poll();
		platform.pass(hourSeconds);
		platform.end();
		if (!showsTimes) await platform.pollEvery(5 * minuteSeconds, 20);
		for (let person = 0; person < 5; person++) {
			platform.register({ attended: false, ...knownSince(9) });
			await platform.pollEvery(5 * minuteSeconds, 4);
		}
		await platform.pollEvery(hourSeconds, 3);
		return platform.started;
	}

	test.each([true, false])('and starts no run (times: %s)', async (showsTimes) => {
		expect(await startedBy(showsTimes)).toEqual(['not_attended person-2']);
	});
});

describe('of people those are read', () => {
	/** Somebody was there before, and somebody came an hour ago. */
	async function quietSession(showsTimes: boolean): Promise<PolledPlatform> {
		const platform = new PolledPlatform({ showsTimes });
		platform.add();
		await platform.poll();
		await platform.pollEvery(hourSeconds);
		platform.add();
		await platform.pollEvery(hourSeconds);
		return platform;
	}

	test('who changed since the registration that was last seen, where it has a time', async () => {
		const platform = await quietSession(true);
		expect(platform.requests).toEqual(['/sessions', peopleOfSession]);
		expect(platform.sinces).toEqual([undefined, start]);
	});

	test('who changed since ten minutes before the last poll, where registrations have no time', async () => {
		const platform = await quietSession(false);
		expect(platform.sinces).toEqual([undefined, start + hourSeconds - 10 * minuteSeconds]);
	});

	test.each([true, false])(
		'who changed since ten minutes before the last poll that found somebody (times: %s)',
		async (showsTimes) => {
			const platform = await quietSession(showsTimes);
			platform.add();
			await platform.pollEvery(hourSeconds);
			expect(platform.sinces).toEqual([undefined, start + 2 * hourSeconds - 10 * minuteSeconds]);
		},
	);

	describe('of a session that is read for the first time, who changed lately', () => {
		const timeless = { registered_at: undefined, created_at: undefined };

		/** The first session has these people, and tells whether registrations have times. Another one is planned an hour later. */
		async function sinceInNewSession(
			people: Array<Partial<Person>>,
			state: Partial<PolledPlatform> = {},
		): Promise<number | undefined> {
			const platform = new PolledPlatform(state);
			for (const person of people) platform.add({ session: 's', ...person });
			await platform.poll();
			platform.pass(hourSeconds);
			const { session } = new PolledPlatform();
			platform.change({ moreSessions: ['b'], session });
			platform.add({ session: 'b' });
			await platform.pollEvery(minuteSeconds);
			return platform.sinces[platform.requests.indexOf('/sessions/b/people')];
		}

		test.each<[string, Array<Partial<Person>>, Partial<PolledPlatform>]>([
			['where registrations have times', [{}], {}],
			[
				'although a team member without a time stands first',
				[{ role: 'team_member', ...timeless }, {}],
				{},
			],
			[
				'although replays are asked for as well, which have no times',
				[{ hasViewedReplay: true }],
				{
					eventTypes: ['people.watched_replay', 'people.registered'],
					session: { status: 'on_demand', ended_at: start - 1 },
				},
			],
		])('%s', async (_, people, state) => {
			expect(await sinceInNewSession(people, state)).toEqual(expect.any(Number));
		});

		test.each<[string, Array<Partial<Person>>]>([
			['where registrations have no times', [{ role: 'participant', ...timeless }]],
			['where nobody has registered yet', [{ role: 'team_member' }]],
		])('and everybody else %s', async (_, people) => {
			expect(await sinceInNewSession(people)).toBeUndefined();
		});
	});

	test('who registered, and nobody a minute later', async () => {
		const platform = await quietSession(true);
		platform.add();
		await platform.pollEvery(hourSeconds);
		await platform.pollEvery(minuteSeconds);
		expect(platform.requests).toEqual(['/sessions']);
	});
});

describe('a poll costs', () => {
	test('at first a request that shows whether registrations have a time', async () => {
		const platform = new PolledPlatform();
		for (let person = 0; person < 60; person++) platform.add();
		await platform.poll();
		expect(platform.requests).toEqual(['/sessions', peopleOfSession]);
	});

	test.each(['people.watched_replay', 'people.attended'])(
		'at first no such request for %s, which no registration tells',
		async (eventType) => {
			const platform = new PolledPlatform({ eventTypes: [eventType] });
			platform.add();
			await platform.poll();
			expect(platform.requests).toEqual(['/sessions']);
		},
	);

	test('no such request after another activation', async () => {
		const platform = new PolledPlatform();
		platform.add();
		await platform.poll();
		platform.pass(hourSeconds);
		await platform.activate();
		expect(platform.requests).toEqual(['/sessions']);
	});

	test('one request while nothing happens', async () => {
		const platform = new PolledPlatform();
		platform.add();
		await platform.poll();
		await platform.pollEvery(quarterSeconds, 90);
		expect(platform.requests).toEqual(['/sessions']);
	});

	test('one request more for a session that nobody has read for a day', async () => {
		const platform = new PolledPlatform();
		platform.add();
		await platform.poll();
		await platform.pollEvery(quarterSeconds, 95);
		await platform.pollEvery(quarterSeconds);
		expect(platform.requests).toEqual(['/sessions', peopleOfSession]);
	});

	test('at most five requests for such sessions, and the next poll reads those that are left', async () => {
		const moreSessions = [
			...Array.from({ length: 9 }, (_, index) => `empty-${index}`),
			...'abcdef',
		];
		const platform = new PolledPlatform({ moreSessions });
		platform.add();
		await platform.poll();
		platform.pass(25 * hourSeconds);
		await platform.pollEvery(minuteSeconds);
		const first = platform.requests;
		await platform.pollEvery(minuteSeconds);
		const second = platform.requests;
		expect([first.length, second.length]).toEqual([1 + 5, 1 + 2]);
		expect(new Set([...first, ...second]).size).toBe(1 + 7);
	});

	test('nothing for the end of a session where attendance is not asked for', async () => {
		const platform = new PolledPlatform();
		platform.add();
		await platform.poll();
		platform.pass(hourSeconds);
		platform.end();
		await platform.poll();
		await platform.pollEvery(quarterSeconds);
		expect(platform.requests).toEqual(['/sessions']);
	});

	test('nothing for the end of a session before the activation', async () => {
		const platform = new PolledPlatform({ eventTypes: ['people.attended'] });
		platform.add();
		platform.end();
		platform.pass(hourSeconds);
		await platform.poll();
		expect(platform.requests).toEqual(['/sessions']);
	});
});

describe('what is kept of people', () => {
	test('is little two hours after 5,000 registrations', async () => {
		const platform = new PolledPlatform();
		await platform.poll();
		for (let person = 0; person < 5_000; person++) {
			if (person % 25 === 0) platform.pass(3);
			platform.add();
			if (person % 1_000 === 999) await platform.poll();
		}
		await platform.pollEvery(15 * minuteSeconds, 8);
		expect([new Set(platform.started).size, platform.started.length]).toEqual([5_000, 5_000]);
		expect(JSON.stringify(platform.cursor).length).toBeLessThan(60_000);
	});

	test('goes a day after their session has vanished, and not before', async () => {
		const platform = new PolledPlatform();
		platform.add();
		await platform.poll();
		platform.change({ flaw: 'no sessions' });
		await platform.pollEvery(hourSeconds, 24);
		expect(platform.cursor?.lists).toHaveProperty([peopleOfSession]);
		await platform.pollEvery(hourSeconds);
		expect(platform.cursor?.lists).not.toHaveProperty([peopleOfSession]);
	});

	test('does not hold a session that is over in view once nobody is in it, although it could not be read', async () => {
		const platform = new PolledPlatform({ endedWithinDays: 0 });
		platform.add();
		await platform.poll();
		platform.register();
		platform.change({ failing: new Set([peopleOfSession]) });
		await platform.pollEvery(minuteSeconds);
		platform.change({ people: [], failing: new Set() });
		platform.end();
		await platform.pollEvery(quarterSeconds, 3);
		expect(platform.cursor?.keptSessionIds).toEqual([]);
	});
});
