import '../support/time/fasterClock';
import { text } from '../../nodes/EventPlatform/core/values/text';
import type { SandboxOptions } from '../../sandbox/options';
import { seededId } from '../../sandbox/seed/ids';
import { mapped, operate } from '../support/n8n/operation';
import { type Page } from '../support/platform/requests';
import { type TestSandbox } from '../support/platform/sandbox';
import { WebhookHost } from '../support/n8n/webhookHost';
import {
	answering,
	exactPlatform,
	heldSession,
	registeredAt,
	registerInBulk,
	registerOne,
	tasksSent,
	wholePlatform,
} from './scene';
import { byId } from '../support/n8n/locators';
import { seededEvent, upcomingSession } from '../support/platform/seededIds';

let sandbox: TestSandbox;
/** It has what the specification names without specifying it. */
let whole: TestSandbox;
beforeAll(async () => {
	[sandbox, whole] = await Promise.all([
		exactPlatform({ seedPeople: 3 }),
		wholePlatform({ seedPeople: 3 }),
	]);
});

const ofHeld = { sessionId: byId(heldSession) };
const people = `/sessions/${upcomingSession}/people`;

describe('4.3 Other specified operations', () => {
	test('Data endpoints speak JSON', async () => {
		const { credential, seen } = await answering(() => ({ status: 403, body: '' }));
		await registerOne(sandbox, { email: 'json@example.org' }, {}, { credential });
		await operate(sandbox, 'event.getAll', {}, { credential });
		expect(seen.map(({ headers }) => headers.accept)).toEqual(seen.map(() => 'application/json'));
		expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
	});

	test('GET /events lists the events, in pages', async () => {
		const { records, sent } = await operate(sandbox, 'event.getAll', { limit: 2 });
		expect(sent).toEqual(['GET /events?page[number]=0&page[size]=2']);
		expect(records.map(({ type }) => type)).toEqual(['events', 'events']);
	});

	test('POST /sessions/:id/people registers one person', async () => {
		const { records, sent } = await registerOne(sandbox, { email: 'client@example.org' });
		expect(sent).toContain(`POST ${people}`);
		expect(records).toMatchObject([{ status: 'registered', email: 'client@example.org' }]);
	});

	test('It takes the same attributes as a task of bulk registration', async () => {
		const answers = { email: 'equal@example.org', first_name: 'Ada', company: 'Acme' };
		const more = { additionalFields: { referrer: 'https://example.org', utmSource: 'mail' } };
		const single = await registerOne(sandbox, answers, more);
		const many = await registerInBulk(sandbox, [answers], more);
		const sent = single.requests.find(({ method }) => method === 'POST')?.body;
		const attributes = tasksSent(many.requests)[0];
		expect(sent).toEqual({ data: { type: 'people', attributes } });
	});

	const bodies: Array<SandboxOptions['registrationAnswer']> = [
		'wrapped',
		'record',
		'noId',
		'ok',
		'empty',
	];
	const statuses: Array<SandboxOptions['registrationStatus']> = ['201', '200', '202', '204'];

	/** Somebody is registered with one request, whatever the platform answers. */
	async function isRegisteredOnce(traits: Partial<SandboxOptions>, email: string) {
		await sandbox.changeWorld(traits);
		const { records, error, requests } = await registerOne(sandbox, { email });
		await sandbox.changeWorld({ registrationAnswer: 'wrapped', registrationStatus: '201' });
		expect(error).toBeUndefined();
		expect(records).toMatchObject([{ status: 'registered', type: 'people', email }]);
		expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
		expect(await registeredAt(sandbox)).toContain(email);
	}

	test.each(bodies)(
		'What it answers is not specified: a person is registered whatever the body is (%j)',
		(registrationAnswer) =>
			isRegisteredOnce({ registrationAnswer }, `${registrationAnswer.toLowerCase()}@example.org`),
	);

	test.each(statuses)(
		'Its status is not specified: a person is registered with any 2xx (%j)',
		(registrationStatus) =>
			isRegisteredOnce({ registrationStatus }, `with-${registrationStatus}@example.org`),
	);

	const attributeShapes: Array<SandboxOptions['attributesShape']> = ['slug', 'flat', '404', '403'];
	test.each(attributeShapes)(
		'What /people_attributes gives is not specified: no column of an item is dropped (%j)',
		async (attributesShape) => {
			await sandbox.changeWorld({ attributesShape });
			const person = {
				email: `of-${attributesShape}@example.org`,
				first_name: 'Ada',
				company: 'Acme',
				job_title: 'Engineer',
			};
			const { records, requests } = await registerInBulk(sandbox, [person], {
				fields: mapped(null),
			});
			await sandbox.changeWorld({ attributesShape: 'slug' });
			const fields = Object.entries(person).map(([id, value]) => ({ id, value }));
			expect(tasksSent(requests)).toEqual([{ fields }]);
			expect(records).toMatchObject([{ status: 'registered' }]);
		},
	);

	const listed = {
		people_attributes: ['/people_attributes', 'personAttribute.getAll'],
		questions: [`/sessions/${heldSession}/questions`, 'session.getQuestions'],
		recordings: [`/sessions/${heldSession}/recordings`, 'session.getRecordings'],
		chat_messages: [`/sessions/${heldSession}/chat_messages`, 'session.getChatMessages'],
	} as const;

	async function isReadByTheClient(kind: keyof typeof listed) {
		const [path, operation] = listed[kind];
		const { records, requests } = await operate(sandbox, operation, ofHeld);
		expect(requests.at(-1)).toMatchObject({ path: `/v1${path}`, status: 200 });
		expect(records.length).toBeGreaterThan(0);
		expect(new Set(records.map(({ type }) => type))).toEqual(new Set([kind]));
	}

	test('GET /people_attributes lists the attributes of people', () =>
		isReadByTheClient('people_attributes'));

	test('GET /sessions/:id/questions lists the questions of a session', () =>
		isReadByTheClient('questions'));

	test('GET /sessions/:id/recordings lists the recordings of a session', () =>
		isReadByTheClient('recordings'));

	test('GET /sessions/:id/chat_messages lists the chat of a session', () =>
		isReadByTheClient('chat_messages'));

	test.each(Object.keys(listed) as Array<keyof typeof listed>)(
		'What these four give is not specified: it is handed on as it came (%j)',
		async (kind) => {
			const record = { id: 'r1', type: kind, attributes: { a: 1, b: [{ c: null }] }, more: 'd' };
			const meta = { current_page: 0, next_page: null };
			const { credential } = await answering(() => ({ body: { data: [record], meta } }));
			const asked = { ...ofHeld, simplify: false };
			const outcome = await operate(sandbox, listed[kind][1], asked, { credential });
			expect(outcome.records).toEqual([record]);
		},
	);
});

