import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { bulkRegister, crowd } from '../support/bulk';
import { runWorkflow, tokenCredential } from '../support/engine';
import { until, upcomingSession } from '../support/sandbox';
import { TriggerScene } from '../support/triggerScene';

const scene = new TriggerScene();
/** Looks right, and the sandbox refuses it. */
const refused = { email: 'Dotless@example' };

async function startInBulk(people: IDataObject[], waitForCompletion = false): Promise<void> {
	const { error } = await bulkRegister(scene.sandbox, people, {
		parameters: { waitForCompletion },
	});
	expect(error).toBeUndefined();
}

test('failed tasks of a job that this n8n started say who was refused, where and why', async () => {
	const host = await scene.listen({ output: 'failedTasks' });
	await startInBulk([...crowd(3), refused, ...crowd(3, 'q')]);
	await until(() => host.runs.length > 0);
	expect(host.items).toMatchObject([
		{
			...{ status: 'failed', email: 'Dotless@example', session_id: upcomingSession },
			reason: expect.stringContaining('Dotless@example') as string,
			job_id: expect.any(String) as string,
		},
	]);
	expect(host.items[0]).not.toHaveProperty('not_named');
});

test('who was registered before is told from who was refused, and is no failure', async () => {
	await scene.endedJob();
	const [before] = (await registeredPeople()) as [string];
	const host = await scene.listen({ output: 'failedTasks' });
	await startInBulk([{ email: before }, refused]);
	await until(() => host.runs.length > 0);
	expect(host.items).toMatchObject([{ status: 'failed', email: 'Dotless@example' }]);
	host.runs.splice(0);
	host.parameters = { ...host.parameters, output: 'tasks' };
	await startInBulk([{ email: before }, refused]);
	await until(() => host.runs.length > 0);
	const statuses = host.items.map(({ email, status }) => [email, status]);
	expect(statuses).toContainEqual([before, 'already_registered']);
	expect(statuses).toContainEqual(['Dotless@example', 'failed']);
});

test('failed tasks of a job from elsewhere say that nobody knows who, with job and session', async () => {
	const host = await scene.listen({ output: 'failedTasks' });
	const id = await scene.startJob(['one@example.org', refused.email]);
	await until(() => host.runs.length > 0);
	expect(host.items).toMatchObject([
		{
			...{ status: 'failed', email: null, job_id: id, session_id: upcomingSession },
			not_named: expect.stringContaining('does not say who') as string,
		},
	]);
});

test('Get Tasks says who as well, whatever the limit', async () => {
	const { items } = await bulkRegister(scene.sandbox, [...crowd(2), refused], {
		parameters: { waitForCompletion: false },
	});
	const jobId = items[0]?.json.job_id as string;
	await scene.sandbox.jobEnd(jobId);
	const tasks = await runWorkflow({
		node: new EventPlatform(),
		credential: tokenCredential(scene.sandbox),
		items: [{}],
		parameters: {
			...{ resource: 'job', operation: 'getTasks', jobId, returnAll: false, limit: 1 },
			options: { onlyFailed: true },
		},
	});
	expect(tasks.items.map(({ json }) => json)).toMatchObject([
		{ status: 'failed', email: 'Dotless@example', session_id: upcomingSession },
	]);
});

async function registeredPeople(): Promise<string[]> {
	const path = `/sessions/${upcomingSession}/people`;
	const { data } = await scene.sandbox.api.get<{ data: { attributes: { email: string } }[] }>(path);
	return data.data.map(({ attributes }) => attributes.email);
}
