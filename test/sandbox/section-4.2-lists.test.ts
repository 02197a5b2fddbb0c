import { seededId } from '../../sandbox/seed/ids';
import {
	sandboxForTests,
	seededEvent,
	upcomingSession,
	type TestSandbox,
} from '../support/sandbox';
import { crowd, detailOf, finishedJob, type Page } from './requests';

let sandbox: TestSandbox;
let job: string;
beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 60, seedEvents: 60 });
	job = (await finishedJob(sandbox, crowd(25))).id;
});

const held = `/sessions/${seededId('session', 5)}`;

test.each([
	['events', '/events', 200],
	['sessions', '/sessions', 200],
	['people', '/people', 200],
	['attributes', '/people_attributes', 200],
	['users', '/users', 200],
	['webhooks', '/webhooks', 200],
	['people of an event', `/events/${seededEvent}/people`, 200],
	['sessions of an event', `/events/${seededEvent}/sessions`, 200],
	['people of a session', `/sessions/${upcomingSession}/people`, 200],
	['questions', `${held}/questions`, 200],
	['recordings', `${held}/recordings`, 200],
	['chat messages', `${held}/chat_messages`, 200],
	['tasks', '/jobs/:job/tasks', 207],
])('%s: pages of 20, of 50 at most, and none after the last one', async (_, path, expected) => {
	const read = (params: object = {}) =>
		sandbox.api.get<Page>(path.replace(':job', job), { params });
	const { status, data } = await read();
	expect(status).toBe(expected);
	expect(Object.keys(data).sort()).toEqual(['data', 'meta']);
	expect(data.meta).toMatchObject({ current_page: 0, items_per_page: 20, previous_page: null });
	expect(data.data.length).toBe(Math.min(20, data.meta.record_count));

	expect((await read({ 'page[size]': 51 })).data.meta.items_per_page).toBe(50);

	const beyond = Math.max(1, data.meta.page_count);
	const answer = await read({ 'page[number]': beyond });
	expect(answer.status).toBe(400);
	expect(detailOf(answer)).toContain(`Page ${beyond} does not exist`);
});
