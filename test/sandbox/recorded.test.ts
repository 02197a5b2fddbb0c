import type { SandboxOptions } from '../../sandbox/options';
import type { ApiRecord } from '../../sandbox/platform';
import { seededId } from '../../sandbox/seed/ids';
import { bearer, getAs, type Page } from '../support/platform/requests';
import { personOf, sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { seededEvent, upcomingSession } from '../support/platform/seededIds';

/** The sandbox answers as the real platform has answered, as far as somebody recorded it. */
let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const record = async (path: string) => (await sandbox.api.get<{ data: ApiRecord }>(path)).data.data;
const list = async (path: string) => (await sandbox.api.get<Page>(path)).data.data;

const pastEvent = seededId('event', 3);
const pastSession = seededId('session', 5);

test('the owner of an event is a person, without what only users have', async () => {
	const { attributes } = await record(`/events/${seededEvent}`);
	expect(attributes['owner']).toEqual({
		id: seededId('user', 1),
		type: 'people',
		attributes: {
			role: 'team_member',
			created_at: 1_700_000_000,
			updated_at: 1_700_000_000,
			timezone: 'Europe/Paris',
			first_name: 'Olivia',
			last_name: 'Owner',
			email: 'olivia.owner@example.com',
			avatar_link: null,
		},
	});
});

test('the detailed registration page can be set and is never shown; the registration page is', async () => {
	const path = `/events/${seededEvent}`;
	const attributes = { detailed_registration_page_enabled: true, registration_page_enabled: false };
	const { status } = await sandbox.api.patch(path, { data: { type: 'events', attributes } });
	expect(status).toBe(200);
	const attributesAfter = (await record(path)).attributes;
	expect(attributesAfter).not.toHaveProperty('detailed_registration_page_enabled');
	expect(attributesAfter).toMatchObject({
		registration_page_enabled: false,
		recording_public: null,
	});
});

test('a person of an event has four members in registrant_detail, and a team member no answers', async () => {
	const people = await list(`/events/${pastEvent}/people`);
	const valuesOf = ({ attributes }: ApiRecord) => {
		const detail = attributes['registrant_detail'] as { fields: Array<{ value: unknown }> };
		expect(Object.keys(detail).sort()).toEqual(['created_at', 'event_id', 'fields', 'updated_at']);
		return detail.fields.map(({ value }) => value);
	};
	const [team, ...participants] = people;
	expect(team?.attributes['role']).toBe('team_member');
	expect(team && valuesOf(team)).toEqual([null, null, null]);
	expect(participants.map(valuesOf)[0]).toEqual(['noah.stone@example.org', 'Noah', 'Stone']);
	expect(await record(`/events/${pastEvent}/people/${team?.id}`)).toEqual(team);
});

test('a new registration has no rate of attendance, and its link holds the email and the key', async () => {
	const path = `/sessions/${upcomingSession}/people`;
	const { data } = await sandbox.api.post<{ data: ApiRecord }>(path, personOf('ada+1@example.org'));
	const detail = data.data.attributes['registrant_detail'] as Record<string, unknown>;
	expect(detail).toMatchObject({
		attendance_rate: null,
		attendance_duration: 0,
		registration_type: 'API',
	});
	const { pathname, searchParams } = new URL(String(detail['connection_link']));
	expect(pathname).toBe(`/p/${seededEvent}/live`);
	expect(Object.fromEntries(searchParams)).toEqual({
		email: 'ada+1@example.org',
		key: detail['password_key'],
		s: upcomingSession,
	});
});

test('a session that was not held has no duration', async () => {
	expect((await record(`/sessions/${upcomingSession}`)).attributes['duration']).toBeNull();
	expect((await record(`/sessions/${pastSession}`)).attributes['duration']).toBe(3_600);
});

test('--nulls: sessions without a name, and forms that do not say what is required', async () => {
	expect((await record(`/sessions/${pastSession}`)).attributes).toHaveProperty('name', null);
	await sandbox.changeWorld({ nulls: true });
	expect((await record(`/sessions/${pastSession}`)).attributes).not.toHaveProperty('name');
	expect((await record(`/sessions/${upcomingSession}`)).attributes['name']).toBe('Europe');
	const form = (await record(`/events/${seededEvent}`)).attributes['fields'];
	expect((form as Array<{ required: unknown }>).map(({ required }) => required)).toEqual(
		Array<null>(6).fill(null),
	);
});

test('a recording is of the type mp4, and its link lives for 43,200 s', async () => {
	const [recording] = await list(`/sessions/${pastSession}/recordings`);
	const { url, ...attributes } = recording?.attributes ?? {};
	expect(attributes).toMatchObject({
		file_type: 'video',
		mime_type: 'mp4',
		url_expires_in: 43_200,
	});
	const { headers } = await sandbox.web.get<unknown>(String(url), {
		headers: { Range: 'bytes=0-9' },
	});
	expect(headers['content-type']).toBe('video/mp4');
});

test('an organization has a slug, and a user a locale and links', async () => {
	const organization = await record('/organization');
	expect(organization.attributes).toEqual({ name: 'Sandbox Workspace', slug: 'sandbox-workspace' });
	const [user] = await list('/users');
	const links = { website_link: null, linkedin_link: null, facebook_link: null };
	expect(user?.attributes).toMatchObject({ locale: 'en', ...links, twitter_handle: null });
});

test('/me has three shapes', async () => {
	const me = async (meShape: SandboxOptions['meShape']) => {
		await sandbox.changeWorld({ meShape });
		return record('/me?include=organization');
	};
	const user = await me('user');
	const { id, type, attributes } = await record('/organization');
	expect(user).toMatchObject({
		type: 'users',
		relationships: { organization: { data: { id, type } } },
	});
	expect(await me('organization')).toEqual({ id, type, attributes });
	const organization = { id, name: attributes['name'] };
	const { attributes: own } = user;
	expect((await me('userWithOrganization')).attributes).toEqual({ ...own, organization });
});

test('a wrong API token is refused in a body, a wrong access token in a header', async () => {
	const alone = await getAs(sandbox, 'a-guess');
	expect(alone.status).toBe(401);
	expect(alone.data).toMatchObject({ errors: [{ status: 'unauthorized' }] });
	expect(alone.headers).not.toHaveProperty('www-authenticate');
	const withPrefix = await getAs(sandbox, 'Bearer a-guess');
	expect([withPrefix.status, withPrefix.data]).toEqual([401, '']);
	expect(withPrefix.headers['www-authenticate']).toMatch(
		/^Bearer realm="Doorkeeper", error="invalid_token"/,
	);
	expect((await getAs(sandbox, await bearer(sandbox))).status).toBe(200);
});
