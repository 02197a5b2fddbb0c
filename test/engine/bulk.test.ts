import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { bulkRegister, numberedPeople, emailsOf, statusesOf } from '../support/runs/bulkScene';
import { registered } from '../support/platform/registrants';
import { bulkOfTasks, sandboxOfFile } from '../support/platform/sandbox';
import { mapped, operate, type OperationRun } from '../support/n8n/operation';
import { startTestServer } from '../support/platform/testServer';
import { upcomingSession } from '../support/platform/seededIds';
import { seededId } from '../../sandbox/seed/ids';
import { byId } from '../support/n8n/locators';

const sandbox = sandboxOfFile({ rate: 1_000 });
beforeEach(() => sandbox.reset());

describe('a list of 120 people', () => {
	const people = numberedPeople(120);
	let run: OperationRun;
	let there: string[];

	beforeAll(async () => {
		await sandbox.reset();
		run = await bulkRegister(sandbox, people);
		there = await registered(sandbox);
	});

	test('is registered as a whole', () => {
		expect(there).toEqual(emailsOf(people));
	});

	test('has one outcome for each person, in their order', () => {
		expect(run.error).toBeUndefined();
		expect(run.records.map(({ email, status }) => [email, status])).toEqual(
			people.map(({ email }) => [email, 'registered']),
		);
	});

	test('has each outcome paired to the item of the person', () => {
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(
			people.map((_, item) => ({ item })),
		);
	});

	test('costs two requests for each fifty people', () => {
		expect(run.requests.map(({ operationId }) => operationId).sort()).toEqual([
			'listJobTasks',
			'listJobTasks',
			'listJobTasks',
			'registerInBulk',
			'registerInBulk',
			'registerInBulk',
		]);
	});

	test('shows of a person what a workflow needs, the outcome first', () => {
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
		expect(Object.entries(run.records[7] ?? {})).toEqual(Object.entries(row));
	});

	test('ends with a hint that counts people and requests', () => {
		expect(run.hints).toEqual([expect.stringMatching(/^120 registered, 6 requests, \d+ s$/)]);
	});
});

describe('a list with people who cannot be registered', () => {
	const before = ['there@example.com', 'also-there@example.com'];
	const people = [
		...numberedPeople(8),
		{ email: 'There@Example.com' },
		{ email: 'P3@example.com ' },
		{ email: 'not an address' },
		{ first_name: 'Nobody' },
		{ email: 'also-there@example.com' },
		{ email: 'refused@a_host.example' },
	];
	let records: OperationRun['records'];
	let there: string[];

	beforeAll(async () => {
		await sandbox.reset();
		await sandbox.jobEnd(await sandbox.startJob(before));
		({ records } = await bulkRegister(sandbox, people));
		there = await registered(sandbox);
	});

	test('registers everybody else', () => {
		expect(statusesOf(records).registered).toBe(8);
		expect(there).toEqual([...emailsOf(numberedPeople(8)), ...before].sort());
	});

	test('numbers the people as they came in', () => {
		expect(records.map(({ row }) => row)).toEqual(people.map((_, index) => index + 1));
	});

	test('shows who it is without an address by name', () => {
		expect(records[11]?.name).toBe('Nobody');
	});

	test.each([
		{
			who: 'who stands in an earlier row',
			index: 9,
			email: 'P3@example.com',
			status: 'duplicate',
			reason: /^[^.]+\.$/,
		},
		{
			who: 'whose address is none',
			index: 10,
			email: 'not an address',
			status: 'invalid',
			reason: /not an email/,
		},
		{ who: 'who has no address', index: 11, email: null, status: 'invalid', reason: /email/ },
	])('tells of somebody $who', ({ index, email, status, reason }) => {
		expect(records[index]).toMatchObject({
			email,
			status,
			// The status says it already.
			code: null,
			reason: expect.stringMatching(reason) as string,
		});
	});

	test('tells of somebody whom the platform refuses in its words', () => {
		expect(records[13]).toMatchObject({
			email: 'refused@a_host.example',
			status: 'failed',
			code: 'invalid_email',
			reason: expect.stringContaining('refused@a_host.example') as string,
		});
	});
});

