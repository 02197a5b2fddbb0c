import { text } from '../../../nodes/EventPlatform/core/values/text';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { seededId } from '../../../sandbox/seed/ids';
import {
	makeEvent,
	makeRegistration,
	makeSession,
	makeUser,
} from '../../support/platform/platformRecords';
import { operate } from '../../support/n8n/operation';
import { firstPage } from './operationCase';
import { heldSession, seededEvent, unknownId } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile();

describe('the sessions of one event', () => {
	const of = (eventId: unknown) => ({
		filters: { eventId, status: 'upcoming' },
		options: { include: ['event'] },
	});

	test.each([
		['chosen from the list or by ID', byId(seededEvent)],
		['by URL', byId(`https://app.livestorm.co/p/${seededEvent}/form`, 'url')],
		['as an expression gives it', '={{ $json.event }}'],
	])('are found among all sessions by the event, %s', async (_, eventId) => {
		const { records, sent } = await run('session.getAll', of(eventId), { event: seededEvent });
		expect(records.length).toBeGreaterThan(0);
		for (const item of records) {
			expect(item).toMatchObject({ event_id: seededEvent, status: 'upcoming' });
			expect(item.included).toMatchObject([{ id: seededEvent, type: 'events' }]);
		}
		expect(sent).toEqual([
			`GET /events/${seededEvent}/sessions?filter[status]=upcoming&include=event&${firstPage()}`,
		]);
	});

	test('take the same filters in the list of the event', async () => {
		const eventId = await makeEvent(sandbox);
		const id = await makeSession(sandbox, eventId);
		const ids = async (filters: object) => {
			const { records } = await run('event.getSessions', { eventId: byId(eventId), filters });
			return records.map((session) => session.id);
		};
		const from = { dateFrom: '2027-01-01T00:00:00Z' };
		expect(await ids({ status: 'upcoming', ...from, includeBreakoutRooms: true })).toEqual([id]);
		expect(await ids({ status: 'past' })).toEqual([]);
		expect(await ids({ dateTo: '2027-01-01T00:00:00Z' })).toEqual([]);
	});
});

test('an ID that was never filled in is what n8n itself says of it, and no more', async () => {
	const running = run('session.get', { sessionId: byId('', 'url') });
	await expect(running).rejects.toThrow(/issues:\n- Parameter "Session" is required\.$/);
});

test('events are told apart by their tags', async () => {
	const id = await makeEvent(sandbox);
	await run('event.addTag', { eventId: byId(id), tag: 'spring' });
	const list = async (tag: string) =>
		(await run('event.getAll', { filters: { tag }, options: { include: ['tags'] } })).records;
	expect(await list('summer, spring')).toMatchObject([{ id, included: [{ title: 'spring' }] }]);
	expect(await list('autumn')).toEqual([]);
});

