import type { ApiRecord } from '../../sandbox/platform';
import { seededId } from '../../sandbox/seed/ids';
import {
	personOf,
	sandboxForTests,
	seededEvent,
	type TestSandbox,
	upcomingSession,
} from '../support/sandbox';
import { type Parameters, readList } from './asking';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const list = (path: string, params?: Parameters) => readList(sandbox, path, params);
const count = async (path: string, params: Parameters) =>
	(await list(path, params)).meta.record_count;

async function create(path: string, type: string, attributes: object): Promise<ApiRecord> {
	const answer = await sandbox.api.post<{ data: ApiRecord }>(path, { data: { type, attributes } });
	expect(answer.status).toBe(201);
	return answer.data.data;
}

describe('events and sessions', () => {
	test('an event is created with a session in its own time zone, then published and deleted', async () => {
		const { data } = await sandbox.api.post<{ data: ApiRecord }>('/events', {
			data: {
				type: 'events',
				attributes: { title: 'Ünïque Workshop', chat_enabled: false },
				relationships: {
					sessions: [
						{
							type: 'sessions',
							attributes: { estimated_started_at: '2099-07-01 10:30:00', timezone: 'Europe/Paris' },
						},
					],
				},
			},
		});
		const { id, attributes } = data.data;
		expect(attributes).toMatchObject({
			status: 'draft',
			scheduling_status: 'draft',
			chat_enabled: false,
			polls_enabled: true,
			sessions_count: 1,
			published_at: 0,
		});
		const sessions = await list(`/events/${id}/sessions`);
		expect(sessions.data[0]?.attributes['estimated_started_at']).toBe(
			Date.parse('2099-07-01T08:30:00Z') / 1000,
		);
		const published = await sandbox.api.patch<{ data: ApiRecord }>(`/events/${id}`, {
			data: { type: 'events', attributes: { status: 'published' } },
		});
		expect(published.data.data.attributes).toMatchObject({
			status: 'published',
			scheduling_status: 'upcoming',
		});
		expect((await sandbox.api.delete(`/events/${id}`)).status).toBe(204);
		expect((await sandbox.api.get(`/events/${id}`)).status).toBe(404);
		expect((await sandbox.api.get(`/sessions/${sessions.data[0]?.id}`)).status).toBe(404);
	});

	test('a copy has the form and the description of its original', async () => {
		const copy = await create('/events', 'events', {
			title: 'Again',
			copy_from_event_id: seededEvent,
		});
		const { data } = await sandbox.api.get<{ data: ApiRecord }>(`/events/${seededEvent}`);
		expect(copy.attributes['fields']).toEqual(data.data.attributes['fields']);
		expect(copy.attributes['description']).toBe(data.data.attributes['description']);
	});

	test.each([
		['a time zone that is none', { timezone: 'Mars/Olympus' }, 400],
		['a date that is none', { estimated_started_at: '2026-13-45 10:00:00' }, 400],
		['a name of two lines', { name: 'one\r\ntwo' }, 201],
	])('a session with %s', async (_, attributes, status) => {
		const answer = await sandbox.api.post(`/events/${seededEvent}/sessions`, {
			data: { type: 'sessions', attributes },
		});
		expect(answer.status).toBe(status);
	});

	test('tags are assigned once, found by letter case aside, and taken off', async () => {
		const path = `/events/${seededEvent}/tags`;
		const one = await create(path, 'tags', { title: 'Autumn' });
		const other = await create(path, 'tags', { title: 'autumn' });
		expect(other.id).toBe(one.id);
		expect(await count('/events', { 'filter[tag]': 'AUTUMN' })).toBe(1);
		const body = { data: { data: { type: 'tags', attributes: { title: 'Autumn' } } } };
		expect((await sandbox.api.delete(path, body)).status).toBe(204);
		expect((await sandbox.api.delete(path, body)).status).toBe(404);
		expect(await count('/events', { 'filter[tag]': 'autumn' })).toBe(0);
	});

	test('a person of two sessions is one of the people of the event', async () => {
		const before = await count(`/events/${seededEvent}/people`, {});
		for (const session of [upcomingSession, seededId('session', 2)]) {
			await sandbox.api.post(`/sessions/${session}/people`, personOf('twice@example.com'));
		}
		const path = `/events/${seededEvent}/people`;
		expect(await count(path, {})).toBe(before + 1);
		expect(await count(path, { 'filter[email]': 'twice@example.com' })).toBe(1);
		const { data } = await list('/people', { 'filter[email]': 'twice@example.com' });
		await sandbox.api.delete(`/sessions/${upcomingSession}/people/${data[0]?.id}`);
		expect(await count(path, {})).toBe(before + 1);
		await sandbox.api.delete(`/sessions/${seededId('session', 2)}/people/${data[0]?.id}`);
		expect(await count(path, {})).toBe(before);
	});
});

describe('users and webhooks', () => {
	test('a user is invited once, and can be removed; the owner cannot', async () => {
		const user = await create('/users', 'users', { email: 'new@example.com', role: 'host' });
		expect(user.attributes).toMatchObject({ role: 'host', pending_invite: true });
		const again = await sandbox.api.post('/users', {
			data: { type: 'users', attributes: { email: 'NEW@example.com', role: 'host' } },
		});
		expect(again.status).toBe(409);
		expect((await sandbox.api.delete(`/users/${user.id}`)).status).toBe(204);
		expect((await sandbox.api.delete(`/users/${user.id}`)).status).toBe(404);
		expect((await sandbox.api.delete(`/users/${seededId('user', 1)}`)).status).toBe(422);
	});

	test('an event outlives its owner', async () => {
		const user = await create('/users', 'users', { email: 'brief@example.com', role: 'host' });
		const event = await create('/events', 'events', { title: 'Left behind', owner_id: user.id });
		await sandbox.api.delete(`/users/${user.id}`);
		const { data } = await sandbox.api.get<{ data: ApiRecord }>(`/events/${event.id}`);
		expect(data.data.attributes['owner']).toBeNull();
	});

	test('webhooks want HTTPS where HTTP is not allowed', async () => {
		const strict = await sandboxForTests({ allowHttpWebhooks: false });
		const subscribe = async (url: string) => {
			const attributes = { url, event: 'job.ended' };
			return (await strict.api.post('/webhooks', { data: { type: 'webhooks', attributes } }))
				.status;
		};
		expect(await subscribe('http://127.0.0.1:5678/hook')).toBe(422);
		expect(await subscribe('javascript:alert(1)')).toBe(422);
		expect(await subscribe('https://hooks.example/a')).toBe(201);
		expect(await subscribe('https://hooks.example/a')).toBe(409);
	});
});
