import { sessionFactsOf } from '../../../nodes/EventPlatform/core/events/sessionFacts';
import type { Delivery } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { readDelivery } from '../../../nodes/EventPlatform/core/events/delivery';
import {
	readTaskItems,
	itemOf,
	simplifiedItem,
	type Output,
} from '../../../nodes/EventPlatform/core/events/item';
import { rememberPeople } from '../../../nodes/EventPlatform/core/jobs/jobPeople';
import { wholeRecord } from '../../../nodes/EventPlatform/core/records/recordView';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform } from '../../support/platform/fakePlatform';

const at = Date.UTC(2026, 10, 21, 12);

function event(attributes: JsonObject, eventType = 'job.ended', type = 'jobs'): Delivery {
	return { eventType, record: { type, id: 'x1', attributes, relationships: {} } };
}

async function read(delivery: Delivery, output: Output, tasks: JsonObject[] = []) {
	const { ask, asked } = fakePlatform(() => ({ data: tasks }));
	const taskItems = await readTaskItems(delivery, at, { output }, ask, '/v1');
	return { ...taskItems, asked };
}

const good = (id: string): JsonObject => ({ status: 'succeeded', data: { id } });
const bad: JsonObject = { status: 'failed', errors: [{ code: 'banned', message: 'No' }] };

test('a record says what happened and when, which none of its fields can replace', () => {
	const attributes = { event: 'in words', event_key: 'x', received_at: 'then', title: 'Launch' };
	const record = itemOf(event(attributes, 'event.created', 'events'), at);
	const event_key = expect.stringMatching(/^[\w-]{22}$/) as string;
	const stamp = {
		event: 'event.created',
		event_key,
		received_at: Date.UTC(2026, 10, 21, 12) / 1_000,
	};
	expect(record).toEqual({ ...stamp, id: 'x1', type: 'events', title: 'Launch' });
});

test.each<[string, string, string, JsonObject, string[]]>([
	[
		'a person',
		'people.registered',
		'people',
		{ created_at: 1, first_name: 'Ada', email: 'a@b.org', event_key: 'x', last_name: 'L' },
		['email', 'first_name', 'last_name', 'event_title', 'session_name', 'session_start_text'],
	],
	[
		'a session',
		'session.ended',
		'sessions',
		{ status: 'past', name: 'Morning' },
		['event_title', 'name', 'session_start_text'],
	],
	['an event', 'event.created', 'events', { status: 'x', title: 'Tour' }, ['title']],
	['a job', 'job.ended', 'jobs', { status: 'ended' }, []],
])('the columns of %s begin with who and what it is about', (_, eventType, type, fields, front) => {
	const columns = Object.keys(itemOf(event(fields, eventType, type), at));
	expect(columns.slice(0, front.length + 1)).toEqual([...front, 'event']);
	expect(columns.slice(-2)).toEqual(['event_key', 'received_at']);
});

const factsOfNothing = {
	event_title: null,
	registration_link: null,
	session_name: null,
	session_start_text: null,
	session_started_at: null,
	session_timezone: null,
};

test('a delivery without an id becomes an item with all that was sent, and nothing that would log a person in', () => {
	const list = [{ minutes: 5 }];
	const seen = { connection_link: 'link', minutes: 5 };
	const body = { email: 'a@b.org', seen, password_key: 'key', list };
	const delivery = readDelivery(body, { chosen: ['people.watched_replay'] });
	if ('kind' in delivery) throw new Error(delivery.kind);
	expect(itemOf(delivery, at, simplifiedItem)).toEqual({
		...factsOfNothing,
		id: null,
		type: '',
		email: 'a@b.org',
		seen_minutes: 5,
		list: [{ minutes: 5 }],
		event: 'people.watched_replay',
		event_key: expect.stringMatching(/^[\w-]{22}$/) as string,
		received_at: at / 1_000,
	});
});

