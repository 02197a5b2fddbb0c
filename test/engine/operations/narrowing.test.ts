import type { INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { text } from '../../../nodes/EventPlatform/core/http/text';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { sandboxForTests, seededEvent, type TestSandbox } from '../../support/sandbox';
import { seededId } from '../../../sandbox/seed/ids';
import { makeEvent, makeRegistration, makeSession, makeUser } from './making';
import { byId, firstPage, noSuchId } from './operationCase';

const node = new EventPlatform();
/** The session that was held, with questions and recordings. */
const held = seededId('session', 5);
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests();
});

describe('the sessions of one event', () => {
	const of = (eventId: unknown) => ({
		resource: 'session',
		operation: 'getAll',
		filters: { eventId, status: 'upcoming' },
		options: { include: ['event'] },
	});

	test.each([
		['chosen from the list or by ID', byId(seededEvent)],
		[
			'by URL',
			{ __rl: true, mode: 'url', value: `https://app.livestorm.co/p/${seededEvent}/form` },
		],
		['as an expression gives it', '={{ $json.event }}'],
	])('are found among all sessions by the event, %s', async (_, eventId) => {
		const { items, requests } = await run(of(eventId), { event: seededEvent });
		expect(items.length).toBeGreaterThan(0);
		for (const item of items) {
			expect(item).toMatchObject({ event_id: seededEvent, status: 'upcoming' });
			expect(item.included).toMatchObject([{ id: seededEvent, type: 'events' }]);
		}
		expect(requests).toEqual([
			`GET /events/${seededEvent}/sessions?filter[status]=upcoming&include=event&${firstPage()}`,
		]);
	});

	test('are not all sessions when the filter gives no event', async () => {
		const { error, requests } = await run(of('={{ $json.nope }}'));
		expect(error?.message).toBe("The filter 'Event' is empty");
		expect(requests).toEqual([]);
	});

	test('take the same filters in the list of the event', async () => {
		const eventId = await makeEvent(sandbox);
		const id = await makeSession(sandbox, eventId);
		const list = (filters: object) =>
			run({ resource: 'event', operation: 'getSessions', eventId: byId(eventId), filters });
		const from = { dateFrom: '2027-01-01T00:00:00Z' };
		const upcoming = await list({ status: 'upcoming', ...from, includeBreakoutRooms: true });
		expect(upcoming.items.map((session) => session.id)).toEqual([id]);
		expect((await list({ status: 'past' })).items).toEqual([]);
		expect((await list({ dateTo: '2027-01-01T00:00:00Z' })).items).toEqual([]);
	});
});

describe('an empty ID', () => {
	test.each<[string, unknown]>([
		['by ID, blank', byId(' ')],
		['by ID, an expression of null', byId('={{ null }}')],
		['by URL, an expression without a value', byUrl('={{ $json.nope }}')],
	])('is refused in the same words: %s', async (_, sessionId) => {
		const { error, requests } = await run({ resource: 'session', operation: 'get', sessionId });
		expect(error?.message).toBe("'Session' is empty");
		expect(error?.description).toBe('Choose one, or give its ID.');
		expect(requests).toEqual([]);
	});

	test('that was never filled in is what n8n itself says of it, and no more', async () => {
		const running = run({ resource: 'session', operation: 'get', sessionId: byUrl('') });
		await expect(running).rejects.toThrow(/issues:\n- Parameter "Session" is required\.$/);
	});
});

describe('a filter that was added and gives nothing', () => {
	const list = (filters: object) =>
		run({ resource: 'session', operation: 'getPeople', sessionId: byId(held), filters });

	test.each([
		['an expression without a value', { email: '={{ $json.nope }}' }, "'Email'"],
		['blanks', { email: ' ' }, "'Email'"],
		['an object', { email: '={{ ({ a: 1 }) }}' }, "'Email'"],
		['an empty list', { role: '={{ [] }}' }, "'Role'"],
		['no date', { createdSince: '', updatedUntil: null }, "'Created Since' and 'Updated Until'"],
	])('is named instead of finding everybody: %s', async (_, filters, named) => {
		const { error, requests } = await list(filters);
		expect(error?.message).toBe(`The filter ${named} is empty`);
		expect(error?.description).toContain("'When a Filter Is Empty'");
		expect(requests).toEqual([]);
	});

	test('finds everybody when that is wanted, and the other filters count', async () => {
		const given = { email: '={{ $json.nope }}', createdSince: '', role: 'team_member' };
		const { error, requests } = await list({ ...given, emptyFilters: 'ignore' });
		expect(error).toBeUndefined();
		expect(requests).toEqual([
			`GET /sessions/${held}/people?filter[role]=team_member&${firstPage()}`,
		]);
	});
});

