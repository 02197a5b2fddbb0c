import {
	bulkOf,
	type JobAnswer,
	sandboxForTests,
	type TestSandbox,
	upcomingSession,
} from '../support/sandbox';

interface TaskAnswer {
	status: string;
	errors: Array<{ code: string; message: string }>;
	data?: { id: string; type: string; attributes: Record<string, unknown> };
}

interface TaskList {
	data: TaskAnswer[];
	meta: { record_count: number; page_count: number; items_per_page: number };
}

const bulkPath = (session = upcomingSession) => `/sessions/${session}/people/bulk`;
const addresses = (count: number, prefix = 'p') =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}@example.com`);

async function submit(sandbox: TestSandbox, emails: readonly string[]): Promise<JobAnswer> {
	const { status, data } = await sandbox.api.post<JobAnswer>(bulkPath(), bulkOf(emails));
	expect(status).toBe(202);
	return data;
}

async function tasksOf(sandbox: TestSandbox, id: string, params = {}): Promise<TaskList> {
	const { status, data } = await sandbox.api.get<TaskList>(`/jobs/${id}/tasks`, { params });
	expect(status).toBe(207);
	return data;
}

describe('the outcome of a job', () => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await sandboxForTests();
	});
	beforeEach(() => sandbox.reset());

	test('it ends when every task succeeded, and each result holds the person', async () => {
		const job = await submit(sandbox, ['one@example.com', 'two@example.com']);
		expect(job.attributes).toEqual({
			status: 'processing',
			total_items: 2,
			total_processed_items: 0,
			total_fail: 0,
			total_success: 0,
		});
		expect((await sandbox.jobEnd(job.id)).attributes).toEqual({
			status: 'ended',
			total_items: 2,
			total_processed_items: 2,
			total_fail: 0,
			total_success: 2,
		});
		const { data } = await tasksOf(sandbox, job.id);
		expect(data.map((task) => task.data?.attributes['email'])).toEqual([
			'one@example.com',
			'two@example.com',
		]);
		for (const { data: person } of data) {
			const found = await sandbox.api.get(`/sessions/${upcomingSession}/people/${person?.id}`);
			expect(found.data).toEqual({ data: person });
		}
	});

	test('a bad row does not sink the others, and says what is wrong with it', async () => {
		const tasks = [
			{ fields: [{ id: 'email', value: 'good@example.com' }] },
			{ fields: [{ id: 'email', value: 'GOOD@example.com' }] },
			{ fields: [{ id: 'first_name', value: 'Nobody' }] },
			{ fields: [{ id: 'email', value: 'not an address' }] },
			{
				fields: [
					{ id: 'email', value: 'x@example.com' },
					{ id: 'shoe_size', value: '43' },
				],
			},
			{
				fields: [
					{ id: 'email', value: 'y@example.com' },
					{ id: 'team_size', value: 'a few' },
				],
			},
			{ fields: [{ id: 'email', value: 'last@example.com' }], utm_source: 'letter' },
		];
		const { data: job } = await sandbox.api.post<JobAnswer>(bulkPath(), {
			data: { type: 'jobs', attributes: { tasks } },
		});
		const { attributes } = await sandbox.jobEnd(job.id);
		expect(attributes).toEqual({
			status: 'failed',
			total_items: 7,
			total_processed_items: 7,
			total_fail: 5,
			total_success: 2,
		});
		const { data } = await tasksOf(sandbox, job.id);
		expect(data.map(({ status, errors }) => errors[0]?.code ?? status)).toEqual([
			'succeeded',
			'already_registered',
			'missing_email',
			'invalid_email',
			'unknown_field',
			'invalid_value',
			'succeeded',
		]);
		expect(data[4]?.errors[0]?.message).toBe("The field 'shoe_size' doesn't exist");
		expect(data[1]).not.toHaveProperty('data');
	});

	test('whoever two jobs in flight both name is registered by one of them', async () => {
		const jobs = await Promise.all([
			submit(sandbox, addresses(20)),
			submit(sandbox, addresses(20)),
			submit(sandbox, addresses(20)),
		]);
		const ends = await Promise.all(jobs.map((job) => sandbox.jobEnd(job.id)));
		const sum = (name: 'total_success' | 'total_fail') =>
			ends.reduce((total, { attributes }) => total + attributes[name], 0);
		expect(sum('total_success')).toBe(20);
		expect(sum('total_fail')).toBe(40);
		const people = await sandbox.api.get(`/sessions/${upcomingSession}/people`);
		expect(people.data).toMatchObject({ meta: { record_count: 20 } });
	});

	test('results come in pages of at most fifty', async () => {
		const job = await submit(sandbox, addresses(50));
		expect((await sandbox.jobEnd(job.id)).attributes).toMatchObject({
			status: 'ended',
			total_items: 50,
			total_success: 50,
		});
		expect((await tasksOf(sandbox, job.id)).data).toHaveLength(20);
		const second = await tasksOf(sandbox, job.id, { 'page[number]': 1, 'page[size]': 30 });
		expect(second.data.map((task) => task.data?.attributes['email'])).toEqual(
			addresses(50).slice(30),
		);
		expect(second.meta).toMatchObject({ record_count: 50, page_count: 2, items_per_page: 30 });
		const whole = await tasksOf(sandbox, job.id, { 'page[size]': 50 });
		expect(whole.data.map((task) => task.data?.attributes['email'])).toEqual(addresses(50));
	});

	test('a result stays as it was when the person is unregistered later', async () => {
		const job = await submit(sandbox, ['gone@example.com']);
		await sandbox.jobEnd(job.id);
		const { data } = await tasksOf(sandbox, job.id);
		await sandbox.api.delete(`/sessions/${upcomingSession}/people/${data[0]?.data?.id}`);
		expect((await tasksOf(sandbox, job.id)).data).toEqual(data);
	});

	test('a job whose session is deleted meanwhile fails and says why', async () => {
		const slow = await sandboxForTests({ taskMs: 20, jobMs: 100 });
		const job = await submit(slow, ['late@example.com']);
		await slow.api.delete(`/sessions/${upcomingSession}`);
		expect((await slow.jobEnd(job.id)).attributes.status).toBe('failed');
		const { data } = await tasksOf(slow, job.id);
		expect(data[0]?.errors[0]?.code).toBe('session_not_found');
	});
});

describe('a job under way', () => {
	test('its counters move, and its results grow from the front', async () => {
		const sandbox = await sandboxForTests({ taskMs: 15 });
		const { id } = await submit(sandbox, addresses(30));
		const seen: number[] = [];
		for (;;) {
			const { data: tasks } = await tasksOf(sandbox, id, { 'page[size]': 50 });
			const { data: job } = await sandbox.api.get<JobAnswer>(`/jobs/${id}`);
			const { status, total_processed_items, total_success } = job.attributes;
			expect(total_success).toBe(total_processed_items);
			expect(tasks.map((task) => task.data?.attributes['email'])).toEqual(
				addresses(30).slice(0, tasks.length),
			);
			seen.push(total_processed_items);
			if (status !== 'processing') break;
		}
		expect(seen).toEqual(seen.toSorted((one, other) => one - other));
		expect(new Set(seen).size).toBeGreaterThan(2);
		expect(seen.at(-1)).toBe(30);
	});

	test.each([
		['empty', 207],
		['404', 404],
	] as const)(
		'with early results %s, tasks answer %i until the end',
		async (earlyResults, status) => {
			const sandbox = await sandboxForTests({ earlyResults, jobMs: 200 });
			const { id } = await submit(sandbox, addresses(3));
			const early = await sandbox.api.get<Partial<TaskList>>(`/jobs/${id}/tasks`);
			expect(early.status).toBe(status);
			expect(early.data.data ?? []).toEqual([]);
			await sandbox.jobEnd(id);
			expect((await tasksOf(sandbox, id)).data).toHaveLength(3);
		},
	);
});
