import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { tokenCredential } from '../../support/engine';
import { sandboxForTests, type TestSandbox } from '../../support/sandbox';
import { fresh, makeRegistration, makeSession } from './making';
import { byId } from './operationCase';
import { Registering } from './registering';

jest.setTimeout(60_000);

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
		expect(items).toMatchObject([
			{ id, status: 'already_registered', fields: { first_name: 'Ada' } },
		]);
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
		expect(changed.items).toMatchObject([{ fields: { first_name: 'Ada' } }]);
		expect(changed.hints).toEqual([
			expect.stringMatching(/already with other answers\. Their old answers stay.*'Update'/),
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

	test('is recognised by the 422 of older days too', async () => {
		const email = 'old@example.com';
		const person = { type: 'people', id: 'p1', attributes: { email, role: 'participant' } };
		const old = Fastify();
		old.post('/v1/sessions/:id/people', (_, reply) =>
			reply.code(422).send({ errors: [{ title: 'Email has already been registered' }] }),
		);
		old.get('/v1/sessions/:id/people', () => ({ data: [person] }));
		await old.listen({ port: 0, host: '127.0.0.1' });
		try {
			const { port } = old.server.address() as AddressInfo;
			const { items, error } = await registering.run({
				credential: tokenCredential({ ...sandbox, baseUrl: `http://127.0.0.1:${port}` }),
				parameters: registering.parameters({ email }),
			});
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([
				{ id: 'p1', type: 'people', email, role: 'participant', status: 'already_registered' },
			]);
		} finally {
			await old.close();
		}
	});

	test('may be the same one: an answer that got lost does not register twice', async () => {
		const email = `${fresh('lost')}@example.com`;
		await loseTheAnswer();
		const { items } = await registering.register({ email });
		expect(items).toMatchObject([{ email, status: 'already_registered' }]);
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

test('a record that is not simplified comes as the platform sent it, with the status', async () => {
	const email = `${fresh('raw')}@example.com`;
	const { items } = await registering.register(
		{ email, first_name: 'Ada', last_name: 'Lovelace' },
		{ simplify: false },
	);
	expect(items).toMatchObject([
		{ type: 'people', status: 'registered', attributes: { email, registrant_detail: {} } },
	]);
});

test('somebody is taken off a session by their ID as well', async () => {
	const personId = await makeRegistration(sandbox, session);
	const { items, error } = await registering.run({
		parameters: {
			resource: 'registration',
			operation: 'unregister',
			sessionId: byId(session),
			by: 'person',
			personId: byId(personId),
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
