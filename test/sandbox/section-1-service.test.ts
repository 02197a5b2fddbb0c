import { readContract } from '../../sandbox/contract';
import { createPlatform } from '../../sandbox/createPlatform';
import { createHandlers } from '../../sandbox/handlers';
import { Processing } from '../../sandbox/jobs/processing';
import { defaultOptions } from '../../sandbox/options';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import {
	type ApiRecord,
	bulk,
	crowd,
	openSandbox,
	type Page,
	type Visitor,
	registration,
} from './visitor';

describe('1 the service', () => {
	let visitor: Visitor;
	beforeAll(async () => {
		visitor = await openSandbox({ taskMs: 20, scope: 'full:write' });
	});

	test('a client with an API token and a partner app with an access token both get in', async () => {
		const bearer = await visitor.bearer();
		expect((await visitor.api.get('/v1/events')).status).toBe(200);
		expect((await visitor.as(bearer).get('/v1/events')).status).toBe(200);
	});

	test('lists come in pages', async () => {
		const { data } = await visitor.api.get<Page>('/v1/events', { params: { 'page[size]': 1 } });
		expect(data.data).toHaveLength(1);
		expect(data.meta).toMatchObject({ current_page: 0, items_per_page: 1, record_count: 3 });
	});

	test('many people are registered by a job that goes on after the answer', async () => {
		const id = await visitor.sessionId();
		const { data } = await visitor.api.post<ApiRecord>(
			`/v1/sessions/${id}/people/bulk`,
			bulk(crowd(50)),
		);
		expect(data.attributes['status']).toBe('processing');
		const { data: now } = await visitor.api.get<ApiRecord>(`/v1/jobs/${data.id}`);
		expect(now.attributes['status']).toBe('processing');
	});

	test('resource paths follow the version: without it there is nothing', async () => {
		expect((await visitor.api.get('/v1/events')).status).toBe(200);
		expect((await visitor.api.get('/events')).status).toBe(404);
	});
});

describe('9 versions', () => {
	let visitor: Visitor;
	beforeAll(async () => {
		visitor = await openSandbox();
	});

	test.each(['/v2/events', '/v0/events', '/V1/events', '/v1', '/v1/', '/v1.0/events', '/events'])(
		'%s is not the version of the API',
		async (path) => {
			expect((await visitor.api.get(path)).status).toBe(404);
		},
	);

	// What was added over time, according to section 9; each is tested in full where it is specified.
	test.each([
		['bulk registration', 'POST', '/v1/sessions/:id/people/bulk', 400],
		['questions', 'GET', '/v1/sessions/:id/questions', 200],
		['recordings', 'GET', '/v1/sessions/:id/recordings', 200],
		['chat messages', 'GET', '/v1/sessions/:id/chat_messages', 200],
		['attributes', 'GET', '/v1/people_attributes', 200],
		['date filters of events', 'GET', '/v1/events?filter[created_since]=0', 200],
		['date filters of sessions', 'GET', '/v1/sessions?filter[date_from]=0', 200],
		['date filters of people', 'GET', '/v1/sessions/:id/people?filter[created_since]=0', 200],
	])('%s are there', async (_, method, path, status) => {
		const url = path.replace(':id', await visitor.sessionId());
		const data = method === 'POST' ? {} : undefined;
		expect((await visitor.api.request({ method, url, data })).status).toBe(status);
	});

	test('email is the only field that a registration needs', async () => {
		const path = `/v1/sessions/${await visitor.sessionId()}/people`;
		const { status } = await visitor.api.post(path, registration({ email: 'ada@example.org' }));
		expect(status).toBe(201);
	});

	test('sessions have a name', async () => {
		const path = `/v1/sessions/${await visitor.sessionId()}`;
		const { data } = await visitor.api.get<{ data: { attributes: object } }>(path);
		expect(data.data.attributes).toHaveProperty('name');
	});
});

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ seedEvents: 6, seedPeople: 130 });
});
beforeEach(() => sandbox.reset());

test('every operation of the API has a handler, and no handler is without an operation', async () => {
	const { platform } = createPlatform({ ...defaultOptions, seedEvents: 0 });
	const handled = Object.keys(createHandlers(new Processing(platform)));
	await platform.close();
	const operations = readContract().filter(({ path }) => path.startsWith('/v1/'));
	expect(handled.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});
