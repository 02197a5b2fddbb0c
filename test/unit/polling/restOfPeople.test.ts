import { hourSeconds, minuteSeconds } from '../../support/time/units';
import { PolledPlatform, quarterSeconds, start, type Person } from './polledPlatform';

const attendance = ['people.attended', 'people.not_attended'];

/** A platform with one session of very many people, on which a poll has time for so many requests. */
const crowded = (eventTypes: string[], requestsInTime = 20) =>
	new PolledPlatform({ eventTypes, requestsInTime });

/** So many people, of whom every third stays away. They registered before the trigger began, where nothing else is said. */
function addCrowd(platform: PolledPlatform, count: number, person: Partial<Person> = {}): void {
	const before = { joinedAt: start - 1, registered_at: start - 1, created_at: undefined };
	for (let nth = 0; nth < count; nth++) {
		const registered_at = platform.showsTimes ? before.registered_at : undefined;
		platform.add({ ...before, registered_at, attended: nth % 3 > 0, ...person });
	}
}

/** Registrations at this time. */
const at = (seconds: number): Partial<Person> => ({ joinedAt: seconds, registered_at: seconds });

/** Polls so often, each time after so many seconds. */
const poll = (platform: PolledPlatform, times = 1, afterSeconds = 5 * minuteSeconds) =>
	platform.pollEvery(afterSeconds, times);

const registrations = (people: readonly Person[]) =>
	people.map(({ id }) => `registered ${id}`).sort();

const outcomes = (people: readonly Person[]) =>
	people.map(({ id, attended }) => `${attended ? 'attended' : 'not_attended'} ${id}`);

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe('people of a session whom one poll cannot read', () => {
	/** 3,000 people are on 60 pages; a poll has time for twenty requests. */
	async function endedSession(eventTypes = attendance) {
		const platform = crowded(eventTypes);
		addCrowd(platform, 3_000);
		await poll(platform);
		platform.end();
		return platform;
	}

	test.each([5, 15, 61])(
		'each start one run, when they have attended or when attendance has settled, with polls %s minutes apart',
		async (minutes) => {
			const platform = crowded(attendance);
			addCrowd(platform, 3_000);
			await poll(platform);
			platform.pass(minuteSeconds);
			platform.end();
			// The first poll after the end comes at another time of the hour than the others.
			await poll(platform, 1, 10 * minuteSeconds);
			await poll(platform, 40, minutes * minuteSeconds);
			expect(platform.started.sort()).toEqual(outcomes(platform.people).sort());
			expect(platform.polls.at(-1)?.requests).toBe(1);
		},
	);

	test('are told by the next poll that goes on where the one before stopped', async () => {
		const platform = await endedSession(['people.attended']);
		await poll(platform, 4);
		// 19 pages, of which two of three people have attended; the last of them is read again, in case the list became shorter.
		expect(platform.polls.map(({ started }) => started)).toEqual([0, 633, 600, 600, 167]);
	});

	test('cost little more than their pages, and nothing once all are told', async () => {
		const platform = await endedSession(['people.attended']);
		await poll(platform, 4);
		const requests = sum(platform.polls.slice(1).map((each) => each.requests));
		// 60 pages, four lists of sessions, and what is read twice or of no more use.
		expect(requests).toBeLessThanOrEqual(80);
		await poll(platform, 20);
		expect(platform.polls.at(-1)?.requests).toBe(1);
	});

	test('are read on after a poll that has no time for them at all', async () => {
		const platform = await endedSession(['people.attended']);
		await poll(platform, 2);
		platform.requestsInTime = 1;
		await poll(platform, 2);
		platform.requestsInTime = 20;
		await poll(platform, 2);
		expect(platform.started).toHaveLength(2_000);
		expect(new Set(platform.started).size).toBe(2_000);
	});

	test('are read although a poll has time for one page only', async () => {
		const platform = crowded(['people.attended'], 2);
		addCrowd(platform, 300);
		await poll(platform);
		platform.end();
		await poll(platform, 7);
		expect(platform.started).toHaveLength(200);
	});

	test('leave a note that there are more, while there are', async () => {
		const platform = await endedSession(['people.attended']);
		const notes: unknown[] = [];
		for (let nth = 0; nth < 4; nth++) {
			await poll(platform);
			notes.push(platform.cursor?.hasMore);
		}
		expect(notes).toEqual([true, true, true, false]);
	});

	test('are absent only once nobody new has come for ten minutes, also where some are counted late', async () => {
		const platform = await endedSession();
		await poll(platform, 2);
		// Somebody on a page that was read already turns out to have attended.
		const [person] = platform.people;
		if (person) person.attended = true;
		await poll(platform, 40);
		expect(platform.started.sort()).toEqual(outcomes(platform.people).sort());
	});

	test.each([true, false])(
		'start one run each when they register (times: %s)',
		async (hasTimes) => {
			const platform = crowded(['people.registered']);
			await poll(platform);
			const since = at(platform.nowSeconds + minuteSeconds);
			addCrowd(platform, 3_000, hasTimes ? since : { ...since, registered_at: undefined });
			await poll(platform, 30);
			await poll(platform, 30, hourSeconds);
			expect(platform.started.sort()).toEqual(registrations(platform.people));
		},
	);

	test('start one run each when they stayed away of a session that ends while registrations are left over', async () => {
		const platform = crowded(['people.registered', ...attendance], 60);
		addCrowd(platform, 100);
		await poll(platform, 3);
		addCrowd(platform, 3_500, at(platform.nowSeconds + minuteSeconds));
		await poll(platform);
		platform.end();
		await poll(platform, 6, 61 * minuteSeconds);
		const registered = registrations(platform.people.slice(100));
		expect(platform.started.sort()).toEqual([...outcomes(platform.people), ...registered].sort());
	});

	test('start one run each when they register while the list is read, and stand in front of those who were read', async () => {
		const platform = crowded(['people.registered']);
		await poll(platform);
		addCrowd(platform, 3_000, at(platform.nowSeconds + minuteSeconds));
		await poll(platform, 2, quarterSeconds);
		platform.people.unshift({
			id: 'late',
			attended: true,
			joinedAt: platform.nowSeconds,
			registered_at: platform.nowSeconds,
		});
		await poll(platform, 30, quarterSeconds);
		expect(platform.started.sort()).toEqual(registrations(platform.people));
	});

	test.each([40, 120, 700, 2_400])(
		'start one run each when %i of those who were read are removed before the next poll',
		async (removed) => {
			const platform = crowded(['people.registered']);
			await poll(platform);
			addCrowd(platform, 3_000, at(platform.nowSeconds + minuteSeconds));
			await poll(platform, 1, quarterSeconds);
			const gone = platform.people.splice(0, removed).map(({ id }) => `registered ${id}`);
			await poll(platform, 30, quarterSeconds);
			const told = new Set(platform.started);
			expect(platform.started).toHaveLength(told.size);
			for (const each of gone) told.delete(each);
			expect([...told].sort()).toEqual(registrations(platform.people));
		},
	);

	test('start none a second time where the session comes into view again', async () => {
		const platform = await endedSession(['people.attended']);
		await poll(platform, 4);
		await poll(platform, 6, 24 * hourSeconds);
		platform.session.status = 'on_demand';
		await poll(platform, 10);
		expect(platform.started).toHaveLength(2_000);
	});

	test('are told as absent, also of the pages that were read before the end', async () => {
		const platform = crowded(['people.registered', 'people.not_attended']);
		addCrowd(platform, 3_000, { registered_at: undefined });
		await poll(platform);
		platform.end();
		await poll(platform, 8, 2 * hourSeconds);
		const absent = platform.people.filter(({ attended }) => !attended);
		expect(platform.started.sort()).toEqual(outcomes(absent).sort());
	});
});

