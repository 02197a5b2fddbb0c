import { type One, openSandbox, type Page, type Visitor } from './visitor';

let visitor: Visitor;
beforeAll(async () => {
	visitor = await openSandbox({ allowHttpWebhooks: false });
});

const webhook = (attributes: object) => ({ data: { type: 'webhooks', attributes } });
const user = (attributes: object) => ({ data: { type: 'users', attributes } });

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
