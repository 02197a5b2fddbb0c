import type { IDataObject } from 'n8n-workflow';
import { startPlatform } from '../../support/n8n/startPlatform';
import type { RunScene } from '../../support/n8n/engine';
import type { Deed } from '../../../sandbox/faults/faults';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh, makeRegistration, makeSession } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile();
let session: string;

beforeAll(async () => {
	session = await makeSession(sandbox);
});

const register = (
	values: { email: string; first_name?: string },
	options: object = {},
	scene: Partial<RunScene> = {},
) => {
	const of = { sessionId: byId(session), fields: mapped(values), options };
	return operate(sandbox, 'registration.register', of, scene);
};
const sentAs = { id: 'email', value: 'ada@example.com' };
/** As the platform makes them up at a public event. */
const madeUp = '1720628126+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co';
const refusing = { ifAlreadyRegistered: 'fail' };

describe('a person who is registered already', () => {
	test('is given back as registered, with that status', async () => {
		const email = `${fresh('Known')}@Example.com`;
		const id = await makeRegistration(sandbox, session, email);
		const answers = { email: email.toLowerCase(), first_name: 'X' };
		const { records, requests } = await register(answers);
		expect(records).toMatchObject([{ id, status: 'already_registered', first_name_answer: 'Ada' }]);
		const became = requests.map(({ method, status }) => `${method} ${status}`);
		expect(became).toEqual(['POST 409', 'GET 200']);
	});

	test('keeps the old answers, and people are told so when theirs are others', async () => {
		const email = `${fresh('known')}@example.com`;
		await makeRegistration(sandbox, session, email);
		const same = await register({ email: email.toUpperCase(), first_name: 'Ada' });
		expect(same.hints).toEqual([]);
		const changed = await register({ email, first_name: 'Augusta' });
		expect(changed.records).toMatchObject([{ first_name_answer: 'Ada' }]);
		const why = /already registered with other answers\. They keep their answers.*'Update'/;
		expect(changed.hints).toEqual([expect.stringMatching(why)]);
	});

	test.each([
		[422, { title: 'Email has already been registered' }, 'The person is already registered'],
		[409, { code: 'no_seat', detail: 'All seats of this row are taken' }, undefined],
		[422, { code: '422', detail: 'Phone has already been taken' }, undefined],
	])('is told by a %i that says %j: %s', async (status, error, isThere) => {
		const email = 'old@example.com';
		const person = { type: 'people', id: 'p1', attributes: { email, role: 'participant' } };
		const { credential } = await startPlatform((response, { method }) => {
			response.statusCode = method === 'POST' ? status : 200;
			response.end(JSON.stringify(method === 'POST' ? { errors: [error] } : { data: [person] }));
		});
		const { records } = await register({ email }, {}, { credential });
		expect(records.map((record) => record.status)).toEqual(isThere ? ['already_registered'] : []);
		const refused = await register({ email }, refusing, { credential });
		expect(refused.error?.message).toContain(isThere ?? error.detail);
	});

	test.each([
		[409, { code: 'session_full', detail: 'All seats are already taken' }],
		[422, { code: '422', detail: 'The session is full.' }],
		[400, { code: 'session_full' }],
		[422, { detail: 'The session is over capacity' }],
	])('is not meant by a %i that says %j: the session is full', async (status, error) => {
		const { credential, seen } = await startPlatform((response) => {
			response.statusCode = status;
			response.end(JSON.stringify({ errors: [error] }));
		});
		const refused = await register({ email: 'old@example.com' }, {}, { credential });
		expect(refused.error?.message).toBe(
			`The session is full: nobody else can register (${status})`,
		);
		expect(refused.error?.description).toMatch(/Choose another session\.$/);
		expect(seen).toHaveLength(1);
	});

	test.each([
		['Registrations from this email domain are blocked'],
		["Company 'Scopely' is not allowed"],
	])('that is refused with "%s" (403) stops nobody else', async (detail) => {
		const person = { type: 'people', id: 'p1', attributes: { role: 'participant' } };
		const { credential } = await startPlatform((response, _, body) => {
			const isRefused = body.includes('ada@');
			response.statusCode = isRefused ? 403 : 201;
			response.end(JSON.stringify(isRefused ? { errors: [{ detail }] } : { data: person }));
		});
		const items = ['ada', 'bob', 'eve'].map((name) => ({ email: `${name}@example.com` }));
		const { records } = await register(
			{ email: '={{ $json.email }}' },
			{},
			{
				credential,
				items,
				settings: { onError: 'continueRegularOutput' },
			},
		);
		const told = 'The platform refused access (403)';
		expect(records.map(({ status, error }) => status ?? error)).toEqual([
			told,
			'registered',
			'registered',
		]);
	});

	test('may be the same one: an answer that got lost does not register twice', async () => {
		const email = `${fresh('lost')}@example.com`;
		await loseTheAnswer();
		expect((await register({ email })).records).toMatchObject([{ email, status: 'registered' }]);
		const before = `${fresh('before')}@example.com`;
		await makeRegistration(sandbox, session, before);
		sandbox.platform.store.write('UPDATE registrations SET created_at = created_at - 60');
		await loseTheAnswer();
		const registration = { email: before, status: 'already_registered' };
		expect((await register({ email: before })).records).toMatchObject([registration]);
	});

	test('whose first answer got lost is not called a failure of the second', async () => {
		await loseTheAnswer('empty-403');
		const again = await register({ email: `${fresh('lost')}@example.com` });
		expect(again.error?.message).toBe('The connection broke before the platform answered');
		// The form is read in between, because a public event would register the person twice.
		expect(again.sent.map((request) => request.split(' ')[0])).toEqual(['POST', 'GET', 'POST']);
		await loseTheAnswer();
		const { error, sent } = await register({ email: `${fresh('lost')}@example.com` }, refusing);
		expect(error?.message).toBe('The connection broke before the platform answered');
		expect(sent).toHaveLength(1);
	});
});

