import { responseProblems } from '../support/contract';
import type { SandboxOptions } from '../../sandbox/options';
import {
	bulkOf,
	type JobAnswer,
	jobIn,
	personOf,
	sandboxForTests,
	seededEvent,
	type TestSandbox,
	upcomingSession,
} from '../support/sandbox';
import { type List, readList } from './asking';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 1_000, seedPeople: 120 });
});
beforeEach(() => sandbox.reset());

const turn = (traits: Partial<SandboxOptions>) =>
	sandbox.web.post<SandboxOptions & { errors: Array<{ detail: string }> }>(
		'/_sandbox/world',
		traits,
	);
const people = `/sessions/${upcomingSession}/people`;
const addresses = (count: number) =>
	Array.from({ length: count }, (_, index) => `guest-${index}@example.org`);

interface Result {
	status: string;
	errors: Array<{ code: string; message: string }>;
	data?: { attributes: { email: string } };
}

async function submit(emails: string[], bulk: object = bulkOf(emails)) {
	return sandbox.api.post<JobAnswer | { data: JobAnswer }>(`${people}/bulk`, bulk);
}
async function finished(emails: string[]): Promise<string> {
	const { id } = jobIn((await submit(emails)).data);
	await sandbox.jobEnd(id);
	return id;
}
async function results(id: string): Promise<Result[]> {
	return (await sandbox.api.get<{ data: Result[] }>(`/jobs/${id}/tasks`)).data.data;
}
const emailsOf = (rows: Result[]) => rows.map(({ data }) => data?.attributes.email);

describe('the world', () => {
	test('is the one of the specification, and becomes the wild one until the next reset', async () => {
		const read = async () => (await sandbox.web.get<SandboxOptions>('/_sandbox/world')).data;
		expect(await read()).toMatchObject({ world: 'specification', jobShape: 'flat' });
		expect((await turn({ world: 'wild', limiter: 'bucket' })).data).toMatchObject({
			world: 'wild',
			jobShape: 'wrapped',
			limiter: 'bucket',
		});
		await sandbox.reset();
		expect(await read()).toMatchObject({ world: 'specification', limiter: 'sliding' });
	});

	test('a trait that is given wins over the wild world', async () => {
		const other = await sandboxForTests({ world: 'wild', jobShape: 'flat' });
		const { data } = await other.web.get<SandboxOptions>('/_sandbox/world');
		expect([data.world, data.jobShape, data.jobCounters]).toEqual(['wild', 'flat', 'other']);
	});

	test.each([
		[{ speed: 9 }, "There is no trait 'speed'."],
		[{ rate: 9 }, "There is no trait 'rate'."],
		[JSON.parse('{"__proto__x": 1}'), "There is no trait '__proto__x'."],
		[{ limiter: 'leaky' }, "limiter must be sliding or fixed or bucket; it was 'leaky'."],
		[{ nulls: 'yes' }, 'nulls takes a boolean.'],
		[{ resultsLagMs: -1 }, 'resultsLagMs must be a whole number'],
		[{ droppedDeliveries: 2 }, 'droppedDeliveries must be a number from 0 to 1'],
		[[], 'Send an object'],
	])('%j is no world', async (body, said) => {
		const { status, data } = await turn(body as object);
		expect([status, data.errors[0]?.detail]).toEqual([400, expect.stringContaining(said)]);
	});

	test('the page says which world it is, and in what it differs', async () => {
		const view = async () =>
			(
				await sandbox.web.get<{ world: { name: string; traits: Array<{ trait: string }> } }>(
					'/_sandbox/page',
				)
			).data.world;
		expect(await view()).toEqual({ name: 'specification', traits: [] });
		await turn({ limiter: 'fixed' });
		expect(await view()).toEqual({
			name: 'specification',
			traits: [{ trait: 'limiter', value: 'fixed', meaning: expect.any(String) as string }],
		});
	});
});

