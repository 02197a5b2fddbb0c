import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { EventPlatformPollingTrigger } from '../../../nodes/EventPlatform/EventPlatformPollingTrigger.node';
import { EventPlatformTrigger } from '../../../nodes/EventPlatform/EventPlatformTrigger.node';
import { startPlatform } from '../../support/n8n/startPlatform';
import { Engine } from '../../support/n8n/engine';
import type { Credential } from '../../support/n8n/engineCredentials';
import { sandboxForTests, sandboxOfFile } from '../../support/platform/sandbox';
import { makeEvent, makeSession } from '../../support/platform/platformRecords';
import { connectThroughConsent, tokenCredential } from '../../support/n8n/engineConsent';
import {
	heldSession,
	seededEvent,
	unknownId,
	upcomingSession,
} from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

const node = new EventPlatform();
const { listSearch, resourceMapping, loadOptions } = node.methods;
type SearchName = keyof typeof listSearch;
const sandbox = sandboxOfFile({ seedEvents: 60, seedPeople: 130 });

const fromList = { __rl: true, mode: 'list', value: 's1', cachedResultName: '29 Nov 10:00 · Tour' };

test.each([
	['registration', 'bulkRegister', {}, 'Bulk register people'],
	['session', 'getAll', {}, 'Get many sessions'],
	[
		'registration',
		'bulkRegister',
		{ sessionId: fromList },
		'Bulk register people: 29 Nov 10:00 · Tour',
	],
	['registration', 'bulkRegister', { sessionId: byId('s1') }, 'Bulk register people'],
	['event', 'get', { eventId: { ...fromList, cachedResultName: 'Tour' } }, 'Get event: Tour'],
])('a node on the canvas says what it does, and for which session: %s %s %j', (...row) => {
	const [resource, operation, chosen, words] = row;
	const parameters = { resource, operation, ...chosen };
	const { workflow, node: placed } = new Engine({ node, parameters });
	const { subtitle } = node.description;
	const said = workflow.expression.getSimpleParameterValue(placed, subtitle, 'internal', {});
	expect(said).toBe(words);
});

test.each([
	['by the polling trigger', new EventPlatformPollingTrigger(), { sessionId: fromList }],
	['by the trigger', new EventPlatformTrigger(), { options: { sessionId: fromList } }],
	['by its event', new EventPlatformTrigger(), { options: { eventId: fromList } }],
])('a trigger on the canvas names the record that limits it: %s', (_, trigger, chosen) => {
	const parameters = { events: ['session.ended'], ...chosen };
	const { workflow, node: placed } = new Engine({ node: trigger, parameters });
	const { subtitle } = trigger.description;
	const said = workflow.expression.getSimpleParameterValue(placed, subtitle, 'internal', {});
	expect(said).toBe('Session Ended: 29 Nov 10:00 · Tour');
});

test('the list of events comes in pages of fifty, as people scroll', async () => {
	const first = await search('searchEvents');
	const second = await search('searchEvents', undefined, {}, first.paginationToken);
	expect([first.values.length, second.values.length]).toEqual([50, 10]);
	expect(second.paginationToken).toBeUndefined();
	expect(new Set([...first.values, ...second.values]).size).toBe(60);
	expect(first.results[0]).toEqual({
		name: 'Product Tour: Autumn Release · upcoming',
		value: seededEvent,
		url: expect.stringMatching(/^https?:/) as string,
	});
});

test('the list of sessions has pages of fifty: the next to come first, then the latest that are over, canceled ones last', async () => {
	const list = await search('searchSessions');
	expect([list.results.length, list.paginationToken]).toEqual([50, '1']);
	// What differs among the dates of an event stands before the title, and no status of those to come.
	const session = list.results.find(({ value }) => value === upcomingSession);
	expect(session?.name).toMatch(
		/^\d{1,2} [A-Z][a-z]{2} \d{4}, \d{2}:\d{2} Paris · Europe · Product Tour: Autumn Release$/,
	);
	const query = 'SELECT estimated_started_at AS date FROM sessions WHERE id = ?';
	const startsOf = (sessions: INodeListSearchItems[]) =>
		sessions.map(({ value }) => Number(sandbox.platform.store.get(query, String(value))?.date));
	const toCome = list.results.filter(({ description = '' }) => /live|upcoming/.test(description));
	const canceled = list.results.filter(({ name }) => name.includes(' · canceled · '));
	const past = list.results.filter((entry) => !toCome.includes(entry) && !canceled.includes(entry));
	expect(toCome.length * past.length * canceled.length).toBeGreaterThan(0);
	expect(list.results).toEqual([...toCome, ...past, ...canceled]);
	expect(startsOf(toCome)).toEqual(startsOf(toCome).sort((a, b) => a - b));
	expect(startsOf(past)).toEqual(startsOf(past).sort((a, b) => b - a));
});

