import { seededId } from '../../sandbox/seed/ids';
import { PollingHost } from '../support/n8n/pollingHost';
import { TriggerScene } from '../support/n8n/triggerScene';
import { makeEvent } from '../support/platform/platformRecords';
import { eventually } from '../support/time/eventually';
import { personOf } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';
import { linesOfLog } from './log';
import { hours, leads, PlannedSessions } from './plannedSessions';

const scene = new TriggerScene();
const sessions = new PlannedSessions(scene);
const { time } = sessions;

const starting = 'session.starting';
const limited = { options: { keepToShare: true } };
const day = hours(24);

describe('an outage', () => {
	const outage = () =>
		scene.sandbox.faults([{ match: { path: '/v1/*' }, do: 'reset-before', times: 100_000 }]);

	async function pollThrough(host: PollingHost, minutes: number): Promise<number> {
		const calls = await scene.calls(async () => {
			for (let minute = 0; minute < minutes; minute++) {
				time.passMinutes(1);
				await host.poll().catch(() => undefined);
			}
		});
		return calls.length;
	}

	test('of twelve hours costs at most ninety requests, and the list comes within the hour after it', async () => {
		for (let count = 0; count < 4; count++) await sessions.plan(hours(4) + 60 * count);
		const host = await sessions.activated(starting, limited);
		await sessions.pollFor(host, hours(2));
		await outage();
		expect(await pollThrough(host, hours(12))).toBeLessThanOrEqual(90);
		await scene.sandbox.web.delete('/_sandbox/faults');
		const calls = await scene.calls(() => sessions.pollFor(host, 60));
		expect(calls).toContain('GET /v1/sessions');
	});
});

describe('a clock', () => {
	test('that is three days behind: starts are told, and the log says what is wrong', async () => {
		const warnings = linesOfLog('warn');
		await scene.sandbox.changeWorld({ clockAheadMs: 3 * day * 60_000 });
		const host = new PollingHost(scene.sandbox, { events: [starting], ...limited });
		host.startProcess();
		await sessions.plan(hours(3) + 3 * day);
		await host.activate();
		const told = await sessions.pollFor(host, hours(2) + 2);
		expect(told).toMatchObject([{ starts_in_minutes: 60 }]);
		await host.restart();
		expect(warnings()).toContainEqual(
			expect.stringMatching(/^The clock of the machine .* 72 hours /),
		);
		expect(warnings().join('\n')).not.toContain('begins that part anew');
	});

	test.each([
		['45 minutes', 45],
		['three days', 3 * day],
	])('that is set back by %s between two lists: a start is told at its moment', async (_, back) => {
		const warnings = linesOfLog('warn');
		const host = await sessions.activated(starting, limited);
		const id = await sessions.plan(hours(1) + 115);
		await sessions.pollFor(host, 110);
		time.passMinutes(-back);
		await scene.sandbox.changeWorld({ clockAheadMs: back * 60_000 });
		const told = await sessions.pollFor(host, 12);
		expect(told).toMatchObject([{ id, starts_in_minutes: 59 }]);
		expect(warnings().join('\n')).not.toContain('begins that part anew');
	});

	test('that was wrong and set right before a restart: a reminder is told at its moment', async () => {
		await scene.sandbox.changeWorld({ clockAheadMs: -hours(2) * 60_000 });
		const host = await sessions.activated(starting, { ...limited, ...leads([10, 'minutes']) });
		time.passMinutes(-hours(2));
		await scene.sandbox.changeWorld({ clockAheadMs: 0 });
		await sessions.plan(75);
		await sessions.plan(78);
		// The first one lets n8n save what is stored.
		expect(await sessions.pollFor(host, 66)).toHaveLength(1);
		await host.restart();
		const told = await sessions.pollFor(host, 4);
		expect(told).toMatchObject([{ starts_in_minutes: 10 }]);
	});

	test('that is set back before a restart does not keep the list away', async () => {
		const host = await sessions.activated(starting, limited);
		time.passMinutes(-45);
		await scene.sandbox.changeWorld({ clockAheadMs: 45 * 60_000 });
		await host.restart();
		const calls = await scene.calls(() => sessions.pollFor(host, 61));
		expect(calls).toContain('GET /v1/sessions');
	});
});

