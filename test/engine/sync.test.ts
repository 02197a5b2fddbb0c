import '../support/time/fasterClock';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { seededId } from '../../sandbox/seed/ids';
import { numberedPeople, statusesOf, sync } from '../support/runs/bulkScene';
import { sandboxForTests, sandboxOfFile, type TestSandbox } from '../support/platform/sandbox';
import { makeRegistration, registerPeople } from '../support/platform/platformRecords';
import { mapped, type OperationRun } from '../support/n8n/operation';
import { tokenCredential } from '../support/n8n/engineConsent';
import { registered } from '../support/platform/registrants';
import { heldSession, otherSession, upcomingSession } from '../support/platform/seededIds';
import { linesOfLog } from './log';
import { byId } from '../support/n8n/locators';

const sandbox = sandboxOfFile({ rate: 1_000 });
beforeEach(() => sandbox.reset());

const before = (people: IDataObject[], session?: string) =>
	registerPeople(sandbox, people, session);

describe('a list of which two rows went wrong', () => {
	const list = [
		{ email: 'new@example.com', first_name: 'New', sessionId: otherSession },
		{ email: 'new@example.com', first_name: 'New' },
		{ email: 'STAYS@example.com', first_name: 'Stays ' },
		{ email: 'changes@example.com', first_name: 'Now' },
		{ email: 'Changes@Example.com', first_name: 'Later' },
		{},
		{ email: 'refused@a_host.example', first_name: 'Nobody' },
	];
	let run: OperationRun;
	let there: string[];
	const item = (index: number) => run.records[index] ?? {};

	beforeAll(async () => {
		await sandbox.reset();
		await before([
			{ email: 'stays@example.com', first_name: 'Stays' },
			{ email: 'Changes@example.com', first_name: 'Old', last_name: 'Kept' },
			{ email: 'goes@example.com', first_name: 'Goes' },
		]);
		const parameters = { sessionId: byId(`={{ $json.sessionId ?? '${upcomingSession}' }}`) };
		run = await sync(sandbox, list, { removeOthers: true }, { parameters });
		there = await registered(sandbox);
	});

	test('has an outcome for each row, and first those who are kept without one', () => {
		expect(run.error).toBeUndefined();
		expect(run.records.map(({ email, status }) => [email, status])).toEqual([
			['goes@example.com', 'kept'],
			['new@example.com', 'added'],
			['new@example.com', 'added'],
			['STAYS@example.com', 'unchanged'],
			['changes@example.com', 'updated'],
			['Changes@Example.com', 'duplicate'],
			[null, 'invalid'],
			['refused@a_host.example', 'failed'],
		]);
	});

	test('changes the registrants of the session', () => {
		expect(there).toEqual([
			'Changes@example.com',
			'goes@example.com',
			'new@example.com',
			'stays@example.com',
		]);
	});

	test('has each outcome paired to its row, and people without a row to none', () => {
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([
			[],
			...[0, 1, 2, 3, 4, 5, 6].map((row) => ({ item: row })),
		]);
	});

	test('shows of an updated person what changed, the outcome first', () => {
		expect(item(4)).toMatchObject({
			session_id: upcomingSession,
			job_id: null,
			changes: 'first_name: Old → Now',
			name: 'Now Kept',
			row: 4,
		});
		expect(Object.keys(item(4)).slice(0, 4)).toEqual(['email', 'status', 'changes', 'reason']);
	});

	test('shows of an added person the job', () => {
		expect(item(2)).toMatchObject({ job_id: expect.any(String) as string, changes: null });
	});

	test('shows who is kept by name, without a row', () => {
		expect(item(0)).toMatchObject({ name: 'Goes', row: null });
	});

	test('ends with a hint that counts each outcome', () => {
		const counts =
			/^2 added, 1 updated, 1 unchanged, 1 kept, 1 failed, 1 invalid, 1 duplicate, 9 requests, \d+ s$/;
		expect(run.hints).toEqual([expect.stringMatching(counts)]);
	});

	test('shows nothing that lets anybody enter a session', () => {
		expect(JSON.stringify(run.items)).not.toMatch(/connection_link|password_key/);
	});
});