const olivia = 'Olivia Owner (olivia.owner@example.com) · owner';

/** How many names are found, and what each of them has. `next`: the page to go on with, where enough was found before the last one. */
type Search = [
	list: keyof typeof listSearch,
	text: string,
	count: number,
	part: string,
	requests: number,
	next: string | undefined,
];

test.each<Search>([
	['searchEvents', 'product tour', 10, 'Product Tour', 1, undefined],
	['searchSessions', 'onboarding', 20, '· Customer Onboarding', 2, '1'],
	['searchPeople', 'person120@example.com', 1, '(person120@example.com)', 1, undefined],
	['searchPeople', 'person120@', 1, '(person120@example.com)', 3, undefined],
	['searchPeople', 'person129', 1, '(person129@example.com)', 3, undefined],
	['searchPeople', 'Nobody At All', 1, 'No people match', 3, undefined],
	['searchUsers', 'olivia.owner@example.com', 1, olivia, 1, undefined],
	['searchUsers', 'OWNER', 1, olivia, 1, undefined],
	['searchTimezones', 'new york', 1, 'America/New York', 0, undefined],
	['searchTimezones', 'America/New_York', 1, 'America/New York', 0, undefined],
])(
	'%s for "%s" finds %i with "%s", in %i requests',
	async (list, text, count, part, requests, next) => {
		const before = (await sandbox.requests()).length;
		const { names, paginationToken } = await search(list, text);
		expect([names.length, paginationToken]).toEqual([count, next]);
		expect(names.filter((name) => !name.includes(part))).toEqual([]);
		expect((await sandbox.requests()).length - before).toBe(requests);
	},
);

test('a session that was found by the title of its event does not come again as people scroll, and a further one comes', async () => {
	const further = await makeSession(sandbox, undefined, { name: 'Onboarding' });
	const first = await search('searchSessions', 'onboarding');
	const second = await search('searchSessions', 'onboarding', {}, first.paginationToken);
	expect(first.values).toHaveLength(20);
	await sandbox.api.delete(`/sessions/${further}`);
	expect(second.values).toEqual([further]);
});

test('the line that nothing matches does not come below hits', async () => {
	const { results } = await search('searchPeople', 'Nobody At All', {}, '2');
	expect(results).toEqual([]);
});

describe('one of sixty dates of an event', () => {
	const year = new Date().getUTCFullYear() + 2;

	beforeAll(async () => {
		const title = 'Customer Onboarding for Everybody Who Is New Here';
		const daily = await makeEvent(sandbox, { title });
		for (let day = 1; day <= 60; day++) {
			const [language, timezone] =
				day % 2 === 0 ? ['English', 'Europe/London'] : ['Français', 'Europe/Paris'];
			const start = new Date(Date.UTC(year, 0, day, 10)).toISOString();
			const attributes = { name: `${language} #${day}`, timezone, estimated_started_at: start };
			await sandbox.api.post(`/events/${daily}/sessions`, {
				data: { type: 'sessions', attributes },
			});
		}
	});

	test.each([
		['its name', 'English #40', 1],
		['its name without accents', 'francais #41', 1],
		['its date', `14 Jan ${year}`, 1],
		['its month', 'feb français everybody', 14],
		['a word of a long title, and the city', 'everybody london', 30],
		['its year and its language in any order', `english ${year}`, 30],
		['its status, which is not shown', 'upcoming #60', 1],
	])('is found by %s: "%s"', async (_, typed, count) => {
		const { names } = await search('searchSessions', typed, { sessionId: byId(upcomingSession) });
		expect(names).toHaveLength(count);
		expect(names.filter((name) => !name.includes('Customer Onboarding for Everybody'))).toEqual([]);
	});

	test('is not confused with the chosen one: a list of nothing says so, in a line that cannot be chosen', async () => {
		const { results } = await search('searchSessions', 'English #99');
		expect(results).toEqual([{ name: 'No sessions match "English #99"', value: false }]);
	});
});

