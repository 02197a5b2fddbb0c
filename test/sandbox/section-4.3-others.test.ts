import { detailOf, type One, openSandbox, type Page, type Visitor } from './visitor';

let visitor: Visitor;
beforeAll(async () => {
	visitor = await openSandbox({ allowHttpWebhooks: false });
});

const webhook = (attributes: object) => ({ data: { type: 'webhooks', attributes } });
const user = (attributes: object) => ({ data: { type: 'users', attributes } });

test('a ping is a 200 without a body', async () => {
	const { status, data } = await visitor.api.get<string>('/v1/ping');
	expect([status, data]).toEqual([200, '']);
});

test('attributes are found by slug, name, type and origin, and sorted', async () => {
	const list = async (params: object) =>
		(await visitor.api.get<Page>('/v1/people_attributes', { params })).data.data.map(
			({ attributes }) => attributes,
		);
	const all = await list({ 'page[size]': 50 });
	const slugs = all.map(({ slug }) => String(slug));
	expect(slugs).toEqual(expect.arrayContaining(['first_name', 'last_name', 'email']));
	expect(await list({ 'filter[slug]': 'email' })).toMatchObject([{ slug: 'email', type: 'email' }]);
	const name = String(all[0]?.['name']);
	expect((await list({ 'filter[name]': name })).map((one) => one['name'])).toEqual([name]);
	for (const builtin of [true, false]) {
		const found = await list({ 'filter[builtin]': builtin });
		expect(found.length).toBe(all.filter((one) => one['builtin'] === builtin).length);
	}
	const texts = await list({ 'filter[type]': 'text' });
	expect(new Set(texts.map(({ type }) => type))).toEqual(new Set(['text']));
	expect((await list({ sort: 'slug' })).map(({ slug }) => slug)).toEqual([...slugs].sort());
	expect((await list({ sort: '-slug' })).map(({ slug }) => slug)).toEqual(
		[...slugs].sort().reverse(),
	);
	const choices = all.filter(({ type }) => String(type).endsWith('_select'));
	expect(choices.length).toBeGreaterThan(0);
	for (const { options } of choices) expect(options).not.toEqual([]);
});

test('links to recordings are good for as long as was asked', async () => {
	const { data } = await visitor.api.get<Page>('/v1/sessions', {
		params: { 'filter[status]': 'past' },
	});
	const path = `/v1/sessions/${data.data[0]?.id}/recordings`;
	const read = (seconds?: number) =>
		visitor.api.get<Page>(path, { params: { url_expires_in: seconds } });
	const [recording] = (await read(604_800)).data.data;
	expect(recording?.attributes['url_expires_in']).toBe(604_800);
	for (const seconds of [3_599, 604_801]) {
		const answer = await read(seconds);
		expect(answer.status).toBe(400);
		expect(detailOf(answer)).toContain('url_expires_in');
	}
});

test('a user is invited once, found and removed', async () => {
	const made = await visitor.api.post<One>(
		'/v1/users',
		user({ email: 'host@example.org', role: 'host' }),
	);
	expect(made.status).toBe(201);
	expect(made.data.data.attributes).toMatchObject({ role: 'host', pending_invite: true });
	const again = user({ email: 'HOST@example.org', role: 'moderator' });
	expect((await visitor.api.post('/v1/users', again)).status).toBe(409);
	const params = { 'filter[email]': 'host@example.org', 'filter[pending_invite]': true };
	const { data } = await visitor.api.get<Page>('/v1/users', { params });
	expect(data.data.map(({ id }) => id)).toEqual([made.data.data.id]);
	const path = `/v1/users/${made.data.data.id}`;
	expect((await visitor.api.delete(path)).status).toBe(204);
	expect((await visitor.api.delete(path)).status).toBe(404);
});

test('a subscription is made, listed by event and ended', async () => {
	const url = 'https://hooks.example.org/abc';
	const made = await visitor.api.post<One>('/v1/webhooks', webhook({ url, event: 'job.ended' }));
	expect(made.status).toBe(201);
	expect(made.data.data.attributes).toMatchObject({ url, event: 'job.ended' });
	const list = async (event: string) =>
		(await visitor.api.get<Page>('/v1/webhooks', { params: { 'filter[event]': event } })).data.data;
	expect((await list('job.ended')).map(({ id }) => id)).toEqual([made.data.data.id]);
	expect(await list('people.registered')).toEqual([]);
	const path = `/v1/webhooks/${made.data.data.id}`;
	expect((await visitor.api.delete(path)).status).toBe(204);
	expect((await visitor.api.delete(path)).status).toBe(404);
	expect(await list('job.ended')).toEqual([]);
});

test.each([
	['HTTP when that is not allowed', { url: 'http://hooks.example.org/', event: 'job.ended' }],
	['no address', { url: 'hooks', event: 'job.ended' }],
	['a script', { url: 'javascript:alert(1)', event: 'job.ended' }],
	['an event that does not exist', { url: 'https://example.org/', event: 'job.started' }],
	['several events', { url: 'https://example.org/', event: ['job.ended'] }],
	['no event', { url: 'https://example.org/' }],
])('a subscription with %s is refused', async (_, attributes) => {
	const answer = await visitor.api.post('/v1/webhooks', webhook(attributes));
	expect([400, 422]).toContain(answer.status);
});

test.each([
	['GET', '/v1/webhooks/some'],
	['PATCH', '/v1/webhooks/some'],
	['POST', '/v1/sessions'],
	['POST', '/v1/people'],
	['PUT', '/v1/events'],
	['PUT', '/v1/people/some'],
])('there is no %s %s', async (method, url) => {
	const { status } = await visitor.api.request({ method, url });
	expect([404, 405]).toContain(status);
});
