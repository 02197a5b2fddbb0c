import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { seededId } from '../../../sandbox/seed/ids';
import { connectThroughConsent, Engine, tokenCredential } from '../../support/engine';
import type { Credential } from '../../support/engineCredentials';
import {
	sandboxForTests,
	seededEvent,
	upcomingSession,
	type TestSandbox,
} from '../../support/sandbox';
import { byId } from './operationCase';

const node = new EventPlatform();
const { listSearch, resourceMapping } = node.methods;
let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests({ seedEvents: 60, seedPeople: 130 });
});

test.each([
	['registration', 'bulkRegister', 'Bulk register people'],
	['session', 'getAll', 'Get many sessions'],
])('a node on the canvas says what it does: %s %s', (resource, operation, words) => {
	const { workflow, node: placed } = new Engine({ node, parameters: { resource, operation } });
	const { subtitle } = node.description;
	const said = workflow.expression.getSimpleParameterValue(placed, subtitle, 'internal', {});
	expect(said).toBe(words);
});

describe('the list of events', () => {
	test('comes in pages of fifty, as people scroll', async () => {
		const first = await listSearch.searchEvents.call(editor());
		const second = await listSearch.searchEvents.call(editor(), undefined, first.paginationToken);
		expect(first.results).toHaveLength(50);
		expect(second.results).toHaveLength(10);
		expect(second.paginationToken).toBeUndefined();
		expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(60);
		expect(first.results[0]).toEqual({
			name: 'Product Tour: Autumn Release · upcoming',
			value: seededEvent,
			url: expect.stringMatching(/^https?:/) as string,
		});
	});

	test('is searched by title, on the platform', async () => {
		const { results } = await listSearch.searchEvents.call(editor(), 'product tour');
		expect(results.length).toBe(10);
		expect(results.every(({ name }) => name.startsWith('Product Tour'))).toBe(true);
	});
});

describe('the list of sessions', () => {
	test('shows status, title, date and zone: first those to come, canceled ones last', async () => {
		const { results, paginationToken } = await listSearch.searchSessions.call(editor());
		expect(results).toHaveLength(50);
		expect(paginationToken).toBe('1');
		const session = results.find(({ value }) => value === upcomingSession);
		expect(session?.name).toMatch(
			/^\d{1,2} [A-Z][a-z]{2}( \d{4})? \d{2}:\d{2} Paris · Product Tour: Autumn… · Europe · upcoming$/,
		);
		const toCome = results.filter(({ name }) => / (live|upcoming)$/.test(name));
		const canceled = results.filter(({ name }) => name.endsWith(' canceled'));
		const past = results.filter((one) => !toCome.includes(one) && !canceled.includes(one));
		expect(toCome.length * past.length * canceled.length).toBeGreaterThan(0);
		expect(results).toEqual([...toCome, ...past, ...canceled]);
		const starts = await startsOfSessions();
		const dates = (some: typeof results) => some.map(({ value }) => starts.get(value) ?? NaN);
		expect(dates(toCome)).toEqual(dates(toCome).sort((a, b) => a - b));
		expect(dates(past)).toEqual(dates(past).sort((a, b) => b - a));
	});

	test('is searched by the title of the event', async () => {
		const { results } = await listSearch.searchSessions.call(editor(), 'onboarding');
		expect(results.length).toBeGreaterThan(0);
		expect(results.every(({ name }) => name.includes('· Customer Onboarding'))).toBe(true);
	});
});

test('a time zone is found by its city', async () => {
	const { results } = await listSearch.searchTimezones.call(editor(), 'new york');
	expect(results).toEqual([{ name: 'America/New York', value: 'America/New_York' }]);
});

describe('the list of people', () => {
	test('shows names and addresses, page by page', async () => {
		const { results, paginationToken } = await listSearch.searchPeople.call(editor());
		expect(results).toHaveLength(50);
		expect(paginationToken).toBe('1');
		expect(results[0]?.name).toMatch(/^\w+ \w+ \(.+@.+\)$/);
	});

	test('is searched by a whole address on the platform', async () => {
		const before = (await sandbox.requests()).length;
		const { results } = await listSearch.searchPeople.call(editor(), 'person120@example.com');
		expect(results.map(({ value }) => value)).toEqual([seededId('person', 120)]);
		expect((await sandbox.requests()).length - before).toBe(1);
	});

	test('is searched by part of a name, as far as there are pages', async () => {
		const { results } = await listSearch.searchPeople.call(editor(), 'person129');
		expect(results.map(({ value }) => value)).toEqual([seededId('person', 129)]);
		const none = await listSearch.searchPeople.call(editor(), 'Nobody At All');
		expect(none).toEqual({ results: [], paginationToken: undefined });
	});

	test('holds the people of the chosen session where one is chosen', async () => {
		const { results } = await listSearch.searchSessionPeople.call(
			editor({ sessionId: byId(upcomingSession) }),
		);
		expect(results).toHaveLength(50);
		await expect(
			listSearch.searchSessionPeople.call(editor({ sessionId: byId('') })),
		).rejects.toThrow('Choose the session first');
	});
});

test('the list of recordings holds those of the chosen session', async () => {
	const recordingsOf = (session: string) =>
		editor({
			resource: 'session',
			operation: 'downloadRecording',
			sessionId: byId(session),
		});
	const { results } = await listSearch.searchRecordings.call(recordingsOf(seededId('session', 5)));
	expect(results.map(({ name }) => name)).toEqual([
		expect.stringMatching(/^session\.mp4 · video · \d{4}-\d\d-\d\d \d\d:\d\d$/),
		expect.stringMatching(/^session\.mp3 · audio · /),
	]);
	await expect(listSearch.searchRecordings.call(editor({ sessionId: byId('') }))).rejects.toThrow(
		'Choose the session first',
	);
});