const ofEvent = {
	event_title: 'Launch',
	registration_link: 'https://events.example.org/e/launch',
};
const allFacts = {
	...ofEvent,
	name: 'Morning',
	estimated_started_at: 1_700_000_000,
	started_at: 1_700_000_000,
	timezone: 'Europe/Paris',
	estimated_duration: 90,
};
const factsInItem = {
	...ofEvent,
	session_name: 'Morning',
	session_started_at: 1_700_000_000,
	session_timezone: 'Europe/Paris',
	session_start_text: '14 Nov 2023, 23:13 Paris',
};

test.each([
	[
		'session.created',
		'sessions',
		{
			event_title: 'Launch',
			registration_link: ofEvent.registration_link,
			session_start_text: null,
		},
	],
	['people.registered', 'people', factsInItem],
	['question.asked', 'questions', { question_id: 'x1', ...factsInItem }],
	['recording.ready', 'recordings', { recording_id: 'x1', ...factsInItem }],
	['event.created', 'events', {}],
])('%s has what is known of its session', (eventType, type, expected) => {
	const item = itemOf({ ...event({}, eventType, type), sessionFacts: allFacts }, at);
	const names = [...Object.keys({ ...factsInItem, ...allFacts }), 'recording_id', 'question_id'];
	const facts = Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
	expect(facts).toEqual(expected);
});

test('a calendar gets the planned start of a session that has begun late, as the calendar file says', () => {
	const times = { estimated_started_at: 1_700_000_000, started_at: 1_700_000_420 };
	const person = {
		...event({}, 'people.registered', 'people'),
		sessionFacts: sessionFactsOf(times),
	};
	const item = itemOf(person, at, { columns: 'all', includesJoinLink: true });
	expect(item.google_calendar_link).toContain(encodeURIComponent('20231114T221320Z/'));
	expect(item.session_started_at).toBe(times.started_at);
	const planned = sessionFactsOf({ ...times, started_at: null });
	const early = itemOf({ ...person, sessionFacts: planned }, at);
	expect(early.session_started_at).toBe(times.estimated_started_at);
});

test.each<[string, JsonObject, string | null]>([
	['planned', { estimated_started_at: 1_700_000_000, timezone: 'Asia/Tokyo' }, '07:13 Tokyo'],
	['begun', { estimated_started_at: 1_600_000_000, started_at: 1_700_000_000 }, '17:13 New York'],
	[
		'in a zone that nobody knows',
		{ started_at: 1_700_000_000, timezone: 'Mars' },
		'17:13 New York',
	],
	['not planned', { estimated_started_at: 0 }, null],
])('a session that is %s has its start as words', (_, attributes, words) => {
	const view = { ...simplifiedItem, zone: 'America/New_York' };
	const item = itemOf(event(attributes, 'session.ended', 'sessions'), at, view);
	const time =
		words === null ? null : (expect.stringMatching(`^1[45] Nov 2023, ${words}$`) as Json);
	expect(item.session_start_text).toEqual(time);
});

test('a person of whose session nothing could be read has no start', () => {
	const item = itemOf(event({}, 'people.registered', 'people'), at);
	expect(item).toMatchObject({ session_name: null, session_start_text: null });
});

test('a job has the counters of the specification, whatever the platform calls them', () => {
	expect(itemOf(event({ status: 'failed', total_tasks: 2, total_failed: 1 }), at)).toMatchObject({
		id: 'x1',
		status: 'failed',
		total_items: 2,
		total_fail: 1,
		total_success: null,
		total_processed_items: null,
		total_tasks: 2,
	});
});

