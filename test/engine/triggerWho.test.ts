import type { IDataObject } from 'n8n-workflow';
import { bulkRegister, numberedPeople } from '../support/runs/bulkScene';
import { operate } from '../support/n8n/operation';
import { TriggerScene } from '../support/n8n/triggerScene';
import { eventually } from '../support/time/eventually';
import { upcomingSession } from '../support/platform/seededIds';

const scene = new TriggerScene();
/** Looks right, and the sandbox refuses it. */
const refused = { email: 'Ada@my_company.example' };

async function startInBulk(people: IDataObject[]): Promise<void> {
	const parameters = { options: { waitForCompletion: false } };
	expect((await bulkRegister(scene.sandbox, people, { parameters })).error).toBeUndefined();
}

test('failed tasks of a job that this n8n started say who was refused, where and why', async () => {
	const host = await scene.listen({ output: 'failedTasks' });
	await startInBulk([...numberedPeople(3), refused, ...numberedPeople(3, 'q')]);
	await eventually(() => host.runs.length > 0);
	expect(host.items).toMatchObject([
		{
			status: 'failed',
			session_id: upcomingSession,
			...refused,
			reason: expect.stringContaining(refused.email) as string,
			job_id: expect.any(String) as string,
		},
	]);
	expect(host.items[0]).not.toHaveProperty('not_named');
});

describe('a job of somebody who was registered before and somebody who is refused', () => {
	const before = { email: 'before@example.org' };

	/** The items of the run that such a job starts. */
	async function itemsOfJob(output: 'failedTasks' | 'tasks'): Promise<IDataObject[]> {
		await scene.sandbox.register(before.email);
		const host = await scene.listen({ output });
		await startInBulk([before, refused]);
		await eventually(() => host.runs.length > 0);
		return host.items;
	}

	test('has one failed task', async () => {
		expect(await itemsOfJob('failedTasks')).toMatchObject([{ status: 'failed', ...refused }]);
	});

	test('has one failed task, which is named although the list of the session failed once', async () => {
		const match = { method: 'GET', path: '/v1/sessions/:id/people' };
		await scene.sandbox.faults([{ match, do: '500' }]);
		expect(await itemsOfJob('failedTasks')).toMatchObject([{ status: 'failed', ...refused }]);
	});

	test('has a task that tells who was registered before, and no link with which anybody enters', async () => {
		const items = await itemsOfJob('tasks');
		const item = expect.objectContaining({
			...before,
			status: 'failed',
			outcome: 'already_registered',
		}) as object;
		expect(items).toContainEqual(item);
		expect(JSON.stringify(items)).not.toMatch(/connection_link|password_key/);
	});
});

test('failed tasks of a job from elsewhere say that nobody knows who, with job and session', async () => {
	const host = await scene.listen({ output: 'failedTasks' });
	const id = await scene.startJob(['one@example.org', refused.email]);
	await eventually(() => host.runs.length > 0);
	expect(host.items).toMatchObject([
		{
			status: 'failed',
			email: null,
			job_id: id,
			session_id: upcomingSession,
			not_named: expect.stringContaining('does not say who') as string,
		},
	]);
});

test('Get Tasks says who as well, whatever the limit', async () => {
	const parameters = { options: { waitForCompletion: false } };
	const { records } = await bulkRegister(scene.sandbox, [...numberedPeople(2), refused], {
		parameters,
	});
	const jobId = records[0]?.job_id as string;
	await scene.sandbox.jobEnd(jobId);
	const limited = { jobId, limit: 1, options: { onlyFailed: true } };
	const tasks = await operate(scene.sandbox, 'job.getTasks', limited);
	const failed = { status: 'failed', ...refused, session_id: upcomingSession };
	expect(tasks.records).toMatchObject([failed]);
});
