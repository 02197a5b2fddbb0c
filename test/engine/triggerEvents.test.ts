import type { NodeParameterValueType } from 'n8n-workflow';
import { eventually } from '../support/time/eventually';
import { byId } from '../support/n8n/locators';
import { claim, TriggerScene } from '../support/n8n/triggerScene';
import { otherSession, unknownId, upcomingSession } from '../support/platform/seededIds';

const scene = new TriggerScene();
const emails = ['one@example.org', 'not an address', 'two@example.org'];
const secrets = /connection_link|password_key/;

describe('a job that ends', () => {
	test('starts a run only with failures, or only if it is listed, where that is chosen', async () => {
		const host = await scene.listen({ options: { onlyWithFailures: true } });
		await scene.startJob();
		const failed = await scene.startJob(emails);
		await eventually(() => host.answers.length === 2);
		expect(host.items).toMatchObject([{ id: failed, status: 'failed' }]);
		host.parameters = { options: { jobIds: `other, ${failed}`, deduplicate: false } };
		await host.deliver({ body: claim(failed) });
		await host.deliver({ body: claim(unknownId) });
		expect(host.runs).toHaveLength(2);
	});
});

describe('the other kinds give the simplified record', () => {
	test.each<NodeParameterValueType>([
		// The session was saved like this before it was a list to choose from.
		upcomingSession,
		byId(upcomingSession, 'list'),
		byId(`https://app.livestorm.co/a/b/live?s=${upcomingSession}`, 'url'),
	])('a person who registers for one session, given as %j', async (sessionId) => {
		const host = await scene.listen({ events: ['people.registered'], options: { sessionId } });
		await scene.sandbox.register('other@example.org', {}, otherSession);
		await scene.sandbox.register('ada@example.org', { first_name: 'Ada' });
		await eventually(() => host.answers.length === 2);
		expect(host.answers).toEqual([200, 200]);
		const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d$/) as string;
		expect(host.items).toMatchObject([
			{
				event: 'people.registered',
				type: 'people',
				email: 'ada@example.org',
				session_id: upcomingSession,
				attended: false,
				created_at,
				received_at: created_at,
				session_started_at: created_at,
				session_start_text: expect.stringMatching(/^\d+ \w{3} \d{4}, \d\d:\d\d \w+/) as string,
				session_timezone: expect.stringMatching(/\w\/\w/) as string,
				registration_link: expect.stringMatching(/^https:/) as string,
			},
		]);
		// All times are in the zone of the workflow, whatever the zone of the session is.
		const [item] = host.items as Array<Record<string, string>>;
		expect(item?.received_at?.slice(-6)).toBe(item?.created_at?.slice(-6));
		expect(JSON.stringify(host.items)).not.toMatch(secrets);
	});

	test('a session that starts and ends, with those who came, those who did not, and a replay', async () => {
		const ofPeople = ['people.attended', 'people.not_attended', 'people.watched_replay'];
		const events = [...ofPeople, 'session.ended', 'session.started'];
		for (const name of ['a', 'b', 'c']) await scene.sandbox.register(`${name}@example.org`);
		const host = await scene.listen({ events });
		await scene.session('start');
		await eventually(() => host.runs.length === 1);
		await scene.session('end');
		await eventually(() => host.runs.length === 5);
		const absent = host.items.find(({ event }) => event === 'people.not_attended');
		const path = `/_sandbox/sessions/${upcomingSession}/people/${absent?.id as string}/watch_replay`;
		await scene.sandbox.web.post(path, {});
		await eventually(() => host.runs.length === 6);
		const arrived = host.items.map(({ event }) => event);
		expect(arrived.sort()).toEqual(['people.attended', ...events]);
		expect(host.items.at(-1)).toMatchObject({ id: absent?.id, type: 'people' });
		expect(host.answers).toEqual([200, 200, 200, 200, 200, 200]);
	});
});
