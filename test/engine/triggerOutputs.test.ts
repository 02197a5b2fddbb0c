import { bulkOf, personOf, sandboxForTests, upcomingSession } from '../support/sandbox';
import { claim, TriggerScene, unknownId } from '../support/triggerScene';
import { WebhookHost } from '../support/webhooks';

const scene = new TriggerScene();

describe('outputs', () => {
	const emails = ['one@example.org', 'not an address', 'two@example.org'];

	test('tasks: one item for each person, with the id of the job', async () => {
		const host = await scene.listen({ output: 'tasks' });
		const id = await scene.startJob(emails);
		await host.until(() => host.runs.length > 0);
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
		await host.until(() => host.runs.length > 0);
		expect(host.items).toMatchObject([
			{ status: 'failed', errors: [{ code: expect.any(String) as string }] },
		]);
	});

	test('failed tasks of a job without any start nothing', async () => {
		const host = await scene.listen({ output: 'failedTasks' });
		await scene.startJob();
		await host.until(() => host.answers.length > 0);
		expect(host.answers).toEqual([200]);
		expect(host.runs).toEqual([]);
	});

	test('tasks that cannot be read yet make the delivery come again', async () => {
		const host = await scene.listen({ output: 'tasks' });
		await scene.sandbox.faults([
			{ match: { path: '/v1/jobs/:id/tasks' }, times: 1, do: '429', retryAfter: 0 },
		]);
		await scene.startJob(emails);
		await host.until(() => host.runs.length > 0);
		expect(host.answers).toEqual([503, 200]);
		expect(host.runs).toHaveLength(1);
	});

	test('tasks are read where page parameters break the answer', async () => {
		const broken = await sandboxForTests({ rate: 500, tasksPaging: 'broken' });
		const host = await WebhookHost.start(broken, { parameters: { output: 'tasks' } });
		await host.activate();
		await broken.api.post(`/sessions/${upcomingSession}/people/bulk`, bulkOf(emails));
		await host.until(() => host.runs.length > 0);
		expect(host.items).toHaveLength(3);
	});

	test('all fifty people of a full job', async () => {
		const host = await scene.listen({ output: 'tasks' });
		await scene.startJob(Array.from({ length: 50 }, (_, n) => `full-${n}@example.org`));
		await host.until(() => host.runs.length > 0);
		expect(host.items).toHaveLength(50);
	});

	test('only jobs with failures, only the jobs that are listed', async () => {
		const host = await scene.listen({ options: { onlyWithFailures: true } });
		await scene.startJob();
		const failed = await scene.startJob(emails);
		await host.until(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ id: failed, status: 'failed' }]);
		host.parameters = { options: { jobIds: `other, ${failed}`, deduplicate: false } };
		await host.deliver({ body: claim(failed) });
		await host.deliver({ body: claim(unknownId) });
		expect(host.runs).toHaveLength(2);
	});

	test('a job that claims failures but has none does not pass', async () => {
		const id = await scene.endedJob();
		const host = await scene.listen({ options: { onlyWithFailures: true } });
		const { sent } = await host.deliver({ body: claim(id, { status: 'failed', total_fail: 1 }) });
		expect(sent?.status).toBe(200);
		expect(host.runs).toEqual([]);
	});

	test('people of one session or event only', async () => {
		const host = await scene.listen({
			events: ['people.registered'],
			options: { sessionId: upcomingSession },
		});
		const { data } = await scene.sandbox.api.get<{ data: { id: string }[] }>(
			'/sessions?page[size]=50',
		);
		const other = data.data.find(({ id }) => id !== upcomingSession)?.id;
		await scene.sandbox.api.post(`/sessions/${other}/people`, personOf('other@example.org'));
		await scene.sandbox.api.post(
			`/sessions/${upcomingSession}/people`,
			personOf('ours@example.org'),
		);
		await host.until(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ email: 'ours@example.org' }]);
		expect(host.answers).toEqual([200, 200]);
	});
});
