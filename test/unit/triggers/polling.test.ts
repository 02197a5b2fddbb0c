import type { INodeParameters } from 'n8n-workflow';
import { VirtualPolling, VirtualTime } from '../../support/n8n/virtualPolling';
import { pageOf } from '../../support/platform/fakePlatform';
import { dayMs, minuteMs } from '../../support/time/units';

const time = new VirtualTime();

/** Counts the polls of two days of a trigger whose clock was that far ahead for a while, with 2 days and 200 requests left of the month. */
async function pollsAfter(aheadMs: number): Promise<number> {
	const returnsAt = Math.floor((Date.now() + 2 * dayMs) / 1_000);
	let requests = 0;
	let clockAheadMs = 0;
	const setClock = (ms: number) => {
		time.pass(ms - clockAheadMs);
		clockAheadMs = ms;
	};
	const trigger = new VirtualPolling({ events: ['people.registered'] }, (_, query) => {
		requests++;
		const headers = {
			date: new Date(Date.now() - clockAheadMs).toUTCString(),
			'ratelimit-monthly-limit': '10000',
			'ratelimit-monthly-remaining': String(200 - requests),
			'ratelimit-reset': String(returnsAt),
		};
		return { status: 200, headers, body: pageOf([], query) };
	});
	await trigger.poll(true);
	setClock(aheadMs);
	await trigger.poll();
	setClock(0);
	for (let minute = 0; minute < 2 * 24 * 60; minute++) {
		time.pass(minuteMs);
		await trigger.poll();
	}
	return requests;
}

test('a clock that was twenty days ahead and is set right polls as often as the rest of the month allows', async () => {
	expect(await pollsAfter(20 * dayMs)).toBeCloseTo(await pollsAfter(0), -1);
});

test.each(['init', 'leadershipChange'] as const)(
	'a process that has nothing stored is no new trigger, and waits for its turn (%s)',
	async (mode) => {
		let requests = 0;
		for (let minute = 0; minute < 5; minute++) {
			const trigger = new VirtualPolling({ events: ['people.registered'] }, (_, query) => {
				requests++;
				return { status: 200, headers: {}, body: pageOf([], query) };
			});
			time.pass(minuteMs);
			await trigger.restart(mode);
		}
		// 107 turns a day are one in each 14 minutes.
		expect(requests).toBeLessThanOrEqual(1);
	},
);

test('a workflow that was unpublished before its first poll begins when it is published again', async () => {
	const joinedAt = () => Math.floor(Date.now() / 1_000);
	const events: object[] = [];
	const trigger = new VirtualPolling({ events: ['event.created'] }, (_, query) => {
		const headers = { date: new Date(Date.now()).toUTCString() };
		return { status: 200, headers, body: pageOf(events, query) };
	});
	// Its turn comes later.
	time.pass(5 * minuteMs);
	await trigger.restart();
	time.pass(3 * dayMs);
	events.push({ id: 'while-off', type: 'events', attributes: { created_at: joinedAt() } });
	time.pass(3 * dayMs);
	await trigger.publishAgain();
	time.pass(dayMs / 2);
	events.push({ id: 'after', type: 'events', attributes: { created_at: joinedAt() } });
	await trigger.poll();
	expect(trigger.items).toMatchObject([{ id: 'after' }]);
});

test('a reminder is told that came due before any request of a new trigger had a response', async () => {
	const startsAt = Math.floor(Date.now() / 1_000) + 90 * 60;
	const attributes = { status: 'upcoming', name: 'Tour', estimated_started_at: startsAt };
	let isLost = true;
	const events = ['session.starting'];
	const leadTimes = { lead: [{ amount: 1, unit: 'hours' }] };
	const trigger = new VirtualPolling({ events, leadTimes }, (path, query) => {
		if (isLost) return undefined;
		const session = { id: 's', type: 'sessions', attributes };
		const body = path.endsWith('/sessions') ? pageOf([session], query) : { data: session };
		return { status: 200, headers: { date: new Date(Date.now()).toUTCString() }, body };
	});
	await trigger.restart();
	for (let minute = 0; minute < 40; minute++) {
		time.pass(minuteMs);
		await trigger.poll();
	}
	isLost = false;
	for (let minute = 0; minute < 30; minute++) {
		time.pass(minuteMs);
		await trigger.poll();
	}
	expect(trigger.items).toMatchObject([{ event: 'session.starting', lead_minutes: 60 }]);
});

