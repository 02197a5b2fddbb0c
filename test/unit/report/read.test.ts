import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { readEventReport, readSessionReport } from '../../../nodes/EventPlatform/core/report/read';
import { isSettled } from '../../../nodes/EventPlatform/core/report/settled';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { end, event, now, platform, reader, session } from './readReport';
import { personRecord } from './reportedPeople';

const people = Array.from({ length: 60 }, () => personRecord({ attended: true }));

const ofSession = {
	'/sessions/s1': { data: session('s1'), included: [event] },
	'/sessions/s1/people': people,
	'/sessions/s1/questions': [{ id: 'q', attributes: { response: null } }],
};

const pathsOf = (asked: ApiRequest[]) => asked.map(({ path }) => path);

test('a session takes a request for itself, one for its questions and one for fifty people', async () => {
	const { client, asked } = platform(ofSession);
	const report = await readSessionReport(reader(client), 's1');
	expect(asked).toHaveLength(4);
	expect(report).toMatchObject({
		session: { id: 's1', title: 'Tour' },
		questions: { askedCount: 1, unansweredCount: 1 },
		readAt: now,
	});
	expect(report.people).toHaveLength(60);
});

test('the time of a report is the time of the platform, whatever our clock shows', async () => {
	// Our clock is an hour and a half ahead.
	const listed = { '/events/e1/sessions': [session('s1')], '/events/e1': { data: event } };
	const usage = { requests: 1, responses: 1, month: {}, perSecond: 5, clockAheadMs: 5_400_500 };
	const client = { ...platform({ ...ofSession, ...listed }).client, usage };
	const report = await readSessionReport(reader(client), 's1');
	expect(report.readAt).toBe(end + 1_000);
	expect(isSettled(report)).toBe(false);
	expect((await readEventReport(reader(client), 'e1')).readAt).toBe(end + 1_000);
});

test('a session that does not name its event has a report without the title of it', async () => {
	const { attributes, ...unnamed } = session('s1');
	const data = { ...unnamed, attributes: { ...(attributes as JsonObject), event_id: null } };
	const { client } = platform({ ...ofSession, '/sessions/s1': { data } });
	const report = await readSessionReport(reader(client), 's1');
	expect(report.people).toHaveLength(60);
	expect(report.session).toMatchObject({ id: 's1', title: undefined, eventId: undefined });
});

test.each<Cause>(['forbidden', 'not_found', 'unprocessable'])(
	'an event that is answered with %s leaves the report of its session without a title',
	async (cause) => {
		const data = session('s1');
		const { client } = platform({ ...ofSession, '/sessions/s1': { data }, '/events/e1': cause });
		const report = await readSessionReport(reader(client), 's1');
		expect([report.people.length, report.session.title]).toEqual([60, undefined]);
	},
);

test('an event that cannot be read for the moment gives no report without its title', async () => {
	const data = session('s1');
	const answers = { '/sessions/s1': { data }, '/events/e1': 'platform_error' } as const;
	const { client } = platform({ ...ofSession, ...answers });
	await expect(readSessionReport(reader(client), 's1')).rejects.toMatchObject({
		cause: 'platform_error',
	});
});

test('two records of one address are one registrant, who came if one of them did', async () => {
	const twice = [{ attended: false }, { attended: true }].map((detail, index) =>
		personRecord(detail, { email: index === 0 ? 'Ada@Example.com' : ' ada@example.com' }),
	);
	const { client } = platform({ ...ofSession, '/sessions/s1/people': twice });
	const report = await readSessionReport(reader(client), 's1');
	expect(report.people).toMatchObject([{ email: 'Ada@Example.com', attended: true }]);
});

test('questions are not asked for where nobody sees them', async () => {
	const { client, asked } = platform(ofSession);
	await readSessionReport(reader(client, false), 's1');
	expect(pathsOf(asked)).not.toContain('/sessions/s1/questions');
});

test.each<Cause>(['no_endpoint', 'not_found'])(
	'questions that are answered with %s are none',
	async (cause) => {
		const { client } = platform({ ...ofSession, '/sessions/s1/questions': cause });
		const { questions } = await readSessionReport(reader(client), 's1');
		expect(questions).toEqual({});
	},
);

test.each<Cause>(['missing_scope', 'platform_error'])(
	'questions that are answered with %s are a failure',
	async (cause) => {
		const { client } = platform({ ...ofSession, '/sessions/s1/questions': cause });
		await expect(readSessionReport(reader(client), 's1')).rejects.toMatchObject({ cause });
	},
);