describe('4.3 Endpoints that are named, but not specified', () => {
	const firstId = async (path: string) => (await whole.api.get<Page>(path)).data.data[0]?.id;

	/** The path that an operation asks for, and what the first record is. */
	async function read(operation: string, parameters: object = {}) {
		const { records, requests, error } = await operate(whole, operation, parameters);
		expect(error).toBeUndefined();
		expect(requests.map(({ status }) => status)).toEqual([200]);
		return `${requests[0]?.path} ${text(records[0]?.type)}`;
	}

	test('/me and /organization exist', async () => {
		expect(await read('account.getMe')).toBe('/v1/me users');
		expect(await read('account.getOrganization')).toBe('/v1/organization organizations');
	});

	test('/users exists, with what is below it', async () => {
		expect(await read('user.getAll')).toBe('/v1/users users');
	});

	test('/people exists, with what is below it', async () => {
		const id = await firstId('/people');
		expect(await read('person.getAll')).toBe('/v1/people people');
		expect(await read('person.get', { personId: byId(id) })).toBe(`/v1/people/${id} people`);
	});

	test('/sessions exists, with what is below it', async () => {
		const path = `/v1/sessions/${heldSession}`;
		expect(await read('session.getAll')).toBe('/v1/sessions sessions');
		expect(await read('session.get', ofHeld)).toBe(`${path} sessions`);
		expect(await read('session.getPeople', ofHeld)).toBe(`${path}/people people`);
	});

	test('/events exists, with what is below it', async () => {
		const eventId = byId(seededEvent);
		const path = `/v1/events/${seededEvent}`;
		expect(await read('event.get', { eventId })).toBe(`${path} events`);
		expect(await read('event.getSessions', { eventId })).toBe(`${path}/sessions sessions`);
	});

	test('/webhooks exists, with what is below it', async () => {
		const id = await whole.subscribe('http://127.0.0.1:9/client', 'job.ended');
		expect(await read('webhook.getAll')).toBe('/v1/webhooks webhooks');
		const { sent } = await operate(whole, 'webhook.delete', { webhookId: id });
		expect(sent).toEqual([`DELETE /webhooks/${id}`]);
	});

	const longAgo = '2001-01-01T00:00:00Z';
	const farAhead = '2101-01-01T00:00:00Z';

	async function isFilteredByTheClient(operation: string, parameters: object = {}) {
		const count = async (filters: object) =>
			(await operate(whole, operation, { ...parameters, returnAll: true, filters })).records.length;
		const all = await count({});
		expect(all).toBeGreaterThan(0);
		expect(await count({ createdSince: farAhead })).toBe(0);
		expect(await count({ createdUntil: longAgo })).toBe(0);
		expect(await count({ updatedSince: farAhead })).toBe(0);
		expect(await count({ updatedUntil: longAgo })).toBe(0);
		expect(await count({ createdSince: longAgo, updatedUntil: farAhead })).toBe(all);
	}

	test('Dates filter events', () => isFilteredByTheClient('event.getAll'));

	test('Dates filter sessions', () => isFilteredByTheClient('session.getAll'));

	test('Dates filter people', async () => {
		await isFilteredByTheClient('person.getAll');
		await isFilteredByTheClient('session.getPeople', ofHeld);
		await isFilteredByTheClient('event.getPeople', { eventId: byId(seededId('event', 3)) });
	});

	test('Sessions have a name', async () => {
		const { records } = await operate(whole, 'session.create', {
			eventId: byId(seededEvent),
			estimatedStartedAt: '2027-05-01T18:00:00Z',
			timezone: 'UTC',
			additionalFields: { name: 'Evening' },
		});
		expect(records).toMatchObject([{ type: 'sessions', name: 'Evening' }]);
		const sessionId = byId(records[0]?.id as string);
		const updateFields = { name: 'Night' };
		await operate(whole, 'session.update', { sessionId, updateFields });
		const read = await operate(whole, 'session.get', { sessionId });
		expect(read.records).toMatchObject([{ name: 'Night' }]);
	});

	test('Events have tags', async () => {
		await operate(whole, 'event.addTag', { eventId: byId(seededEvent), tag: 'autumn' });
		const tagged = async (tag: string) =>
			(await operate(whole, 'event.getAll', { filters: { tag } })).records;
		expect(await tagged('winter, autumn')).toMatchObject([{ id: seededEvent }]);
		await operate(whole, 'event.removeTag', { eventId: byId(seededEvent), tag: 'autumn' });
		expect(await tagged('autumn')).toEqual([]);
	});

	// _Automatic_ follows public pages: POST /webhooks with an address and an event. _Manual_ asks the platform for nothing.
	test('How webhooks are made and managed is not specified', async () => {
		const automatic = await WebhookHost.start(whole, { parameters: {} });
		await automatic.activate();
		const [ours] = (await whole.subscriptions()).filter(({ url }) => url.startsWith(automatic.url));
		expect(ours).toMatchObject({ event: 'job.ended' });
		await automatic.deactivate();
		const before = (await whole.requests()).length;
		const parameters = { subscription: 'manual' };
		const manual = await WebhookHost.start(whole, { parameters });
		await manual.activate();
		expect(await whole.requests()).toHaveLength(before);
	});
});
