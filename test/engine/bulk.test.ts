import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import {
	bulkRegister,
	crowd,
	emailsOf,
	registered,
	statusesOf,
	writes,
} from '../support/runs/bulkScene';
import {
	bulkOfTasks,
	sandboxForTests,
	upcomingSession,
	type TestSandbox,
} from '../support/platform/sandbox';
import { byId, mapped, operate } from './operations/operate';

let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 1_000 });
});
beforeEach(() => sandbox.reset());

test('everyone who comes in is registered, with one outcome each, in their order and in few requests', async () => {
	const people = crowd(120);
	const { items, error, hints } = await bulkRegister(sandbox, people);
	expect(error).toBeUndefined();
	const requests = (await sandbox.requests()).filter(({ path }) => path.startsWith('/v1/'));
	const asked = requests.map(({ operationId }) => operationId).sort();
	const each = ['listJobTasks', 'registerInBulk'].flatMap((one) => [one, one, one]);
	expect(asked).toEqual(each);
	expect(items.map(({ json }) => [json.email, json.status])).toEqual(
		people.map(({ email }) => [email, 'registered']),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(people.map((_, item) => ({ item })));
	const id = expect.any(String) as string;
	const row = {
		email: 'p7@example.com',
		status: 'registered',
		reason: null,
		code: null,
		name: 'p 7',
		row: 8,
		person_id: id,
		session_id: upcomingSession,
		job_id: id,
	};
	expect(Object.entries(items[7]?.json ?? {})).toEqual(Object.entries(row));
	expect(await registered(sandbox)).toEqual(emailsOf(people));
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^120 registered, 6 requests, \d+ s$/),
	]);
});

test('each person has the status that is true of them', async () => {
	const before = ['there@example.com', 'also-there@example.com'];
	await sandbox.jobEnd(await sandbox.startJob(before));
	const people = [
		...crowd(8),
		{ email: 'There@Example.com' },
		{ email: 'P3@example.com ' },
		{ email: 'not an address' },
		{ first_name: 'Nobody' },
		{ email: 'also-there@example.com' },
		{ email: 'dotless@example' },
	];
	const { items } = await bulkRegister(sandbox, people);
	const there = 'The address is already registered for this session.';
	const told = items.slice(8).map(({ json }) => [json.email, json.status, json.code, json.reason]);
	expect(told).toEqual([
		['There@Example.com', 'already_registered', 'already_registered', there],
		['P3@example.com', 'duplicate', 'duplicate', expect.stringMatching(/^[^.]+\.$/)],
		['not an address', 'invalid', 'invalid', expect.stringMatching(/not an email/)],
		[null, 'invalid', 'invalid', expect.stringMatching(/email/)],
		['also-there@example.com', 'already_registered', 'already_registered', there],
		['dotless@example', 'failed', 'invalid_email', expect.stringContaining('dotless@example')],
	]);
	expect(items.map(({ json }) => json.row)).toEqual(people.map((_, index) => index + 1));
	expect(items[11]?.json.name).toBe('Nobody');
	expect(statusesOf(items).registered).toBe(8);
	expect(await registered(sandbox)).toEqual([...emailsOf(crowd(8)), ...before].sort());
});

test('several choices and where people came from arrive as the platform takes them', async () => {
	const value = { email: '={{ $json.email }}', topics: '={{ $json.topics }}' };
	const origin = { utmSource: '={{ $json.source }}', referrer: 'https://example.com' };
	const parameters = { fields: { mappingMode: 'defineBelow', value }, additionalFields: origin };
	const person = { email: 'a@example.com', topics: ['a', 'b'], source: 'mail' };
	await bulkRegister(sandbox, [person], { parameters });
	const [request] = await sandbox.requests();
	const fields = ['email', 'topics'].map((id) => ({ id, value: person[id as 'email'] }));
	expect(request?.body).toEqual(
		bulkOfTasks([{ fields, utm_source: 'mail', referrer: 'https://example.com' }]),
	);
});

test('the record and the errors come with the details alone', async () => {
	const people = [...crowd(1), { email: 'dotless@example' }];
	const parameters = { options: { includeDetails: true } };
	const { items } = await bulkRegister(sandbox, people, { parameters });
	expect(items.map(({ json }) => json)).toMatchObject([
		{ person: { email: 'p0@example.com', first_name: 'p 0' }, errors: [] },
		{ person: null, errors: [{ code: 'invalid_email', message: expect.any(String) as string }] },
	]);
});

