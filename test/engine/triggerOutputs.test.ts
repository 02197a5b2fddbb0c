import '../support/fasterClock';
import type { NodeParameterValueType } from 'n8n-workflow';
import { personOf, until, upcomingSession } from '../support/sandbox';
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