/** Where each operation that only names a record, or a list, sends its one request. */
test.each<[string, string, string, object]>([
	['GET /me', 'account', 'getMe', {}],
	['GET /organization', 'account', 'getOrganization', {}],
	['GET /events', 'event', 'getAll', {}],
	['GET /events/e1/sessions', 'event', 'getSessions', { eventId: byId('e1') }],
	['GET /people', 'person', 'getAll', {}],
	['GET /people/p1', 'person', 'get', { personId: byId('p1') }],
	['GET /people_attributes', 'personAttribute', 'getAll', {}],
	['GET /sessions', 'session', 'getAll', {}],
	['GET /sessions/s1', 'session', 'get', { sessionId: byId('s1') }],
	['GET /sessions/s1/questions', 'session', 'getQuestions', { sessionId: byId('s1') }],
	['GET /sessions/s1/recordings', 'session', 'getRecordings', { sessionId: byId('s1') }],
	['GET /sessions/s1/chat_messages', 'session', 'getChatMessages', { sessionId: byId('s1') }],
	['GET /users', 'user', 'getAll', {}],
	['DELETE /users/u1', 'user', 'delete', { userId: byId('u1') }],
	['GET /webhooks', 'webhook', 'getAll', {}],
	['DELETE /webhooks/w1', 'webhook', 'delete', { webhookId: byId('w1') }],
])('%s is sent by %s %s', async (address, resource, operation, of) => {
	const { requests } = await run({ resource, operation, ...of });
	expect(requests.map((request) => request.replace(/\?.*/, ''))).toEqual([address]);
});

test.each([
	['event', 'getAll', {}],
	['session', 'getAll', {}],
	['person', 'getAll', {}],
	['event', 'getPeople', { eventId: byId(seededId('event', 3)) }],
	['session', 'getPeople', { sessionId: byId(held) }],
])('records are told apart by their dates: %s %s', async (resource, operation, of) => {
	const count = async (filters: object) =>
		(await run({ resource, operation, ...of, filters })).items.length;
	const all = await count({});
	expect(all).toBeGreaterThan(0);
	for (const [early, late] of [
		['createdUntil', 'createdSince'],
		['updatedUntil', 'updatedSince'],
	] as const) {
		expect(await count({ [early]: '2001-01-01' })).toBe(0);
		expect(await count({ [late]: '2001-01-01', [early]: '2101-01-01' })).toBe(all);
		expect(await count({ [late]: '2101-01-01' })).toBe(0);
	}
});

test('events are told apart by their tags', async () => {
	const id = await makeEvent(sandbox);
	const tagged = await run({
		resource: 'event',
		operation: 'addTag',
		...{ eventId: byId(id), tag: 'spring' },
	});
	expect(tagged.items).toMatchObject([{ type: 'tags', title: 'spring' }]);
	const list = (tag: string) =>
		run({
			resource: 'event',
			operation: 'getAll',
			filters: { tag },
			options: { include: ['tags'] },
		});
	expect((await list('spring')).items).toMatchObject([{ id, included: [{ title: 'spring' }] }]);
	expect((await list('autumn')).items).toEqual([]);
});

describe('questions', () => {
	const list = (more: object = {}) => ({
		resource: 'session',
		operation: 'getQuestions',
		sessionId: byId(held),
		...more,
	});

	test('name who asked and who answered, in columns', async () => {
		const { items } = await run(list());
		expect(items).toMatchObject([
			{
				question: 'Will there be a replay?',
				asker_name: 'Noah Stone',
				asker_email: 'noah.stone@example.org',
				responder_name: 'Ines Gray',
				responder_email: 'ines.gray@example.org',
			},
			{ responder_name: 'Ines Gray' },
			{ responder_name: null, responder_email: null },
		]);
		expect(items[0]).not.toHaveProperty('included');
		expect(JSON.stringify(items)).not.toMatch(/connection_link|password_key/);
	});

	test('come as they are when nobody is asked for, or when they are not simplified', async () => {
		const plain = await run(list({ options: { include: [] } }));
		expect(plain.items[0]).not.toHaveProperty('asker_name');
		const raw = await run(list({ simplify: false, options: { include: ['asker'] } }));
		expect(raw.items[0]).toMatchObject({
			attributes: { question: 'Will there be a replay?' },
			included: [{ type: 'people', attributes: { first_name: 'Noah' } }],
		});
	});
});

