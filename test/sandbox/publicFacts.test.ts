import type { ApiRecord } from '../../sandbox/platform';
import { seededId } from '../../sandbox/seed/ids';
import { personOf, seededEvent, type TestSandbox, upcomingSession } from '../support/sandbox';
import { readList } from './asking';
import { type One, openSandbox } from './visitor';

// What public pages and clients add to the specification. The visitor checks it against the contract.
let sandbox: TestSandbox;
let api: TestSandbox['api'];
beforeAll(async () => {
	const visitor = await openSandbox({ seedPeople: 20 });
	({ sandbox } = visitor);
	api = sandbox.api;
});
beforeEach(() => sandbox.reset());

const heldSession = seededId('session', 5);
const liveSession = seededId('session', 3);
const one = async (path: string) => (await api.get<One>(path)).data.data.attributes;
const session = (attributes: object, people?: string[]) => ({
	data: {
		type: 'sessions',
		attributes,
		...(people && { relationships: { people: people.map((id) => ({ type: 'people', id })) } }),
	},
});
const event = (attributes: object) => ({ data: { type: 'events', attributes } });

test('records carry the fields that clients have seen', async () => {
	expect(await one(`/events/${seededEvent}`)).toMatchObject({
		registration_page_enabled: true,
		owner: { attributes: { locale: 'en' } },
	});
	expect(await one(`/sessions/${upcomingSession}`)).toMatchObject({
		breakout_room_parent_session_id: null,
	});
	const { data: people } = await readList(sandbox, `/sessions/${heldSession}/people`);
	const came = people.find(
		({ attributes }) => (attributes['registrant_detail'] as { attended: boolean }).attended,
	);
	expect(came?.attributes).toMatchObject({
		up_votes_count: 0,
		registrant_detail: {
			browser_name: 'Firefox',
			browser_version: expect.any(String) as string,
			os_name: 'Linux',
			os_version: expect.any(String) as string,
			screen_height: '1080',
			screen_width: '1920',
			ip_city: expect.any(String) as string,
			ip_country_code: 'PT',
			ip_country_name: 'Portugal',
			is_highlighted: false,
			is_guest_speaker: false,
			session_role: null,
		},
	});
	expect(people.map(({ attributes }) => attributes['replay_view_detail'])).toContainEqual(null);
	expect(people.map(({ attributes }) => attributes['replay_view_detail'])).toContainEqual({
		views_count: 1,
	});
});

test('a person of an event', async () => {
	const { data } = await readList(sandbox, `/events/${seededEvent}/people`);
	const path = `/people/${data[0]?.id}`;
	expect(await one(`/events/${seededEvent}${path}`)).toEqual(data[0]?.attributes);
	expect((await api.get(`/events/${seededId('event', 3)}${path}`)).status).toBe(404);
	expect((await api.get(`/events/none${path}`)).status).toBe(404);
});

test('PUT changes an event and a session as PATCH does', async () => {
	const changed = await api.put<One>(`/events/${seededEvent}`, event({ title: 'New' }));
	expect([changed.status, changed.data.data.attributes['title']]).toEqual([200, 'New']);
	await api.put(`/sessions/${upcomingSession}`, session({ name: 'Later' }));
	expect(await one(`/sessions/${upcomingSession}`)).toMatchObject({ name: 'Later' });
	expect((await api.put('/events/none', event({ title: 'New' }))).status).toBe(404);
});

test('the sessions of an event take the filters of all sessions, and what to include', async () => {
	const path = `/events/${seededId('event', 3)}/sessions`;
	const past = await readList(sandbox, path, { 'filter[status]': 'past' });
	expect(past.data.map(({ id }) => id)).toEqual([heldSession]);
	const none = await readList(sandbox, path, { 'filter[date_from]': '2999-01-01' });
	expect(none.data).toEqual([]);
	const { included = [] } = await readList(sandbox, path, { include: 'event,recordings' });
	expect(included.map(({ type }) => type)).toEqual(['events', 'recordings', 'recordings']);
});