describe('a dry run', () => {
	const unlisted = [{ email: 'x@example.com' }, { email: 'y@example.com' }];
	const options = { dryRun: true, removeOthers: true, mostRemovals: 2 };

	beforeEach(() => before([{ email: 'p1@example.com', first_name: 'Old' }, ...unlisted]));

	test('tells of each person what would become of them, removals first, and ends with a hint that says what the run would take', async () => {
		const run = await sync(sandbox, numberedPeople(60), options);
		const { records, hints, requests, writes } = run;
		expect(statusesOf(records)).toEqual({ would_add: 59, would_update: 1, would_remove: 2 });
		expect(records.slice(0, 2).map(({ email }) => ({ email }))).toEqual(unlisted);
		expect(records[3]?.changes).toBe('first_name: Old → p 1');
		const counts =
			/^Dry run: 59 would be added, 1 would be updated, 2 would be removed. It would take about 10 requests and \d+ s. Nothing was sent\.$/;
		expect(hints).toEqual([expect.stringMatching(counts)]);
		// The session and its people are read.
		expect([requests.length, writes]).toEqual([2, []]);
	});

	test('says who would stay where nobody is to be removed', async () => {
		const { hints } = await sync(sandbox, numberedPeople(60), { dryRun: true });
		expect(hints).toContain(
			"2 people are registered and not on the list. They stay, because 'Remove Others' is off.",
		);
	});

	test('is true: the run does what it said, for as many requests', async () => {
		const real = { ...options, dryRun: false };
		const { records, sent } = await sync(sandbox, numberedPeople(60), real);
		expect(statusesOf(records)).toEqual({ added: 59, updated: 1, removed: 2 });
		// On a busy machine a job may not be over when it is read, and is read again.
		const isRepeatedRead = (request: string, index: number) =>
			request.startsWith('GET /jobs/') && sent.indexOf(request) !== index;
		const withoutRepetition = sent.filter((request, index) => !isRepeatedRead(request, index));
		// The session, one page of people, two requests for each of two jobs, one update, the session again, two removals.
		expect(withoutRepetition).toHaveLength(10);
	});
});

test.each([
	[5, 'is over'],
	[6, 'was canceled'],
])('of session %i a dry run and Validate Only say that it %s', async (number, why) => {
	const parameters = { sessionId: byId(seededId('session', number)) };
	const { records } = await sync(sandbox, numberedPeople(2), { dryRun: true }, { parameters });
	expect(statusesOf(records)).toEqual({ invalid: 2 });
	const reason = new RegExp(`^'.*' \\(.*\\) ${why}: nobody can register`);
	expect(records[0]?.reason).toMatch(reason);
	const bulk = { ...parameters, operation: 'bulkRegister' };
	const options = { validateOnly: true };
	const checked = await sync(sandbox, numberedPeople(2), options, { parameters: bulk });
	expect(checked.records.map(({ reason }) => reason)).toEqual([1, 2].map(() => records[0]?.reason));
});

test('of a session that is over nobody is sent or removed, and who needs nothing is unchanged', async () => {
	const there = await registered(sandbox, heldSession);
	expect(there.length).toBeGreaterThan(3);
	const list = [...there.slice(0, 3), 'new@example.com'].map((email) => ({ email }));
	const options = { removeOthers: true, removeDespiteProblems: true, mostRemovals: 1_000 };
	const parameters = {
		sessionId: byId(heldSession),
		fields: mapped({ email: '={{ $json.email }}' }),
	};
	const { error, records, writes } = await sync(sandbox, list, options, { parameters });
	expect(error).toBeUndefined();
	expect(statusesOf(records)).toEqual({ unchanged: 3, invalid: 1, kept: there.length - 3 });
	expect(writes).toEqual([]);
	expect(await registered(sandbox, heldSession)).toEqual(there);
});

test.each(['true', ' Yes ', 'on', 1])('a dry run is one for %j, too', async (dryRun) => {
	const dry = await sync(sandbox, numberedPeople(2), { dryRun });
	const validateOnly = { operation: 'bulkRegister', options: { validateOnly: dryRun } };
	const checked = await sync(sandbox, numberedPeople(2), {}, { parameters: validateOnly });
	expect([...dry.writes, ...checked.writes]).toEqual([]);
});