test('an answer to a registration that names an error registers nobody, and is not sent again', async () => {
	const { credential, seen } = await startPlatform((response) => {
		response.end(JSON.stringify({ errors: [{ detail: 'The form is closed today' }] }));
	});
	const { error } = await register({ email: 'ada@example.com' }, {}, { credential });
	expect(error?.message).toBe('The form is closed today (200)');
	expect(seen).toHaveLength(1);
});

describe('somebody who is registered already, as the platform says, and cannot be looked up', () => {
	const code = { code: 'already_registered' };
	const words = { detail: 'Participant is already registered for this session' };

	interface Refusal {
		/** How the platform says that the person is there. */
		how: string;
		status: number;
		error: { code?: string; detail?: string };
		lookupStatus: number;
	}

	const registered: Refusal[] = [
		{ how: 'by a code', status: 400, error: code, lookupStatus: 404 },
		{ how: 'by a code', status: 409, error: code, lookupStatus: 403 },
		{ how: 'by a code', status: 422, error: code, lookupStatus: 400 },
		{ how: 'by a code, who is not on the list', status: 422, error: code, lookupStatus: 200 },
		{ how: 'by words', status: 400, error: words, lookupStatus: 404 },
		{ how: 'by the status', status: 409, error: { detail: 'No' }, lookupStatus: 404 },
	];
	const title = '$how: $status with $error, and the lookup is answered with $lookupStatus';

	test.each(registered)(`is already registered ${title}`, async (refusal) => {
		const { records, error, posts } = await registerWhere(refusal);
		const registration = { status: 'already_registered', email: 'ada@example.com', id: null };
		expect(records).toMatchObject([registration]);
		expect(error).toBeUndefined();
		expect(posts).toHaveLength(1);
	});

	const refused: Refusal[] = [
		{ how: 'by words, who is not on the list', status: 400, error: words, lookupStatus: 200 },
		{ how: 'by nothing', status: 422, error: { detail: 'No' }, lookupStatus: 404 },
	];

	test.each(refused)(`is refused ${title}`, async (refusal) => {
		const { records, error, posts } = await registerWhere(refusal);
		expect(records).toEqual([]);
		expect(`${error?.message} ${error?.description}`).toContain(String(refusal.error.detail));
		expect(posts).toHaveLength(1);
	});

	async function registerWhere(refusal: Refusal) {
		const { credential, seen } = await startPlatform((response, { method }) => {
			response.statusCode = method === 'POST' ? refusal.status : refusal.lookupStatus;
			const list = refusal.lookupStatus === 200 ? { data: [] } : { errors: [] };
			response.end(JSON.stringify(method === 'POST' ? { errors: [refusal.error] } : list));
		});
		const outcome = await register({ email: 'ada@example.com' }, {}, { credential });
		return { ...outcome, posts: seen.filter(({ method }) => method === 'POST') };
	}
});

