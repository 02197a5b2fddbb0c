import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/report';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { FirstReads } from '../../../nodes/EventPlatform/core/registration/pace';
import { Job } from '../../../nodes/EventPlatform/core/registration/job';
import { Ledger } from '../../../nodes/EventPlatform/core/registration/ledger';
import { createMeter } from '../../../nodes/EventPlatform/core/registration/runParts';
import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import { RegisteredList } from '../../../nodes/EventPlatform/core/registration/lookup';
import { runBulk } from '../../../nodes/EventPlatform/core/registration/run';
import type { TaskResult } from '../../../nodes/EventPlatform/core/registration/taskResult';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { collectingView } from '../../../nodes/EventPlatform/core/records/recordView';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { runAgainst } from './bulkRun';
import {
	acceptedJob,
	rowFor,
	someRows,
	modelScene,
	type Circumstances,
} from '../../support/runs/simulation';

/** The records of people who were registered before the run, which the list of their session brings. */

const view = { columns: 'all', includesJoinLink: true } as const;

/** So many people of a session who are registered, on the platform and as rows. */
function present(count: number, sessionId = 's') {
	const rows = someRows(count, sessionId);
	return { rows, before: rows.map(({ email = '' }) => ({ sessionId, email })) };
}

/** Carries out a run that needs the records, and gives the emails of the records and the number of requests. */
async function run(rows: readonly Row[], circumstances: Circumstances, sizes: JsonObject = {}) {
	const { clock, parts, platform } = modelScene(circumstances);
	const sessions = new SessionCache((request) => {
		const id = request.path.split('/').at(-1) ?? '';
		const attributes = { registrants_count: sizes[id] };
		return Promise.resolve({
			status: 200,
			headers: {},
			body: { data: { type: 'sessions', id, attributes } },
		});
	});
	for (const id of Object.keys(sizes)) await sessions.read(id);
	const options = {
		needsResults: true,
		brings: 'records' as const,
		mayDivide: true,
		maxWaitSeconds: 900,
		...circumstances.run,
	};
	const all = { ...parts, sessions, view };
	const report = await clock.run(runBulk(planRun(rows), all, options));
	const outcomes = outcomesOf(report);
	const statuses = outcomes.map(({ status }) => status);
	const records = outcomes.map(({ person }) => person?.email);
	const links = outcomes.map(({ person }) => person?.join_link);
	return { statuses, records, links, report, requests: platform.requests };
}

/** A job is sent and read. */
const ofOneJob = 2;

test('one of them is asked for', async () => {
	const { rows, before } = present(1);
	const { statuses, records, requests } = await run(rows, { before });
	expect(statuses).toEqual(['already_registered']);
	expect(records).toEqual(['p0@example.com']);
	expect(requests).toBe(ofOneJob + 1);
});

test('several are found on one page', async () => {
	const { rows, before } = present(30);
	const { records, requests } = await run(rows, { before });
	expect(records).toEqual(rows.map(({ email }) => email));
	expect(requests).toBe(ofOneJob + 1);
});

test('newcomers have the record of their result and are not asked for', async () => {
	const { requests, statuses } = await run(someRows(3), {});
	expect(statuses).toEqual(['registered', 'registered', 'registered']);
	expect(requests).toBe(ofOneJob);
});

test('each session costs a request of its own', async () => {
	const [here, there] = [present(2, 'a'), present(2, 'b')];
	const before = [...here.before, ...there.before];
	const { records, requests } = await run([...here.rows, ...there.rows], { before });
	expect(records.every((email) => email !== undefined)).toBe(true);
	expect(requests).toBe(2 * (ofOneJob + 1));
});

test('a session whose people fill a page with those whom the run has added is not asked', async () => {
	const { before } = present(2);
	const rows = someRows(4, 's');
	const full = await run(rows, { before }, { s: 49 });
	expect(full.requests).toBe(ofOneJob);
	const fits = await run(rows, { before }, { s: 48 });
	expect(fits.requests).toBe(ofOneJob + 1);
});

test('those who were added to another session do not count', async () => {
	const { rows, before } = present(2, 'a');
	const { requests } = await run([...rows, ...someRows(4, 'b')], { before }, { a: 50, b: 0 });
	expect(requests).toBe(2 * ofOneJob + 1);
});

test('somebody alone is asked for, however large the session is', async () => {
	const { rows, before } = present(1);
	expect((await run(rows, { before }, { s: 5_000 })).requests).toBe(ofOneJob + 1);
});

test('where one page does not show all of them, nobody has a record and nothing more is asked', async () => {
	const { before } = present(120);
	const rows = [...someRows(1), ...someRows(120).slice(-1)].map((row): Row => {
		return { ...row, sessionId: 's' };
	});
	const { records, statuses, requests } = await run(rows, { before });
	expect(statuses).toEqual(['already_registered', 'already_registered']);
	expect(records).toEqual([undefined, undefined]);
	expect(requests).toBe(ofOneJob + 1);
});

