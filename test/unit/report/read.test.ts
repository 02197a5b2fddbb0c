import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import type { Client, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import type { Clock } from '../../../nodes/EventPlatform/core/client/clock';
import { readEventReport, readSessionReport } from '../../../nodes/EventPlatform/core/report/read';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { personRecord } from '../../support/platform/reportedPeople';

const event = { type: 'events', id: 'e1', attributes: { title: 'Tour' } };
const session = (id: string, startedAt = 1_795_000_000): JsonObject => ({
	type: 'sessions',
	id,
	attributes: {
		event_id: 'e1',
		status: 'past',
		started_at: startedAt,
		ended_at: startedAt + 3_600,
	},
});
const people = Array.from({ length: 60 }, () => personRecord({ attended: true }));

/** A platform that answers each path with this: a list by its page, a record as it is, or why there is none. */
function platform(answers: Readonly<Record<string, JsonObject[] | JsonObject | Cause>>) {
	return fakePlatform(({ path, query }: ApiRequest) => {
		const answer = answers[path] ?? 'not_found';
		return Array.isArray(answer) ? pageOf(answer, query) : answer;
	});
}

const ofSession = {
	'/sessions/s1': { data: session('s1'), included: [event] },
	'/sessions/s1/people': people,
	'/sessions/s1/questions': [{ id: 'q', attributes: { response: null } }],
};

const clock: Clock = { now: () => 1_795_010_000_500, sleep: () => Promise.resolve() };
const reader = (api: Client, needsQuestions = true) => ({
	api,
	sessions: new SessionCache(api),
	clock,
	needsQuestions,
});
const pathsOf = (asked: ApiRequest[]) => asked.map(({ path }) => path);

test('a session takes a request for itself, one for its questions and one for fifty people', async () => {
	const { ask, asked } = platform(ofSession);
	const report = await readSessionReport(reader(ask), 's1');
	expect(asked).toHaveLength(4);
	expect(report).toMatchObject({
		session: { id: 's1', title: 'Tour' },
		questions: { askedCount: 1, unansweredCount: 1 },
		readAt: 1_795_010_000,
	});
	expect(report.people).toHaveLength(60);
});

test('two records of one address are one registrant, who came if one of them did', async () => {
	const twice = [{ attended: false }, { attended: true }].map((detail, index) =>
		personRecord(detail, { email: index === 0 ? 'Ada@Example.com' : 'ada@example.com' }),
	);
	const { ask } = platform({ ...ofSession, '/sessions/s1/people': twice });
	const report = await readSessionReport(reader(ask), 's1');
	expect(report.people).toMatchObject([{ email: 'Ada@Example.com', attended: true }]);
});

test('questions are not asked for where nobody sees them', async () => {
	const { ask, asked } = platform(ofSession);
	await readSessionReport(reader(ask, false), 's1');
	expect(pathsOf(asked)).not.toContain('/sessions/s1/questions');
});

test.each<Cause>(['no_endpoint', 'not_found'])(
	'questions that are answered with %s are none',
	async (cause) => {
		const { ask } = platform({ ...ofSession, '/sessions/s1/questions': cause });
		const { questions } = await readSessionReport(reader(ask), 's1');
		expect(questions).toEqual({ askedCount: 0 });
	},
);

test.each<Cause>(['missing_scope', 'platform_error'])(
	'questions that are answered with %s are a failure',
	async (cause) => {
		const { ask } = platform({ ...ofSession, '/sessions/s1/questions': cause });
		await expect(readSessionReport(reader(ask), 's1')).rejects.toMatchObject({ cause });
	},
);

test('the title is asked for where the platform does not send the event along', async () => {
	const alone = { ...ofSession, '/sessions/s1': { data: session('s1') } };
	const { ask } = platform({ ...alone, '/events/e1': { data: event } });
	expect((await readSessionReport(reader(ask), 's1')).session.title).toBe('Tour');
	const { ask: without } = platform(alone);
	expect((await readSessionReport(reader(without), 's1')).session.title).toBeUndefined();
});

test('a person who moves to another page while the list is read counts once', async () => {
	const moved = [...people.slice(0, 50), ...people.slice(49)];
	const { ask } = platform({ ...ofSession, '/sessions/s1/people': moved });
	expect((await readSessionReport(reader(ask), 's1')).people).toHaveLength(60);
});

describe('the totals of an event', () => {
	const dated = (id: string, attributes: JsonObject) => ({
		type: 'sessions',
		id,
		attributes: { event_id: 'e1', ...attributes },
	});
	const toCome = dated('s9', { status: 'upcoming', estimated_started_at: 1_795_100_000 });
	const canceled = dated('s8', { status: 'canceled' });
	const countedOf = async (sessions: JsonObject[]) => {
		const { ask } = fakePlatform(({ path, query }) =>
			path.endsWith('/sessions')
				? pageOf(sessions, query)
				: { data: path.endsWith('e1') ? event : [] },
		);
		const report = await readEventReport(reader(ask, false), 'e1');
		const idsOf = (reports: typeof report.sessions) => reports.map((each) => each.session.id);
		return [idsOf(report.sessions), idsOf(report.countedSessions)];
	};

	test.each([
		['leave out sessions to come', [toCome, session('s1')], ['s1', 's9'], ['s1']],
		['have all sessions where none has begun', [toCome], ['s9'], ['s9']],
		[
			'have those without a start, which stand first',
			[session('s1'), canceled],
			['s8', 's1'],
			['s8', 's1'],
		],
		['are empty where there is no session', [], [], []],
	])('%s', async (_, sessions, all, counted) => {
		expect(await countedOf(sessions)).toEqual([all, counted]);
	});
});

test('an event has its sessions by their start, and its title where it has none', async () => {
	const sessions = [session('s2', 1_795_500_000), session('s1')];
	const answers = {
		...ofSession,
		'/sessions/s2/people': [],
		'/sessions/s2/questions': [],
		'/events/e1/sessions': sessions,
	};
	const { ask, asked } = platform({ ...answers, '/events/e1': { data: event } });
	const report = await readEventReport(reader(ask), 'e1');
	expect(report.title).toBe('Tour');
	expect(report.sessions.map(({ session: { id } }) => id)).toEqual(['s1', 's2']);
	expect(asked).toHaveLength(1 + 1 + (2 + 1) + (1 + 1));
	const empty = platform({ '/events/e1/sessions': [], '/events/e1': { data: event } });
	expect(await readEventReport(reader(empty.ask), 'e1')).toMatchObject({
		title: 'Tour',
		sessions: [],
	});
});