describe('a platform that shows everybody, whatever email is looked for', () => {
	const others = ['b@example.com', 'c@example.com'].map((email, id) => {
		return { type: 'people', id: `p${id}`, attributes: { email, role: 'participant' } };
	});
	const already = { detail: 'Participant is already registered for this session' };

	async function showing(people: readonly object[]) {
		const { credential, seen } = await startPlatform((response, { method }) => {
			response.statusCode = method === 'POST' ? 422 : 200;
			response.end(JSON.stringify(method === 'POST' ? { errors: [already] } : { data: people }));
		});
		return { credential, methods: () => seen.map(({ method }) => method) };
	}

	test.each(['get', 'unregister', 'update'])(
		'does not say that nobody has it: %s',
		async (operation) => {
			const { credential, methods } = await showing(others);
			const registrant = {
				updateFields: { firstName: 'Ada' },
				fields: mapped({ first_name: 'A' }),
			};
			const of = { sessionId: byId(session), by: 'email', email: 'a@example.com', ...registrant };
			const { error } = await operate(sandbox, `registration.${operation}`, of, { credential });
			expect(error?.message).toBe('The answer of the platform does not have the expected form');
			expect(methods().filter((method) => method !== 'GET')).toEqual([]);
		},
	);

	test('is still believed that the person is registered already', async () => {
		const { credential } = await showing(others);
		const { records, error } = await register({ email: 'a@example.com' }, {}, { credential });
		expect(error).toBeUndefined();
		expect(records).toMatchObject([{ status: 'already_registered', email: 'a@example.com' }]);
	});

	test('shows the person, too, who is found', async () => {
		const person = { ...others[0], attributes: { email: 'A@example.com', role: 'participant' } };
		const { credential } = await showing([...others, { ...person, id: 'p9' }]);
		const of = { sessionId: byId(session), by: 'email', email: 'a@example.com' };
		const { records } = await operate(sandbox, 'registration.get', of, { credential });
		expect(records).toMatchObject([{ id: 'p9' }]);
	});
});

describe('a public event', () => {
	const fields = [{ id: 'first_name', type: 'text', order: 0, required: true }];
	const event = { type: 'events', id: 'e1', attributes: { title: 'Open Day', fields } };
	const session_ = { type: 'sessions', id: 's1', attributes: { event_id: 'e1' } };
	const person = { type: 'people', id: 'p1', attributes: { email: madeUp, first_name: 'Ada' } };

	/** A platform with such an event, whose answers to the first registrations get lost. */
	async function openDay(lost = 0) {
		let left = lost;
		return await startPlatform((response, { method }) => {
			if (method === 'POST' && left-- > 0) return void response.destroy();
			const openDaySession = { data: session_, included: [event] };
			response.end(JSON.stringify(method === 'POST' ? { data: person } : openDaySession));
		});
	}

	test('replaces the email, and people are told that they would be registered twice', async () => {
		const { credential } = await openDay();
		const { records, hints } = await register({ email: 'ada@example.com' }, {}, { credential });
		expect(records).toMatchObject([{ status: 'registered', email: madeUp, id: 'p1' }]);
		const warning = /belongs to a public event.*People who are sent again are registered twice/;
		expect(hints).toEqual([expect.stringMatching(warning)]);
	});
});