describe('limits', () => {
	test('without limit headers a 429 still says how long to wait', async () => {
		const told = await sandboxForTests({ rate: 1, monthly: 10, limitHeaders: false });
		const answers = [await told.api.get('/ping'), await told.api.get('/ping')];
		expect(answers.map(({ status }) => status)).toEqual([200, 429]);
		expect(answers[1]?.headers['retry-after']).toBe('1');
		for (const { headers } of answers) expect(Object.keys(headers).join()).not.toMatch(/ratelimit/);
	});

	test.each([
		['seconds', 10],
		['milliseconds', 13],
		['nanoseconds', 19],
	] as const)('RateLimit-Reset in %s', async (resetUnit, digits) => {
		await turn({ resetUnit });
		const { headers } = await sandbox.api.get('/ping');
		expect(headers['ratelimit-reset']).toMatch(new RegExp(`^\\d{${digits}}$`));
	});

	test.each([600_000, -600_000])('a clock that is %i ms ahead', async (clockAheadMs) => {
		await turn({ clockAheadMs });
		const { headers } = await sandbox.api.get('/ping');
		const ahead = Date.parse(String(headers['date'])) - Date.now();
		expect(Math.abs(ahead - clockAheadMs)).toBeLessThan(60_000);
		const reset = Number(headers['ratelimit-reset']) * 1000 - Date.now();
		expect(Math.abs(reset - clockAheadMs)).toBeLessThan(60_000);
	});
});

describe('jobs', () => {
	test('counters under other names, and a status of their own, wherever a job is shown', async () => {
		await turn({ jobCounters: 'other', jobStatus: 'completed' });
		const accepted = jobIn((await submit(['a@example.org', 'no address'])).data);
		expect(accepted.attributes).toEqual({
			status: 'processing',
			total_tasks: 2,
			total_processed_tasks: 0,
			total_succeeded: 0,
			total_failed: 0,
		});
		const job = await sandbox.jobEnd(accepted.id);
		expect(job.attributes).toEqual({
			status: 'completed',
			total_tasks: 2,
			total_processed_tasks: 2,
			total_succeeded: 1,
			total_failed: 1,
		});
		expect(responseProblems('getJob', 200, job)).toEqual([]);
	});

	test('results lag behind the end, and come in the end', async () => {
		await turn({ resultsLagMs: 3_600_000 });
		const id = await finished(['a@example.org', 'b@example.org']);
		expect(await results(id)).toEqual([]);
		const later = sandbox.platform.now() + 3_600_001;
		const clock = jest.spyOn(sandbox.platform, 'now').mockImplementation(() => later);
		expect(emailsOf(await results(id))).toEqual(['a@example.org', 'b@example.org']);
		clock.mockRestore();
	});

	test.each(['shuffled', 'changing'] as const)('results in an order: %s', async (resultsOrder) => {
		const emails = addresses(12);
		const id = await finished(emails);
		expect(emailsOf(await results(id))).toEqual(emails);
		await turn({ resultsOrder });
		const reads = [emailsOf(await results(id)), emailsOf(await results(id))];
		for (const read of reads) {
			expect(read).not.toEqual(emails);
			expect(read.toSorted()).toEqual(emails.toSorted());
		}
		if (resultsOrder === 'shuffled') expect(reads[0]).toEqual(reads[1]);
		else expect(reads[0]).not.toEqual(reads[1]);
	});

	test('shuffled results have pages that hold everybody once', async () => {
		await turn({ resultsOrder: 'shuffled' });
		const id = await finished(addresses(12));
		const pages = await Promise.all(
			[0, 1, 2].map((page) =>
				sandbox.api.get<{ data: Result[] }>(`/jobs/${id}/tasks`, {
					params: { 'page[size]': 5, 'page[number]': page },
				}),
			),
		);
		const seen = pages.flatMap(({ data }) => emailsOf(data.data));
		expect(seen.toSorted()).toEqual(addresses(12).toSorted());
	});

	test('every second job is told the id of the one before it, and is worked on all the same', async () => {
		await turn({ jobIds: 'repeated' });
		const ids = [];
		for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
			ids.push(jobIn((await submit([email])).data).id);
		}
		expect(ids[1]).toBe(ids[0]);
		expect(ids[2]).not.toBe(ids[0]);
		await sandbox.jobEnd(ids[2] ?? '');
		expect(emailsOf(await results(ids[0] ?? ''))).toEqual(['a@example.org']);
		for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
			const found = await readList(sandbox, people, { 'filter[email]': email });
			expect(found.data).toHaveLength(1);
		}
	});

	test('a field that the form lacks can refuse the whole request', async () => {
		const body = {
			data: {
				type: 'jobs',
				attributes: {
					tasks: [
						{ fields: [{ id: 'email', value: 'a@example.org' }] },
						{ fields: [{ id: 'shoe_size', value: '42' }] },
					],
				},
			},
		};
		expect((await submit([], body)).status).toBe(202);
		await turn({ unknownField: 'request' });
		const { status, data } = await submit([], body);
		expect([status, data]).toMatchObject([
			422,
			{ errors: [{ detail: "The field 'shoe_size' doesn't exist" }] },
		]);
	});
});

