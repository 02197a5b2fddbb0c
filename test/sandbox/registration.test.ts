import type { ApiRecord } from '../../sandbox/platform';
import { seededId } from '../../sandbox/seed/ids';
import {
	personOf,
	sandboxForTests,
	type TestSandbox,
	until,
	upcomingSession,
} from '../support/sandbox';
import { openReceiver } from '../support/receiver';
import { closeAfterwards } from './visitor';

interface Registered {
	data: ApiRecord & {
		attributes: {
			email: string;
			first_name: string | null;
			registrant_detail: {
				fields: Array<{ id: string; value: string | string[] | null }>;
				[name: string]: unknown;
			};
		};
	};
}
interface Refused {
	errors: Array<{ title: string; detail: string; code: string; status: string }>;
}

const people = `/sessions/${upcomingSession}/people`;
let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

function register(email: string, more: Record<string, string | string[]> = {}) {
	return sandbox.api.post<Registered>(people, personOf(email, more));
}

async function refusal(email: string, more: Record<string, string | string[]> = {}, path = people) {
	const { status, data } = await sandbox.api.post<Refused>(path, personOf(email, more));
	return { status, detail: data.errors[0]?.detail, code: data.errors[0]?.code };
}

describe('a single registration', () => {
	test('answers with the person and the form as it was filled in', async () => {
		const { status, data } = await sandbox.api.post<Registered>(people, {
			data: {
				type: 'people',
				attributes: {
					fields: [
						{ id: 'email', value: 'Ada@Example.com' },
						{ id: 'first_name', value: 'Ada' },
						{ id: 'team_size', value: '11-100' },
						{ id: 'interests', value: ['Product', 'Pricing'] },
						{ id: 'job_title', value: 'Countess' },
					],
					referrer: 'https://example.org/',
					utm_source: 'letter',
				},
			},
		});
		expect(status).toBe(201);
		const { email, first_name, registrant_detail } = data.data.attributes;
		expect({ email, first_name }).toEqual({ email: 'Ada@Example.com', first_name: 'Ada' });
		expect(registrant_detail).toMatchObject({
			session_id: upcomingSession,
			referrer: 'https://example.org/',
			utm_source: 'letter',
			utm_medium: null,
			attended: false,
		});
		expect(
			Object.fromEntries(registrant_detail.fields.map(({ id, value }) => [id, value])),
		).toEqual({
			email: 'Ada@Example.com',
			first_name: 'Ada',
			last_name: null,
			company: null,
			team_size: '11-100',
			interests: ['Product', 'Pricing'],
			job_title: 'Countess',
		});
	});

	test('email alone is enough, though the form requires more', async () => {
		expect((await register('only@example.com')).status).toBe(201);
	});

	test('whoever is registered already is a 409, letter case aside', async () => {
		await register('ada@example.com');
		expect(await refusal('ADA@example.com')).toMatchObject({
			status: 409,
			code: 'already_registered',
		});
	});

	test('one person may register for several sessions and stays one person', async () => {
		const one = await register('ada@example.com', { first_name: 'Ada' });
		const path = `/sessions/${seededId('session', 2)}/people`;
		const other = await sandbox.api.post<Registered>(path, personOf('ADA@example.com'));
		expect(other.status).toBe(201);
		expect(other.data.data.id).toBe(one.data.data.id);
		expect(other.data.data.attributes.first_name).toBe('Ada');
	});

	test.each([
		['an unknown field', { shoe_size: '43' }, "The field 'shoe_size' doesn't exist"],
		['a prototype key as field', { constructor: 'x' }, "The field 'constructor' doesn't exist"],
		['a stray choice', { team_size: 'a few' }, "'a few' is not a choice of the field 'team_size'"],
		['two answers where one goes', { team_size: ['1-10', '100+'] }, 'takes one answer, not 2'],
		['a list where a text goes', { company: ['a', 'b'] }, 'takes one text, not a list'],
	])('%s is a 422 that says so', async (_, more, detail) => {
		const refused = await refusal('ada@example.com', more);
		expect(refused.status).toBe(422);
		expect(refused.detail).toContain(detail);
	});

	test.each([
		'',
		' ',
		'ada',
		'ada@',
		'@example.com',
		'ada@example',
		'a b@example.com',
		'a@b@c.de',
		'a@b..de',
	])("'%s' is no email address", async (email) => {
		expect((await refusal(email)).status).toBe(422);
	});

	test('an email beside the fields is ignored, as on the platform', async () => {
		const attributes = { email: 'ada@example.com', fields: [] };
		const { status } = await sandbox.api.post(people, { data: { type: 'people', attributes } });
		expect(status).toBe(422);
	});

	test.each([
		['over', 5, 422],
		['canceled', 6, 422],
		['live', 3, 201],
	])('a session that is %s', async (_, number, status) => {
		const path = `/sessions/${seededId('session', number)}/people`;
		const answer = await sandbox.api.post(path, personOf('ada@example.com'));
		expect(answer.status).toBe(status);
	});

	test('nobody can be registered when the allowance is spent', async () => {
		await sandbox.web.post('/_sandbox/workspace', { allowanceSpent: true });
		expect(await refusal('ada@example.com')).toMatchObject({ status: 402 });
	});

	test('the webhooks hear of it', async () => {
		const receiver = await openReceiver();
		closeAfterwards(receiver.close);
		const attributes = { url: receiver.url, event: 'people.registered' };
		await sandbox.api.post('/webhooks', { data: { type: 'webhooks', attributes } });
		const { data } = await register('ada@example.com');
		await until(() => receiver.deliveries.length === 1);
		expect(receiver.deliveries[0]?.body).toMatchObject({
			data: { ...data.data, meta: { webhook: { event: 'people.registered' } } },
		});
	});
});

