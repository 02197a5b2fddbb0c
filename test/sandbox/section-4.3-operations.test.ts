import { bulkOfTasks } from '../support/sandbox';
import {
	type ApiRecord,
	bulk,
	crowd,
	detailOf,
	finishedJob,
	jsonApi,
	openSandbox,
	type Page,
	type TaskResult,
	untilOver,
	type Visitor,
	type One,
	registration,
} from './visitor';

describe('bulk registration', () => {
	let visitor: Visitor;
	let sessionId: string;
	let path: string;
	beforeAll(async () => {
		visitor = await openSandbox({ taskMs: 20 });
		sessionId = await visitor.sessionId();
		path = `/v1/sessions/${sessionId}/people/bulk`;
	});

	test('bulk registration takes and gives application/vnd.api+json', async () => {
		const { status, headers } = await visitor.api.post(path, bulk(crowd(1, 'media')), jsonApi);
		expect(status).toBe(202);
		expect(headers['content-type']).toContain('application/vnd.api+json');
	});

	test('a client that accepts application/json is answered in it', async () => {
		const { headers } = await visitor.api.get('/v1/events', {
			headers: { Accept: 'application/json' },
		});
		expect(headers['content-type']).toContain('application/json');
	});

	test.each([
		['no data', {}, /data/],
		['data that is a list', { data: [] }, /data/],
		['no type', { data: { attributes: { tasks: [{ fields: [] }] } } }, /type/],
		['another type', { data: { type: 'people', attributes: { tasks: [{ fields: [] }] } } }, /type/],
		['no attributes', { data: { type: 'jobs' } }, /attributes/],
		['tasks beside the attributes', { data: { type: 'jobs', tasks: [] } }, /attributes/],
		['tasks that are missing', { data: { type: 'jobs', attributes: {} } }, /tasks/],
		['tasks that are no list', bulkOfTasks({ fields: [] }), /tasks.*array/],
		['no task', bulkOfTasks([]), /is empty/],
		['a task that is null', bulkOfTasks([null]), /tasks/],
		['a task in attributes', bulkOfTasks([{ attributes: { fields: [] } }]), /directly on the task/],
		['a task without fields', bulkOfTasks([{}]), /'fields'/],
		['a number as value', bulkOfTasks([{ fields: [{ id: 'email', value: 7 }] }]), /string/],
		['51 tasks', bulk(crowd(51)), /51 tasks.*most 50/],
	])('%s is a 400 that says where', async (_, body, where) => {
		const answer = await visitor.api.post(path, body, jsonApi);
		expect(answer.status).toBe(400);
		expect(detailOf(answer)).toMatch(where);
	});

	test('without a token it is a 401', async () => {
		expect((await visitor.as().post(path, bulk(crowd(1)), jsonApi)).status).toBe(401);
	});

	test('a blocked workspace is a 403, for everything', async () => {
		await visitor.control('workspace', { blocked: true });
		const post = await visitor.api.post(path, bulk(crowd(1)), jsonApi);
		const get = await visitor.api.get('/v1/events');
		await visitor.control('workspace', { blocked: false });
		expect([post.status, get.status]).toEqual([403, 403]);
		expect(detailOf(post)).toMatch(/blocked/);
	});

	test('a session that does not exist is a 404', async () => {
		const answer = await visitor.api.post('/v1/sessions/none/people/bulk', bulk(crowd(1)), jsonApi);
		expect(answer.status).toBe(404);
		expect(detailOf(answer)).toContain('none');
	});

	test('the three steps: post, poll until it is over, read the results of every task', async () => {
		const people = [...crowd(30, 'steps'), { email: '' }];
		const posted = await visitor.api.post<ApiRecord>(path, bulk(people), jsonApi);
		expect(posted.data.attributes['status']).toBe('processing');
		const seen = await untilOver(visitor.api, posted.data.id);
		expect(seen[0]?.attributes['status']).toBe('processing');
		expect(seen[seen.length - 1]?.attributes['status']).toBe('failed');

		const results: TaskResult[] = [];
		for (let page: number | null = 0; page !== null;) {
			const params: object = { 'page[number]': page };
			const read = await visitor.api.get<Page<TaskResult>>(`/v1/jobs/${posted.data.id}/tasks`, {
				params,
			});
			expect(read.status).toBe(207);
			results.push(...read.data.data);
			page = read.data.meta.next_page;
		}
		expect(results.map(({ status }) => status)).toEqual([
			...Array<string>(30).fill('succeeded'),
			'failed',
		]);
	});

	test('those whom the job registered are people of the session', async () => {
		const id = await visitor.sessionId();
		const people = crowd(3, 'there');
		await finishedJob(visitor.api, id, people);
		const { data } = await visitor.api.get<Page>(`/v1/sessions/${id}/people`);
		expect(data.data.map(({ attributes }) => attributes['email']).sort()).toEqual(
			people.map(({ email }) => email),
		);
		const session = await visitor.api.get<{ data: ApiRecord }>(`/v1/sessions/${id}`);
		expect(session.data.data.attributes['registrants_count']).toBe(3);
	});
});