test('events in which everyone can speak', async () => {
	await api.patch(`/events/${seededEvent}`, event({ everyone_can_speak: true }));
	for (const [value, count] of [
		['true', 1],
		['false', 2],
	] as const) {
		const found = await readList(sandbox, '/events', { 'filter[everyone_can_speak]': value });
		expect(found.meta.record_count).toBe(count);
	}
});

test('breakout rooms are listed when they are asked for, and name the session they belong to', async () => {
	const split = (id: string) =>
		sandbox.web.post<{ data: Array<{ id: string }> }>(`/_sandbox/sessions/${id}/split`, {
			rooms: 2,
		});
	expect((await split(upcomingSession)).status).toBe(409);
	const rooms = (await split(liveSession)).data.data.map(({ id }) => id);
	const list = async (path: string, value?: string) => {
		const query = value === undefined ? '' : `?filter[include_breakout_rooms]=${value}`;
		return (await readList(sandbox, `${path}${query}`)).data.map(({ id }) => id);
	};
	for (const path of ['/sessions', `/events/${seededId('event', 2)}/sessions`]) {
		const without = await list(path);
		expect(await list(path, 'false')).toEqual(without);
		expect(await list(path, 'true')).toEqual([...without, ...rooms]);
		expect(without).toContain(liveSession);
	}
	expect(await one(`/sessions/${rooms[0]}`)).toMatchObject({
		breakout_room_parent_session_id: liveSession,
		name: 'Room 1',
		registrants_count: 0,
	});
});

test('questions bring those who asked and answered', async () => {
	const { data, included = [] } = await readList(sandbox, `/sessions/${heldSession}/questions`, {
		include: 'asker,responder',
	});
	const ids = included.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { attributes, relationships } of data) {
		expect(ids).toContain(attributes['question_author_id']);
		const responder = attributes['responder_id'];
		expect(relationships).toMatchObject({
			asker: { data: { type: 'people', id: attributes['question_author_id'] } },
			responder: { data: responder === null ? null : { type: 'people', id: responder } },
		});
	}
});

test('what was said in a session is of its time, and counted of who said it and was there', async () => {
	const { started_at: start, ended_at: end } = await one(`/sessions/${heldSession}`);
	const list = async (what: string) =>
		(await readList(sandbox, `/sessions/${heldSession}/${what}`)).data;
	const [questions, messages, people] = [
		await list('questions'),
		await list('chat_messages'),
		await list('people'),
	];
	for (const { id, attributes } of people) {
		const said = (records: ApiRecord[], by: string) =>
			records.filter((record) => record.attributes[by] === id).length;
		const asked = said(questions, 'question_author_id');
		const wrote = said(messages, 'author_id');
		expect(attributes).toMatchObject({ questions_count: asked, messages_count: wrote });
		const { attended } = attributes['registrant_detail'] as { attended: boolean };
		expect([id, attended || asked + wrote === 0]).toEqual([id, true]);
		expect(attributes['votes_count']).toBe(Number(attended));
	}
	for (const { attributes } of [...questions, ...messages]) {
		expect(attributes['created_at']).toBeGreaterThanOrEqual(Number(start));
		expect(attributes['created_at']).toBeLessThanOrEqual(Number(end));
	}
	for (const { attributes } of await list('recordings')) {
		expect(Number(attributes['created_at']) - Number(end)).toBeLessThan(3600);
		expect(attributes['created_at']).toBeGreaterThan(Number(end));
	}
});