describe('a run that was mapped in the editor', () => {
	const people = [{ email: 'ada@example.com', first_name: 'Ada' }];
	const byHand = (id: string) => {
		const schema = ['email', id].map((column) => ({ id: column, displayName: column }));
		const value = { email: '={{ $json.email }}', [id]: '={{ $json.first_name }}' };
		return mapped(value, schema);
	};
	const askedBy = async (fields: object, more: object = {}) => {
		const of = { sessionId: byId(upcomingSession), fields, ...more };
		const { requests } = await operate(sandbox, 'registration.bulkRegister', of, { items: people });
		return [...new Set(requests.map(({ operationId }) => operationId))];
	};
	const registration = ['registerInBulk', 'listJobTasks'];

	const choice = {
		id: 'team_size',
		displayName: 'Team Size',
		options: [{ name: 'One', value: 'One' }],
	};
	const email = { id: 'email', displayName: 'Email' };

	test.each<[what: string, fields: object, more: object, asked: string[]]>([
		['the fields that every session has', byHand('first_name'), {}, registration],
		['a question of a form', byHand('company'), {}, registration],
		[
			'no columns of the editor',
			mapped({ email: '={{ $json.email }}', company: 'X' }),
			{},
			registration,
		],
		[
			'an answer that is not among the saved choices',
			mapped({ email: '={{ $json.email }}', team_size: '1-10' }, [email, choice]),
			{},
			['getSession', ...registration],
		],
		[
			'a list for a question that is not saved',
			mapped({ email: '={{ $json.email }}', interests: ['Product'] }),
			{},
			['getSession', ...registration],
		],
		['a check of the list', byHand('company'), { options: { validateOnly: true } }, ['getSession']],
	])('asks for the form where it may change what is sent, and to check: %s', async (...world) => {
		const [, fields, more, asked] = world;
		expect(await askedBy(fields, more)).toEqual(asked);
	});

	test('asks for the session whose title and date a summary has', async () => {
		const asked = await askedBy(byHand('first_name'), { output: 'summary' });
		expect(asked).toEqual(['getSession', ...registration]);
	});
});

test('several choices and where people came from arrive as the platform takes them', async () => {
	const value = { email: '={{ $json.email }}', interests: '={{ $json.interests }}' };
	const origin = { utmSource: '={{ $json.source }}', referrer: 'https://example.com' };
	const parameters = { fields: mapped(value), additionalFields: origin };
	const interests = ['Product', 'Pricing'];
	const person = { email: 'a@example.com', interests, source: 'mail' };
	const { requests } = await bulkRegister(sandbox, [person], { parameters });
	const request = requests.find(({ method }) => method === 'POST');
	const fields = [
		{ id: 'email', value: 'a@example.com' },
		{ id: 'interests', value: interests },
	];
	expect(request?.body).toEqual(
		bulkOfTasks([{ fields, utm_source: 'mail', referrer: 'https://example.com' }]),
	);
});

test('the record and the errors come with the details alone', async () => {
	const people = [...numberedPeople(1), { email: 'refused@a_host.example' }];
	const parameters = { options: { includeDetails: true } };
	const { records } = await bulkRegister(sandbox, people, { parameters });
	expect(records).toMatchObject([
		{ person: { email: 'p0@example.com', first_name: 'p 0' }, errors: [] },
		{ person: null, errors: [{ code: 'invalid_email', message: expect.any(String) as string }] },
	]);
});

describe('a run in which nobody is registered', () => {
	const people = [
		{ email: 'a@x_y.io' },
		{ email: 'b@x_y.io' },
		{ email: 'bad', first_name: 'B' },
		{ email: 'A@x_y.io' },
		{},
		{ first_name: 'Ada' },
	];

	test('is an error with the counts and the reason that most have', async () => {
		const { items, error } = await bulkRegister(sandbox, people);
		expect(items).toEqual([]);
		expect(error?.message).toBe('Nobody was registered: 2 failed, 3 invalid, 1 duplicate');
		expect(error?.description).toMatch(/^2 of 6: .*email.*'On Error'/i);
	});

	test('is an error where nobody waits for the results', async () => {
		const { error } = await bulkRegister(sandbox, [{ email: 'bad' }], {
			parameters: { options: { waitForCompletion: false } },
		});
		expect(error?.message).toBe('Nobody was registered: 1 invalid');
	});

	const names = ['a@x_y.io', 'b@x_y.io', 'bad', 'A@x_y.io', 'The person in row 5', 'Ada (row 6)'];
	const reasons = names.map((name) => expect.stringContaining(`${name} was not`) as string);
	const outputs = ['people', 'failed', 'summary'];

	test.each(outputs)(
		'has everyone leave on the error output with the own reason, with the output %s',
		async (output) => {
			const settings = { onError: 'continueErrorOutput' as const };
			const run = await bulkRegister(sandbox, people, { settings, parameters: { output } });
			expect(run.outputs[0]).toEqual([]);
			expect(run.outputs[1]?.map(({ json }) => (json.error as IDataObject).message)).toEqual(
				reasons,
			);
		},
	);

	test.each(outputs)(
		'has everyone leave with the own reason where there is no error output, with the output %s',
		async (output) => {
			const settings = { onError: 'continueRegularOutput' as const };
			const { records } = await bulkRegister(sandbox, people, { settings, parameters: { output } });
			expect(records.map(({ error }) => error)).toEqual(reasons);
		},
	);
});