describe('one request that fails when reminders are due, and the next poll comes after their start:', () => {
	/** Polls each quarter of an hour, and reads lists as well. */
	async function toldOf(ids: readonly string[], failing: string, more: INodeParameters = {}) {
		const startsAt = Math.floor(Date.now() / 1_000) + 55 * 60;
		const attributes = { status: 'upcoming', name: 'Tour', estimated_started_at: startsAt };
		const sessions = ids.map((id) => ({ id, type: 'sessions', attributes }));
		const unlisted = new Set<string>();
		let mayFail = false;
		const trigger = new VirtualPolling(
			{
				events: ['session.starting', 'people.registered'],
				leadTimes: { lead: [{ amount: 10, unit: 'minutes' }] },
				options: { keepToShare: false },
				...more,
			},
			(path, query) => {
				const headers = { date: new Date(Date.now()).toUTCString() };
				if (mayFail && path.endsWith(failing)) {
					mayFail = false;
					return { status: 502, headers, body: '' };
				}
				if (path.endsWith('/sessions'))
					return {
						status: 200,
						headers,
						body: pageOf(
							sessions.filter(({ id }) => !unlisted.has(id)),
							query,
						),
					};
				const [session] = sessions.filter(({ id }) => path.endsWith(`/sessions/${id}`));
				return { status: 200, headers, body: session ? { data: session } : pageOf([], query) };
			},
		);
		await trigger.poll(true);
		for (let poll = 1; poll <= 4; poll++) {
			time.pass(15 * minuteMs);
			if (poll === 3) {
				mayFail = true;
				if (failing === '/sessions/s1') unlisted.add('s1');
			}
			await trigger.poll();
		}
		expect(mayFail).toBe(false);
		return trigger.items.map(({ id }) => id).sort();
	}

	const six = ['s1', 's2', 's3', 's4', 's5', 's6'];

	test('the session of the filter is told', async () => {
		expect(await toldOf(['s1'], '/sessions/s1', { sessionId: 's1' })).toEqual(['s1']);
	});

	test('more sessions than are read alone are told', async () => {
		expect(await toldOf(six, '/sessions')).toEqual(six);
	});

	test('one of them that the list leaves out is told', async () => {
		expect(await toldOf(six, '/sessions/s1')).toEqual(six);
	});
});

describe('jobs that are named', () => {
	const found = (status: string) => ({ id: 'j', type: 'jobs', attributes: { status } });

	/** Polls each quarter of an hour for a day. */
	async function pollJobs(jobIds: string, statuses: Record<string, string>) {
		const requests: string[] = [];
		const trigger = new VirtualPolling({ events: ['job.ended'], options: { jobIds } }, (path) => {
			requests.push(path);
			const status = statuses[path.split('/').at(-1) ?? ''];
			const headers = { date: new Date(Date.now()).toUTCString() };
			if (status === undefined) return { status: 404, headers, body: {} };
			return { status: 200, headers, body: found(status) };
		});
		await trigger.poll(true);
		for (let poll = 0; poll < 96; poll++) {
			time.pass(15 * minuteMs);
			await trigger.poll();
		}
		return { trigger, requests };
	}

	test('are told in the log, once, where the platform does not know one', async () => {
		const { trigger, requests } = await pollJobs('mistyped, known', { known: 'processing' });
		expect(trigger.warnings).toEqual([
			expect.stringMatching(
				/^Each try to read the job mistyped fails\. If nothing else fails, check 'Job IDs' of Trigger/,
			),
		]);
		expect(requests.filter((path) => path.endsWith('mistyped')).length).toBeLessThanOrEqual(24 + 4);
	});

	test.each([
		['an error', [200, 500]],
		['not knowing it', [200, 404]],
	])('are not told in the log after %s once', async (_, answers) => {
		let nth = 0;
		const trigger = new VirtualPolling(
			{ events: ['job.ended'], options: { jobIds: 'j', keepToShare: false } },
			() => {
				const headers = { date: new Date(Date.now()).toUTCString() };
				const status = answers[nth++] ?? 200;
				const body = status === 200 ? { data: found('processing') } : {};
				return { status, headers, body };
			},
		);
		await trigger.poll(true);
		for (let poll = 0; poll < 20; poll++) {
			time.pass(15 * minuteMs);
			await trigger.poll();
		}
		expect(nth).toBeGreaterThan(answers.length);
		expect(trigger.warnings).toEqual([]);
	});

	test('do not delay the first poll after a start once they have ended', async () => {
		const ids = Array.from({ length: 40 }, (_, index) => `ended-${index}`);
		const statuses = Object.fromEntries(ids.map((id) => [id, 'ended']));
		const { trigger, requests } = await pollJobs([...ids, 'open'].join(), {
			...statuses,
			open: 'processing',
		});
		await trigger.restart();
		time.pass(15 * minuteMs);
		// The start before was just now, so that this one waits for its turn.
		await trigger.restart();
		const before = requests.length;
		for (let poll = 0; poll < 2; poll++) {
			time.pass(15 * minuteMs);
			await trigger.poll();
		}
		expect(requests.slice(before).length).toBeGreaterThan(0);
	});
});