test('people are told apart by whether they asked a question', async () => {
	const of = { resource: 'session', operation: 'getPeople', sessionId: byId(held) };
	const emails = async (filters: object) =>
		(await run({ ...of, returnAll: true, filters })).items.map(({ email }) => email);
	const asked = await emails({ askedQuestion: true });
	expect(asked).toContain('noah.stone@example.org');
	const others = await emails({ askedQuestion: false });
	expect([...asked, ...others].sort()).toEqual((await emails({})).sort());
});

test('a person is looked for in one event where one is named', async () => {
	const eventId = await makeEvent(sandbox);
	const personId = await makeRegistration(sandbox, await makeSession(sandbox, eventId));
	const get = (event: string) =>
		run({
			resource: 'person',
			operation: 'get',
			personId: byId(personId),
			options: { eventId: byId(event) },
		});
	const found = await get(eventId);
	expect(found.items).toMatchObject([{ id: personId, type: 'people' }]);
	expect(found.requests).toEqual([`GET /events/${eventId}/people/${personId}`]);
	expect((await get(seededEvent)).error?.message).toMatch(/^The platform cannot find the person/);
	expect((await get('')).error?.message).toBe("'Event' is empty");
});

describe('what is created', () => {
	test('an event has the questions of its registration form, the email first', async () => {
		const { items } = await run({
			resource: 'event',
			operation: 'create',
			title: 'With a form',
			options: { fields: ['fields', 'registration_page_enabled'] },
			additionalFields: {
				registrationPageEnabled: false,
				registrationForm: {
					question: [
						{ id: ' company ', type: 'text', required: true },
						{ id: 'topics', type: 'multiple', choices: 'Product, Pricing,', severalAnswers: true },
					],
				},
			},
		});
		const choices = [{ value: 'Product' }, { value: 'Pricing' }];
		expect(items).toMatchObject([
			{
				registration_page_enabled: false,
				fields: [
					{ id: 'email', type: 'text', required: true, order: 0 },
					{ id: 'company', type: 'text', required: true, order: 1 },
					{
						id: 'topics',
						type: 'multiple',
						required: false,
						order: 2,
						options: { items: choices, multiple_answers: true },
					},
				],
			},
		]);
	});

	test('a session has its name and its team from the start', async () => {
		const userId = await makeUser(sandbox);
		const users = await sandbox.api.get<{
			data: Array<{ id: string; attributes: { email: string } }>;
		}>('/users');
		const user = users.data.data.find(({ id }) => id === userId);
		const create = (teamMembers: unknown) =>
			run({
				resource: 'session',
				operation: 'create',
				eventId: byId(seededEvent),
				estimatedStartedAt: '2027-05-01T18:00:00Z',
				timezone: 'UTC',
				additionalFields: { name: 'Morning', teamMembers },
			});
		const { items } = await create([userId]);
		expect(items).toMatchObject([{ name: 'Morning' }]);
		const { data } = await sandbox.api.get<{ data: Array<{ attributes: { email: string } }> }>(
			`/sessions/${text(items[0]?.id)}/people?filter[role]=team_member`,
		);
		expect(data.data.map(({ attributes }) => attributes.email)).toEqual([user?.attributes.email]);
		expect((await create(noSuchId)).error?.description).toMatch(/There is no user/);
	});
});

function byUrl(value: string) {
	return { __rl: true, mode: 'url', value };
}

async function run(parameters: object, item = {}) {
	const before = (await sandbox.requests()).length;
	const { items, error } = await runWorkflow({
		node,
		credential: tokenCredential(sandbox),
		parameters: parameters as INodeParameters,
		items: [item],
	});
	const requests = (await sandbox.requests()).slice(before);
	return {
		items: items.map(({ json }) => json),
		error,
		requests: requests.map(({ method, path, query }) => {
			const told = Object.entries(query)
				.map(([name, value]) => `${name}=${value}`)
				.sort();
			return `${method} ${path.replace('/v1', '')}${told.length > 0 ? `?${told.join('&')}` : ''}`;
		}),
	};
}
