import { personOf, until, upcomingSession } from '../support/sandbox';
import { TriggerScene } from '../support/triggerScene';

const scene = new TriggerScene();

describe('a job that ends', () => {
	test('starts one run with the job as the platform shows it', async () => {
		const host = await scene.listen();
		const id = await scene.startJob(['a@example.org', 'not an address']);
		await until(() => host.answers.length > 0);
		expect(host.items).toEqual([
			{
				event: 'job.ended',
				event_key: expect.stringMatching(/^[\w-]{22}$/) as string,
				received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
				id,
				type: 'jobs',
				status: 'failed',
				total_items: 2,
				total_processed_items: 2,
				total_success: 1,
				total_fail: 1,
			},
		]);
		expect(Object.keys(host.items[0] ?? {}).slice(0, 3)).toEqual([
			'event',
			'event_key',
			'received_at',
		]);
		expect(host.answers).toEqual([200]);
		expect(await scene.confirmations()).toEqual([]);
	});
});

describe('the other kinds give the simplified record', () => {
	test('a person who registers', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		const body = personOf('ada@example.org', { first_name: 'Ada' });
		await scene.sandbox.api.post(`/sessions/${upcomingSession}/people`, body);
		await until(() => host.answers.length > 0);
		expect(host.items).toMatchObject([
			{
				event: 'people.registered',
				type: 'people',
				email: 'ada@example.org',
				session_id: upcomingSession,
				attended: false,
				created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d$/) as string,
			},
		]);
		expect(JSON.stringify(host.items)).not.toMatch(/connection_link|password_key/);
	});

	test('a session that starts and ends, with those who came, those who did not, and a replay', async () => {
		const kinds = [
			'session.started',
			'session.ended',
			'people.attended',
			'people.not_attended',
			'people.watched_replay',
		];
		const emails = ['a@example.org', 'b@example.org', 'c@example.org'];
		for (const email of emails) {
			await scene.sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));
		}
		const host = await scene.listen({ events: kinds });
		await scene.sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/start`, {});
		await until(() => host.runs.length === 1);
		await scene.sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/end`, {});
		await until(() => host.runs.length === 5);
		const absent = host.items.find(({ event }) => event === 'people.not_attended');
		const path = `/_sandbox/sessions/${upcomingSession}/people/${absent?.id as string}/watch_replay`;
		await scene.sandbox.web.post(path, {});
		await until(() => host.runs.length === 6);
		expect(host.items.map(({ event }) => event).sort()).toEqual([
			'people.attended',
			'people.attended',
			'people.not_attended',
			'people.watched_replay',
			'session.ended',
			'session.started',
		]);
		expect(host.items.at(-1)).toMatchObject({ id: absent?.id, type: 'people' });
		expect(host.answers).toEqual([200, 200, 200, 200, 200, 200]);
	});
});
