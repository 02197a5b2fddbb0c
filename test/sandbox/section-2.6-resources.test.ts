import { type One, openSandbox, type Page, type Visitor } from './visitor';

let visitor: Visitor;
let held: string;
beforeAll(async () => {
	visitor = await openSandbox({ seedPeople: 30 });
	const { data } = await visitor.api.get<Page>('/v1/sessions', {
		params: { 'page[size]': 50, 'filter[status]': 'past' },
	});
	held = data.data[0]?.id ?? '';
});

// The fields of each are checked by the contract, against which the visitor holds every answer.
test.each([
	['events', () => '/v1/events'],
	['sessions', () => '/v1/sessions'],
	['people', () => '/v1/people'],
	['people_attributes', () => '/v1/people_attributes'],
	['questions', () => `/v1/sessions/${held}/questions`],
	['recordings', () => `/v1/sessions/${held}/recordings`],
	['chat_messages', () => `/v1/sessions/${held}/chat_messages`],
	['users', () => '/v1/users'],
])('%s exist, as records of that type', async (type, path) => {
	const { data } = await visitor.api.get<Page>(path());
	expect(data.data.length).toBeGreaterThan(0);
	expect(new Set(data.data.map((record) => record.type))).toEqual(new Set([type]));
	expect(new Set(data.data.map(({ id }) => id)).size).toBe(data.data.length);
});

test('an organization exists', async () => {
	const { data } = await visitor.api.get<One>('/v1/organization');
	expect(data.data.type).toBe('organizations');
});

test('me is whoever stands behind an access token', async () => {
	const { data } = await visitor.as(await visitor.bearer('identity:read')).get<One>('/v1/me');
	expect(['users', 'organizations']).toContain(data.data.type);
});

test('webhooks and tags can be made', async () => {
	const webhook = await visitor.api.post<One>('/v1/webhooks', {
		data: { type: 'webhooks', attributes: { url: 'https://example.org/', event: 'job.ended' } },
	});
	expect([webhook.status, webhook.data.data.type]).toEqual([201, 'webhooks']);
	const { data: events } = await visitor.api.get<Page>('/v1/events');
	const tag = await visitor.api.post<One>(`/v1/events/${events.data[0]?.id}/tags`, {
		data: { type: 'tags', attributes: { title: 'customers' } },
	});
	expect([tag.status, tag.data.data.type]).toEqual([201, 'tags']);
});