describe('a row whose person stands in an earlier row', () => {
	const people = [...numberedPeople(2), { email: 'P1@example.com' }, { email: 'bad' }];
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
			code: null,
			row: 3,
		});
		expect(errors).toHaveLength(2);
	});

	test('has an item among the others where there is no such output', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const { records } = await bulkRegister(sandbox, people, { settings });
		expect(records.map(({ status, error }) => [status, error !== undefined])).toEqual([
			['registered', false] as const,
			['registered', false] as const,
			['duplicate', false] as const,
			['invalid', true] as const,
		]);
		expect(records[2]?.reason).toBe('Row 2 has the same person.');
	});

	test.each([
		['people', 4],
		['failed', 2],
		['summary', 1],
	])(
		'has no item with Leave Out Duplicates and the output %s, and is still counted',
		async (output, count) => {
			const parameters = { output, options: { leaveOutDuplicates: true } };
			const list = [...people, { email: 'BAD' }];
			const { records, hints } = await bulkRegister(sandbox, list, { parameters });
			expect(records).toHaveLength(count);
			expect(statusesOf(records).duplicate).toBeUndefined();
			expect(hints[0]).toMatch(/^2 registered, 2 invalid, 1 duplicate, /);
		},
	);

	test('is counted in a summary that leaves duplicates out', async () => {
		const parameters = { output: 'summary', options: { leaveOutDuplicates: true } };
		const { records } = await bulkRegister(sandbox, people, { parameters });
		expect(records[0]).toMatchObject({ total: 4, duplicate: 1 });
	});

	test('has none if that is wanted, where nobody waits for the results', async () => {
		const options = { leaveOutDuplicates: true, waitForCompletion: false };
		const { records } = await bulkRegister(sandbox, people, { parameters: { options } });
		expect(records.map(({ status }) => status)).toEqual(['processing', 'invalid']);
	});

	test('may have another output than the other rows where nobody waits for the results', async () => {
		const options = { waitForCompletion: false };
		const output = "={{ $json.email === 'bad' ? 'failed' : 'summary' }}";
		const { records, error } = await bulkRegister(sandbox, people, {
			parameters: { output, options },
		});
		expect(error).toBeUndefined();
		expect(records.map(({ status }) => status)).toEqual(['processing', 'invalid']);
	});
});

test('while many rows are read, everything else in the process goes on', async () => {
	let ticks = 0;
	const timer = setInterval(() => (ticks += 1), 1);
	const form = [{ id: 'email', type: 'text', order: 0, required: true }];
	const event = { type: 'events', id: 'e1', attributes: { title: 'Open Day', fields: form } };
	const attributes = { event_id: 'e1', status: 'upcoming' };
	const session = { type: 'sessions', id: upcomingSession, attributes };
	const platform = await startTestServer((response) => {
		// The form is asked for when the first row is read: what happened before tells nothing.
		ticks = 0;
		response.end(JSON.stringify({ data: session, included: [event] }));
	});
	const fields = mapped(null);
	// Items are not written one by one either.
	const parameters = { fields, output: 'summary', options: { validateOnly: true } };
	const { records } = await bulkRegister({ ...sandbox, ...platform }, numberedPeople(20_000), {
		parameters,
	}).finally(() => clearInterval(timer));
	expect(records).toMatchObject([{ total: 20_000, valid: 20_000 }]);
	// The session with its form. Each question has an answer, so that no column has to be looked for among the names of the attributes.
	expect(platform.seen).toHaveLength(1);
	// Rows that are read in one go leave a timer two: after the answer, and after the run.
	expect(ticks).toBeGreaterThan(20);
});

test('only people who are not registered are shown, if that is what is wanted', async () => {
	const people = [
		...numberedPeople(3),
		{ email: 'P0@example.com' },
		{ email: 'bad' },
		{ email: 'BAD' },
	];
	const parameters = { output: 'failed' };
	const { items } = await bulkRegister(sandbox, people, { parameters });
	expect(items.map(({ json, pairedItem }) => [json.email, pairedItem])).toEqual([
		['bad', { item: 4 }],
		['BAD', { item: 5 }],
	]);
});