test('a session that was asked already, because only words said who is registered, is not asked again', async () => {
	const { rows, before } = present(3);
	const { records, requests } = await run(rows, { before, platform: { words: 'other' } });
	expect(records.every((email) => email !== undefined)).toBe(true);
	expect(requests).toBe(ofOneJob + 1);
});

test('a run without use for the records does not ask', async () => {
	const { rows, before } = present(2);
	const { requests } = await run(rows, { before, run: { brings: undefined } });
	expect(requests).toBe(ofOneJob);
});

test('one result that is left for two people is nobody’s, and nobody is asked about them', async () => {
	const emails = ['ada@x.io', 'bob@x.io', 'eve@x.io', 'kim@x.io'];
	const rows = emails.map((email) => rowFor('s', email));
	const before = emails.slice(0, 2).map((email) => ({ sessionId: 's', email }));
	const { parts, clock } = modelScene({ before });
	const plan = planRun(rows);
	const ledger = new Ledger();
	const recordJob = (id: string, indexes: number[], results: TaskResult[], lostAt?: number) => {
		const people = indexes.flatMap((index) => plan.candidates[index] ?? []);
		const job = new Job(acceptedJob(id), { sessionId: 's', people, lostAt }, 0, new FirstReads());
		ledger.recordJob(job);
		ledger.recordResults(job, results);
	};
	const registered: TaskResult = { status: 'registered', email: 'ada@x.io', reasons: [] };
	const banned = { code: 'banned', message: 'because banned' };
	recordJob('j1', [0, 1, 2], [registered, { status: 'failed', reasons: [banned] }]);
	expect(ledger.openOutcomes).toEqual([]);
	// Words alone say that the fourth is registered, whom the session does not show.
	const already = { code: 'already_registered', message: 'because already_registered' };
	const byWords: TaskResult = { status: 'already_registered', isByWords: true, reasons: [already] };
	recordJob('j2', [3], [byWords], 1);
	const totals = { meter: createMeter(parts, 900), view: collectingView() };
	const list = new RegisteredList(plan, ledger, parts, totals);
	await clock.run(list.decideOpenOutcomes());
	const statuses = plan.candidates.map(({ outcome }) => outcome?.status);
	expect(statuses).toEqual(['registered', 'unknown', 'unknown', 'failed']);
});

describe('where the results leave open who is registered', () => {
	const byWords = { status: 'failed', errors: [{ detail: 'Email has already been taken' }] };
	/** Nobody can tell whose these results are. */
	const nobodys: JsonObject[] = [
		{ status: 'succeeded' },
		{ status: 'failed', errors: [{ detail: 'Banned' }] },
	];

	/**
	 * A run with these results of its jobs. The list has sixty pages, and its first page shows a stranger. By email it shows the people
	 * who are `there`, and for a session that is `refused` it shows nothing.
	 */
	async function decided(
		rows: readonly Row[],
		resultsOfJobs: ReadonlyArray<readonly JsonObject[]>,
		{ there = [], refused = '' }: { there?: readonly string[]; refused?: string } = {},
	) {
		let jobs = 0;
		const { report, asked } = await runAgainst(rows, (request) => {
			const { method, path, query = {} } = request;
			const respond = (body: JsonObject) => ({ status: 200, headers: {}, body });
			if (method === 'POST') return respond({ id: `${jobs++}` });
			const [, of, id = '', kind] = path.split('/');
			if (of === 'jobs' && kind === undefined) return respond({ id, status: 'ended' });
			if (of === 'jobs') {
				const results = resultsOfJobs[Number(id)] ?? [];
				const data = results.map((task, nth) => ({ ...task, id: `${nth}` }));
				return respond({ data, meta: { page_count: 1 } });
			}
			if (id === refused) return new Failure('forbidden', request);
			const email = query['filter[email]'];
			const person = { type: 'people', id: 'p', attributes: { email: email ?? 'x@example.com' } };
			const isShown = email === undefined || there.includes(String(email));
			return respond({ data: isShown ? [person] : [], meta: { page_count: 60 } });
		});
		const lists = asked.filter(({ path }) => path.endsWith('/people')).map(({ path }) => path);
		return { statuses: outcomesOf(report).map(({ status }) => status), lists };
	}

	test('the likely ones of a long list do not keep the others from being asked for', async () => {
		const rows = someRows(52, 's');
		const likely = rows.slice(0, 50);
		const { statuses, lists } = await decided(rows, [likely.map(() => byWords), nobodys], {
			there: ['p50@example.com'],
		});
		expect(statuses.slice(50)).toEqual(['registered', 'failed']);
		expect(statuses.slice(0, 50)).toEqual(likely.map(() => 'already_registered'));
		// Two for those in doubt, and one for the likely ones.
		expect(lists).toHaveLength(3);
	});

	test('the likely ones are not asked for where the others have cost 51 requests', async () => {
		const doubtful = someRows(50, 'a');
		const results = [nobodys[0] ?? {}, ...doubtful.slice(1).map(() => nobodys[1] ?? {})];
		const rows = [rowFor('likely', 'ada@x.io'), ...doubtful];
		const { statuses, lists } = await decided(rows, [[byWords], results], {
			there: ['p7@example.com'],
		});
		expect(statuses[0]).toBe('already_registered');
		expect(statuses.indexOf('registered')).toBe(8);
		expect(lists).toEqual(Array.from({ length: 51 }, () => '/sessions/a/people'));
	});

	test('a refused list says nothing of other sessions', async () => {
		const rows = [rowFor('a', 'ada@x.io'), rowFor('b', 'bob@x.io')];
		const { statuses, lists } = await decided(rows, [[byWords], [byWords]], { refused: 'a' });
		expect(statuses).toEqual(['already_registered', 'failed']);
		expect(lists).toEqual(['/sessions/a/people', '/sessions/b/people']);
	});
});

