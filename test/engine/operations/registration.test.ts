import { anyServer } from '../../support/anyServer';
import { tokenCredential } from '../../support/engine';
import type { Deed } from '../../../sandbox/faults/faults';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { fresh, makeRegistration, makeSession } from './making';
import { byId, mapped, operate } from './operate';

let sandbox: TestSandbox;
let session: string;

beforeAll(async () => {
	sandbox = await sandboxForTests();
	session = await makeSession(sandbox);
});

const register = (
	values: { email: string; first_name?: string },
	options: object = {},
	scene: Parameters<typeof operate>[3] = {},
) => {
	const of = { sessionId: byId(session), fields: mapped(values), options };
	return operate(sandbox, 'registration.register', of, scene);
};
const sentAs = { id: 'email', value: 'ada@example.com' };
const refusing = { ifAlreadyRegistered: 'fail' };

describe('a person who is registered already', () => {
	test('is given back as registered, with that status', async () => {
		const email = `${fresh('Known')}@Example.com`;
		const id = await makeRegistration(sandbox, session, email);
		const given = { email: email.toLowerCase(), first_name: 'X' };
		const { records, requests } = await register(given);
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
		const why = /already registered with other answers\. To change their answers.*'Update'/;
		expect(changed.hints).toEqual([expect.stringMatching(why)]);
	});

	test('is an error when the option says so, and is not looked for', async () => {
		const email = `${fresh('known')}@example.com`;
		await makeRegistration(sandbox, session, email);
		const { error, sent } = await register({ email }, refusing);
		expect(error?.message).toBe('The person is already registered for this session (409)');
		expect(sent).toEqual([`POST /sessions/${session}/people`]);
	});

	test.each([
		[422, { title: 'Email has already been registered' }, 'The person is already registered'],
		[409, { code: 'session_full', detail: 'All seats are already taken' }, undefined],
		[422, { code: '422', detail: 'Phone has already been taken' }, undefined],
	])('is told by a %i that says %j: %s', async (status, error, isThere) => {
		const email = 'old@example.com';
		const person = { type: 'people', id: 'p1', attributes: { email, role: 'participant' } };
		const { baseUrl } = await anyServer((response, { method }) => {
			response.statusCode = method === 'POST' ? status : 200;
			response.end(JSON.stringify(method === 'POST' ? { errors: [error] } : { data: [person] }));
		});
		const credential = tokenCredential({ ...sandbox, baseUrl });
		const { records } = await register({ email }, {}, { credential });
		expect(records.map((one) => one.status)).toEqual(isThere ? ['already_registered'] : []);
		const refused = await register({ email }, refusing, { credential });
		expect(refused.error?.message).toContain(isThere ?? error.detail);
	});

	test('may be the same one: an answer that got lost does not register twice', async () => {
		const email = `${fresh('lost')}@example.com`;
		await loseTheAnswer();
		expect((await register({ email })).records).toMatchObject([{ email, status: 'registered' }]);
		const before = `${fresh('before')}@example.com`;
		await makeRegistration(sandbox, session, before);
		await new Promise((later) => setTimeout(later, 2_000));
		await loseTheAnswer();
		const known = { email: before, status: 'already_registered' };
		expect((await register({ email: before })).records).toMatchObject([known]);
	});

	test('whose first answer got lost is not called a failure of the second', async () => {
		await loseTheAnswer('empty-403');
		const again = await register({ email: `${fresh('lost')}@example.com` });
		expect(again.error?.message).toBe('The connection broke before the platform answered');
		expect(again.sent).toHaveLength(2);
		await loseTheAnswer();
		const { error, sent } = await register({ email: `${fresh('lost')}@example.com` }, refusing);
		expect(error?.message).toBe('The connection broke before the platform answered');
		expect(sent).toHaveLength(1);
	});
});

test.each([
	['another address', {}, [], /^It shows other@example.com instead of Ada@example.com/],
	['it as an answer', { registrant_detail: { fields: [sentAs] } }, ['registered'], /^$/],
	['no address', { email: null }, ['registered'], /^$/],
])('the answer to a registration shows %s', async (_, more, statuses, why) => {
	const data = { type: 'people', id: 'p1', attributes: { email: 'other@example.com', ...more } };
	const { baseUrl, seen } = await anyServer((response) => response.end(JSON.stringify({ data })));
	const credential = tokenCredential({ ...sandbox, baseUrl });
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
	expect(records).toEqual([{ deleted: true }]);
	const { status } = await sandbox.api.get(`/sessions/${session}/people/${id}`);
	expect(status).toBe(404);
});

test.each([
	['others than the one asked for', ['other@example.com'], /^Nobody with the email/],
	['two with this address', ['*@example.com', '*@Example.com'], /^Several people with the email/],
])('nobody is taken off a session where the platform shows %s', async (_, shown, why) => {
	const data = shown.map((email) => ({ type: 'people', id: email, attributes: { email } }));
	const { baseUrl, seen } = await anyServer((response) => {
		response.end(JSON.stringify({ data }));
	});
	const credential = tokenCredential({ ...sandbox, baseUrl });
	const of = { sessionId: byId(session), by: 'email', email: '*@example.com' };
	const { error } = await operate(sandbox, 'registration.unregister', of, { credential });
	expect(error?.message).toMatch(why);
	expect(seen.map(({ method }) => method)).toEqual(['GET']);
});

/** To the next registration, which is made all the same; then this happens to those that follow. */
function loseTheAnswer(...then: Deed[]) {
	const match = { method: 'POST', path: '/v1/sessions/:id/people' };
	return sandbox.faults((['reset-after', ...then] as const).map((deed) => ({ match, do: deed })));
}
