import '../support/time/fasterClock';
import type { SandboxOptions } from '../../sandbox/options';
import { operate } from '../support/n8n/operation';
import { guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import { answering, exactPlatform, registeredAt, registerInBulk } from './scene';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform();
});

const people = (count: number, name: string) =>
	guestAddresses(count, name).map((email) => ({ email }));

async function endedJob(emails: string[]): Promise<string> {
	const id = await sandbox.startJob(emails);
	await sandbox.jobEnd(id);
	return id;
}

const counts = { total_items: 3, total_processed_items: 3, total_success: 2, total_fail: 1 };

describe('4.3 GET /jobs/:id and /jobs/:id/tasks', () => {
	// The sandbox answers 200.
	test.each(['200', '202', '207'] as const)(
		'The status of a good answer to GET /jobs/:id is not specified: any 2xx is read (%j)',
		async (jobReadStatus) => {
			const jobId = await endedJob([...guestAddresses(2, `read-with-${jobReadStatus}`), '']);
			await sandbox.changeWorld({ jobReadStatus });
			const { records, requests } = await operate(sandbox, 'job.get', { jobId });
			await sandbox.changeWorld({ jobReadStatus: '200' });
			expect(requests).toMatchObject([{ status: Number(jobReadStatus) }]);
			expect(records).toEqual([{ id: jobId, status: 'failed', ...counts }]);
		},
	);

	test('An unknown job is a 404', async () => {
		const { error } = await operate(sandbox, 'job.get', { jobId: 'none' });
		expect(error?.message).toBe('The platform cannot find the job (404)');
	});

	test('The results of the tasks stand in `data`, beside `meta`', async () => {
		const jobId = await endedJob([...guestAddresses(2, 'read'), '']);
		const { records } = await operate(sandbox, 'job.getTasks', { jobId });
		expect(records.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'failed']);
	});

	test('The results of the tasks come in pages', async () => {
		const { credential } = await answering(({ query }) => {
			const current_page = Number(query.get('page[number]'));
			const next_page = current_page < 2 ? current_page + 1 : null;
			const meta = { current_page, next_page, page_count: 3, record_count: 3 };
			const data = { id: `p${current_page}`, type: 'people', attributes: {} };
			return { status: 207, body: { data: [{ status: 'succeeded', errors: [], data }], meta } };
		});
		const asked = { jobId: 'j1', returnAll: true, simplify: false };
		const { records } = await operate(sandbox, 'job.getTasks', asked, { credential });
		const ids = records.map(({ data }) => (data as { id: string }).id);
		expect(ids).toEqual(['p0', 'p1', 'p2']);
	});
});

describe('4.3 Behaviour of the bulk flow', () => {
	/** Tasks of this sandbox take a while, so that its jobs are read before their end. */
	let slow: TestSandbox;
	beforeAll(async () => {
		slow = await exactPlatform({ taskMs: 5, jobMs: 50 });
	});
	beforeEach(() => slow.reset());

	// The connector reads the results first, because one for each task shows that the job is over, and asks for the job where they show nothing new.
	test.each(['refused', 'shown'] as const)(
		'The client posts the tasks, asks until the job is over, and reads the results (%j)',
		async (early) => {
			const earlyResults = early === 'refused' ? '409' : 'partial';
			const platform = await exactPlatform({ jobMs: 300, earlyResults });
			const { records, requests } = await registerInBulk(platform, people(20, 'flow'));
			expect(records.map(({ status }) => status)).toEqual(Array(20).fill('registered'));
			expect(await registeredAt(platform)).toEqual(guestAddresses(20, 'flow').sort());
			const kinds = { registerInBulk: 'post', getJob: 'job', listJobTasks: 'results' } as const;
			const steps = requests.map(
				({ operationId, status }) => `${kinds[operationId as keyof typeof kinds]} ${status}`,
			);
			expect(steps[0]).toBe('post 202');
			expect(steps.at(-1)).toBe('results 207');
			// Only an answer about the job tells that results which are refused are there by now.
			if (early === 'refused') expect(steps.at(-2)).toBe('job 200');
			expect(steps.filter((step) => step.startsWith('post'))).toHaveLength(1);
		},
	);

	test.each(['ended', 'failed'])(
		'A job is asked for until it is ended or failed (%j)',
		async (status) => {
			const asked: string[] = [];
			const { credential } = await answering(({ path }) => {
				asked.push(path);
				const attributes = { status: asked.length < 3 ? 'processing' : status, total_items: 2 };
				return { body: { type: 'jobs', id: 'j1', attributes } };
			});
			const { records } = await operate(sandbox, 'job.wait', { jobId: 'j1' }, { credential });
			expect(records).toMatchObject([{ status, timed_out: false }]);
			expect(asked).toEqual(Array(3).fill('/jobs/j1'));
		},
	);

	test('A job is over by its status, not by its counts', async () => {
		let reads = 0;
		const { credential } = await answering(() => {
			const status = ++reads < 3 ? 'processing' : 'ended';
			const attributes = { status, total_items: 2, total_processed_items: 2, total_success: 2 };
			return { body: { type: 'jobs', id: 'j1', attributes } };
		});
		const { records } = await operate(sandbox, 'job.wait', { jobId: 'j1' }, { credential });
		expect(records).toMatchObject([{ status: 'ended', timed_out: false }]);
		expect(reads).toBe(3);
	});

	const earlyAnswers: Array<SandboxOptions['earlyResults']> = [
		'partial',
		'empty',
		'400',
		'404',
		'409',
		'422',
		'425',
	];
	test.each(earlyAnswers)(
		'What the results show before the end of the job is not specified: everyone is told all the same (%j)',
		async (earlyResults) => {
			await slow.changeWorld({ earlyResults });
			const some = [...people(20, 'early'), { email: 'refused@a_host.example' }];
			const { records } = await registerInBulk(slow, some);
			const statuses = records.map(({ status }) => status);
			expect(statuses).toEqual([...Array<string>(20).fill('registered'), 'failed']);
		},
	);

	test.each(['sent', 'shuffled', 'changing'] as const)(
		'Which result is whose is not specified: nobody is given the result of another (%j)',
		async (resultsOrder) => {
			await slow.changeWorld({ resultsOrder });
			const some = [...people(20, 'order'), { email: 'refused@a_host.example' }];
			some.reverse();
			const { records } = await registerInBulk(slow, some);
			expect(records).toMatchObject(
				some.map(({ email }) => ({
					email,
					status: email === 'refused@a_host.example' ? 'failed' : 'registered',
				})),
			);
		},
	);
});