const linkOf = (email: string) => `https://example.com/join/${email}`;

describe('a run that needs the join links', () => {
	const brings = 'joinLinks' as const;
	const linksOf = (rows: readonly Row[]) => rows.map(({ email = '' }) => linkOf(email));

	test('asks for those of people who were registered before, on one page', async () => {
		const { rows, before } = present(30);
		const { links, requests } = await run(rows, { before, run: { brings } });
		expect(links).toEqual(linksOf(rows));
		expect(requests).toBe(ofOneJob + 1);
	});

	test('asks for newcomers whose results do not have it', async () => {
		const rows = someRows(3);
		const { links, report, requests } = await run(rows, { run: { brings } });
		expect(links).toEqual(linksOf(rows));
		expect(requests).toBe(ofOneJob + 3);
		// The report counts the requests that look for them, as it counts all that a run sends.
		expect(report.requests).toBe(requests);
		expect(report.sessionOfEach).toHaveLength(requests);
	});

	test('does not ask for newcomers whose results have it', async () => {
		const email = 'ada@x.io';
		const attributes = { email, connection_link: linkOf(email) };
		const task = { status: 'succeeded', data: { type: 'people', id: 'p', attributes } };
		const { report, asked } = await runAgainst(
			[rowFor('a', email)],
			({ method, path }) => {
				const body = method === 'POST' ? { id: path } : { data: [task] };
				return { status: 200, headers: {}, body };
			},
			{ brings },
			view,
		);
		expect(outcomesOf(report)[0]?.person?.join_link).toBe(linkOf(email));
		expect(asked).toHaveLength(ofOneJob);
	});

	test('may read a whole list, which is more than the records are worth', async () => {
		const { before } = present(120);
		const rows = someRows(120).map((row): Row => ({ ...row, sessionId: 's' }));
		const { links, requests } = await run(rows, { before, run: { brings } });
		expect(links).toEqual(linksOf(rows));
		// Three jobs of fifty at most, and three pages of the list.
		expect(requests).toBe(3 * ofOneJob + 3);
	});

	test('does not look for anybody at a public event', async () => {
		const { links, requests } = await run(someRows(2), {
			run: { brings },
			platform: { emails: 'made-up' },
		});
		expect(links).toEqual([null, null]);
		expect(requests).toBe(ofOneJob);
	});

	/** One person of each of two sessions, of whom only the second is shown; the list of the first, or the results, are refused. */
	async function refused(cause: Cause, refusedPath: RegExp) {
		const { report, asked } = await runAgainst(
			[rowFor('a', 'ada@x.io'), rowFor('b', 'bob@x.io')],
			(request) => {
				const { method, path } = request;
				if (refusedPath.test(path)) return new Failure(cause, request);
				const body = { data: [{ status: 'failed', errors: [{ code: 'already_registered' }] }] };
				if (method === 'POST') return { status: 202, headers: {}, body: { id: path } };
				const person = { type: 'people', id: 'p', attributes: { email: 'bob@x.io' } };
				const isList = path.endsWith('/people');
				return { status: 200, headers: {}, body: isList ? { data: [person] } : body };
			},
			{ brings },
			view,
		);
		const lists = asked.filter(({ path }) => path.endsWith('/people')).map(({ path }) => path);
		return { records: outcomesOf(report).map(({ person }) => person?.email), lists };
	}

	test('brings those of one session where the list of another is refused', async () => {
		const { records, lists } = await refused('forbidden', /^\/sessions\/a\/people$/);
		expect(records).toEqual([undefined, 'bob@x.io']);
		expect(lists).toEqual(['/sessions/a/people', '/sessions/b/people']);
	});

	test('asks nobody any more when it has ended early', async () => {
		const { records, lists } = await refused('unauthorized', /^\/jobs/);
		expect(records).toEqual([undefined, undefined]);
		expect(lists).toEqual([]);
	});
});