describe('a lost answer at an event whose form cannot be read', () => {
	const email = 'ada@example.com';
	const person = (attributes: IDataObject) => ({
		type: 'people',
		id: 'p1',
		attributes: { email, role: 'participant', ...attributes },
	});

	/** A platform that shows no sessions, and these people; the answers to registrations get lost. */
	async function registerLost(people: readonly IDataObject[] | undefined) {
		const { credential, seen } = await startPlatform((response, { method, url = '' }) => {
			if (method === 'POST') return void response.destroy();
			if (url.includes('/people') && people)
				return void response.end(JSON.stringify({ data: people }));
			response.statusCode = 403;
			response.end();
		});
		const result = await register({ email }, {}, { credential });
		return { ...result, posts: seen.filter(({ method }) => method === 'POST').length };
	}

	const nowSeconds = () => Math.floor(Date.now() / 1_000);

	test.each([
		['by the lost request', () => nowSeconds() + 1, 'registered'],
		['before', () => nowSeconds() - 3_600, 'already_registered'],
	])(
		'is no registration twice: the list shows that the person is there, since %s',
		async (_, since, status) => {
			const registrant_detail = { created_at: since() };
			const { records, posts } = await registerLost([
				person({ created_at: since(), registrant_detail }),
			]);
			expect([records.map((record) => record.status), posts]).toEqual([[status], 1]);
		},
	);

	test.each([
		['shows nobody', []],
		['shows a team member of that address', [person({ role: 'team_member' })]],
		['cannot be read', undefined],
	])('leaves the person unknown where the list %s, and nobody is sent again', async (_, people) => {
		const { records, error, posts } = await registerLost(people);
		expect([records, posts]).toEqual([[], 1]);
		expect(error?.message).toBe('The connection broke before the platform answered');
		expect(error?.description).toContain('Look for the person on the platform');
	});

	const publicEvent = expect.stringContaining('belongs to a public event') as string;
	test.each([
		['the address that was sent, is sent again', { email }, { status: 'registered' }, 3],
		['a made-up address, is not sent again', { email: madeUp }, { message: publicEvent }, 2],
		[
			'a made-up address beside the one that was sent, is not sent again',
			{ email: madeUp, registrant_detail: { fields: [sentAs] } },
			{ message: publicEvent },
			2,
		],
		[
			'the own address of somebody of the team, is not sent again',
			{ email, role: 'team_member' },
			{ message: expect.stringContaining('may or may not have acted') as string },
			2,
		],
	])('after a registration that shows %s', async (_, shown, second, expectedPosts) => {
		let posts = 0;
		const { credential } = await startPlatform((response, { method }) => {
			posts += method === 'POST' ? 1 : 0;
			if (posts === 2) return void response.destroy();
			response.statusCode = method === 'POST' ? 201 : 403;
			response.end(JSON.stringify({ data: person(posts === 1 ? shown : {}) }));
		});
		const settings = { onError: 'continueRegularOutput' } as const;
		const scene = { credential, items: [{}, {}], settings };
		const { records } = await register({ email }, {}, scene);
		expect(records).toMatchObject([{ status: 'registered' }, second]);
		expect(posts).toBe(expectedPosts);
	});
});

test.each([
	['another address', {}, [], /^It shows other@example.com instead of Ada@example.com/],
	['it as an answer', { registrant_detail: { fields: [sentAs] } }, ['registered'], /^$/],
	['no address', { email: null }, ['registered'], /^$/],
])('the answer to a registration shows %s', async (_, more, statuses, why) => {
	const data = { type: 'people', id: 'p1', attributes: { email: 'other@example.com', ...more } };
	const { credential, seen } = await startPlatform((response) =>
		response.end(JSON.stringify({ data })),
	);
	const { records, error } = await register({ email: 'Ada@example.com' }, {}, { credential });
	expect(records.map(({ status }) => status)).toEqual(statuses);
	expect(error?.description ?? '').toMatch(why);
	expect(seen).toHaveLength(1);
});

test.each([
	['their ID', (personId: string) => ({ by: 'person', personId: byId(personId) })],
	[
		'an address as lists write it',
		(_: string, email: string) => ({ by: 'email', email: `Ada <mailto:${email}>,` }),
	],
])('somebody is taken off a session by %s', async (_, by) => {
	const email = `${fresh('leaves')}@example.com`;
	const id = await makeRegistration(sandbox, session, email);
	const of = { sessionId: byId(session), ...by(id, email) };
	const { records } = await operate(sandbox, 'registration.unregister', of);
	const who = { id, email, first_name: 'Ada', last_name: 'Lovelace', session_id: session };
	expect(records).toEqual([{ deleted: true, ...who }]);
	const { status } = await sandbox.api.get(`/sessions/${session}/people/${id}`);
	expect(status).toBe(404);
});

