import { seededId } from '../../../sandbox/seed/ids';
import { heldSession, seededEvent } from '../../support/platform/seededIds';
import { startPlatform } from '../../support/n8n/startPlatform';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { mapped, operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';
import me from '../../support/recordedAnswers/me.json';

/** Platforms that keep the specification and answer otherwise than the vendor where it says nothing. */

const sandbox = sandboxOfFile({ world: 'exact' });
beforeEach(() => sandbox.reset());

const ofHeld = { sessionId: byId(heldSession) };
/** A session without questions. */
const ofUpcoming = { sessionId: byId(seededId('session', 1)) };
const errorShapes = ['errors', 'text', 'empty'] as const;

describe('what the platform does not have at all', () => {
	test.each([
		['webhook.getAll', {}, 'webhooks'],
		['user.getAll', {}, 'users'],
		['person.getAll', {}, 'people'],
		['session.getAll', {}, 'sessions'],
		['account.getMe', {}, 'the connected user'],
		['account.ping', {}, 'ping'],
	])('is no matter of an ID: %s', async (operation, of, name) => {
		const { error } = await operate(sandbox, operation, of);
		expect(error?.message).toBe(`This platform has no endpoint for ${name} (404)`);
		expect(error?.description).not.toContain('Check the ID');
	});

	test('may be the cause of a 404 to a path with an ID, too', async () => {
		const { error } = await operate(sandbox, 'session.getPeople', ofHeld);
		expect(error?.message).toBe('The platform cannot find the session (404)');
		expect(error?.description).toMatch(/ Check the ID: .* this platform does not have this/);
	});

	test('ends a run at once, because every item would meet it', async () => {
		const user = { email: 'ada@example.com', role: 'host' };
		const settings = { onError: 'continueRegularOutput' } as const;
		const { sent } = await operate(sandbox, 'user.create', user, { items: [{}, {}], settings });
		expect(sent).toEqual(['POST /users']);
	});

	test('is asked for otherwise, where that is possible: how many requests are left', async () => {
		const { records, sent } = await operate(sandbox, 'account.getUsage');
		expect(records).toMatchObject([{ per_month: null, remaining: null }]);
		expect(sent).toEqual(['GET /ping', 'GET /events?page[size]=1']);
	});
});

describe('what nobody asked for', () => {
	test('is left out after a 400, once for all items of a run: who asked a question', async () => {
		const items = [{}, {}, {}];
		const { records, sent, error } = await operate(sandbox, 'session.getQuestions', ofHeld, {
			items,
			settings: { onError: 'stopWorkflow' },
		});
		expect(error).toBeUndefined();
		expect(records[0]).toMatchObject({ question: 'Will there be a replay?' });
		expect(records[0]).not.toHaveProperty('asker_name');
		// Items overlap, so several may have asked before the first was answered.
		expect(sent.filter((request) => !request.includes('include='))).toHaveLength(items.length);
		const again = await operate(sandbox, 'session.getQuestions', { ...ofHeld, simplify: false });
		expect(again.sent).toHaveLength(1);
	});

	test('is left out at once in later pages and items', async () => {
		const platform = await startPlatform((response, { url = '' }) => {
			const { searchParams } = new URL(url, 'http://platform');
			if (searchParams.has('include')) return response.writeHead(400).end('Unknown parameter');
			const page = Number(searchParams.get('page[number]'));
			const data = [{ id: `s${page}`, type: 'sessions', attributes: { name: 'Morning' } }];
			const meta = { current_page: page, next_page: page < 9 ? page + 1 : null, page_count: 10 };
			return response.end(JSON.stringify({ data, meta }));
		});
		const { records } = await operate(platform, 'session.getAll', { returnAll: true });
		expect(records).toHaveLength(10);
		expect(platform.seen).toHaveLength(11);
	});

	test('is told where somebody does ask for it', async () => {
		const options = { include: ['asker'] };
		const { error } = await operate(sandbox, 'session.getQuestions', { ...ofHeld, options });
		expect(error?.description).toMatch(/^The platform said: .*include/);
	});
});

test.each([
	['event.create', { title: 'Tour' }],
	['event.update', { eventId: byId(seededEvent), updateFields: { title: 'Evening' } }],
])(
	'a change that is answered with nothing is an error, which says that it may have been made: %s',
	async (name, parameters) => {
		const { credential } = await startPlatform((response) => response.writeHead(204).end());
		const { error } = await operate(sandbox, name, parameters, { credential });
		expect(error?.description).toMatch(/The change may have been made nevertheless\./);
	},
);

test('people of a question are found by its attributes where it has no relationships', async () => {
	const author = { id: 'p1', type: 'people', attributes: { first_name: 'Ines', email: 'i@x.io' } };
	const attributes = { question: 'Why?', question_author_id: 'p0', response_author_id: 'p1' };
	const body = { data: [{ id: 'q1', type: 'questions', attributes }], included: [author] };
	const { records } = await operateOn(body, 'session.getQuestions', ofHeld);
	expect(records).toMatchObject([{ responder_name: 'Ines', responder_email: 'i@x.io' }]);
	expect(records[0]).not.toHaveProperty('asker_name');
});

describe('page 0 of nothing, refused,', () => {
	test.each(errorShapes)('is an empty list, whatever the error looks like: %s', async (shape) => {
		await sandbox.changeWorld({ emptyPage: '400', errorShape: shape });
		for (const simplify of [true, false]) {
			const of = { ...ofUpcoming, simplify };
			const { error, records } = await operate(sandbox, 'session.getQuestions', of);
			expect(error).toBeUndefined();
			expect(records).toEqual([]);
		}
	});

	const emptyByFilter = { filters: { title: 'No event has this title' } };

	test('is an empty list with a filter, too, where the words are about the page', async () => {
		await sandbox.changeWorld({ strict: false, endpoints: 'all', emptyPage: '400' });
		const { error, records } = await operate(sandbox, 'event.getAll', emptyByFilter);
		expect(error).toBeUndefined();
		expect(records).toEqual([]);
	});

	test('may be the fault of a filter, where there is one and no word about it', async () => {
		const errorShape = 'empty';
		await sandbox.changeWorld({ strict: false, endpoints: 'all', emptyPage: '400', errorShape });
		const { error } = await operate(sandbox, 'event.getAll', emptyByFilter);
		expect(error?.message).toBe('The platform found nothing or rejected a filter (400)');
		expect(error?.description).toMatch(/^The platform may answer an empty list with the same 400/);
	});

	test.each(['registration.get', 'registration.update', 'registration.unregister'])(
		'means that nobody with the address is registered: %s',
		async (operation) => {
			await sandbox.changeWorld({ strict: false, endpoints: 'all', emptyPage: '400' });
			const of = { sessionId: byId(seededId('session', 1)), email: 'nobody@example.com' };
			const fields = mapped({ company: 'Acme' });
			const { error } = await operate(sandbox, operation, { ...of, fields });
			expect(error?.message).toBe(
				'Nobody with the email nobody@example.com is registered for this session',
			);
		},
	);
});

/** Runs an operation on a server that answers everything with this. */
async function operateOn(body: unknown, operation: string, of: object = {}) {
	const platform = await startPlatform((response) => response.end(JSON.stringify(body)));
	return operate(platform, operation, of);
}

test.each([
	[[], []],
	[{ data: [{ text: 'First' }] }, [{ text: 'First' }]],
])('a list that is sent as %j is shown so where nothing is simplified', async (body, records) => {
	const raw = { ...ofHeld, simplify: false, returnAll: true };
	expect((await operateOn(body, 'session.getQuestions', raw)).records).toEqual(records);
});

test('what would deceive people is struck out where it is shown, and stays in a record as it was sent', async () => {
	const first_name = 'A\u0007d\u202ea\u0085';
	const company = 'Lines\n\tstay\u2066';
	const person = { id: 'p1', type: 'people', attributes: { first_name, email: 'ada@example.com' } };
	const detail = { session_id: 's1', fields: [{ id: 'company', value: company }] };
	const registrant = {
		...person,
		attributes: { ...person.attributes, registrant_detail: detail },
	};
	const all = { ...ofHeld, returnAll: true };
	const shown = { first_name: 'Ada', email: 'ada@example.com' };
	expect((await operateOn({ data: [person] }, 'person.getAll')).records).toMatchObject([shown]);
	const { records } = await operateOn({ data: [registrant] }, 'session.getPeople', all);
	expect(records).toMatchObject([{ ...shown, company: 'Lines\n\tstay' }]);
	const raw = await operateOn({ data: [person] }, 'person.getAll', { simplify: false });
	expect(raw.records).toEqual([person]);
	const { error } = await operateOn({ error: `No\u202e ${first_name}` }, 'session.delete', ofHeld);
	expect(`${error?.message} ${error?.description}`).toContain('No Ada');
});

test.each([
	['in other letters', { attributes: { event_id: seededEvent.toUpperCase() } }],
	['as a relationship', { relationships: { event: { data: { id: 'e1' } } } }],
	[
		'as a relationship in other letters',
		{ relationships: { event: { data: { id: seededEvent.toUpperCase() } } } },
	],
])('the title of an event that a session names %s is shown', async (_, named) => {
	const included = [seededEvent, 'e1'].map((id) => {
		return { id, type: 'events', attributes: { title: 'Product Tour' } };
	});
	const data = { id: ofUpcoming.sessionId.value, type: 'sessions', ...named };
	for (const { records } of [
		await operateOn({ data: [data], included }, 'session.getAll'),
		await operateOn({ data, included }, 'session.get', ofUpcoming),
	]) {
		expect(records).toMatchObject([{ id: data.id, event_title: 'Product Tour' }]);
	}
});

describe('a single record of another shape', () => {
	const ofJob = { jobId: 'job-1' };
	const ofPerson = { ...ofHeld, by: 'person', personId: byId(seededId('person', 1)) };
	const operations: Array<[string, object]> = [
		['session.get', ofHeld],
		['job.get', ofJob],
		['registration.get', ofPerson],
	];

	test.each(operations)('is an error, simplified or not: %s', async (operation, of) => {
		for (const simplify of [true, false]) {
			const { error } = await operateOn({ name: 'Acme' }, operation, { ...of, simplify });
			expect(error?.message).toContain('expected form');
		}
	});

	test('is shown as it was sent where it has an ID, and nothing is simplified', async () => {
		const flat = { id: ofHeld.sessionId.value, name: 'Acme' };
		const raw = { ...ofHeld, simplify: false };
		expect((await operateOn(flat, 'session.get', raw)).records).toEqual([flat]);
	});

	test('is another error where it is not JSON', async () => {
		const raw = { ...ofHeld, simplify: false };
		const messageOf = async (body: unknown) =>
			(await operateOn(body, 'session.get', raw)).error?.message;
		expect(await messageOf('<html>Sign in</html>')).toMatch(/something other than JSON/);
	});
});

/** The shapes in which it was recorded: the organization stands beside the user or inside, or is all there is. */
describe('the connected user', () => {
	test.each(['userInOrganization', 'userWithOrganization'] as const)(
		'is shown with the organization, as it was recorded: %s',
		async (shape) => {
			const { records } = await operateOn(me[shape], 'account.getMe');
			expect(records).toEqual([
				{
					id: me[shape].data.id,
					type: 'users',
					email: 'olga@example.com',
					first_name: 'Olga',
					last_name: 'Host',
					role: 'host',
					pending_invite: false,
					organization_id: me.organization.data.id,
					organization_name: 'Example Ltd',
				},
			]);
		},
	);

	test('may be an organization', async () => {
		const { records } = await operateOn(me.organization, 'account.getMe');
		const { id } = me.organization.data;
		expect(records).toEqual([{ id, type: 'organizations', name: 'Example Ltd' }]);
	});
});