test('people of a session bring their session, and /me and /organization what belongs to them', async () => {
	const people = await readList(sandbox, `/sessions/${upcomingSession}/people`, {
		include: 'session,event',
	});
	expect(people.included?.map(({ id }) => id)).toEqual([upcomingSession, seededEvent]);
	expect(people.data[0]?.relationships).toMatchObject({ session: { data: { type: 'sessions' } } });
	for (const [path, type] of [
		['/me?include=organization', 'organizations'],
		['/organization?include=users', 'users'],
	] as const) {
		const { included = [] } = (await api.get<One>(path)).data;
		expect(new Set(included.map((record) => record.type))).toEqual(new Set([type]));
	}
});

test('a session is made and changed with its team', async () => {
	const users = await readList(sandbox, '/users');
	const [owner = '', moderator = ''] = users.data.map(({ id }) => id);
	const made = await api.post<One>(`/events/${seededEvent}/sessions`, session({}, [owner]));
	expect(made.status).toBe(201);
	const { id } = made.data.data;
	const team = async () =>
		(await readList(sandbox, `/sessions/${id}/people`, { 'filter[role]': 'team_member' })).data;
	expect((await team()).map(({ attributes }) => attributes['email'])).toEqual([
		'olivia.owner@example.com',
	]);
	const before = (await team())[0]?.id ?? '';
	await api.patch(`/sessions/${id}`, session({}, [moderator, before]));
	expect((await team()).map(({ attributes }) => attributes['first_name'])).toEqual([
		'Marc',
		'Olivia',
	]);
	expect((await api.patch(`/sessions/${id}`, session({}, ['none']))).status).toBe(422);
	expect(await team()).toHaveLength(2);
	expect(await one(`/sessions/${id}`)).toMatchObject({ registrants_count: 0 });
});

test('an event is made with a form of its own, in which the address is never missing', async () => {
	const fields = [
		{ id: 'first_name', required: true },
		{ id: 'diet', type: 'multiple', options: { items: [{ value: 'vegan' }, { value: 'any' }] } },
	];
	const made = await api.post<One>('/events', event({ title: 'Dinner', fields }));
	expect(made.data.data.attributes).toMatchObject({
		registration_page_enabled: true,
		fields: [
			{ id: 'email', type: 'text', order: 0, required: true },
			{ id: 'first_name', required: true, order: 1 },
			{ id: 'diet', required: false, options: { multiple_answers: false } },
		],
	});
	const path = `/events/${made.data.data.id}`;
	const start = { estimated_started_at: '2030-01-01 10:00:00' };
	await api.patch(path, event({ status: 'published', registration_page_enabled: false }));
	expect(await one(path)).toMatchObject({ registration_page_enabled: false });
	const { data } = await api.post<One>(`${path}/sessions`, session(start));
	const people = `/sessions/${data.data.id}/people`;
	expect((await api.post(people, personOf('a@example.org', { diet: 'vegan' }))).status).toBe(201);
	expect((await api.post(people, personOf('b@example.org', { diet: 'steak' }))).status).toBe(422);
});

test('links to recordings live for twelve hours, unless the request says otherwise', async () => {
	const path = `/sessions/${heldSession}/recordings`;
	const [recording] = (await readList(sandbox, path)).data;
	expect(recording?.attributes).toMatchObject({ url_expires_in: 43_200 });
	const [brief] = (await readList(sandbox, path, { url_expires_in: 3_600 })).data;
	expect(brief?.attributes).toMatchObject({ url_expires_in: 3_600 });
});

test('the token endpoint ignores an Authorization header beside complete parameters', async () => {
	const { data } = await sandbox.web.post<{ refresh_token: string }>('/_sandbox/oauth/issue', {});
	const params = {
		grant_type: 'refresh_token',
		client_id: sandbox.clientId,
		client_secret: sandbox.clientSecret,
		refresh_token: data.refresh_token,
	};
	for (const Authorization of ['Basic d3Jvbmc6d3Jvbmc=', 'Bearer an-expired-token', 'nonsense']) {
		const headers = { Authorization };
		const { status } = await sandbox.web.post('/oauth/token', null, { params, headers });
		expect([Authorization, status]).toEqual([Authorization, 200]);
	}
});
