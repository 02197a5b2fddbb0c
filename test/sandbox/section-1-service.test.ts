import { type ApiRecord, bulk, crowd, openSandbox, type Page, type Visitor } from './visitor';

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
