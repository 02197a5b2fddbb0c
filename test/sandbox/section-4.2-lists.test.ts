import { crowd, detailOf, finishedJob, openSandbox, type Page, type Visitor } from './visitor';

let visitor: Visitor;
let session: string;
let event: string;
let job: string;
beforeAll(async () => {
	visitor = await openSandbox({ seedPeople: 60, seedEvents: 60 });
	session = await visitor.sessionId();
	const { data } = await visitor.api.get<{ data: { attributes: { event_id: string } } }>(
		`/v1/sessions/${session}`,
	);
	event = data.data.attributes.event_id;
	job = (await finishedJob(visitor.api, session, crowd(25))).id;
});

const lists: Array<[name: string, path: () => string, status: number]> = [
	['events', () => '/v1/events', 200],
	['sessions', () => '/v1/sessions', 200],
	['people', () => '/v1/people', 200],
	['attributes', () => '/v1/people_attributes', 200],
	['users', () => '/v1/users', 200],
	['webhooks', () => '/v1/webhooks', 200],
	['people of an event', () => `/v1/events/${event}/people`, 200],
	['sessions of an event', () => `/v1/events/${event}/sessions`, 200],
	['people of a session', () => `/v1/sessions/${session}/people`, 200],
	['questions', () => `/v1/sessions/${session}/questions`, 200],
	['recordings', () => `/v1/sessions/${session}/recordings`, 200],
	['chat messages', () => `/v1/sessions/${session}/chat_messages`, 200],
	['tasks', () => `/v1/jobs/${job}/tasks`, 207],
];

describe.each(lists)('the list of %s', (_, path, expected) => {
	const read = (params: object = {}) => visitor.api.get<Page>(path(), { params });

	test('has data and meta, page 0 of 20 without parameters', async () => {
		const { status, data } = await read();
		expect(status).toBe(expected);
		expect(Object.keys(data).sort()).toEqual(['data', 'meta']);
		expect(data.meta).toMatchObject({ current_page: 0, items_per_page: 20, previous_page: null });
		expect(data.data.length).toBe(Math.min(20, data.meta.record_count));
	});

	test('takes 50 per page, and lowers 51 to 50', async () => {
		const { status, data } = await read({ 'page[size]': 50 });
		expect([status, data.meta.items_per_page]).toEqual([expected, 50]);
		const lowered = await read({ 'page[size]': 51 });
		expect([lowered.status, lowered.data.meta]).toEqual([expected, data.meta]);
		expect(lowered.data.data.length).toBe(data.data.length);
	});

	test('refuses the page after the last one', async () => {
		const { data } = await read();
		const beyond = Math.max(1, data.meta.page_count);
		const answer = await read({ 'page[number]': beyond });
		expect(answer.status).toBe(400);
		expect(detailOf(answer)).toContain(`Page ${beyond} does not exist`);
	});
});
