import { openSandbox, registration, type Visitor } from './visitor';

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