test('without waiting there is one item per job, paired to its people, and nobody is lost', async () => {
	const parameters = { options: { waitForCompletion: false } };
	const people = [...numberedPeople(60), { email: 'P0@example.com' }, { email: 'bad' }];
	const { items, records, requests, writes } = await bulkRegister(sandbox, people, { parameters });
	const accepted = {
		job_id: expect.any(String) as string,
		session_id: upcomingSession,
		status: 'processing',
		total_processed_items: 0,
		total_success: 0,
		total_fail: 0,
	};
	expect(records.slice(0, 2)).toEqual([
		{ ...accepted, total_items: 50 },
		{ ...accepted, total_items: 10 },
	]);
	expect(records.slice(2)).toMatchObject([{ email: 'bad', status: 'invalid' }]);
	expect(items[0]?.pairedItem).toHaveLength(51);
	expect(items[0]?.pairedItem).toContainEqual({ item: 60 });
	expect(writes).toEqual(Array(2).fill('POST registerInBulk'));
	expect(requests.filter(({ path }) => path.startsWith('/v1/jobs/'))).toEqual([]);
	await sandbox.jobEnd(records[1]?.job_id as string);
});

test.each([
	['bulkRegister', { registered: 3, duplicate: 1 }],
	['sync', { added: 3, duplicate: 1 }],
])('of %s a session whose ID is written in two ways is one session', async (operation, counts) => {
	// A UUID has no letter case.
	const people = [...numberedPeople(3), { email: 'P0@example.com', first_name: 'again' }];
	const rows = people.map((person, row) => ({
		...person,
		session: row % 2 === 0 ? upcomingSession : upcomingSession.toUpperCase(),
	}));
	const { records, requests, writes } = await operate(
		sandbox,
		`registration.${operation}`,
		{ sessionId: byId('={{ $json.session }}'), fields: mapped(null), output: 'summary' },
		{ items: rows },
	);
	expect(records).toMatchObject([{ session_id: upcomingSession, total: 4, ...counts, jobs: 1 }]);
	expect(writes).toEqual(['POST registerInBulk']);
	const reads = requests.filter(({ path }) => /^\/v1\/sessions\/[^/]+$/.test(path));
	expect(reads).toHaveLength(1);
});

test('a column that is no session ends the run before it costs a request for each row', async () => {
	const rows = numberedPeople(100).map((person, row) => ({ ...person, session: `row-${row}` }));
	const { records, requests } = await operate(
		sandbox,
		'registration.bulkRegister',
		{ sessionId: byId('={{ $json.session }}'), fields: mapped(null) },
		{ items: rows, settings: { onError: 'continueRegularOutput' } },
	);
	expect(records).toHaveLength(rows.length);
	expect(records[99]?.error).toMatch(/^The platform cannot find/);
	// Twenty sessions, the last one, and what the workspace asks.
	expect(requests.map(({ status }) => status)).toEqual([404, 200, ...Array<number>(20).fill(404)]);
});

test.each([
	['a summary', 'bulkRegister', { output: 'summary' }],
	['a dry run', 'bulkRegister', { options: { validateOnly: true } }],
	['Sync', 'sync', {}],
])(
	'a column that is no session costs no request for each row of %s with columns of the editor',
	async (_, operation, parameters) => {
		const rows = numberedPeople(100).map((person, row) => ({ ...person, session: `row-${row}` }));
		const fields = mapped({ email: '={{ $json.email }}' }, [{ id: 'email', type: 'string' }]);
		const { requests } = await operate(
			sandbox,
			`registration.${operation}`,
			{ sessionId: byId('={{ $json.session }}'), fields, ...parameters },
			{ items: rows, settings: { onError: 'continueRegularOutput' } },
		);
		const reads = requests.filter(({ method, path }) => method === 'GET' && path.includes('/row-'));
		expect(reads).toHaveLength(21);
	},
);