describe('a registration later on', () => {
	test('new answers replace the old ones, the others stay', async () => {
		const { data } = await register('ada@example.com', { first_name: 'Ada', company: 'Engines' });
		const fields = [{ id: 'company', value: 'Looms' }];
		const path = `${people}/${data.data.id}`;
		const changed = await sandbox.api.patch<Registered>(path, {
			data: { type: 'people', attributes: { fields, utm_source: 'phone' } },
		});
		expect(changed.status).toBe(200);
		const { registrant_detail, first_name } = changed.data.data.attributes;
		expect(first_name).toBe('Ada');
		expect(registrant_detail['utm_source']).toBe('phone');
		expect(registrant_detail.fields.find(({ id }) => id === 'company')?.value).toBe('Looms');
		expect(registrant_detail.fields.find(({ id }) => id === 'email')?.value).toBe(
			'ada@example.com',
		);
	});

	test('the email of a registered person is fixed', async () => {
		const { data } = await register('ada@example.com');
		const fields = [{ id: 'email', value: 'other@example.com' }];
		const { status } = await sandbox.api.patch(`${people}/${data.data.id}`, {
			data: { type: 'people', attributes: { fields } },
		});
		expect(status).toBe(422);
	});

	test('unregistering by id frees the place and keeps the person', async () => {
		const { data } = await register('ada@example.com');
		expect((await sandbox.api.delete(`${people}/${data.data.id}`)).status).toBe(204);
		expect((await sandbox.api.get(`${people}/${data.data.id}`)).status).toBe(404);
		expect((await sandbox.api.get(`/people/${data.data.id}`)).status).toBe(200);
		expect((await register('ada@example.com')).status).toBe(201);
	});

	test('unregistering by email, letter case aside', async () => {
		await register('ada@example.com');
		const params = { 'filter[email]': 'ADA@example.com' };
		expect((await sandbox.api.delete(people, { params })).status).toBe(204);
		expect((await sandbox.api.delete(people, { params })).status).toBe(404);
		expect((await sandbox.api.delete(people)).status).toBe(400);
	});

	test('the session counts who is registered', async () => {
		const count = async () => {
			const path = `/sessions/${upcomingSession}`;
			const { data } = await sandbox.api.get<Registered>(path);
			return (data.data.attributes as Record<string, unknown>)['registrants_count'];
		};
		const { data } = await register('ada@example.com');
		await register('bob@example.com');
		expect(await count()).toBe(2);
		await sandbox.api.delete(`${people}/${data.data.id}`);
		expect(await count()).toBe(1);
	});
});

describe('what happens in the room', () => {
	test('start, end, attendance and replay are told to the webhooks', async () => {
		const receiver = await openReceiver();
		closeAfterwards(receiver.close);
		const kinds = ['session.started', 'session.ended', 'people.attended', 'people.not_attended'];
		for (const event of [...kinds, 'people.watched_replay']) {
			const attributes = { url: receiver.url, event };
			await sandbox.api.post('/webhooks', { data: { type: 'webhooks', attributes } });
		}
		const ids: string[] = [];
		for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
			ids.push((await register(email)).data.data.id);
		}
		const control = (path: string) =>
			sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/${path}`);
		expect((await control('end')).status).toBe(409);
		expect((await control('start')).status).toBe(200);
		expect((await control('start')).status).toBe(409);
		expect((await control('end')).status).toBe(200);
		expect((await control(`people/${ids[0]}/watch_replay`)).status).toBe(200);
		await until(() => receiver.deliveries.length === 6);
		const heard = receiver.deliveries.map(({ body }) => {
			const { meta } = body['data'] as { meta: { webhook: { event: string } } };
			return meta.webhook.event;
		});
		expect(heard.toSorted()).toEqual(
			[...kinds, 'people.attended', 'people.watched_replay'].toSorted(),
		);
		expect((await register('late@example.com')).status).toBe(422);
	});
});