describe('a run in which nobody is registered', () => {
	const people = [
		{ email: 'a@x' },
		{ email: 'b@x' },
		{ email: 'bad', first_name: 'B' },
		{ email: 'A@x' },
		{ first_name: 'Ada' },
		{},
	];

	test('is an error with the counts and the reason that most have', async () => {
		const { items, error } = await bulkRegister(sandbox, people);
		expect(items).toEqual([]);
		expect(error?.message).toBe('Nobody was registered: 2 failed, 3 invalid, 1 duplicate');
		expect(error?.description).toMatch(/^2 of 6: .*email.*'On Error'/i);
		const one = await bulkRegister(sandbox, [{ email: 'bad' }], {
			parameters: { waitForCompletion: false },
		});
		expect(one.error?.message).toBe('Nobody was registered: 1 invalid');
	});

	test.each(['people', 'failed', 'summary'])(
		'has everyone leave with the own reason, with the output %s',
		async (output) => {
			const run = (onError: 'continueErrorOutput' | 'continueRegularOutput') =>
				bulkRegister(sandbox, people, { settings: { onError }, parameters: { output } });
			const branch = await run('continueErrorOutput');
			expect(branch.outputs[0]).toEqual([]);
			const names = ['a@x', 'b@x', 'bad', 'A@x', 'Ada (row 5)', 'The person in row 6'];
			const reasons = names.map((name) => expect.stringContaining(`${name} was not`) as string);
			const said = branch.outputs[1]?.map(({ json }) => (json.error as IDataObject).message);
			expect(said).toEqual(reasons);
			const regular = await run('continueRegularOutput');
			expect(regular.items.map(({ json }) => json.error)).toEqual(reasons);
		},
	);
});

describe('a row whose person stands in an earlier row', () => {
	const people = [...crowd(2), { email: 'P1@example.com' }, { email: 'bad' }];
	const emails = (items: Array<{ json: IDataObject }> = []) => items.map(({ json }) => json.email);

	test('leaves on the error output, so that nobody is written to twice', async () => {
		const settings = { onError: 'continueErrorOutput' as const };
		const { outputs } = await bulkRegister(sandbox, people, { settings });
		expect(emails(outputs[0])).toEqual(['p0@example.com', 'p1@example.com']);
		const errors = outputs[1]?.map(({ json }) => json.error as IDataObject) ?? [];
		expect(errors[0]).toMatchObject({
			message: 'P1@example.com was not sent: Row 2 has the same person.',
			email: 'P1@example.com',
			status: 'duplicate',
			code: 'duplicate',
			row: 3,
		});
		expect(errors).toHaveLength(2);
	});

	test('has an item among the others where there is no such output', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const { items } = await bulkRegister(sandbox, people, { settings });
		expect(items.map(({ json }) => [json.status, json.error !== undefined])).toEqual([
			['registered', false] as const,
			['registered', false] as const,
			['duplicate', false] as const,
			['invalid', true] as const,
		]);
		expect(items[2]?.json.reason).toBe('Row 2 has the same person.');
	});

	test.each(['people', 'failed', 'summary'])('has none if that is wanted: %s', async (output) => {
		const parameters = { output, options: { leaveOutDuplicates: true } };
		const { items, hints } = await bulkRegister(sandbox, [...people, { email: 'BAD' }], {
			parameters,
		});
		const shown = { people: 4, failed: 2, summary: 1 }[output];
		expect(items).toHaveLength(shown ?? 0);
		expect(statusesOf(items).duplicate).toBeUndefined();
		if (output === 'summary') expect(items[0]?.json).toMatchObject({ total: 5, duplicate: 1 });
		expect(hints[0]?.message).toMatch(/^2 registered, 2 invalid, 1 duplicate, /);
	});

	test('has none if that is wanted, where nobody waits for the results', async () => {
		const options = { leaveOutDuplicates: true, waitForCompletion: false };
		const { items } = await bulkRegister(sandbox, people, { parameters: { options } });
		expect(items.map(({ json }) => json.status)).toEqual(['processing', 'invalid']);
	});
});

test('while many rows are read, everything else in the process goes on', async () => {
	let ticks = 0;
	const timer = setInterval(() => (ticks += 1), 1);
	const fields = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { fields, options: { validateOnly: true } };
	const { items } = await bulkRegister(sandbox, crowd(20_000), { parameters });
	clearInterval(timer);
	expect(statusesOf(items)).toEqual({ valid: 20_000 });
	// Rows that are read in one go leave a timer three: before the run, while the session is read, and after it.
	expect(ticks).toBeGreaterThan(50);
});

