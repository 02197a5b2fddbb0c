import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chosenEventsSubtitle } from '../../nodes/EventPlatform/triggers/description';
import { seededId } from '../../sandbox/seed/ids';
import { byId } from '../support/n8n/locators';
import { PollingHost, SimulatedTime } from '../support/n8n/pollingHost';
import { linesOfLog } from './log';
import { TriggerScene } from '../support/n8n/triggerScene';
import {
	otherSession,
	seededEvent,
	unknownId,
	upcomingSession,
} from '../support/platform/seededIds';

const scene = new TriggerScene();
const time = new SimulatedTime();

async function activated(parameters: INodeParameters = {}): Promise<PollingHost> {
	const host = new PollingHost(scene.sandbox, parameters);
	await host.activate();
	return host;
}

const register = (name: string, session?: string) =>
	scene.sandbox.register(`${name}@example.org`, {}, session);
const names = (items: IDataObject[]) => items.map(({ email }) => (email as string).split('@')[0]);

describe('a poll', () => {
	test('starts one run with each registration since the activation, and none twice', async () => {
		await register('before');
		time.passMinutes(1);
		const host = await activated();
		time.passMinutes(5);
		await register('ada');
		await register('grace');
		await host.poll();
		expect(host.runs).toMatchObject([Array(2).fill({ event: 'people.registered' })]);
		await host.poll();
		time.passMinutes(5);
		await register('edsger');
		await host.poll();
		expect(names(host.items)).toEqual(['ada', 'grace', 'edsger']);
		expect(new Set(host.items.map((item) => item.event_key)).size).toBe(3);
	});

	test('restricts itself to a session, or to the sessions of an event', async () => {
		const ofSession = await activated({ sessionId: byId(otherSession) });
		const ofEvent = await activated({ eventId: byId(seededEvent) });
		await register('here', otherSession);
		await register('there');
		time.passMinutes(5);
		await ofSession.poll();
		expect(names(ofSession.items)).toEqual(['here']);
		const [first] = await scene.calls(() => ofEvent.poll());
		expect(first).toBe(`GET /v1/events/${seededEvent}/sessions`);
	});

	test('begins anew where what is stored is no cursor', async () => {
		const host = new PollingHost(scene.sandbox);
		host.stored = '{"node:Platform":{"cursor":{"startedAt":1}}}';
		await host.activate();
		await register('ada');
		time.passMinutes(5);
		await host.poll();
		expect(names(host.items)).toEqual(['ada']);
	});

	test('that is due while one goes on is left out', async () => {
		const host = await activated();
		await register('ada');
		time.passMinutes(5);
		await Promise.all([host.poll(), host.poll()]);
		expect(host.runs).toHaveLength(1);
	});

	test('is not left out because of a test in the editor', async () => {
		const host = await activated();
		await register('ada');
		time.passMinutes(5);
		await Promise.all([host.test(), host.poll()]);
		expect(names(host.items)).toEqual(['ada']);
	});
});

describe('what happened while nobody polled', () => {
	test('starts its runs after a restart, also when nothing was stored since the activation', async () => {
		const host = await activated();
		time.passMinutes(5);
		await host.poll();
		time.passMinutes(3 * 24 * 60);
		await register('ada');
		await host.restart();
		await host.restart();
		expect(names(host.items)).toEqual(['ada']);
	});

	test('starts no run when the workflow was deactivated, unless a start was asked for', async () => {
		const startFrom = new Date(Date.now() - 60_000).toISOString();
		const host = await activated();
		const asked = await activated({ options: { startFrom } });
		time.passMinutes(60);
		await register('meanwhile');
		time.passMinutes(60);
		await host.activate();
		await asked.activate();
		expect(host.items).toEqual([]);
		expect(names(asked.items)).toEqual(['meanwhile']);
		await asked.activate();
		expect(asked.runs).toHaveLength(1);
	});

	test("starts its run with n8n's durable scheduler, which does not tell that a workflow was published again", async () => {
		const host = new PollingHost(scene.sandbox);
		host.hasDurableCursors = true;
		await host.activate();
		time.passMinutes(60);
		await register('meanwhile');
		time.passMinutes(60);
		await host.activate();
		expect(names(host.items)).toEqual(['meanwhile']);
	});

	test('starts its run once when n8n is killed before it is saved', async () => {
		const host = await activated();
		for (const name of 'abcde') await register(name);
		time.passMinutes(5);
		host.isKilled = true;
		await expect(host.poll()).rejects.toThrow('killed');
		await host.restart();
		time.passMinutes(5);
		await host.restart();
		expect(names(host.items).sort()).toEqual([...'abcde']);
		expect(host.runs).toHaveLength(1);
	});
});