test.each([
	{ options: { dryRun: '={{ $json.early }}' } },
	{ options: { includeDetails: '={{ $json.early }}' } },
	{ output: '={{ $json.early ? "people" : "failed" }}' },
])('%j, which is not the same for all items, is an error', async (parameters) => {
	const list = numberedPeople(3).map((person, index) => ({ ...person, early: index < 2 }));
	const { error, writes } = await sync(sandbox, list, {}, { parameters });
	expect(error?.message).toBe('The options are not the same for all items');
	expect(writes).toEqual([]);
});

test('somebody who is removed is not linked to the only row of the list', async () => {
	await before([{ email: 'goes@example.com' }]);
	const list = [{ email: 'new@example.com' }];
	const { items } = await sync(sandbox, list, { removeOthers: true, mostRemovals: 1 });
	expect(items.map(({ json, pairedItem }) => [json.status, pairedItem])).toEqual([
		['added', { item: 0 }],
		['removed', []],
	]);
});

describe('a list that would remove too many', () => {
	beforeEach(() => before(numberedPeople(50, 'old')));

	test('is an error before anything is sent', async () => {
		await before(numberedPeople(20, 'older'));
		const run = await sync(sandbox, numberedPeople(1), { removeOthers: true });
		const { error, items, writes } = run;
		expect(error?.message).toMatch(
			/^The list would remove 70 of 70 people from 'Product Tour: Autumn Release, Europe' \(\d+ \w+ \d{4}, \d\d:\d\d Paris\), and at most 14 may be removed. They are old 0, old 1, old 2, old 3, old 4 and 65 more\.$/,
		);
		expect(error?.description).toMatch(/^Nothing was sent\. Check that the list is complete/);
		expect(error?.description).not.toMatch(/Max Removals/);
		expect(items).toEqual([]);
		expect(writes).toEqual([]);
	});

	test('is shown by a dry run, with the reason why it would be refused', async () => {
		const options = { removeOthers: true, mostRemovals: 0, dryRun: true };
		const { records, hints, error } = await sync(sandbox, numberedPeople(1), options);
		expect(error).toBeUndefined();
		expect(statusesOf(records)).toEqual({ would_add: 1, would_remove: 50 });
		expect(hints.join()).toMatch(/A real run would stop here. The list/);
	});

	test.each([
		['a dry run', { dryRun: true }, {}],
		['a run that goes on', {}, { onError: 'continueErrorOutput' } as const],
	])('leaves no name of anybody in the log of %s', async (_, options, settings) => {
		const lines = linesOfLog('info');
		const allOptions = { removeOthers: true, mostRemovals: 0, ...options };
		await sync(sandbox, numberedPeople(1), allOptions, { settings });
		const log = lines().join('\n');
		expect(log).toContain('too_many_removals');
		expect(log).not.toMatch(/old \d|@example/);
	});

	test('with the error output every person leaves there, who is not on the list without the values of another', async () => {
		const options = { removeOthers: true, mostRemovals: 3 };
		const settings = { onError: 'continueErrorOutput' as const };
		const { outputs, error } = await sync(sandbox, numberedPeople(2), options, { settings });
		expect(error).toBeUndefined();
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toHaveLength(52);
		const columns = outputs[1]?.slice(0, 50).map(({ json }) => Object.keys(json).join());
		expect(new Set(columns)).toEqual(new Set(['error']));
		expect(JSON.stringify(outputs[1]?.[50])).toMatch(/would remove 50 of 50/);
	});
});

