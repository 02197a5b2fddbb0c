import { outcomesOf } from '../../../nodes/EventPlatform/core/registration/runOutcome';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { planRun } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import { runBulk } from '../../../nodes/EventPlatform/core/registration/bulkRun';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { runAgainst } from './bulkRun';
import { timedRun } from '../../support/runs/begunRun';
import { rowFor, someRows, modelScene, type Circumstances } from '../../support/runs/simulation';

/** What the lists of the sessions tell where the results do not. */

const view = { columns: 'all', includesJoinLink: true } as const;

/** So many people of a session who are registered, on the platform and as rows. */
function present(count: number, sessionId = 's') {
	const rows = someRows(count, sessionId);
	return { rows, before: rows.map(({ email = '' }) => ({ sessionId, email })) };
}

/** Carries out a run, and gives the links and the number of requests. */
async function run(rows: readonly Row[], circumstances: Circumstances) {
	const { clock, parts, platform } = modelScene(circumstances);
	const run = timedRun({ ...parts, view }, circumstances.run);
	const report = await clock.run(runBulk(planRun(rows), ...run));
	const outcomes = outcomesOf(report);
	const links = outcomes.map(({ person }) => person?.join_link);
	return { links, report, requests: platform.requests };
}

/** A job is sent and read. */
const ofOneJob = 2;

const linkOf = (email: string) => `https://example.com/join/${email}`;

describe('a run that needs the join links', () => {
	const needsJoinLinks = true;
	const linksOf = (rows: readonly Row[]) => rows.map(({ email = '' }) => linkOf(email));

	test('asks for those of people who were registered before, on one page', async () => {
		const { rows, before } = present(30);
		const { links, requests } = await run(rows, { before, run: { needsJoinLinks } });
		expect(links).toEqual(linksOf(rows));
		expect(requests).toBe(ofOneJob + 1);
	});

	test('asks for newcomers whose results do not have it', async () => {
		const rows = someRows(3);
		const { links, report, requests } = await run(rows, { run: { needsJoinLinks } });
		expect(links).toEqual(linksOf(rows));
		expect(requests).toBe(ofOneJob + 3);
		// The report counts the requests that look for them, as it counts all that a run sends.
		expect(report.requests).toBe(requests);
	});

	test('does not ask for newcomers whose results have it', async () => {
		const email = 'ada@x.io';
		const attributes = { email, registrant_detail: { connection_link: linkOf(email) } };
		const task = { status: 'succeeded', data: { type: 'people', id: 'p', attributes } };
		const { report, asked } = await runAgainst(
			[rowFor('a', email)],
			({ method, path }) => {
				const body = method === 'POST' ? { id: path } : { data: [task] };
				return { status: 200, headers: {}, body };
			},
			{ needsJoinLinks },
			view,
		);
		expect(outcomesOf(report)[0]?.person?.join_link).toBe(linkOf(email));
		expect(asked).toHaveLength(ofOneJob);
	});

	test('may read a whole list', async () => {
		const { before } = present(120);
		const rows = someRows(120).map((row): Row => ({ ...row, sessionId: 's' }));
		const { links, requests } = await run(rows, { before, run: { needsJoinLinks } });
		expect(links).toEqual(linksOf(rows));
		// Three jobs of fifty at most, and three pages of the list.
		expect(requests).toBe(3 * ofOneJob + 3);
	});

	test('does not look for anybody at a public event', async () => {
		const { links, requests } = await run(someRows(2), {
			run: { needsJoinLinks },
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
			{ needsJoinLinks },
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