test('somebody is taken off a session although the answer got lost', async () => {
	const email = `${fresh('leaves')}@example.com`;
	const id = await makeRegistration(sandbox, session, email);
	const match = { method: 'DELETE', path: '/v1/sessions/:id/people/:person' };
	await sandbox.faults([{ match, do: 'reset-after' }]);
	const of = { sessionId: byId(session), by: 'email', email };
	const { records, error } = await operate(sandbox, 'registration.unregister', of);
	expect(error).toBeUndefined();
	expect(records).toMatchObject([{ deleted: true, id, email }]);
});

test.each([
	['the person is still in the list', 200, 'dora@example.com'],
	['the list cannot be read', 403, 'dora@example.com'],
	['the list shows others only', 200, 'other@example.com'],
])('a lost answer and then a 404 do not take somebody off where %s', async (_, status, email) => {
	const { credential, seen } = await startPlatform((response, { method }) => {
		const nth = seen.length;
		if (nth === 2) return response.destroy();
		response.statusCode = method === 'DELETE' ? 404 : nth === 1 ? 200 : status;
		const shown = nth === 1 ? 'dora@example.com' : email;
		response.end(
			JSON.stringify({ data: [{ type: 'people', id: shown, attributes: { email: shown } }] }),
		);
	});
	const of = { sessionId: byId(session), by: 'email', email: 'dora@example.com' };
	const { error } = await operate(sandbox, 'registration.unregister', of, { credential });
	expect(error?.message).toBe('The connection broke before the platform answered');
	expect(seen.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'DELETE', 'GET']);
});

test('a lost answer and then a 404 do not take somebody off whose address the platform does not show', async () => {
	const { credential, seen } = await startPlatform((response, { method }) => {
		if (seen.length === 2) return response.destroy();
		response.statusCode = method === 'DELETE' ? 404 : 403;
		response.end();
	});
	const of = { sessionId: byId(session), by: 'person', personId: byId(session) };
	const { error } = await operate(sandbox, 'registration.unregister', of, { credential });
	expect(error?.message).toBe('The connection broke before the platform answered');
	expect(seen.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'DELETE']);
});

test('somebody whom the platform does not show is taken off by the ID nevertheless', async () => {
	const { credential, seen } = await startPlatform((response, { method }) => {
		response.statusCode = method === 'DELETE' ? 204 : 403;
		response.end();
	});
	const of = { sessionId: byId(session), by: 'person', personId: byId(session) };
	const { records } = await operate(sandbox, 'registration.unregister', of, { credential });
	expect(records).toMatchObject([{ deleted: true, id: session, email: null }]);
	expect(seen.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
});

test.each([
	['others than the one asked for', ['other@example.com'], /does not have the expected form$/, 1],
	[
		'two with this address',
		['*@example.com', '*@Example.com'],
		/^Several people with the email/,
		1,
	],
])('nobody is taken off a session where the platform shows %s', async (_, emails, why, reads) => {
	const data = emails.map((email) => ({ type: 'people', id: email, attributes: { email } }));
	const { credential, seen } = await startPlatform((response) => {
		response.end(JSON.stringify({ data }));
	});
	const of = { sessionId: byId(session), by: 'email', email: '*@example.com' };
	const { error } = await operate(sandbox, 'registration.unregister', of, { credential });
	expect(error?.message).toMatch(why);
	expect(seen.map(({ method }) => method)).toEqual(Array(reads).fill('GET'));
});

/** To the next registration, which is made all the same; then this happens to those that follow. */
function loseTheAnswer(...then: Deed[]) {
	const match = { method: 'POST', path: '/v1/sessions/:id/people' };
	return sandbox.faults((['reset-after', ...then] as const).map((deed) => ({ match, do: deed })));
}
