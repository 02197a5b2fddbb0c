import { type One, openSandbox, type Page, type Visitor } from './visitor';

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
const list = async (params: object) => (await visitor.api.get<Page>('/v1/events', { params })).data;

test('an event is created, read, changed and deleted', async () => {
	const made = await create({ title: 'Launch', description: 'All about it', chat_enabled: false });
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
	expect(titles(await list({ 'filter[scheduling_status]': 'live' }))).not.toContain('Finding Ada');
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
	expect((await visitor.api.post<One>(path, tag('red'))).data.data.attributes['title']).toBe('red');
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
