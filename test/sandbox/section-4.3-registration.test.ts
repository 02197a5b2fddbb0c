import {
	crowd,
	finishedJob,
	type One,
	openSandbox,
	type Page,
	registration,
	type Visitor,
} from './visitor';

let visitor: Visitor;
let sessionId: string;
let path: string;
beforeAll(async () => {
	visitor = await openSandbox();
	sessionId = await visitor.sessionId();
	path = `/v1/sessions/${sessionId}/people`;
});

const register = (values: Record<string, unknown>, more?: object) =>
	visitor.api.post<One>(path, registration(values, more));

test('one person is registered and comes back with the registration', async () => {
	const { status, data } = await register(
		{ email: 'ada@example.org', first_name: 'Ada' },
		{ referrer: 'https://example.org/', utm_campaign: 'autumn' },
	);
	expect(status).toBe(201);
	expect(data.data.attributes).toMatchObject({
		role: 'participant',
		email: 'ada@example.org',
		first_name: 'Ada',
		last_name: null,
		registrant_detail: {
			session_id: sessionId,
			referrer: 'https://example.org/',
			utm_campaign: 'autumn',
			utm_source: null,
			attended: false,
		},
	});
	const { fields } = data.data.attributes['registrant_detail'] as {
		fields: Array<{ id: string; value: unknown }>;
	};
	expect(fields).toContainEqual(expect.objectContaining({ id: 'first_name', value: 'Ada' }));
});

test('a registration is read, changed and taken back', async () => {
	const { data } = await register({ email: 'change@example.org' });
	const person = `${path}/${data.data.id}`;
	const changed = await visitor.api.patch<One>(
		person,
		registration({ email: 'change@example.org', first_name: 'Grace' }),
	);
	expect([changed.status, changed.data.data.attributes['first_name']]).toEqual([200, 'Grace']);
	expect((await visitor.api.get<One>(person)).data).toEqual(changed.data);
	expect((await visitor.api.delete(person)).status).toBe(204);
	expect((await visitor.api.get(person)).status).toBe(404);
	expect((await register({ email: 'change@example.org' })).status).toBe(201);
});

test('a person is unregistered by email, which has to be given', async () => {
	await register({ email: 'leaving@example.org' });
	const leave = (params: object) => visitor.api.delete(path, { params });
	expect((await leave({})).status).toBe(400);
	expect((await leave({ 'filter[email]': 'leaving@example.org' })).status).toBe(204);
	expect((await leave({ 'filter[email]': 'leaving@example.org' })).status).toBe(404);
});

test('people are found by address, role and attendance', async () => {
	const id = await visitor.sessionId();
	await finishedJob(visitor.api, id, crowd(5, 'found'));
	const count = async (params: object) =>
		(await visitor.api.get<Page>(`/v1/sessions/${id}/people`, { params })).data.meta.record_count;
	expect(await count({ 'filter[email]': 'found-3@example.org' })).toBe(1);
	expect(await count({ 'filter[email]': 'found' })).toBe(0);
	expect(await count({ 'filter[role]': 'participant' })).toBe(5);
	expect(await count({ 'filter[role]': 'team_member' })).toBe(0);
	expect(await count({ 'filter[attended]': true })).toBe(0);
	expect(await count({ 'filter[attended]': false })).toBe(5);
	const now = Math.floor(Date.now() / 1000);
	expect(await count({ 'filter[created_since]': now - 60 })).toBe(5);
	expect(await count({ 'filter[created_since]': now + 60 })).toBe(0);
	expect(await count({ 'filter[updated_until]': new Date(0).toISOString() })).toBe(0);
});

test('all people of the workspace and of the event hold those of the session', async () => {
	const email = 'everywhere@example.org';
	const { data } = await register({ email });
	const { event_id } = data.data.attributes['registrant_detail'] as { event_id: string };
	for (const list of ['/v1/people', `/v1/events/${event_id}/people`]) {
		const found = await visitor.api.get<Page>(list, { params: { 'filter[email]': email } });
		expect(found.data.data.map(({ id }) => id)).toEqual([data.data.id]);
	}
	const one = await visitor.api.get<One>(`/v1/people/${data.data.id}`);
	expect(one.data.data.attributes['email']).toBe(email);
	expect((await visitor.api.get('/v1/people/none')).status).toBe(404);
});