describe('errors', () => {
	test('somebody registered already, in other words, in bulk and alone', async () => {
		await finished(addresses(3));
		await turn({ errorWords: 'other' });
		const rows = await results(await finished(addresses(3)));
		expect(rows.flatMap(({ errors }) => errors)).toEqual([
			{ code: '422', message: 'Email has already been invited' },
			{ code: '422', message: 'has already been taken' },
			{ code: 'unprocessable_entity', message: 'This person has already been registered' },
		]);
		const { status, data } = await sandbox.api.post<unknown>(
			people,
			personOf('guest-0@example.org'),
		);
		expect([status, data]).toMatchObject([
			422,
			{ errors: [{ detail: expect.stringMatching(/already/) as string }] },
		]);
		expect(responseProblems('registerPerson', status, data)).toEqual([]);
	});

	test('code and status swapped', async () => {
		await turn({ errorFields: 'swapped' });
		const { data } = await sandbox.api.get<unknown>('/events/none');
		expect(data).toMatchObject({ errors: [{ code: '404', status: 'not_found' }] });
		expect(responseProblems('getEvent', 404, data)).toEqual([]);
	});

	test('a missing scope without a word, a blocked workspace with one', async () => {
		await turn({ missingScope: 'empty' });
		const { data: token } = await sandbox.web.post<{ access_token: string }>(
			'/_sandbox/oauth/issue',
			{ scope: 'events:read' },
		);
		const headers = { Authorization: `Bearer ${token.access_token}` };
		const lacking = await sandbox.api.get('/webhooks', { headers });
		expect([lacking.status, lacking.data]).toEqual([403, '']);
		expect(responseProblems('listWebhooks', 403, lacking.data)).toEqual([]);
		await sandbox.web.post('/_sandbox/workspace', { blocked: true });
		const blocked = await sandbox.api.get('/webhooks', { headers });
		expect(blocked.data).toMatchObject({ errors: [{ status: '403' }] });
	});

	test.each([
		['invalid_grant', 400, { error: 'invalid_grant' }],
		['invalid_request', 400, { error: 'invalid_request' }],
		['invalid_scope', 400, { error: 'invalid_scope' }],
		['403', 403, { error: 'access_denied' }],
		['html', 400, expect.stringContaining('<html>')],
	] as const)('a refused refresh: %s', async (refreshRefusal, status, body) => {
		await turn({ refreshRefusal });
		const refresh = (refresh_token: string) =>
			sandbox.web.post<unknown>('/oauth/token', undefined, {
				params: {
					grant_type: 'refresh_token',
					client_id: sandbox.clientId,
					client_secret: sandbox.clientSecret,
					refresh_token,
				},
			});
		const refused = await refresh('spent');
		expect([refused.status, refused.data]).toEqual([
			status,
			typeof body === 'object' && 'error' in body ? expect.objectContaining(body) : body,
		]);
		const { data } = await sandbox.web.post<{ refresh_token: string }>('/_sandbox/oauth/issue', {});
		expect((await refresh(data.refresh_token)).status).toBe(200);
	});
});