describe('events and sessions', () => {
	let visitor: Visitor;
	beforeAll(async () => {
		visitor = await openSandbox();
	});

	const event = (attributes: object, relationships?: object) => ({
		data: { type: 'events', attributes, ...(relationships ? { relationships } : {}) },
	});
	const create = (attributes: object, relationships?: object) =>
		visitor.api.post<One>('/v1/events', event(attributes, relationships));
	const tag = (title: string) => ({ data: { type: 'tags', attributes: { title } } });
	const sessionOf = (attributes: object) => ({ data: { type: 'sessions', attributes } });
	const titles = ({ data }: Page) => data.map(({ attributes }) => attributes['title']);
	const list = async (params: object) =>
		(await visitor.api.get<Page>('/v1/events', { params })).data;

	test('an event is created, read, changed and deleted', async () => {
		const made = await create({
			title: 'Launch',
			description: 'All about it',
			chat_enabled: false,
		});
		expect(made.status).toBe(201);
		expect(made.data.data.attributes).toMatchObject({
			title: 'Launch',
			description: 'All about it',
			chat_enabled: false,
			sessions_count: 0,
		});
		const path = `/v1/events/${made.data.data.id}`;
		expect((await visitor.api.get<One>(path)).data.data).toEqual(made.data.data);
		const changed = await visitor.api.patch<One>(path, event({ title: 'Relaunch' }));
		expect(changed.data.data.attributes).toMatchObject({
			title: 'Relaunch',
			description: 'All about it',
		});
		expect((await visitor.api.delete(path)).status).toBe(204);
		for (const request of [visitor.api.get(path), visitor.api.delete(path)]) {
			expect((await request).status).toBe(404);
		}
	});

	test('events are found by title, status, dates and tag', async () => {
		const { data } = await create({ title: 'Finding Ada', status: 'draft' });
		await visitor.api.post(`/v1/events/${data.data.id}/tags`, tag('search'));
		const now = Math.floor(Date.now() / 1000);
		expect(titles(await list({ 'filter[title]': 'Finding Ada' }))).toEqual(['Finding Ada']);
		expect(titles(await list({ 'filter[title]': 'Finding Nobody' }))).toEqual([]);
		expect(titles(await list({ 'filter[tag]': 'search' }))).toEqual(['Finding Ada']);
		expect(titles(await list({ 'filter[tag]': 'other,search' }))).toEqual(['Finding Ada']);
		expect(titles(await list({ 'filter[tag]': 'other' }))).toEqual([]);
		expect(titles(await list({ 'filter[scheduling_status]': 'draft' }))).toContain('Finding Ada');
		expect(titles(await list({ 'filter[scheduling_status]': 'live' }))).not.toContain(
			'Finding Ada',
		);
		for (const name of ['created', 'updated']) {
			const has = async (filter: string, value: string | number) =>
				titles(await list({ [`filter[${name}_${filter}]`]: value, 'page[size]': 50 })).includes(
					'Finding Ada',
				);
			expect(await has('since', now - 60)).toBe(true);
			expect(await has('since', now + 60)).toBe(false);
			expect(await has('until', now + 60)).toBe(true);
			expect(await has('until', new Date((now - 60) * 1000).toISOString())).toBe(false);
		}
	});

	test('a tag is assigned and taken off, by its title in the body', async () => {
		const { data } = await create({ title: 'Tagged' });
		const path = `/v1/events/${data.data.id}/tags`;
		expect((await visitor.api.post<One>(path, tag('red'))).data.data.attributes['title']).toBe(
			'red',
		);
		expect((await visitor.api.delete(path, { data: tag('red') })).status).toBe(204);
		expect((await visitor.api.delete(path, { data: tag('red') })).status).toBe(404);
		expect((await visitor.api.delete(path)).status).toBe(400);
		expect((await visitor.api.post('/v1/events/none/tags', tag('red'))).status).toBe(404);
	});

	test('a session is added, read, changed and deleted', async () => {
		const { data: made } = await create({ title: 'Sessions' });
		const { status, data } = await visitor.api.post<One>(
			`/v1/events/${made.data.id}/sessions`,
			sessionOf({
				name: 'Morning',
				estimated_started_at: '2030-11-28 10:30:00',
				timezone: 'America/New_York',
			}),
		);
		expect(status).toBe(201);
		expect(data.data.attributes).toMatchObject({
			event_id: made.data.id,
			name: 'Morning',
			timezone: 'America/New_York',
			estimated_started_at: Date.UTC(2030, 10, 28, 15, 30) / 1000,
			started_at: 0,
			registrants_count: 0,
		});
		const path = `/v1/sessions/${data.data.id}`;
		expect((await visitor.api.get<One>(path)).data.data).toEqual(data.data);
		const changed = await visitor.api.patch<One>(path, sessionOf({ name: 'Evening' }));
		expect(changed.data.data.attributes).toMatchObject({ name: 'Evening', started_at: 0 });
		expect((await visitor.api.delete(path)).status).toBe(204);
		expect((await visitor.api.get(path)).status).toBe(404);
	});

	test('sessions are found by status and by planned start, with event and people', async () => {
		const id = await visitor.sessionId();
		const ids = async (params: object) => {
			const { data } = await visitor.api.get<Page>('/v1/sessions', {
				params: { 'page[size]': 50, ...params },
			});
			return data.data.map((session) => session.id);
		};
		const start = Date.UTC(2030, 0, 1, 10) / 1000;
		expect(await ids({ 'filter[date_from]': start, 'filter[date_to]': start })).toContain(id);
		expect(await ids({ 'filter[date_from]': start + 1 })).not.toContain(id);
		expect(await ids({ 'filter[date_to]': '2029-12-31' })).not.toContain(id);
		expect(await ids({ 'filter[status]': 'upcoming' })).toContain(id);
		expect(await ids({ 'filter[status]': 'past' })).not.toContain(id);
		const { data } = await visitor.api.get<One>(`/v1/sessions/${id}`, {
			params: { include: 'event' },
		});
		expect(data.included?.map(({ type }) => type)).toEqual(['events']);
	});
});

describe('registration', () => {
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
});

describe('the others', () => {
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
		expect(await list({ 'filter[slug]': 'email' })).toMatchObject([
			{ slug: 'email', type: 'email' },
		]);
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
			(await visitor.api.get<Page>('/v1/webhooks', { params: { 'filter[event]': event } })).data
				.data;
		expect((await list('job.ended')).map(({ id }) => id)).toEqual([made.data.data.id]);
		expect(await list('people.registered')).toEqual([]);
		const path = `/v1/webhooks/${made.data.data.id}`;
		expect((await visitor.api.delete(path)).status).toBe(204);
		expect((await visitor.api.delete(path)).status).toBe(404);
		expect(await list('job.ended')).toEqual([]);
	});
});