describe('a dry run', () => {
	const people = [...numberedPeople(120), { email: 'p0@example.com' }, { email: 'bad' }];
	const counts = { valid: 120, duplicate: 1, invalid: 1 };
	const dryRun = (output: string) =>
		bulkRegister(sandbox, people, { parameters: { options: { validateOnly: true }, output } });

	test('tells of each person whether they would be sent', async () => {
		expect(statusesOf((await dryRun('people')).records)).toEqual(counts);
	});

	test('gives a summary with what the run would take', async () => {
		const { records } = await dryRun('summary');
		const figures = { total: 122, ...counts, requests: 7, seconds: 0.1, jobs: 3 };
		expect(records).toMatchObject([figures]);
	});

	test('ends with a hint that says what the run would take', async () => {
		const { hints } = await dryRun('people');
		expect(hints[0]).toMatch(
			/^120 valid, 1 invalid, 1 duplicate. It would take about 7 requests and \d+ s. Nothing was sent\.$/,
		);
	});

	test('looks whether the session is open, and sends nothing', async () => {
		const { requests } = await dryRun('people');
		expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			`GET /v1/sessions/${upcomingSession}`,
		]);
	});
});

describe('with Fail on Any Failure', () => {
	const failOnAnyFailure = { options: { failOnAnyFailure: true } };

	test('a person who fails is an error that names reasons and jobs', async () => {
		const people = [...numberedPeople(10), { email: 'refused@a_host.example' }];
		const { error, items } = await bulkRegister(sandbox, people, { parameters: failOnAnyFailure });
		expect(error?.message).toBe('1 of 11 people could not be registered');
		expect(error?.description).toMatch(/refused@a_host.example.*Jobs: [0-9a-f-]{36}/);
		expect(items).toEqual([]);
	});

	test('a single person is spoken of as one', async () => {
		const options = { failOnAnyFailure: true, validateOnly: true };
		const { error } = await bulkRegister(sandbox, [{}], { parameters: { options } });
		expect(error?.message).toBe('1 of 1 person could not be registered');
	});

	test('the error of a dry run names no jobs', async () => {
		const options = { failOnAnyFailure: true, validateOnly: true };
		const { error } = await bulkRegister(sandbox, [{}, ...numberedPeople(1)], {
			parameters: { options },
		});
		expect(error?.description).toBeTruthy();
		expect(error?.description).not.toContain('Jobs');
	});

	test('a list in which nobody fails is no error', async () => {
		const { error } = await bulkRegister(sandbox, numberedPeople(10), {
			parameters: failOnAnyFailure,
		});
		expect(error).toBeUndefined();
	});
});

describe('a session that takes nobody any more', () => {
	const sessionIn = async (status: string): Promise<string> => {
		const { data } = (await sandbox.api.get(`/sessions?filter[status]=${status}`)).data as {
			data: Array<{ id: string }>;
		};
		return data[0]?.id ?? '';
	};
	const byHand = mapped({ email: '={{ $json.email }}' });
	const automatically = mapped(null);

	test.each([
		['past', byHand, 1, /^Not sent\. The session is over: nobody can register any more/],
		['canceled', byHand, 1, /^Not sent\. The session was canceled: nobody can register any more/],
		['past', automatically, 0, /^Not sent\. '.+' \(.+\) is over: nobody can register any more\.$/],
		[
			'canceled',
			automatically,
			0,
			/^Not sent\. '.+' \(.+\) was canceled: nobody can register any more\.$/,
		],
	])(
		'because it is %s, mapped as %j: %i requests, one reason',
		async (status, fields, posts, reason) => {
			const sessionId = byId(await sessionIn(status));
			const { records, writes } = await bulkRegister(sandbox, numberedPeople(120), {
				parameters: { sessionId, fields },
				settings: { onError: 'continueRegularOutput' },
			});
			const results = records.map(({ status, code, reason }) => [status, code, reason]);
			expect(results).toEqual(
				Array(120).fill(['failed', 'session_closed', expect.stringMatching(reason)]),
			);
			expect(writes).toHaveLength(posts);
		},
	);

	test('keeps nobody from another one, however many of them come first in the list', async () => {
		const { store } = sandbox.platform;
		const columns = store.get('SELECT * FROM sessions WHERE id = ?', await sessionIn('canceled'));
		const closed = Array.from({ length: 40 }, (_, nth) => seededId('session', 1_000 + nth));
		for (const [nth, id] of closed.entries()) {
			store.insert('sessions', { ...columns, seq: 1_000 + nth, id });
		}
		const people = numberedPeople(closed.length + 1).map((person, index) => ({
			...person,
			session: closed[index] ?? upcomingSession,
		}));
		const { records } = await bulkRegister(sandbox, people, {
			parameters: { sessionId: '={{ $json.session }}', fields: byHand },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(records.map(({ status, code }) => [status, code])).toEqual([
			...closed.map(() => ['failed', 'session_closed']),
			['registered', null],
		]);
	});
});