test('a platform that refuses the filters in words is read without them', async () => {
	const host = await sessions.activated('event.created', {
		events: ['event.created', 'people.registered', starting],
	});
	await scene.sandbox.changeWorld({ strict: true });
	const id = await sessions.plan(90);
	const event = await makeEvent(scene.sandbox);
	time.passMinutes(5);
	await host.poll();
	const items = await sessions.pollFor(host, 32);
	expect(items.map((item) => item.id)).toEqual([id]);
	expect(host.items.map((item) => item.id)).toContain(event);
});

test('a platform that refuses filters is asked for each of them twice, and then once a day, however many polls and triggers there are', async () => {
	sessions.planMany(60, 600);
	await scene.sandbox.changeWorld({ strict: true });
	const events = ['event.created', 'people.registered', starting];
	const first = await sessions.activated(starting, { events });
	const second = new PollingHost(scene.sandbox, { events });
	second.shareProcess(first);
	await second.activate();
	const busy = seededId('session', 1_000);
	let people = 0;
	const refusedIn = async (polls: number) => {
		const before = (await scene.sandbox.requests()).length;
		for (let poll = 0; poll < polls; poll++) {
			time.passMinutes(15);
			await scene.sandbox.register(`p${++people}@example.org`, {}, busy);
			await first.poll();
			await second.poll();
		}
		const refused = (await scene.sandbox.requests())
			.slice(before)
			.filter(({ status }) => status === 400);
		const isOptional = (name: string) => !name.startsWith('page[');
		return refused.map(({ path, query }) =>
			[path, ...Object.keys(query).filter(isOptional)].join(' '),
		);
	};
	const expectEach = (most: number, refused: string[]) => {
		expect(refused.join('\n')).toContain('filter[date_from]');
		expect(refused.join('\n')).toContain('filter[updated_since]');
		const timesOf = (request: string) => refused.filter((each) => each === request).length;
		expect(Math.max(...refused.map(timesOf))).toBe(most);
	};
	expectEach(2, await refusedIn(6));
	expect(await refusedIn(6)).toEqual([]);
	time.passMinutes(hours(24));
	expectEach(1, await refusedIn(4));
});

describe('a poll that comes to the end of its time through the limit', () => {
	const slow = new TriggerScene({ rate: 5 });
	const many = new PlannedSessions(slow);

	test('tells what it has read, and the next ones bring the rest', async () => {
		many.planMany(12, 60);
		const host = new PollingHost(slow.sandbox, { events: ['people.registered'] });
		host.hasDurableCursors = true;
		await host.activate();
		const ids = Array.from({ length: 12 }, (_, nth) => seededId('session', 1_000 + nth));
		for (const id of ids) {
			const path = `/sessions/${id}/people`;
			const person = personOf(`p-${id}@example.org`, { first_name: 'A', last_name: 'B' });
			await eventually(async () => (await slow.sandbox.api.post(path, person)).status === 201);
		}
		host.budgetMs = 1_500;
		await many.pollUntil(host, () => host.items.length > 0);
		expect(host.items.length).toBeLessThan(12);
		await many.pollUntil(host, () => host.items.length >= 12);
		expect(host.items.map(({ session_id }) => session_id).sort()).toEqual(ids.sort());
	});

	test('reads recordings although the people of other sessions would take all of its time', async () => {
		many.planMany(10, 60);
		const events = ['people.registered', 'recording.ready'];
		const host = new PollingHost(slow.sandbox, { events });
		host.hasDurableCursors = true;
		await host.activate();
		const { store } = slow.sandbox.platform;
		const ended = await many.plan(60);
		await many.set(ended, 'start');
		await many.set(ended, 'end');
		host.budgetMs = 1_000;
		await many.pollUntil(host, () => {
			const changed = { registrants_count: 1, updated_at: Math.floor(Date.now() / 1_000) };
			for (let nth = 0; nth < 10; nth++)
				store.update('sessions', seededId('session', 1_000 + nth), changed);
			return host.items.length > 0;
		});
		expect(host.items).toMatchObject([{ event: 'recording.ready', session_id: ended }]);
	});
});

