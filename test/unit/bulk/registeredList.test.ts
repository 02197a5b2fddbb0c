import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { createMeter } from '../../../nodes/EventPlatform/core/bulk/meter';
import { planRun } from '../../../nodes/EventPlatform/core/bulk/plan';
import { runBulk } from '../../../nodes/EventPlatform/core/bulk/run';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { candidates, modelScene, type Circumstances } from '../../support/runs/simulation';

/** The records of people who were registered before the run, which the list of their session brings. */

/** So many people of a session who are registered, on the platform and as rows. */
function present(count: number, sessionId = 's') {
	const rows = candidates(count, sessionId);
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
		needsRecords: true,
		mayDivide: true,
		maxWaitSeconds: 900,
		...circumstances.run,
	};
	const all = { ...parts, sessions };
	const meter = createMeter(all, options.maxWaitSeconds);
	const { outcomes } = await clock.run(runBulk(planRun(rows), all, options, meter));
	const statuses = outcomes.map(({ status }) => status);
	const records = outcomes.map(({ person }) => person?.email);
	return { statuses, records, requests: platform.requests };
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
	const { requests, statuses } = await run(candidates(3), {});
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
	const rows = candidates(4, 's');
	const full = await run(rows, { before }, { s: 49 });
	expect(full.requests).toBe(ofOneJob);
	const fits = await run(rows, { before }, { s: 48 });
	expect(fits.requests).toBe(ofOneJob + 1);
});

test('those who were added to another session do not count', async () => {
	const { rows, before } = present(2, 'a');
	const { requests } = await run([...rows, ...candidates(4, 'b')], { before }, { a: 50, b: 0 });
	expect(requests).toBe(2 * ofOneJob + 1);
});

test('somebody alone is asked for, however large the session is', async () => {
	const { rows, before } = present(1);
	expect((await run(rows, { before }, { s: 5_000 })).requests).toBe(ofOneJob + 1);
});

test('where one page does not show all of them, nobody has a record and nothing more is asked', async () => {
	const { before } = present(120);
	const rows = [...candidates(1), ...candidates(120).slice(-1)].map((row): Row => {
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
	const { requests } = await run(rows, { before, run: { needsRecords: false } });
	expect(requests).toBe(ofOneJob);
});