describe('the questions of a session', () => {
	let made = 0;
	const question = (attributes: JsonObject) => ({
		id: `q${++made}`,
		type: 'questions',
		attributes,
	});
	const open = question({ response: null, responded_at: 0 });
	const host = personRecord({}, { role: 'team_member' });
	const registrant = personRecord();
	const second = personRecord();
	const authors = [host.id, registrant.id, second.id, 'somebody who left'];

	test.each<[string, JsonObject[], JsonObject[], object]>([
		['are none', [], [], { askedCount: 0, unansweredCount: 0 }],
		[
			'have none of blanks, and need no other field than the time of it',
			[question({ response: ' ' }), question({ responded_at: 1_795_000_000 })],
			[],
			{ askedCount: 2, unansweredCount: 1 },
		],
		['lack an answer', [open], [], { askedCount: 1, unansweredCount: 1 }],
		[
			'have one in writing',
			[question({ response: 'Yes.' })],
			[],
			{ askedCount: 1, unansweredCount: 0 },
		],
		[
			'have one in the room',
			[question({ response: null, responded_at: 1_795_000_000 })],
			[],
			{ askedCount: 1, unansweredCount: 0 },
		],
		[
			'have one in the room, without a time',
			[question({ response: null, responded_at: 0, responded_orally: true })],
			[],
			{ askedCount: 1, unansweredCount: 0 },
		],
		[
			'have one of somebody, without words',
			[question({ response: null, responded_at: 0, response_author_id: 'p1' })],
			[],
			{ askedCount: 1, unansweredCount: 0 },
		],
		[
			'do not show answers',
			[question({ question: 'Why?' }), open],
			[],
			{ askedCount: 2, unansweredCount: undefined },
		],
		[
			'are those of registrants, and of people who have left',
			authors.map((author = null) => question({ question_author_id: author, response: null })),
			[host, registrant, second],
			{ askedCount: 3, unansweredCount: 3 },
		],
	])('%s', async (_, questions, listedPeople, counts) => {
		const answers = { '/sessions/s1/people': listedPeople, '/sessions/s1/questions': questions };
		const { client } = platform({ ...ofSession, ...answers });
		expect((await readSessionReport(reader(client), 's1')).questions).toEqual(counts);
	});
});

test('the title is asked for where the platform does not send the event along', async () => {
	const alone = { ...ofSession, '/sessions/s1': { data: session('s1') } };
	const { client } = platform({ ...alone, '/events/e1': { data: event } });
	expect((await readSessionReport(reader(client), 's1')).session.title).toBe('Tour');
	const { client: without } = platform(alone);
	expect((await readSessionReport(reader(without), 's1')).session.title).toBeUndefined();
});

test('a person who moves to another page while the list is read counts once', async () => {
	const moved = [...people.slice(0, 50), ...people.slice(49)];
	const { client } = platform({ ...ofSession, '/sessions/s1/people': moved });
	expect((await readSessionReport(reader(client), 's1')).people).toHaveLength(60);
});

describe('the totals of an event', () => {
	const unstarted = { started_at: null, ended_at: null };
	const planned = { status: 'upcoming', estimated_started_at: now + 3_600 };
	const toCome = session('s9', { ...unstarted, ...planned });
	const undated = session('s7', unstarted);
	const canceled = session('s8', { ...unstarted, status: 'canceled' });
	const countedOf = async (sessions: JsonObject[]) => {
		const { client } = fakePlatform(({ path, query }) =>
			path.endsWith('/sessions')
				? pageOf(sessions, query)
				: { data: path.endsWith('e1') ? event : [] },
		);
		const report = await readEventReport(reader(client, false), 'e1');
		const idsOf = (reports: typeof report.sessions) => reports.map((each) => each.session.id);
		return [idsOf(report.sessions), idsOf(report.countedSessions)];
	};

	test.each([
		['leave out sessions to come', [toCome, session('s1')], ['s1', 's9'], ['s1']],
		['have all sessions where none has begun', [toCome], ['s9'], ['s9']],
		[
			'have those without a start, which stand last, and leave out canceled ones',
			[undated, canceled, session('s1')],
			['s1', 's7', 's8'],
			['s1', 's7'],
		],
		['are empty where there is no session', [], [], []],
	])('%s', async (_, sessions, all, counted) => {
		expect(await countedOf(sessions)).toEqual([all, counted]);
	});
});

test('the event is not asked for where it comes along with one of its sessions', async () => {
	const titled = { ...event, attributes: { title: ' Tour ' } };
	const { client, asked } = fakePlatform(({ path, query }) =>
		path.endsWith('/sessions')
			? { ...pageOf([{ type: 'sessions', id: 's0' }, session('s1')], query), included: [titled] }
			: { data: [] },
	);
	const report = await readEventReport(reader(client, false), 'e1');
	expect(report).toMatchObject({ title: 'Tour', readAt: now });
	expect(asked[0]).toMatchObject({ addedQuery: { include: 'event' } });
	expect(pathsOf(asked)).not.toContain('/events/e1');
});

test('an event has its sessions by their start, and its title where it has none', async () => {
	const sessions = [session('s2', { started_at: now }), session('s1')];
	const answers = {
		...ofSession,
		'/sessions/s2/people': [],
		'/sessions/s2/questions': [],
		'/events/e1/sessions': sessions,
	};
	const { client, asked } = platform({ ...answers, '/events/e1': { data: event } });
	const report = await readEventReport(reader(client), 'e1');
	expect(report.title).toBe('Tour');
	expect(report.sessions.map(({ session: { id } }) => id)).toEqual(['s1', 's2']);
	expect(report.people).toHaveLength(60);
	expect(report.questions).toEqual({ askedCount: 1, unansweredCount: 1 });
	expect(asked).toHaveLength(1 + 1 + (2 + 1) + (1 + 1));
	const empty = platform({ '/events/e1/sessions': [], '/events/e1': { data: event } });
	expect(await readEventReport(reader(empty.client), 'e1')).toMatchObject({
		title: 'Tour',
		sessions: [],
	});
});