describe('what comes into a session', () => {
	test('a recording starts a run once it is ready, with what Download Recording needs', async () => {
		const host = await activated({ events: ['recording.ready'] });
		await scene.session('start');
		await scene.session('end');
		await host.poll();
		expect(host.items).toEqual([]);
		time.passMinutes(5);
		await host.poll();
		time.passMinutes(5);
		await host.poll();
		const [item] = host.items;
		expect(host.items).toHaveLength(1);
		expect(item).toMatchObject({ event: 'recording.ready', session_id: upcomingSession });
		expect(item?.recording_id).toBe(item?.id);
		expect(item?.event_title).toEqual(expect.any(String));
	});

	test('a question starts a run once', async () => {
		await register('ada');
		const host = await activated({ events: ['question.asked'] });
		await scene.session('start');
		await scene.sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/ask`, {
			question: 'Will there be a replay?',
		});
		time.passMinutes(5);
		await host.poll();
		time.passMinutes(5);
		await host.poll();
		expect(host.items).toMatchObject([
			{ event: 'question.asked', question: 'Will there be a replay?', session_id: upcomingSession },
		]);
		expect(host.items[0]?.question_id).toBe(host.items[0]?.id);
	});

	test('a message of the chat starts a run once', async () => {
		await register('ada');
		const host = await activated({ events: ['chat.message_sent'] });
		await scene.session('start');
		const { store } = scene.sandbox.platform;
		const sentAt = Math.floor(Date.now() / 1_000);
		const { event_id } =
			store.get('SELECT event_id FROM sessions WHERE id = ?', upcomingSession) ?? {};
		const { person_id } =
			store.get('SELECT person_id FROM registrations WHERE session_id = ?', upcomingSession) ?? {};
		store.insert('chat_messages', {
			id: seededId('message', 9_000),
			author_id: person_id ?? '',
			session_id: upcomingSession,
			event_id: event_id ?? '',
			text_content: 'Good morning',
			html_content: '<p>Good morning</p>',
			from_guest_speaker: 0,
			from_team_member: 0,
			created_at: sentAt,
			updated_at: sentAt,
		});
		for (let poll = 0; poll < 2; poll++) {
			time.passMinutes(5);
			await host.poll();
		}
		const ids = { message_id: seededId('message', 9_000), session_id: upcomingSession };
		expect(host.items).toMatchObject([
			{ event: 'chat.message_sent', text_content: 'Good morning', ...ids },
		]);
	});

	test('a person who watches the replay starts a run once, also of a session that was over before', async () => {
		await register('early');
		await scene.session('start');
		await scene.session('end');
		time.passMinutes(5);
		const host = await activated({ events: ['people.watched_replay'] });
		const { data } = await scene.sandbox.api.get<{
			data: Array<{ id: string; attributes: { email: string } }>;
		}>(`/sessions/${upcomingSession}/people`);
		const person = data.data.find(({ attributes }) => attributes.email.startsWith('early'));
		time.passMinutes(5);
		await host.poll();
		await scene.sandbox.web.post(
			`/_sandbox/sessions/${upcomingSession}/people/${person?.id}/watch_replay`,
			{},
		);
		for (let poll = 0; poll < 30; poll++) {
			time.passMinutes(60);
			await host.poll();
		}
		expect(host.items).toMatchObject([
			{ event: 'people.watched_replay', email: 'early@example.org', session_id: upcomingSession },
		]);
	});

	test.each<[string, INodeParameters]>([
		['among others', {}],
		['that people chose', { sessionId: byId(upcomingSession) }],
	])(
		'of a session %s is not read any more once that has been over for the days that people chose',
		async (_, filter) => {
			await register('ada');
			const events = [
				'people.registered',
				'recording.ready',
				'question.asked',
				'chat.message_sent',
			];
			const host = await activated({ events, ...filter, options: { keepToShare: false } });
			await scene.session('start');
			await scene.session('end');
			// It was planned for a later day, until which people may come to it.
			for (let halfDay = 0; halfDay < 20; halfDay++) {
				time.passMinutes(12 * 60);
				await host.poll();
			}
			const calls = await scene.calls(() => host.poll());
			expect(calls.filter((call) => call.includes(`${upcomingSession}/`))).toEqual([]);
		},
	);

	test('people bring the start, the time zone and the registration page of their session', async () => {
		const host = await activated();
		await register('ada');
		time.passMinutes(5);
		await host.poll();
		const [item] = host.items;
		expect(item?.session_started_at).toMatch(/^\d{4}-\d\d-\d\dT/);
		expect(item?.session_timezone).toEqual(expect.any(String));
		expect(item?.registration_link).toMatch(/^https?:/);
	});

	test('a text in the title of the event limits all of them', async () => {
		const { data } = await scene.sandbox.api.get<{ data: { attributes: { title: string } } }>(
			`/events/${seededEvent}`,
		);
		const title = data.data.attributes.title.toUpperCase();
		const these = await activated({ eventTitleContains: title });
		const none = await activated({ eventTitleContains: 'no event is called this' });
		const { data: sessions } = await scene.sandbox.api.get<Sessions>(
			`/events/${seededEvent}/sessions`,
		);
		const open = sessions.data.find(({ attributes }) => attributes.status === 'upcoming');
		await register('ada', open?.id);
		time.passMinutes(5);
		await these.poll();
		await none.poll();
		expect(names(these.items)).toEqual(['ada']);
		expect(none.items).toEqual([]);
	});
});

describe('a page of people that comes back empty although the list goes on', () => {
	const path = `/v1/sessions/${upcomingSession}/people`;
	const emails = Array.from({ length: 120 }, (_, index) => `person-${index}@example.org`);

	/** 120 people register, and this page of theirs comes back empty once; gives how many are told by each of two polls. */
	async function polls(page: string): Promise<number[]> {
		const host = await activated();
		time.passMinutes(5);
		for (const start of [0, 50, 100]) {
			await scene.sandbox.jobEnd(await scene.startJob(emails.slice(start, start + 50)));
		}
		const match = { method: 'GET', path, query: { 'page[number]': page } };
		await scene.sandbox.faults([{ match, do: 'empty-page', times: 1 }]);
		await host.poll().catch(() => {});
		const first = host.items.length;
		time.passMinutes(5);
		await host.poll();
		expect(new Set(names(host.items)).size).toBe(host.items.length);
		return [first, host.items.length - first];
	}

	test.each(['0', '1', '2'])('leaves all to the next poll (page %s of 0 to 2)', async (page) => {
		expect(await polls(page)).toEqual([0, 120]);
	});
});

describe('on a platform on which an empty list has no page 0', () => {
	const strict = new TriggerScene({ emptyPage: '400' });

	/** Somebody registers, and a poll before and one after find nobody. */
	async function itemsOf(event: string): Promise<IDataObject[]> {
		const host = new PollingHost(strict.sandbox, { events: [event] });
		await host.activate();
		time.passMinutes(60);
		await host.poll();
		await strict.sandbox.register('ada@example.org');
		time.passMinutes(60);
		await host.poll();
		time.passMinutes(60);
		await strict.session('start');
		await host.poll();
		return host.items;
	}

	test('polls that find nobody do not fail', async () => {
		expect(names(await itemsOf('people.registered'))).toEqual(['ada']);
	});

	test('polls that find no changed event do not fail', async () => {
		expect(await itemsOf('event.created')).toEqual([]);
	});
});

describe('sessions on demand', () => {
	const many = new TriggerScene({ seedEvents: 6 });

	test('have an end, and a registration starts a run all the same', async () => {
		const query = { params: { 'filter[status]': 'on_demand' } };
		const answer = await many.sandbox.api.get<Sessions>('/sessions', query);
		const [session] = answer.data.data;
		expect(session?.attributes.ended_at).toBeGreaterThan(0);
		const host = new PollingHost(many.sandbox);
		await host.activate();
		time.passMinutes(5);
		await many.sandbox.register('late@example.org', {}, session?.id);
		await host.poll();
		time.passMinutes(3 * 24 * 60);
		await many.sandbox.register('later@example.org', {}, session?.id);
		await host.poll();
		expect(names(host.items)).toEqual(['late', 'later']);
	});
});

describe('of a session that has ended', () => {
	const many = new TriggerScene({ seedEvents: 6, seedPeople: 400 });

	test('those who register for the replay have not missed it', async () => {
		const query = { params: { 'filter[status]': 'on_demand' } };
		const { data } = await many.sandbox.api.get<Sessions>('/sessions', query);
		const { id = '', attributes } = data.data[0] ?? {};
		const startFrom = new Date(((attributes?.ended_at ?? 0) - 60) * 1_000).toISOString();
		const host = new PollingHost(many.sandbox, {
			events: ['people.not_attended'],
			sessionId: byId(id),
			options: { startFrom },
		});
		await host.activate();
		const absent = host.items.length;
		for (const name of 'abcde') await many.sandbox.register(`${name}@example.org`, {}, id);
		for (let poll = 0; poll < 3; poll++) {
			time.passMinutes(15);
			await host.poll();
		}
		expect(absent).toBeGreaterThan(0);
		expect(host.items).toHaveLength(absent);
		const another = new PollingHost(many.sandbox, host.parameters);
		await another.activate();
		expect(another.items).toHaveLength(absent);
	});
});

interface Sessions {
	data: Array<{ id: string; attributes: { ended_at: number; status: string } }>;
}

describe('the test in the editor', () => {
	test('shows the latest real record, and changes nothing', async () => {
		const host = new PollingHost(scene.sandbox);
		await register('first');
		time.passMinutes(5);
		await register('latest', otherSession);
		time.passMinutes(5);
		const calls = await scene.calls(async () => {
			const latest = { event: 'people.registered', email: 'latest@example.org' };
			expect(await host.test()).toMatchObject([latest]);
		});
		expect(calls.length).toBeLessThan(5);
		await host.activate();
		expect(host.items).toEqual([]);
	});

	test('says so when there is none', async () => {
		const sessionId = byId(upcomingSession);
		const host = new PollingHost(scene.sandbox, { events: ['session.ended'], sessionId });
		await expect(host.test()).rejects.toThrow('Nothing of this kind was found');
	});
});

test('the node names the chosen events on the canvas', () => {
	const events = ['people.registered', 'session.ended'];
	const host = new PollingHost(scene.sandbox, { events });
	expect(host.evaluate(chosenEventsSubtitle)).toBe('Person Registered, Session Ended');
});

describe('a third of the month', () => {
	const limited = { options: { keepToShare: true } };

	/** The first trigger of a process, which keeps to the month. */
	function limitedHost(): PollingHost {
		const host = new PollingHost(scene.sandbox, limited);
		host.startProcess();
		return host;
	}

	async function limitedTrigger(): Promise<PollingHost> {
		const host = limitedHost();
		await host.activate();
		return host;
	}

	test('is kept when n8n polls every minute, and what happened is told of with the next look', async () => {
		const host = await limitedTrigger();
		for (let minute = 1; minute <= 24 * 60; minute++) {
			time.passMinutes(1);
			if (minute === 700) await register('ada');
			await host.poll();
		}
		expect(names(host.items)).toEqual(['ada']);
		// A third of 10,000 in 31 days is 107 a day, and a new trigger has half a day at once.
		const asked = (await scene.calls()).filter((call) => call.startsWith('GET'));
		expect(asked.length).toBeGreaterThan(150);
		expect(asked.length).toBeLessThanOrEqual(161);
	});

	test('is kept by a process that crashes and starts again every minute', async () => {
		const host = await limitedTrigger();
		const before = (await scene.calls()).length;
		const minutes = 30;
		for (let minute = 0; minute < minutes; minute++) {
			time.passMinutes(1);
			await host.restart();
		}
		// 107 turns a day are one in each 14 minutes.
		expect((await scene.calls()).length - before).toBeLessThanOrEqual(3);
	});

	test('does not keep a trigger waiting that is started in the morning, and news of the night start a run', async () => {
		const host = await limitedTrigger();
		time.passMinutes(13 * 60);
		await register('ada');
		await host.restart();
		expect(names(host.items)).toEqual(['ada']);
	});

	test('is divided by the triggers of one token, whatever credentials they have', async () => {
		const host = await limitedTrigger();
		await host.restart();
		const another = new PollingHost(scene.sandbox, limited);
		another.shareProcess(host);
		await another.activate();
		const requestsBy = async (minutes: number) => {
			let requests = 0;
			for (let minute = 0; minute < minutes; minute++) {
				time.passMinutes(1);
				requests += (await scene.calls(() => host.poll())).length;
				await another.poll();
			}
			return requests;
		};
		// Alone it would be 26 in six hours.
		expect(await requestsBy(6 * 60)).toBeLessThanOrEqual(14);
	});

	describe('is the reason why a trigger is quiet after a start', () => {
		/** n8n is started again an hour later; gives what stands in its log after five minutes. */
		async function logAfterStart(parameters: INodeParameters = limited): Promise<string[]> {
			const log = linesOfLog('info');
			const host = await limitedTrigger();
			host.parameters = parameters;
			time.passMinutes(60);
			for (let start = 0; start < 20; start++) {
				await host.restart();
				for (let minute = 0; minute < 5; minute++) {
					time.passMinutes(1);
					await host.poll();
				}
				const lines = log().filter((line) => line.includes('polls at'));
				if (lines.length > 0) return lines;
			}
			return [];
		}

		test('which the log says once, with the time of its turn', async () => {
			expect(await logAfterStart()).toEqual([
				expect.stringMatching(
					/^Platform polls at the first poll time after \d{4}-\d\d-\d\d \d\d:\d\d UTC, and finds everything since its last poll\. 'Limit Monthly Requests' spreads/,
				),
			]);
		});

		test('but not where the month is not limited', async () => {
			expect(await logAfterStart({ options: { keepToShare: false } })).toEqual([]);
		});
	});
});

test('the message of an activation says what to do, because n8n shows nothing else', async () => {
	await expect(activated({ events: ['job.ended'] })).rejects.toMatchObject({
		message:
			"'Job IDs' is empty. The platform does not list jobs. Enter them under 'Job IDs', or use the Event Platform Trigger, which receives all jobs.",
		description: undefined,
	});
});

test('a later poll that fails has its advice in the description, which n8n shows with an execution', async () => {
	const host = await activated({});
	await scene.sandbox.faults([{ match: { path: '/v1/sessions' }, times: 40, do: '500' }]);
	time.passMinutes(15);
	await expect(host.poll()).rejects.toMatchObject({
		message: expect.stringMatching(/\(500\)$/) as string,
		description: expect.stringMatching(/./) as string,
	});
});

test.each<[INodeParameters, string]>([
	[{ events: [] }, 'No event is chosen'],
	[{ events: ['job.ended'] }, "'Job IDs' is empty"],
	[{ events: ['poll.closed'] }, 'does not list poll.closed'],
	[{ options: { startFrom: 'soon' } }, 'not a date'],
	[{ sessionId: byId(unknownId) }, '(404)'],
])('an activation with %j is refused: %s', async (parameters, message) => {
	await expect(activated(parameters)).rejects.toThrow(message);
});
