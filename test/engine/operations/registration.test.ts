import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { INodeParameters } from 'n8n-workflow';
import { tokenCredential } from '../../support/engine';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { fresh, makeRegistration, makeSession } from './making';
import { byId } from './operationCase';
import { Registering } from './registering';

let sandbox: TestSandbox;
let session: string;
let registering: Registering;

beforeAll(async () => {
	sandbox = await sandboxForTests();
	session = await makeSession(sandbox);
	registering = new Registering(sandbox, session);
});

describe('a person who is registered already', () => {
	test('is given back as registered, with that status', async () => {
		const email = `${fresh('Known')}@Example.com`;
		const id = await makeRegistration(sandbox, session, email);
		const { items, requests } = await registering.register({
			email: email.toLowerCase(),
			first_name: 'X',
		});
		expect(items).toMatchObject([{ id, status: 'already_registered', first_name_answer: 'Ada' }]);
		expect(requests).toEqual([
			`POST /v1/sessions/${session}/people 409`,
			`GET /v1/sessions/${session}/people 200`,
		]);
	});

	test('keeps the old answers, and people are told so when theirs are others', async () => {
		const email = `${fresh('known')}@example.com`;
		await makeRegistration(sandbox, session, email);
		const same = await registering.register({ email: email.toUpperCase(), first_name: 'Ada' });
		expect(same.hints).toEqual([]);
		const changed = await registering.register({ email, first_name: 'Augusta' });
		expect(changed.items).toMatchObject([{ first_name_answer: 'Ada' }]);
		expect(changed.hints).toEqual([
			expect.stringMatching(
				/already registered with other answers\. To change their answers.*'Update'/,
			),
		]);
	});

	test('is an error when the option says so, and is not looked for', async () => {
		const email = `${fresh('known')}@example.com`;
		await makeRegistration(sandbox, session, email);
		const { error, requests } = await registering.register(
			{ email },
			{ options: { ifAlreadyRegistered: 'fail' } },
		);
		expect(error?.message).toBe('The person is already registered for this session (409)');
		expect(requests).toEqual([`POST /v1/sessions/${session}/people 409`]);
	});

	test.each<[number, { title?: string; code?: string; detail?: string }, boolean]>([
		[422, { title: 'Email has already been registered' }, true],
		[422, { code: 'unprocessable_entity', detail: 'has already been taken' }, true],
		[409, { code: 'session_full', detail: 'All seats are already taken' }, false],
		[422, { code: '422', detail: 'Phone has already been taken' }, false],
	])('is told by a %i that says %j: %s', async (status, error, isThere) => {
		const email = 'old@example.com';
		const person = { type: 'people', id: 'p1', attributes: { email, role: 'participant' } };
		const platform = Fastify();
		platform.post('/v1/sessions/:id/people', (_, reply) =>
			reply.code(status).send({ errors: [error] }),
		);
		platform.get('/v1/sessions/:id/people', () => ({ data: [person] }));
		await platform.listen({ port: 0, host: '127.0.0.1' });
		try {
			const { port } = platform.server.address() as AddressInfo;
			const credential = tokenCredential({ ...sandbox, baseUrl: `http://127.0.0.1:${port}` });
			const run = (options: INodeParameters = {}) =>
				registering.run({ credential, parameters: registering.parameters({ email }, { options }) });
			const [found, refused] = [await run(), await run({ ifAlreadyRegistered: 'fail' })];
			expect(found.items.map(({ json }) => json.status)).toEqual(
				isThere ? ['already_registered'] : [],
			);
			const words = isThere ? 'The person is already registered' : error.detail;
			expect(refused.error?.message).toContain(words);
		} finally {
			await platform.close();
		}
	});

	test('may be the same one: an answer that got lost does not register twice', async () => {
		const email = `${fresh('lost')}@example.com`;
		await loseTheAnswer();
		const { items } = await registering.register({ email });
		expect(items).toMatchObject([{ email, status: 'registered' }]);
		const before = `${fresh('before')}@example.com`;
		await makeRegistration(sandbox, session, before);
		await new Promise((later) => setTimeout(later, 2_000));
		await loseTheAnswer();
		const known = await registering.register({ email: before });
		expect(known.items).toMatchObject([{ email: before, status: 'already_registered' }]);
	});

	test('whose first answer got lost is not called a failure of the second', async () => {
		const email = `${fresh('lost')}@example.com`;
		await loseTheAnswer();
		const { error, requests } = await registering.register(
			{ email },
			{ options: { ifAlreadyRegistered: 'fail' } },
		);
		expect(error?.message).toBe('The connection broke before the platform answered');
		expect(requests).toHaveLength(1);
	});
});

test.each([
	['their ID', (personId: string) => ({ by: 'person', personId: byId(personId) })],
	[
		'an address as lists write it',
		(_: string, email: string) => ({ by: 'email', email: `Ada <mailto:${email}>,` }),
	],
])('somebody is taken off a session by %s', async (_, by) => {
	const email = `${fresh('leaves')}@example.com`;
	const personId = await makeRegistration(sandbox, session, email);
	const { items, error } = await registering.run({
		parameters: {
			resource: 'registration',
			operation: 'unregister',
			sessionId: byId(session),
			...by(personId, email),
		},
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([{ deleted: true }]);
	const { status } = await sandbox.api.get(`/sessions/${session}/people/${personId}`);
	expect(status).toBe(404);
});

/** To the next registration, which is made all the same. */
function loseTheAnswer() {
	const match = { method: 'POST', path: '/v1/sessions/:id/people' };
	return sandbox.faults([{ match, do: 'reset-after' }]);
}