describe('a list of the session that is chosen', () => {
	test('holds its people, or its recordings', async () => {
		const people = await search('searchSessionPeople', '', of(upcomingSession));
		expect(people.values).toHaveLength(50);
		const recordings = await search('searchRecordings', '', of(heldSession));
		expect(recordings.names).toEqual([
			expect.stringMatching(/^session\.mp4 · video · \d{4}-\d\d-\d\d \d\d:\d\d$/),
			expect.stringMatching(/^session\.mp3 · audio · /),
		]);
	});

	test.each(['searchSessionPeople', 'searchRecordings'] as const)(
		'cannot be shown before one is chosen: %s',
		async (list) => {
			await expect(search(list, '', of(''))).rejects.toThrow('Choose the session first');
		},
	);
});

describe('on a platform that does not have what a list would use', () => {
	const searchOn = async (
		answers: Partial<Record<string, object>>,
		list: SearchName,
		text = '',
	) => {
		const { credential, seen } = await startPlatform((response, { url = '' }) => {
			const { pathname, searchParams } = new URL(url, 'http://platform');
			const asked = [...searchParams.keys()].filter((name) => !name.startsWith('page'));
			const answer = answers[[pathname.replace('/v1', ''), ...asked].join(' ')];
			const isUnknown = answer === undefined && asked.length > 0;
			response.statusCode = answer === undefined ? (isUnknown ? 400 : 404) : 200;
			response.end(JSON.stringify(answer ?? { errors: [] }));
		});
		const context = editor(of(upcomingSession), credential);
		const { results } = await listSearch[list].call(context, text);
		return { names: results.map(({ name }) => name), requests: seen.length };
	};

	test.each<[SearchName, object, string]>([
		['searchSessions', {}, 'sessions'],
		['searchPeople', {}, 'people'],
		['searchSessionPeople', {}, 'people of this session'],
		['searchRecordings', {}, 'recordings of this session'],
		['searchUsers', {}, 'users'],
		['searchWebhooks', {}, 'webhooks'],
	])('%s says to enter the ID', async (list, answers, things) => {
		await expect(searchOn({ ...answers }, list)).rejects.toThrow(
			`The platform does not list the ${things}: choose 'By ID' and enter the ID.`,
		);
	});
});

test('the fields of a new form are chosen from the attributes, by the names that answers have', async () => {
	const { results } = await search('searchAttributes', 'interests');
	expect(results).toEqual([
		{ name: 'Interests · Product, Pricing, Integrations', value: 'interests' },
	]);
	expect((await search('searchAttributes')).values).toContain('consent');
});

describe('the lists of users and webhooks', () => {
	test('are read whole, as options too', async () => {
		const { results, names } = await search('searchUsers');
		expect(names).toContain(olivia);
		expect(await loadOptions.users.call(editor())).toEqual(results);
	});

	test('show what a webhook tells and where, without the key in its address', async () => {
		const attributes = { url: 'https://hooks.example.com/a?key=hidden', event: 'session.ended' };
		await sandbox.api.post('/webhooks', { data: { type: 'webhooks', attributes } });
		const { names } = await search('searchWebhooks', 'session.ended');
		expect(names).toEqual(['session.ended · https://hooks.example.com/a']);
	});

	test('name the scope that they need', async () => {
		const { credential } = await connectThroughConsent(sandbox);
		await expect(listSearch.searchUsers.call(editor({}, credential))).rejects.toThrow(
			/lacks the scope admin:read/,
		);
	});
});