test('a session of more than fifty is announced where few requests are left for a month', async () => {
	const startSeconds = Math.floor(Date.now() / 1_000);
	const monthReturnsAt = startSeconds + (30 * dayMs) / 1_000;
	const session = (id: string, estimated_started_at: number) => {
		const attributes = { status: 'upcoming', name: id, estimated_started_at };
		return { id, type: 'sessions', attributes };
	};
	// The platform does not know the filter, so that the list has two pages.
	const past = Array.from({ length: 60 }, (_, nth) =>
		session(`past-${nth}`, startSeconds - 86_400),
	);
	const planned = session('planned', startSeconds + 28 * 3_600);
	let requests = 0;
	const leadTimes = { lead: [{ amount: 1, unit: 'hours' }] };
	const trigger = new VirtualPolling({ events: ['session.starting'], leadTimes }, (path, query) => {
		requests++;
		const headers = {
			date: new Date(Date.now()).toUTCString(),
			'ratelimit-monthly-limit': '10000',
			'ratelimit-monthly-remaining': String(60 - requests),
			'ratelimit-reset': String(monthReturnsAt),
		};
		const isList = path.endsWith('/sessions');
		const body = isList ? pageOf([...past, planned], query) : { data: planned };
		return { status: 200, headers, body };
	});
	await trigger.poll(true);
	for (let poll = 0; poll < 28 * 4; poll++) {
		time.pass(15 * minuteMs);
		await trigger.poll();
	}
	expect(trigger.items).toMatchObject([{ id: 'planned', lead_minutes: 60 }]);
	// Four a day, half a day for a new trigger, a list that is still owed, and the session.
	expect(requests).toBeLessThanOrEqual((4 * 28) / 24 + 2 + 2 + 1);
});

test('starts of n8n that tell a reminder each do not bring the lists their turn earlier', async () => {
	const nowSeconds = Math.floor(Date.now() / 1_000);
	const session = (id: string, attributes: object) => ({ id, type: 'sessions', attributes });
	const ended = Array.from({ length: 20 }, (_, index) =>
		session(`ended-${index}`, { status: 'past', ended_at: nowSeconds - 60 }),
	);
	const planned = Array.from({ length: 6 }, (_, index) => {
		const estimated_started_at = nowSeconds + (90 + index * 30) * 60;
		return session(`planned-${index}`, { status: 'upcoming', estimated_started_at });
	});
	let recordingsRead = 0;
	const trigger = new VirtualPolling(
		{ events: ['session.starting', 'recording.ready'] },
		(path, query) => {
			const headers = { date: new Date(Date.now()).toUTCString() };
			if (path.endsWith('/recordings')) recordingsRead++;
			const alone = planned.find(({ id }) => path.endsWith(`/sessions/${id}`));
			const listed = path.endsWith('/sessions') ? [...ended, ...planned] : [];
			return { status: 200, headers, body: alone ? { data: alone } : pageOf(listed, query) };
		},
	);
	await trigger.poll(true);
	expect(recordingsRead).toBe(20);
	for (let start = 0; start < 6; start++) {
		for (let minute = 1; minute < 30; minute++) {
			time.pass(minuteMs);
			await trigger.poll();
		}
		time.pass(minuteMs);
		await trigger.restart();
	}
	expect(trigger.items).toHaveLength(6);
	// A turn is as long as a third of the month takes to pay for 21 requests: more than four hours.
	expect(recordingsRead).toBeLessThanOrEqual(2 * 20);
});

test.each([[['session.starting']], [['session.starting', 'event.created']]])(
	'each reminder of %j is told once, although nothing could be read while our clock was set ten days ahead',
	async (events) => {
		const start = Math.floor(Date.now() / 1_000) + (7 * dayMs) / 1_000;
		const attributes = { status: 'upcoming', created_at: 1, estimated_started_at: start + 600 };
		const session = { id: 's', type: 'sessions', attributes };
		const leadTimes = { lead: [5, 7].map((amount) => ({ amount, unit: 'days' })) };
		let clockAheadMs = 0;
		let isBroken = false;
		const trigger = new VirtualPolling({ events, leadTimes }, (path, query) => {
			if (isBroken && path.includes('/sessions')) return undefined;
			const headers = { date: new Date(Date.now() - clockAheadMs).toUTCString() };
			if (path.endsWith('/s')) return { status: 200, headers, body: { data: session } };
			const listed = path.endsWith('/sessions') ? [session] : [];
			return { status: 200, headers, body: pageOf(listed, query) };
		});
		const pollTwentyTimes = async (minutes: number) => {
			for (let poll = 0; poll < 20; poll++) {
				time.pass(minutes * minuteMs);
				await trigger.poll();
			}
			return trigger.items.map(({ lead }) => lead);
		};
		await trigger.poll(true);
		await pollTwentyTimes(1);
		clockAheadMs = 10 * dayMs;
		time.pass(clockAheadMs);
		isBroken = true;
		expect(await pollTwentyTimes(1)).toEqual(['7 days']);
		isBroken = false;
		expect(await pollTwentyTimes(5)).toEqual(['7 days']);
		expect(await pollTwentyTimes(180)).toEqual(['7 days', '5 days']);
	},
);