describe('people of a list that is not found for once start one run each', () => {
	test('where they have no times and a later page is not found at the first read', async () => {
		const platform = crowded(['people.registered']);
		platform.showsTimes = false;
		addCrowd(platform, 120);
		platform.goneFrom = 1;
		await poll(platform);
		platform.goneFrom = Infinity;
		await poll(platform, 2);
		const before = platform.people.length;
		addCrowd(platform, 2, at(platform.nowSeconds + minuteSeconds));
		await poll(platform, 4);
		expect(platform.started).toEqual(registrations(platform.people.slice(before)));
	});

	test('where a later page is not found and has those who registered before', async () => {
		const platform = crowded(['people.registered']);
		await poll(platform);
		await poll(platform, 1, hourSeconds);
		addCrowd(platform, 50, at(platform.nowSeconds + 59 * minuteSeconds));
		addCrowd(platform, 50, at(platform.nowSeconds + minuteSeconds));
		platform.goneFrom = 1;
		await poll(platform, 1, hourSeconds);
		platform.goneFrom = Infinity;
		await poll(platform, 4);
		expect(platform.started.sort()).toEqual(registrations(platform.people));
	});

	test('within the hour after it is found, where reads ten minutes apart did not find it', async () => {
		const platform = crowded(['people.registered']);
		await poll(platform);
		addCrowd(platform, 1, at(platform.nowSeconds + minuteSeconds));
		platform.goneFrom = 0;
		await poll(platform, 4, 10 * minuteSeconds);
		platform.goneFrom = Infinity;
		await poll(platform, 6, 10 * minuteSeconds);
		expect(platform.started).toEqual(['registered person-1']);
	});

	test('where they stayed away, and attendance had settled by then', async () => {
		const platform = crowded(['people.not_attended']);
		addCrowd(platform, 3);
		await poll(platform);
		platform.pass(minuteSeconds);
		platform.end();
		platform.goneFrom = 0;
		await poll(platform, 1, 2 * hourSeconds);
		platform.goneFrom = Infinity;
		await poll(platform, 4);
		expect(platform.started).toEqual(['not_attended person-1']);
	});

	test.each([
		['the first two reads after the end', [0, 1]],
		['the read with which attendance would settle', [2]],
	])('where %s do not find it', async (_reads, missed) => {
		const platform = crowded(attendance);
		addCrowd(platform, 3);
		await poll(platform);
		platform.end();
		for (const [nth, minutes] of [20, 20, 30, 60, 60].entries()) {
			platform.goneFrom = missed.includes(nth) ? 0 : Infinity;
			await poll(platform, 1, minutes * minuteSeconds);
		}
		expect([...platform.started].sort()).toEqual(outcomes(platform.people).sort());
	});

	test('and cost a request an hour where it stays so', async () => {
		const platform = crowded(['people.not_attended']);
		addCrowd(platform, 3);
		await poll(platform);
		platform.end();
		platform.goneFrom = 0;
		await poll(platform, 3 * 24 * 4, quarterSeconds);
		const ofPeople = sum(platform.polls.map(({ requests }) => requests - 1));
		expect(ofPeople).toBeLessThanOrEqual(3 * 24 + 4);
	});
});

test('a poll that has time reads no more people who attended than one run can take', async () => {
	const platform = crowded(['people.attended'], 1_000);
	addCrowd(platform, 9_000, { attended: true });
	await poll(platform);
	platform.end();
	await poll(platform, 5);
	expect(platform.polls.map(({ started }) => started)).toEqual([
		0, 2_000, 2_000, 2_000, 2_000, 1_000,
	]);
	const requests = sum(platform.polls.slice(1).map((each) => each.requests));
	expect(requests).toBeLessThanOrEqual(260);
});