describe('a poll that comes to the end of its time with few requests a day', () => {
	const slow = new TriggerScene({ latencyMs: 200, monthly: 1_000 });
	const many = new PlannedSessions(slow);

	test('is followed by the next one at once, until all was told', async () => {
		many.planMany(12, 60);
		const host = new PollingHost(slow.sandbox, { events: ['people.registered'], ...limited });
		host.hasDurableCursors = true;
		await host.activate();
		const ids = Array.from({ length: 12 }, (_, nth) => seededId('session', 1_000 + nth));
		await Promise.all(ids.map((id, nth) => slow.sandbox.register(`p${nth}@example.org`, {}, id)));
		many.time.passMinutes(hours(12));
		host.budgetMs = 1_500;
		// Its turn comes once in hours.
		await many.pollUntil(host, () => host.items.length >= 12);
		expect(new Set(host.items.map(({ session_id }) => session_id))).toEqual(new Set(ids));
	});
});

describe('a limit that is met near the end of a poll, and lasts beyond it', () => {
	const match = { method: 'GET', path: '/v1/sessions/*/people' };
	const limitAfter = (after: number) =>
		scene.sandbox.faults([{ match, after, do: '429', retryAfter: 100, times: 1 }]);

	async function activatedHost(): Promise<PollingHost> {
		const host = new PollingHost(scene.sandbox, { events: ['people.registered'] });
		host.hasDurableCursors = true;
		host.budgetMs = 36_000;
		// The limit of another test is not over for the process that met it.
		host.startProcess();
		await host.activate();
		return host;
	}

	test('costs nothing that was read before, and the next poll goes on from there', async () => {
		const host = await activatedHost();
		const people = Array.from({ length: 60 }, (_, nth) => `p${nth}@example.org`);
		for (let nth = 0; nth < 4; nth++) {
			const id = await sessions.plan(hours(30) + nth);
			await Promise.all(people.map((email) => scene.sandbox.register(email, {}, id)));
		}
		time.passMinutes(5);
		// The first request finds out whether registrations have a time. Each list has two pages, so that it is the second one of the third list.
		await limitAfter(6);
		const calls = await scene.calls(() => host.poll());
		expect(calls.filter((call) => call.endsWith('/people'))).toHaveLength(7);
		expect(host.items).toHaveLength(2 * 60 + 50);
		time.passMinutes(5);
		const rest = await scene.calls(() => host.poll());
		expect(host.items).toHaveLength(4 * 60);
		expect(rest.filter((call) => call.endsWith('/people')).length).toBeLessThanOrEqual(4);
	});

	test('is told where not one list could be read', async () => {
		const host = await activatedHost();
		await sessions.pollFor(host, 5);
		await scene.sandbox.register('ada@example.org');
		time.passMinutes(5);
		await limitAfter(0);
		await expect(host.poll()).rejects.toThrow('(429)');
		time.passMinutes(5);
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'ada@example.org' }]);
	});

	test('is told also where the list of sessions has events of its own', async () => {
		const host = new PollingHost(scene.sandbox, {
			events: ['session.created', 'people.registered'],
		});
		host.startProcess();
		await host.activate();
		await sessions.pollFor(host, 5);
		await scene.sandbox.register('ada@example.org');
		time.passMinutes(20);
		await scene.sandbox.faults([{ match, do: '429', retryAfter: 3_000, times: 1 }]);
		await expect(host.poll()).rejects.toThrow('(429)');
	});
});