describe('records', () => {
	test('nulls and other values that clients have seen', async () => {
		await turn({ nulls: true });
		const read = async (path: string) =>
			(await sandbox.api.get<{ data: { attributes: object } }>(path)).data.data.attributes;
		expect(await read(`/events/${seededEvent}`)).toMatchObject({
			recording_public: null,
			owner: { type: 'people' },
		});
		expect(await read(`/sessions/${upcomingSession}`)).toMatchObject({ duration: null });
		const { data } = await sandbox.api.post<{ data: { id: string } }>(
			people,
			personOf('a@b.example'),
		);
		expect(await read(`${people}/${data.data.id}`)).toMatchObject({
			registrant_detail: { attendance_rate: null, registration_type: 'API' },
		});
	});

	test.each([
		['502', 502],
		['record', 200],
		['stale', 200],
	] as const)('a changed person is answered with: %s', async (patchAnswer, expected) => {
		const { data } = await sandbox.api.post<{ data: { id: string } }>(
			people,
			personOf('a@b.example'),
		);
		await turn({ patchAnswer });
		const path = `${people}/${data.data.id}`;
		const body = personOf('a@b.example', { company: 'New' });
		const { status, data: told } = await sandbox.api.patch<unknown>(path, body);
		expect(status).toBe(expected);
		expect(JSON.stringify(told).includes('"value":"New"')).toBe(patchAnswer === 'record');
		const { data: after } = await sandbox.api.get<unknown>(path);
		expect(JSON.stringify(after)).toContain('"value":"New"');
		const refused = await sandbox.api.patch(path, personOf('other@b.example'));
		expect(refused.status).toBe(422);
	});

	test('a registration without its date', async () => {
		await turn({ registrationDates: false });
		const { data } = await readList(sandbox, people);
		expect(data[0]?.attributes).toMatchObject({ created_at: expect.any(Number) as number });
		expect(data[0]?.attributes['registrant_detail']).not.toHaveProperty('created_at');
	});

	test('a list that lags behind its count', async () => {
		await turn({ listLagMs: 60_000 });
		await sandbox.api.post(people, personOf('late@b.example'));
		const { data, meta } = await readList(sandbox, people, { 'filter[email]': 'late@b.example' });
		expect([data, meta.record_count]).toEqual([[], 1]);
	});

	test('what is not found at the first DELETE, and goes at the second', async () => {
		await turn({ firstDelete: '404' });
		const statuses = [];
		for (let nth = 0; nth < 3; nth++) {
			statuses.push((await sandbox.api.delete(`/events/${seededEvent}`)).status);
		}
		expect(statuses).toEqual([404, 204, 404]);
	});

	test('a changed person whose answer never comes is changed', async () => {
		const { data } = await sandbox.api.post<{ data: { id: string } }>(
			people,
			personOf('a@b.example'),
		);
		await turn({ patchAnswer: 'never' });
		const path = `${people}/${data.data.id}`;
		const body = personOf('a@b.example', { company: 'New' });
		await expect(sandbox.api.patch(path, body, { timeout: 200 })).rejects.toThrow(/timeout/);
		const { data: after } = await sandbox.api.get<unknown>(path);
		expect(JSON.stringify(after)).toContain('"value":"New"');
	});

	test.each([
		['none', 0, 0],
		['inserted', 2, 0],
		['deleted', 0, 2],
		['both', 2, 2],
	] as const)('while a list of three pages is read: %s', async (listChanges, added, removed) => {
		const all = async () => {
			const pages: List[] = [];
			for (
				let page: number | null = 0;
				page !== null;
				page = pages.at(-1)?.meta.next_page ?? null
			) {
				const params = { 'page[number]': page, 'page[size]': 50 };
				pages.push(await readList(sandbox, people, params));
			}
			return pages.flatMap(({ data }) => data.map(({ id }) => id));
		};
		const filler = addresses(10).map((email) => personOf(email));
		for (const body of filler) await sandbox.api.post(people, body);
		const before = await all();
		await turn({ listChanges });
		const during = await all();
		await turn({ listChanges: 'none' });
		const after = await all();
		expect(before.length).toBe(106);
		expect(before.filter((id) => !after.includes(id))).toHaveLength(removed);
		expect(after.filter((id) => !before.includes(id))).toHaveLength(added);
		// Whoever stayed and is missing is the damage that a client has to notice.
		const missed = after.filter((id) => before.includes(id) && !during.includes(id));
		expect(missed).toHaveLength(removed);
	});
});
