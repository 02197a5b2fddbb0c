import '../support/fasterClock';
import type { NodeParameterValueType } from 'n8n-workflow';
import { personOf, until, upcomingSession } from '../support/sandbox';
import { tokenCredential } from '../support/engine';
import { anyServer } from '../support/anyServer';
import { claim, TriggerScene, unknownId } from '../support/triggerScene';

const scene = new TriggerScene();

describe('outputs', () => {
	const emails = ['one@example.org', 'not an address', 'two@example.org'];

	test('tasks: one item for each person, with the id of the job', async () => {
		const host = await scene.listen({ output: 'tasks' });
		const id = await scene.startJob(emails);
		await until(() => host.runs.length > 0);
		expect(host.items).toHaveLength(3);
		expect(host.items[0]).toMatchObject({
			event: 'job.ended',
			job_id: id,
			status: 'succeeded',
			errors: [],
			person: { email: 'one@example.org' },
		});
		expect(host.items[1]).toMatchObject({ job_id: id, status: 'failed', person: null });
		expect(JSON.stringify(host.items)).not.toMatch(/connection_link|password_key/);
	});

	test('failed tasks: only those who were not registered', async () => {
		const host = await scene.listen({ output: 'failedTasks' });
		await scene.startJob(emails);
		await until(() => host.runs.length > 0);
		expect(host.items).toMatchObject([
			{ status: 'failed', errors: [{ code: expect.any(String) as string }] },
		]);
	});

	test('failed tasks of a job without any start nothing', async () => {
		const host = await scene.listen({ output: 'failedTasks' });
		await scene.startJob();
		await until(() => host.answers.length > 0);
		expect(host.answers).toEqual([200]);
		expect(host.runs).toEqual([]);
	});

	test('only jobs with failures, only the jobs that are listed', async () => {
		const host = await scene.listen({ options: { onlyWithFailures: true } });
		await scene.startJob();
		const failed = await scene.startJob(emails);
		await until(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ id: failed, status: 'failed' }]);
		host.parameters = { options: { jobIds: `other, ${failed}`, deduplicate: false } };
		await host.deliver({ body: claim(failed) });
		await host.deliver({ body: claim(unknownId) });
		expect(host.runs).toHaveLength(2);
	});

	test.each<NodeParameterValueType>([
		// As saved before it was a list to choose from.
		upcomingSession,
		{ __rl: true, mode: 'list', value: upcomingSession },
		{ __rl: true, mode: 'url', value: `https://app.livestorm.co/a/b/live?s=${upcomingSession}` },
	])('people of one session only, given as %j', async (sessionId) => {
		const host = await scene.listen({ events: ['people.registered'], options: { sessionId } });
		const { data } = await scene.sandbox.api.get<{ data: { id: string }[] }>(
			'/sessions?page[size]=50',
		);
		const other = data.data.find(({ id }) => id !== upcomingSession)?.id;
		await scene.sandbox.api.post(`/sessions/${other}/people`, personOf('other@example.org'));
		await scene.sandbox.api.post(
			`/sessions/${upcomingSession}/people`,
			personOf('ours@example.org'),
		);
		await until(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ email: 'ours@example.org' }]);
		expect(host.answers).toEqual([200, 200]);
	});
});

describe('an ended job whose results lag behind', () => {
	const total = 3;
	const job = {
		type: 'jobs',
		id: 'j-1',
		attributes: {
			status: 'failed',
			total_tasks: total,
			total_processed_tasks: total,
			total_succeeded: 1,
			total_failed: 2,
		},
	};
	const rows = [
		{ status: 'succeeded', data: { type: 'people', id: 'p-1', attributes: { email: 'a@b.c' } } },
		{ status: 'failed', errors: [{ code: 'blank', message: 'is blank' }] },
		{ status: 'failed', errors: [{ code: 'blank', message: 'is blank' }] },
	];

	/** A platform that knows the job and shows so many of its results. */
	async function lagging() {
		const platform = { shown: 1, jobReads: 0 };
		const { baseUrl } = await anyServer((response, { url }) => {
			const isTasks = url?.includes('/tasks') === true;
			if (!isTasks) platform.jobReads++;
			const data = isTasks ? rows.slice(0, platform.shown) : job;
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ data }));
		});
		const credential = tokenCredential({ baseUrl, apiToken: 'token' });
		return { platform, credential };
	}

	test.each(['auto', 'none'])(
		'(%s) is asked for again until all are there, and starts one run with all of them',
		async (verify) => {
			const { platform, credential } = await lagging();
			const parameters = { verify, output: 'failedTasks' };
			const host = await scene.start(parameters, { credential });
			for (const shown of [0, 1, 2]) {
				platform.shown = shown;
				expect((await host.deliver({ body: { data: job } })).sent?.status).toBe(503);
			}
			expect(host.runs).toEqual([]);
			expect(host.staticData.seen).toBeUndefined();
			platform.shown = total;
			await host.deliver({ body: { data: job } });
			expect((await host.deliver({ body: { data: job } })).sent?.status).toBe(200);
			expect(host.runs).toHaveLength(1);
			expect(host.items).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
		},
	);
});