test('only people who are not registered are shown, if that is what is wanted', async () => {
	const people = [...crowd(3), { email: 'P0@example.com' }, { email: 'bad' }, { email: 'BAD' }];
	const parameters = { output: 'failed' };
	const { items } = await bulkRegister(sandbox, people, { parameters });
	expect(items.map(({ json, pairedItem }) => [json.email, pairedItem])).toEqual([
		['bad', { item: 4 }],
		['BAD', { item: 5 }],
	]);
});

test.each([
	['as an option', { options: { waitForCompletion: false } }],
	['as earlier versions saved it', { waitForCompletion: false }],
])(
	'without waiting, %s, there is one item per job, paired to its people, and nobody is lost',
	async (_, parameters) => {
		const people = [...crowd(60), { email: 'P0@example.com' }, { email: 'bad' }];
		const { items } = await bulkRegister(sandbox, people, { parameters });
		expect(items.map(({ json }) => json)).toMatchObject([
			{ session_id: upcomingSession, status: 'processing', total_items: 50 },
			{ session_id: upcomingSession, status: 'processing', total_items: 10 },
			{ email: 'bad', status: 'invalid' },
		]);
		expect(items[0]?.pairedItem).toHaveLength(51);
		expect(items[0]?.pairedItem).toContainEqual({ item: 60 });
		expect(await writes(sandbox)).toEqual(Array(2).fill('POST registerInBulk'));
		const asked = (await sandbox.requests()).filter(({ path }) => path.startsWith('/v1/jobs/'));
		expect(asked).toEqual([]);
		await sandbox.jobEnd(items[1]?.json.job_id as string);
	},
);

test('a column that is no session ends the run before it costs a request for each row', async () => {
	const rows = crowd(100).map((one, row) => ({ ...one, session: `row-${row}` }));
	const { items, requests } = await operate(
		sandbox,
		'registration.bulkRegister',
		{ sessionId: byId('={{ $json.session }}'), fields: mapped(null) },
		{ items: rows, settings: { onError: 'continueRegularOutput' } },
	);
	expect(items).toHaveLength(rows.length);
	expect(items[99]?.json.error).toMatch(/^The platform cannot find/);
	// Twenty sessions, the last one, and what the workspace asks.
	expect(requests.map(({ status }) => status)).toEqual([404, 200, ...Array<number>(20).fill(404)]);
});

test('a rehearsal sends nothing and tells what the run would take', async () => {
	const people = [...crowd(120), { email: 'p0@example.com' }, { email: 'bad' }];
	const rehearse = (output: string) =>
		bulkRegister(sandbox, people, { parameters: { options: { validateOnly: true }, output } });
	const { items, hints } = await rehearse('people');
	const counts = { valid: 120, duplicate: 1, invalid: 1 };
	expect(statusesOf(items)).toEqual(counts);
	const [summary] = (await rehearse('summary')).items;
	expect(summary?.json).toMatchObject({ total: 122, ...counts, requests: 6, seconds: 0.1 });
	expect(summary?.json.jobs).toHaveLength(3);
	expect(hints[0]?.message).toMatch(
		/^120 valid, 1 invalid, 1 duplicate. It would take about 6 requests and \d+ s. Nothing was sent\.$/,
	);
	// It looks whether the session is open, once a run.
	const requests = (await sandbox.requests()).map(({ method, path }) => `${method} ${path}`);
	expect(requests).toEqual(Array(2).fill(`GET /v1/sessions/${upcomingSession}`));
});

test('a failure fails the node only if that is wanted, and then names reasons and jobs', async () => {
	const people = [...crowd(10), { email: 'dotless@example' }];
	const parameters = { options: { failOnAnyFailure: true } };
	const { error, items } = await bulkRegister(sandbox, people, { parameters });
	expect(error?.message).toBe('1 of 11 people could not be registered');
	expect(error?.description).toMatch(/dotless@example.*Jobs: [0-9a-f-]{36}/);
	expect(items).toEqual([]);
	const options = { failOnAnyFailure: true, validateOnly: true };
	const rehearsed = await bulkRegister(sandbox, [...crowd(1), {}], { parameters: { options } });
	expect(rehearsed.error?.description).not.toContain('Jobs');
	const fine = await bulkRegister(sandbox, crowd(10), { parameters });
	expect(fine.error).toBeUndefined();
});