describe('when something goes wrong', () => {
	const match = { method: 'PATCH', path: '/v1/sessions/:id/people/:person' };
	const settings = { onError: 'continueErrorOutput' as const };

	test('a change that was not made is an outcome of its own, on the error output, and a second run makes it', async () => {
		await before([{ email: 'p0@example.com' }]);
		await sandbox.faults([{ match, do: 'html-502', times: 1 }]);
		const { outputs } = await sync(sandbox, numberedPeople(2), {}, { settings });
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['added']);
		const why = /^p0@example.com was not synced: .* 'first_name' is still empty and not "p 0"/;
		const message = expect.stringMatching(why) as string;
		expect(outputs[1]?.map(({ json }) => json.error)).toMatchObject([
			{ message, status: 'not_updated', changes: 'first_name: (empty) → p 0' },
		]);
		const again = await sync(sandbox, numberedPeople(2));
		expect(statusesOf(again.records)).toEqual({ updated: 1, unchanged: 1 });
	});

	test('the title of a run that did nothing does not say that the people are not registered', async () => {
		await before([{ email: 'p0@example.com' }, { email: 'p1@example.com' }]);
		await sandbox.faults([
			{ match, do: 'html-502', times: 1 },
			{ match, do: 'empty-400', times: 1 },
		]);
		const { error } = await sync(sandbox, numberedPeople(2));
		expect(error?.message).toBe('Nobody was added, updated or removed: 1 not updated, 1 failed');
		expect(await registered(sandbox)).toEqual(['p0@example.com', 'p1@example.com']);
	});

	describe('a list that cannot be read', () => {
		beforeEach(() =>
			sandbox.faults([{ match: { method: 'GET', path: '/v1/*' }, do: '500', times: 50 }]),
		);

		test('is an error, and nothing is sent', async () => {
			const run = await sync(sandbox, numberedPeople(2), { removeOthers: true });
			expect(run.error?.message).toBe('The platform answered with a server error (500)');
			expect([run.items, run.writes]).toEqual([[], []]);
		});

		test('leaves with everybody on the error output, and nothing is sent', async () => {
			const run = await sync(sandbox, numberedPeople(2), { removeOthers: true }, { settings });
			expect(run.error).toBeUndefined();
			expect(run.outputs.map(({ length }) => length)).toEqual([0, 2]);
			expect(run.writes).toEqual([]);
		});
	});
});

describe('a session of a public event', () => {
	let open: TestSandbox;

	beforeAll(async () => {
		open = await sandboxForTests({ rate: 1_000, publicEvent: true });
	});

	const cause =
		/'Product Tour.*' \(.*\) belongs to a public event, .* Sync would add the same people again in every run\./;

	test('is not synced, and the cause is named', async () => {
		const { error } = await sync(open, numberedPeople(2), { removeOthers: true });
		expect(error?.message).toBe('Nobody was added, updated or removed: 2 failed');
		expect(error?.description).toMatch(cause);
	});

	test.each(['update', 'unregister', 'get'])(
		'has nobody whom %s finds by email, as it says, and everybody by ID',
		async (operation) => {
			const personId = await makeRegistration(open, upcomingSession);
			const fields = mapped({ first_name: 'Grace' });
			const run = (parameters: INodeParameters) =>
				sync(open, [{}], {}, { parameters: { operation, fields, ...parameters } });
			const { error, writes } = await run({ by: 'email', email: 'ada@example.com' });
			expect(error?.message).toMatch(/^Nobody with the email ada@example\.com is registered/);
			expect(error?.description).toMatch(
				/belongs to a public event, .* Nobody can be found by email there: find the person by ID\.$/,
			);
			expect(writes).toEqual([]);
			expect((await run({ by: 'person', personId: byId(personId) })).error).toBeUndefined();
		},
	);
});

test('on a platform that has no endpoint for sessions everybody is told so, and nothing is sent', async () => {
	const exact = await sandboxForTests({ world: 'exact', rate: 1_000 });
	const settings = { onError: 'continueErrorOutput' as const };
	const { outputs, writes } = await sync(exact, numberedPeople(2), {}, { settings });
	const reasons = outputs[1]?.map(({ json }) => JSON.stringify(json)) ?? [];
	expect(reasons).toHaveLength(2);
	for (const reason of reasons)
		expect(reason).toMatch(/this platform does not have this operation/);
	expect(writes).toEqual([]);
});

test('a platform that fails every request until the time is over is named in reason and hint', async () => {
	const people = numberedPeople(30);
	await before(people);
	const path = '/v1/sessions/:id/people/:person';
	await sandbox.faults(
		['PATCH', 'GET'].map((method) => ({
			match: { method, path },
			do: '500' as const,
			times: 10_000,
		})),
	);
	const token = tokenCredential(sandbox);
	const list = people.slice(3).map((person) => ({ ...person, first_name: 'New' }));
	const options = { maxWaitSeconds: 30, removeOthers: true };
	const { records, hints } = await sync(sandbox, list, options, {
		settings: { onError: 'continueRegularOutput' },
		// Steps that fail end the run by themselves where it does not end by its time before.
		credential: { ...token, data: { ...token.data, requestsPerSecond: 1 } },
	});
	const told =
		/The time for this run ran out\. For the last \d+ s every request had failed\. .*\(500\)/;
	expect(hints[0]).toMatch(told);
	expect(records.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(told));
	expect(JSON.stringify([records, hints])).not.toContain('Max Wait');
});