describe('the fields of a registration', () => {
	test('are those of the form of the session, typed and marked', async () => {
		const before = (await sandbox.requests()).length;
		const fields = await form(upcomingSession);
		expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['email', 'Email', 'string'],
			['first_name', 'First Name (required)', 'string'],
			['last_name', 'Last Name (required)', 'string'],
			['company', 'Company (required)', 'string'],
			['team_size', 'Team Size', 'options'],
			['interests', 'Interests (Product, Pricing, Integrations)', 'string'],
		]);
		expect(fields.filter(({ required }) => required).map(({ id }) => id)).toEqual(['email']);
		const sizes = ['1-10', '11-100', '100+'].map((value) => ({ name: value, value }));
		expect(fields.find(({ id }) => id === 'team_size')?.options).toEqual(sizes);
		expect((await sandbox.requests()).length - before).toBe(1);
	});

	test.each([
		['the session comes from an expression', byId('={{ $json.session }}', 'url')],
		['the expression has no value yet', { ...byId('', 'url'), value: null }],
		['the session does not exist', byId(unknownId)],
	])('are the attributes of the workspace when %s', async (_, sessionId) => {
		const { fields } = await resourceMapping.registrationForm.call(editor({ sessionId }));
		expect(fields.map(({ id, type }) => `${id}: ${type}`)).toEqual([
			...['email', 'first_name', 'last_name', 'avatar'].map((id) => `${id}: string`),
			...['company', 'job_title', 'website', 'consent'].map((id) => `${id}: string`),
			'team_size: options',
			'interests: string',
		]);
		expect(fields.filter(({ required }) => required).map(({ id }) => id)).toEqual(['email']);
	});

	test('are the three that the specification names when the token may read neither', async () => {
		const narrow = await sandboxForTests({ scope: 'webhooks:write' });
		const { credential } = await connectThroughConsent(narrow, { scopes: ['webhooks:write'] });
		const fields = await form(upcomingSession, credential);
		expect(fields.map(({ id }) => id)).toEqual(['email', 'first_name', 'last_name']);
	});

	test('are typed where the form has a choice, but nothing to choose from', async () => {
		const choice = { id: 'drink', type: 'multiple', required: false, order: 1 };
		const event = await makeEvent(sandbox, {
			fields: [{ ...choice, options: { items: [{ value: '' }] } }],
		});
		const fields = await form(await makeSession(sandbox, event));
		expect(fields.map(({ id, type }) => `${id}: ${type}`)).toContain('drink: string');
	});

	test('need no email where somebody is registered already', async () => {
		const context = editor(of(upcomingSession));
		const { fields } = await resourceMapping.registrationAnswers.call(context);
		expect(fields.map(({ id }) => id)).toContain('email');
		expect(fields.filter(({ required }) => required)).toEqual([]);
		expect(fields.map(({ displayName }) => displayName)).toContain('Company');
	});
});

/** A list as the editor shows it, and of its entries the names and the values alone. */
interface ShownList extends INodeListSearchResult {
	names: string[];
	values: Array<INodeListSearchItems['value']>;
}

async function search(
	list: keyof typeof listSearch,
	filter?: string,
	parameters: object = {},
	page?: unknown,
	credential?: Credential,
): Promise<ShownList> {
	const searchResult = await listSearch[list].call(editor(parameters, credential), filter, page);
	const names = searchResult.results.map(({ name }) => name);
	return { ...searchResult, names, values: searchResult.results.map(({ value }) => value) };
}

async function form(session: string, credential?: Credential) {
	return (await resourceMapping.registrationForm.call(editor(of(session), credential))).fields;
}

function of(session: string) {
	return { sessionId: byId(session) };
}

function editor(parameters: object = {}, credential: Credential = tokenCredential(sandbox)) {
	const placed = {
		node,
		credential,
		parameters: { resource: 'registration', operation: 'unregister', by: 'person', ...parameters },
	};
	return new Engine(placed).editorContext();
}

test('events are found by what their choices show where the platform refuses the filter', async () => {
	const strict = await sandboxForTests({ strict: true });
	const credential = tokenCredential(strict);
	const found = search('searchEvents', 'tour', {}, undefined, credential);
	const { names } = await found.finally(() => strict.close());
	expect(names).toContainEqual(expect.stringContaining('Product Tour'));
	expect(names.filter((name) => !/tour/i.test(name))).toEqual([]);
});