describe('a refusal without words, which a gateway may have sent', () => {
	const refuse = async (path: string) => {
		const match = { method: 'GET', path };
		await scene.sandbox.faults([{ match, do: 'empty-400', times: 10 }]);
	};
	const accept = () => scene.sandbox.web.delete('/_sandbox/faults');

	test.each(['/v1/sessions/*/people', '/v1/sessions'])(
		'to %s costs no registration',
		async (path) => {
			const host = await sessions.activated('people.registered');
			await sessions.pollFor(host, 5);
			const id = await sessions.plan(hours(30));
			await scene.sandbox.register('ada@example.org');
			await scene.sandbox.register('grace@example.org', {}, id);
			time.passMinutes(60);
			await refuse(path);
			await host.poll().catch(() => undefined);
			await accept();
			await sessions.pollFor(host, 12);
			expect(host.items.map(({ email }) => email).sort()).toEqual([
				'ada@example.org',
				'grace@example.org',
			]);
		},
	);

	test('is no failure of a list that may have no records yet, also at the activation', async () => {
		await scene.sandbox.register('ada@example.org');
		await scene.session('start');
		const ask = (question: string) =>
			scene.sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/ask`, { question });
		await ask('Asked before the trigger began?');
		const match = { method: 'GET', path: '/v1/sessions/*/questions' };
		await scene.sandbox.faults([{ match, do: 'empty-400', times: 100_000 }]);
		time.passMinutes(20);
		const host = await sessions.activated('question.asked');
		await sessions.pollFor(host, 65);
		await accept();
		await ask('Will there be a replay?');
		await sessions.pollFor(host, 61);
		expect(host.items).toMatchObject([{ question: 'Will there be a replay?' }]);
	});

	test('to the list of events costs no event', async () => {
		const host = await sessions.activated('event.created');
		await sessions.pollFor(host, 5);
		await makeEvent(scene.sandbox, { title: 'New' });
		time.passMinutes(60);
		await refuse('/v1/events');
		await host.poll().catch(() => undefined);
		await accept();
		await sessions.pollFor(host, 12);
		expect(host.items).toMatchObject([{ title: 'New' }]);
	});
});

describe('a list of people that cannot be read', () => {
	test.each(['empty-403', '500'] as const)(
		'for a day (%s) costs few requests, and its registrations are told within the hour after that',
		async (deed) => {
			const host = await sessions.activated('people.registered');
			await sessions.pollFor(host, 5);
			const path = '/v1/sessions/*/people';
			await scene.sandbox.faults([{ match: { method: 'GET', path }, do: deed, times: 100_000 }]);
			await scene.sandbox.register('ada@example.org');
			const calls = await scene.calls(async () => {
				for (let poll = 0; poll < 24 * 12; poll++) {
					time.passMinutes(5);
					await host.poll().catch(() => undefined);
				}
			});
			expect(calls.filter((call) => call.endsWith('/people')).length).toBeLessThanOrEqual(40);
			await scene.sandbox.web.delete('/_sandbox/faults');
			await sessions.pollFor(host, 61);
			expect(host.items).toMatchObject([{ email: 'ada@example.org' }]);
		},
	);

	test('at the first and at the second time is read by the next poll', async () => {
		const host = await sessions.activated('people.registered');
		await sessions.pollFor(host, 5);
		const match = { method: 'GET', path: '/v1/sessions/*/people' };
		await scene.sandbox.faults([{ match, do: '500', times: 1 }]);
		await scene.sandbox.register('ada@example.org');
		time.passMinutes(5);
		await host.poll().catch(() => undefined);
		time.passMinutes(5);
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'ada@example.org' }]);
	});
});

test('the list of the sessions to come, refused without words, costs no start and few requests', async () => {
	const host = await sessions.activated(starting);
	const id = await sessions.plan(hours(11));
	await sessions.pollFor(host, 61);
	const match = { method: 'GET', path: '/v1/sessions' };
	await scene.sandbox.faults([{ match, do: 'empty-400', times: 100_000 }]);
	let lists = 0;
	for (let minute = 0; minute < hours(10); minute++) {
		time.passMinutes(1);
		const calls = await scene.calls(() => host.poll().catch(() => undefined));
		lists += calls.filter((call) => call === 'GET /v1/sessions').length;
	}
	await scene.sandbox.web.delete('/_sandbox/faults');
	expect(host.items).toMatchObject([{ id, event: starting }]);
	// Once an hour, and after one minute, two, four, eight, sixteen and thirty-two, also once the start was told: with the filter and without it, each
	// with the event and without it.
	expect(lists).toBeLessThanOrEqual(4 * (10 + 2 * 6));
});

describe('several triggers with one token', () => {
	async function together(count: number, parameters = {}): Promise<PollingHost[]> {
		const first = await sessions.activated(starting, { ...limited, ...parameters });
		const hosts = [first];
		for (let nth = 1; nth < count; nth++) {
			const host = new PollingHost(scene.sandbox, {
				events: [starting],
				...limited,
				...parameters,
			});
			host.shareProcess(first);
			await host.activate();
			hosts.push(host);
		}
		return hosts;
	}

	test('list the sessions once an hour together, and read a session that is due once', async () => {
		const hosts = await together(10);
		await sessions.plan(hours(4));
		const calls = await scene.calls(async () => {
			for (let minute = 0; minute < day; minute++) {
				time.passMinutes(1);
				await Promise.all(hosts.map((host) => host.poll()));
			}
		});
		expect(hosts.map(({ items }) => items.length)).toEqual(hosts.map(() => 1));
		expect(calls.filter((call) => call === 'GET /v1/sessions').length).toBeLessThanOrEqual(25);
		expect(calls.length).toBeLessThanOrEqual(26);
	});
});

describe('a trigger that waits for what another one reads', () => {
	const slow = new TriggerScene({ latencyMs: 300 });
	const far = new PlannedSessions(slow);

	test('asks four times although the other one, which has failed before, asks once', async () => {
		const id = await far.plan(90);
		const first = await far.activated(starting, limited);
		await far.pollFor(first, 20);
		const second = new PollingHost(slow.sandbox, { events: [starting], ...limited });
		second.shareProcess(first);
		await second.activate();
		await far.pollFor(first, 1);
		const match = { method: 'GET', path: `/v1/sessions/${id}` };
		await slow.sandbox.faults([{ match, do: '500', times: 5 }]);
		far.time.passMinutes(10);
		await expect(first.poll()).rejects.toThrow();
		far.time.passMinutes(1);
		const calls = await slow.calls(async () => {
			const before = (await slow.sandbox.requests()).length;
			const underWay = expect(first.poll()).rejects.toThrow();
			await eventually(async () => (await slow.sandbox.requests()).length > before);
			await second.poll();
			await underWay;
		});
		expect(second.items).toMatchObject([{ id }]);
		expect(calls).toEqual(Array(2).fill(`GET ${match.path}`));
	});

	test('knows the sessions of its list as far ahead as it needs them', async () => {
		const first = await far.activated(starting, limited);
		const parameters = { events: [starting], ...limited, ...leads([7, 'days']) };
		const second = new PollingHost(slow.sandbox, parameters);
		second.shareProcess(first);
		far.time.passMinutes(61);
		const id = await far.plan(7 * day + 30);
		const calls = await slow.calls(async () => {
			const before = (await slow.sandbox.requests()).length;
			const underWay = first.poll();
			await eventually(async () => (await slow.sandbox.requests()).length > before);
			await second.activate();
			await underWay;
		});
		expect(calls).toEqual(['GET /v1/sessions', 'GET /v1/sessions']);
		// Once a day a session of the sandbox's own is due meanwhile.
		const told = (await far.pollFor(second, 32)).filter((item) => item.id === id);
		expect(told).toMatchObject([{ lead: '7 days', starts_in_minutes: 7 * day }]);
	});
});

test('what a poll has read of one session stays, although another trigger has listed it before', async () => {
	const parameters = { events: [starting, 'session.changed'], ...limited };
	const first = await sessions.activated(starting, parameters);
	const id = await sessions.plan(130);
	await sessions.pollFor(first, 61);
	const second = new PollingHost(scene.sandbox, parameters);
	second.shareProcess(first);
	await second.activate();
	await sessions.pollFor(first, 61);
	await sessions.move(id, hours(5));
	// The list of the first trigger, which is news to the second one, still shows the former start.
	await second.poll();
	await sessions.pollFor(second, hours(5));
	expect(second.items).toMatchObject([
		{ event: 'session.changed', changes: 'moved' },
		{ event: starting, starts_in_minutes: 60 },
	]);
});

test('a session that is planned 40 minutes ahead is told 15 minutes before', async () => {
	const host = await sessions.activated(starting, { ...limited, ...leads([15, 'minutes']) });
	for (let round = 0; round < 6; round++) {
		await sessions.plan(40);
		const items = await sessions.pollFor(host, 47);
		expect(items).toMatchObject([{ starts_in_minutes: 15 }]);
	}
});

test('a poll with reminders and registrations lists the sessions once', async () => {
	const host = await sessions.activated(starting, { events: [starting, 'people.registered'] });
	time.passMinutes(61);
	const calls = await scene.calls(() => host.poll());
	expect(calls.filter((call) => call === 'GET /v1/sessions')).toHaveLength(1);
});

describe('with the month of a small plan', () => {
	const small = new TriggerScene({ monthly: 10_000 });
	const planned = new PlannedSessions(small);

	test('what other processes spend does not slow a lone trigger down', async () => {
		const host = await planned.activated('people.registered', limited);
		await planned.pollFor(host, day);
		const calls = await small.calls(async () => {
			for (let minute = 0; minute < hours(12); minute++) {
				planned.time.passMinutes(1);
				if (minute % 7 === 0) await small.sandbox.api.get('/ping');
				await host.poll();
			}
		});
		expect(calls.filter((call) => call === 'GET /v1/sessions').length).toBeGreaterThan(48);
	});
});

describe('with few requests left of the month', () => {
	const spent = new TriggerScene({ monthly: 110 });
	const planned = new PlannedSessions(spent);

	test('an empty list of sessions is asked for a few times a day', async () => {
		spent.sandbox.platform.store.write('DELETE FROM sessions');
		const host = await planned.activated(starting, limited);
		const calls = await spent.calls(async () => {
			for (let quarter = 0; quarter < 4 * 48; quarter++) {
				planned.time.passMinutes(15);
				await host.poll();
			}
		});
		expect(calls.length).toBeLessThanOrEqual(12);
	});

	test('each start is told, and the sessions are listed twice a day', async () => {
		planned.planMany(90, 30);
		const host = await planned.activated(starting, limited);
		const calls = await spent.calls(async () => {
			for (let quarter = 0; quarter < 4 * 48; quarter++) {
				planned.time.passMinutes(15);
				await host.poll();
			}
		});
		expect(host.items).toHaveLength(90);
		expect(calls.filter((call) => call === 'GET /v1/sessions').length).toBeLessThanOrEqual(4);
	});
});

describe('a reminder belongs to its moment', () => {
	const leadsTold = ({ items }: PollingHost, id: string) =>
		items.filter((item) => item.id === id).map(({ lead }) => lead);
	const kit = leads([7, 'days'], [1, 'days'], [1, 'hours']);

	test('of several that n8n has missed only the shortest is told', async () => {
		const id = await sessions.plan(8 * day);
		const host = await sessions.activated(starting, kit);
		time.passMinutes(8 * day - hours(3));
		await host.restart();
		await sessions.pollFor(host, 5);
		expect(leadsTold(host, id)).toEqual(['1 day']);
	});

	test('what was told is not told again because the session moves by a quarter of an hour', async () => {
		const id = await sessions.plan(hours(26));
		const host = await sessions.activated(starting, kit);
		await sessions.pollFor(host, hours(3));
		expect(leadsTold(host, id)).toEqual(['1 day']);
		await sessions.move(id, hours(22));
		await sessions.pollFor(host, hours(2));
		expect(leadsTold(host, id)).toEqual(['1 day']);
		await sessions.pollFor(host, hours(20));
		expect(leadsTold(host, id)).toEqual(['1 day', '1 hour']);
	});
});