describe('the tasks of a job', () => {
	const job = event({ status: 'failed', total_items: 3 });

	test('are one record each', async () => {
		const { items, missing, asked } = await read(job, 'tasks', [good('p1'), bad, good('p2')]);
		const ofJob = { event: 'job.ended', job_id: 'x1' };
		expect(items).toMatchObject([
			{ ...ofJob, status: 'succeeded', person: { id: 'p1' } },
			{ ...ofJob, status: 'failed', person: null, errors: bad.errors },
			{ ...ofJob, status: 'succeeded', person: { id: 'p2' } },
		]);
		expect(missing).toBe(0);
		expect(asked).toMatchObject([{ path: '/jobs/x1/tasks' }]);
	});

	test('are those that failed, if these are wanted, and those that may have', async () => {
		const failed = await read(job, 'failedTasks', [good('p1'), bad, good('p2')]);
		expect(failed.items).toMatchObject([{ status: 'failed' }]);
		const short = await read(job, 'failedTasks', [good('p1'), bad]);
		expect(short.items).toMatchObject([{ status: 'failed' }, { status: 'unknown' }]);
		expect(short.missing).toBe(1);
	});

	test('are not those of people who were registered before, if the failed ones are wanted', async () => {
		const registeredBefore = { status: 'failed', errors: [{ code: 'already_registered' }] };
		const { items } = await read(job, 'failedTasks', [good('p1'), bad, registeredBefore]);
		expect(items).toMatchObject([{ status: 'failed', errors: bad.errors }]);
		expect(items).toHaveLength(1);
	});

	test.each<[string, JsonObject, JsonObject[], number]>([
		['that its total says', { total_items: 4 }, [good('p1')], 3],
		['that its counters say', { total_success: 2, total_fail: 1 }, [good('p1')], 2],
		['that are not finished', {}, [good('p1'), { status: 'processing' }], 1],
		['but more than it should have', { total_items: 1 }, [good('p1'), good('p2')], 0],
	])('lack those %s', async (_, counts, tasks, missing) => {
		const taskItems = await read(event({ status: 'ended', ...counts }), 'tasks', tasks);
		expect(taskItems.missing).toBe(missing);
		expect(taskItems.items.filter(({ status }) => status === 'unknown')).toHaveLength(missing);
	});

	test('have keys by what they say, in whatever order they come, each its own', async () => {
		const keys = async (...tasks: JsonObject[]) =>
			(await read(job, 'tasks', tasks)).items.map((item) => item.event_key);
		const [first, second, third, fourth] = await keys(good('p1'), bad, bad, good('p2'));
		expect(new Set([first, second, third, fourth]).size).toBe(4);
		expect(await keys(bad, good('p1'), bad)).toEqual([second, first, third]);
	});

	test('name their people, for whom the platform is asked', async () => {
		rememberPeople('/v1', 'x1', { sessionId: 's1', emails: ['a@x.org', 'b@x.org'] });
		const there = { status: 'failed', errors: [{ code: 'already_registered', message: 'There' }] };
		const { asked } = await read(event({ status: 'failed' }), 'tasks', [bad, there]);
		const questions = new Set(asked.slice(1).map(({ path }) => path));
		expect([...questions]).toEqual(['/sessions/s1/people']);
	});
});

test('the simplified item of a person says when the person registered', () => {
	const fields = { created_at: 1, registrant_detail: { created_at: 7 } };
	const registered = event(fields, 'people.registered', 'people');
	expect(itemOf(registered, at, simplifiedItem)).toMatchObject({ registrant_created_at: 7 });
});

test('only people have the column of the personal link, whatever else carries one', () => {
	const connection_link = 'https://live.example.com/k1';
	const view = { ...simplifiedItem, includesJoinLink: true };
	const registered = event(
		{ registrant_detail: { connection_link } },
		'people.registered',
		'people',
	);
	expect(itemOf(registered, at, view)).toHaveProperty('join_link', connection_link);
	expect(itemOf(registered, at, simplifiedItem)).not.toHaveProperty('join_link');
	const started = event({ connection_link }, 'session.started', 'sessions');
	expect(JSON.stringify(itemOf(started, at, view))).not.toContain(connection_link);
});

test('dates are written in the zone of the workflow, and answers that look like dates stay', () => {
	const fields = [
		{ id: 'hired_at', value: '1795255200' },
		{ id: 'left_at', value: '0' },
	];
	const attributes = { created_at: at / 1_000, registrant_detail: { fields } };
	const registered = event(attributes, 'people.registered', 'people');
	const written = '2026-11-21T13:00:00+01:00';
	for (const view of [simplifiedItem, wholeRecord]) {
		expect(itemOf(registered, at, { ...view, zone: 'Europe/Paris' })).toMatchObject({
			received_at: written,
			created_at: written,
			hired_at: '1795255200',
			left_at: '0',
		});
	}
});