describe('the lists of users and webhooks', () => {
	test('show who it is and what they may do, and are searched by both', async () => {
		const { results } = await listSearch.searchUsers.call(editor());
		expect(results).toContainEqual({
			name: 'Olivia Owner (olivia.owner@example.com) · owner',
			value: expect.any(String) as string,
		});
		expect(await node.methods.loadOptions.users.call(editor())).toEqual(results);
		for (const wanted of ['olivia.owner@example.com', 'Olivia O', 'OWNER']) {
			const found = await listSearch.searchUsers.call(editor(), wanted);
			expect(found.results.map(({ name }) => name)).toEqual([
				'Olivia Owner (olivia.owner@example.com) · owner',
			]);
		}
	});

	test('show what a webhook tells and where, without the key in its address', async () => {
		const { data } = await sandbox.api.post<{ data: { id: string } }>('/webhooks', {
			data: {
				type: 'webhooks',
				attributes: { url: 'https://hooks.example.com/a?key=hidden', event: 'session.ended' },
			},
		});
		const { results } = await listSearch.searchWebhooks.call(editor(), 'session.ended');
		expect(results).toEqual([
			{ name: 'session.ended · https://hooks.example.com/a', value: data.data.id },
		]);
	});

	test('name the scope that they need', async () => {
		const { baseUrl, authServerUrl, clientId, clientSecret } = sandbox;
		const { credential } = await connectThroughConsent(sandbox, {
			type: 'eventPlatformOAuth2Api',
			data: { baseUrl, authServerUrl, clientId, clientSecret },
		});
		await expect(listSearch.searchUsers.call(editor({}, credential))).rejects.toThrow(
			/lacks the scope admin:read/,
		);
	});
});

test('a list that cannot be read says why', async () => {
	const credential = tokenCredential({ ...sandbox, apiToken: 'wrong' });
	await expect(listSearch.searchEvents.call(editor({}, credential))).rejects.toThrow(
		'The platform did not accept the credential (401)',
	);
});

describe('the fields of a registration', () => {
	test('are those of the form of the session, typed and marked', async () => {
		const before = (await sandbox.requests()).length;
		const { fields } = await form({ sessionId: byId(upcomingSession) });
		expect(fields).toMatchObject([
			{ id: 'email', displayName: 'Email', type: 'string', required: true },
			{ id: 'first_name', displayName: 'First Name (required)', type: 'string', required: false },
			{ id: 'last_name', displayName: 'Last Name (required)', type: 'string', required: false },
			{ id: 'company', displayName: 'Company (required)', type: 'string', required: false },
			{
				id: 'team_size',
				displayName: 'Team Size',
				type: 'options',
				required: false,
				options: ['1-10', '11-100', '100+'].map((value) => ({ name: value, value })),
			},
			{
				id: 'interests',
				displayName: 'Interests (Product, Pricing, Integrations)',
				type: 'string',
				required: false,
			},
		]);
		expect((await sandbox.requests()).length - before).toBe(1);
	});

	test.each([
		['the session comes from an expression', byId('={{ $json.session }}')],
		['the session does not exist', byId('00000000-0000-4000-8000-00000000dead')],
	])('are the attributes of the workspace when %s', async (_, sessionId) => {
		const { fields } = await form({ sessionId });
		expect(fields.map(({ id, type }) => `${id}: ${type}`)).toEqual([
			'email: string',
			'first_name: string',
			'last_name: string',
			'avatar: string',
			'company: string',
			'job_title: string',
			'website: string',
			'consent: string',
			'team_size: options',
			'interests: string',
		]);
		expect(fields.filter(({ required }) => required).map(({ id }) => id)).toEqual(['email']);
	});

	test('are the three that always exist when the token may read neither', async () => {
		const narrow = await sandboxForTests({ scope: 'webhooks:write' });
		const { baseUrl, authServerUrl, clientId, clientSecret } = narrow;
		const { credential } = await connectThroughConsent(narrow, {
			type: 'eventPlatformOAuth2Api',
			data: { baseUrl, authServerUrl, clientId, clientSecret, scopes: ['webhooks:write'] },
		});
		const { fields } = await form({ sessionId: byId(upcomingSession) }, credential);
		expect(fields.map(({ id }) => id)).toEqual(['email', 'first_name', 'last_name']);
	});

	test('need no email where somebody is registered already', async () => {
		const { fields } = await resourceMapping.registrationAnswers.call(
			editor({ operation: 'update', sessionId: byId(upcomingSession) }),
		);
		expect(fields.map(({ id }) => id)).toContain('email');
		expect(fields.filter(({ required }) => required)).toEqual([]);
		expect(fields.map(({ displayName }) => displayName)).toContain('Company');
	});
});

/** As the platform says them. */
async function startsOfSessions() {
	type Sessions = { data: Array<{ id: string; attributes: { estimated_started_at: number } }> };
	const { data: answer } = await sandbox.api.get<Sessions>('/sessions?page[size]=50');
	return new Map<unknown, number>(
		answer.data.map(({ id, attributes }) => [id, attributes.estimated_started_at]),
	);
}

function form(parameters: INodeParameters, credential?: Credential) {
	return resourceMapping.registrationForm.call(editor(parameters, credential));
}

function editor(parameters: INodeParameters = {}, credential?: Credential): ILoadOptionsFunctions {
	return new Engine({
		node,
		credential: credential ?? tokenCredential(sandbox),
		parameters: { resource: 'registration', operation: 'unregister', by: 'person', ...parameters },
	}).editorContext();
}