test('questions name who asked and who answered, in columns, unless they are not asked for', async () => {
	const list = async (more: object = {}) =>
		(await run('session.getQuestions', { sessionId: byId(heldSession), ...more })).records;
	const records = await list();
	expect(records).toMatchObject([
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
	expect(records[0]).not.toHaveProperty('included');
	expect(JSON.stringify(records)).not.toMatch(/connection_link|password_key/);
	expect((await list({ options: { include: [] } }))[0]).not.toHaveProperty('asker_name');
});

test('people are told apart by whether they asked a question', async () => {
	const emails = async (filters: object) => {
		const of = { sessionId: byId(heldSession), returnAll: true, filters };
		return (await run('session.getPeople', of)).records.map(({ email }) => email);
	};
	const asked = await emails({ askedQuestion: true });
	expect(asked).toContain('noah.stone@example.org');
	const notAsked = await emails({ askedQuestion: false });
	expect([...asked, ...notAsked].sort()).toEqual((await emails({})).sort());
	// Expressions give words and numbers.
	for (const yes of ['true', 'yes', 1]) expect(await emails({ askedQuestion: yes })).toEqual(asked);
	expect(await emails({ askedQuestion: 'no' })).toEqual(notAsked);

	// The limit cuts the people who passed, and it is said how many they are.
	const limited = { sessionId: byId(heldSession), limit: 1, filters: { askedQuestion: false } };
	const { records, hints } = await run('session.getPeople', limited);
	expect(records).toHaveLength(1);
	const said = `Showing 1 of ${notAsked.length}. Turn on 'Return All' to get the rest.`;
	expect(hints).toContain(said);
	const all = { ...limited, limit: notAsked.length };
	expect((await run('session.getPeople', all)).hints.join()).not.toContain('Showing');
});

test.each([
	['event.getAll', {}],
	['session.getAll', {}],
	['person.getAll', {}],
	['session.getPeople', { sessionId: byId(heldSession) }],
	['event.getPeople', { eventId: byId(seededId('event', 3)) }],
])('%s has filters for the dates of creation and of the last change', async (operation, of) => {
	const [longAgo, farAhead] = ['2001-01-01T00:00:00Z', '2101-01-01T00:00:00Z'];
	const count = async (filters: object) =>
		(await run(operation, { ...of, returnAll: true, filters })).records.length;
	const all = await count({ createdSince: longAgo, updatedUntil: farAhead });
	expect(all).toBeGreaterThan(0);
	expect(all).toBe(await count({}));
	expect(await count({ createdUntil: longAgo })).toBe(0);
	expect(await count({ updatedSince: farAhead })).toBe(0);
});

test('a person is looked for in one event where one is named', async () => {
	const eventId = await makeEvent(sandbox);
	const id = await makeRegistration(sandbox, await makeSession(sandbox, eventId));
	const get = (event: string) =>
		run('person.get', { personId: byId(id), options: { eventId: byId(event) } });
	const inEvent = await get(eventId);
	expect(inEvent.records).toMatchObject([{ id, type: 'people' }]);
	expect(inEvent.sent).toEqual([`GET /events/${eventId}/people/${id}`]);
	expect((await get(seededEvent)).error?.message).toMatch(/^The platform cannot find the person/);
});

describe('what is created', () => {
	test('an event has the questions of its registration form, the email first', async () => {
		const question = [
			{ id: ' company ', type: 'text', required: '={{ "yes" }}' },
			{ id: 'topics', type: 'multiple', choices: 'Product, Pricing,', severalAnswers: true },
		];
		const { records } = await run('event.create', {
			title: 'With a form',
			options: { fields: ['fields', 'registration_page_enabled'] },
			additionalFields: { registrationPageEnabled: false, registrationForm: { question } },
		});
		const items = [{ value: 'Product' }, { value: 'Pricing' }];
		expect(records).toMatchObject([
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
						options: { items, multiple_answers: true },
					},
				],
			},
		]);
	});

	const fromList = (value: string) => byId(value, 'list');

	test('a question that is chosen from the attributes brings its choices, one by ID is sent as it is', async () => {
		const question = [
			{ id: fromList('interests'), type: 'text', required: true },
			{ id: fromList('interests'), type: 'multiple', choices: ' , ' },
			{ id: fromList('job_title'), type: 'text' },
			{ id: fromList('team_size'), type: 'multiple', severalAnswers: true },
			{ id: fromList('team_size'), type: 'multiple', choices: 'Small, Large' },
			{ id: byId('team_size'), type: 'text' },
		];
		const { records, sent } = await run('event.create', {
			title: 'With attributes',
			options: { fields: ['fields'] },
			additionalFields: { registrationForm: { question } },
		});
		const items = (...values: string[]) => values.map((value) => ({ value }));
		const interests = {
			id: 'interests',
			type: 'multiple',
			options: { items: items('Product', 'Pricing', 'Integrations'), multiple_answers: true },
		};
		expect(records).toMatchObject([
			{
				fields: [
					{ id: 'email' },
					{ ...interests, required: true },
					{ ...interests, required: false },
					{ id: 'job_title', type: 'text' },
					{ id: 'team_size', type: 'multiple', options: { multiple_answers: true } },
					{ id: 'team_size', type: 'multiple', options: { items: items('Small', 'Large') } },
					{ id: 'team_size', type: 'text' },
				],
			},
		]);
		expect(sent).toHaveLength(2);
	});

	test.each([
		['a choice without choices', { id: byId('size'), type: 'multiple' }, "'Choices' is empty"],
		[
			'a chosen field without choices of its own',
			{ id: fromList('job_title'), type: 'multiple', choices: ',' },
			"'Choices' is empty",
		],
		[
			'a chosen field that is gone',
			{ id: fromList('shoe_size'), type: 'text' },
			"The field 'shoe_size' is not among the person attributes",
		],
	])('%s is no question, so no event is created', async (_, question, message) => {
		const { error, sent } = await run('event.create', {
			title: 'With a form',
			additionalFields: { registrationForm: { question: [question] } },
		});
		expect(error?.message).toBe(message);
		expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
	});

	test('a session has its name and its team from the start', async () => {
		const userId = await makeUser(sandbox);
		const create = (teamMembers: unknown) =>
			run('session.create', {
				eventId: byId(seededEvent),
				estimatedStartedAt: '2027-05-01T18:00:00Z',
				timezone: 'UTC',
				additionalFields: { name: 'Morning', teamMembers },
			});
		const { records } = await create([userId]);
		expect(records).toMatchObject([{ name: 'Morning' }]);
		interface People {
			data: Array<{ id: string; attributes: { email: string } }>;
		}
		const read = async (path: string) => (await sandbox.api.get<People>(path)).data.data;
		const [team] = await read(`/sessions/${text(records[0]?.id)}/people?filter[role]=team_member`);
		const user = (await read('/users')).find(({ id }) => id === userId);
		expect(user?.attributes.email).toContain('@');
		expect(team?.attributes.email).toBe(user?.attributes.email);
		expect((await create(unknownId)).error?.description).toMatch(/There is no user/);
	});
});

function run(operation: string, parameters: object, item = {}) {
	return operate(sandbox, operation, parameters, { items: [item] });
}
