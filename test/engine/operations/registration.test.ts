import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../../support/sandbox';
import { fresh, makeRegistration, makeSession } from './making';
import { byId } from './operationCase';

jest.setTimeout(60_000);

const node = new EventPlatform();
let sandbox: TestSandbox;
let session: string;

beforeAll(async () => {
	sandbox = await sandboxForTests();
	session = await makeSession(sandbox);
});

describe('a person who is registered already', () => {
	test('is given back as registered, with that status', async () => {
		const email = `${fresh('Known')}@Example.com`;
		const id = await makeRegistration(sandbox, session, email);
		const { items, requests } = await register({ email: email.toLowerCase(), first_name: 'X' });
		expect(items).toMatchObject([
			{ id, status: 'already_registered', fields: { first_name: 'Ada' } },
		]);
		expect(requests).toEqual([
			`POST /v1/sessions/${session}/people 409`,
			`GET /v1/sessions/${session}/people 200`,
		]);
	});

	test('is an error when the option says so, and is not looked for', async () => {
		const email = `${fresh('known')}@example.com`;
		await makeRegistration(sandbox, session, email);
		const { error, requests } = await register(
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
			const { items, error } = await run({
				credential: tokenCredential({ ...sandbox, baseUrl: `http://127.0.0.1:${port}` }),
				parameters: parameters({ email }),
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
		await sandbox.faults([
			{
				match: { method: 'POST', path: '/v1/sessions/:id/people' },
				after: 0,
				times: 1,
				do: 'reset-after',
			},
		]);
		const { items } = await register({ email });
		expect(items).toMatchObject([{ email, status: 'already_registered' }]);
	});

	test('whose first answer got lost is not called a failure of the second', async () => {
		const email = `${fresh('lost')}@example.com`;
		await sandbox.faults([
			{
				match: { method: 'POST', path: '/v1/sessions/:id/people' },
				after: 0,
				times: 1,
				do: 'reset-after',
			},
		]);
		const { error, requests } = await register(
			{ email },
			{ options: { ifAlreadyRegistered: 'fail' } },
		);
		expect(error?.message).toBe('The connection broke before the platform answered');
		expect(requests).toHaveLength(1);
	});
});

describe('the answers of the form', () => {
	const form = [
		column('email', 'string'),
		column('first_name', 'string'),
		column('last_name', 'string'),
		column('company', 'string'),
		column('team_size', 'options', ['1-10', '11-100', '100+']),
		column('interests', 'array', ['Product', 'Pricing', 'Integrations']),
	];
	const whole = { first_name: 'Ada', last_name: 'Lovelace', company: 'Engines' };

	test.each<[string, unknown, unknown]>([
		['a list', ['Product', 'Pricing'], ['Product', 'Pricing']],
		['a list written as JSON', '["Product"]', ['Product']],
	])('%s goes out as a list for a multiple choice', async (_, given, sent) => {
		const email = `${fresh('multiple')}@example.com`;
		const { items, error } = await register(
			{ ...whole, email, team_size: '1-10', interests: given as string },
			{ sessionId: byId(upcomingSession) },
			form,
		);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ status: 'registered', fields: { interests: sent } }]);
	});

	test('an answer that is not offered is refused before anything is sent', async () => {
		const { error, requests } = await register(
			{ ...whole, email: 'a@example.com', team_size: '={{ "enormous" }}' },
			{ sessionId: byId(upcomingSession) },
			form,
		);
		expect(error?.description).toMatch(/team_size.*1-10/s);
		expect(requests).toEqual([]);
	});

	test('whole items are mapped by name; what is no field is left out and told', async () => {
		const people = [1, 2].map(() => ({
			...whole,
			email: `${fresh('auto')}@example.com`,
			interests: 'Product, Pricing',
			team_size: '',
			shoe_size: 43,
		}));
		const { items, hints, requests, error } = await register(
			null,
			{ sessionId: byId(upcomingSession) },
			form,
			people,
		);
		expect(error).toBeUndefined();
		expect(items).toMatchObject(
			people.map(({ email }) => ({
				email,
				status: 'registered',
				fields: { company: 'Engines', interests: ['Product', 'Pricing'] },
			})),
		);
		expect(hints).toEqual(['Not on the registration form, so left out: shoe_size.']);
		expect(requests).toHaveLength(2);
	});

	test('without a saved form, whole items are mapped by the form of the session, asked for once', async () => {
		const people = [1, 2, 3].map(() => ({
			...whole,
			email: `${fresh('form')}@example.com`,
			shoe_size: 43,
		}));
		const { items, requests } = await register(
			null,
			{ sessionId: byId(upcomingSession) },
			[],
			people,
		);
		expect(items.map(({ status }) => status)).toEqual(people.map(() => 'registered'));
		expect(requests.filter((request) => request.startsWith('GET'))).toEqual([
			`GET /v1/sessions/${upcomingSession} 200`,
		]);
	});

	test('a person without an address is refused before anything is sent', async () => {
		const { error, requests } = await register({ first_name: 'Ada' });
		expect(error?.message).toBe('This person cannot be registered');
		expect(error?.description).toMatch(/There is no email/);
		expect(requests).toEqual([]);
	});

	test('an unknown field is the platform’s to name', async () => {
		const { error } = await register({
			email: `${fresh('x')}@example.com`,
			first_name: 'A',
			last_name: 'B',
			horoscope: 'Leo',
		});
		expect(error?.description).toMatch(/horoscope/);
	});
});

test('a record that is not simplified comes as the platform sent it, with the status', async () => {
	const email = `${fresh('raw')}@example.com`;
	const { items } = await register(
		{ email, first_name: 'Ada', last_name: 'Lovelace' },
		{ simplify: false },
	);
	expect(items).toMatchObject([
		{ type: 'people', status: 'registered', attributes: { email, registrant_detail: {} } },
	]);
});

test('somebody is taken off a session by their ID as well', async () => {
	const personId = await makeRegistration(sandbox, session);
	const { items, error } = await run({
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

/** Registers by values, or by whole items where there are none. */
async function register(
	values: Record<string, string> | null,
	more: INodeParameters = {},
	schema: object[] = [],
	people: IDataObject[] = [{}],
) {
	const before = (await sandbox.requests()).length;
	const { items, error, hints } = await run({
		parameters: parameters(values, more, schema),
		items: people,
	});
	const requests = (await sandbox.requests()).slice(before);
	return {
		items: items.map(({ json }) => json),
		error,
		hints: hints.map(({ message }) => message),
		requests: requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
	};
}

function parameters(
	values: Record<string, string> | null,
	more: INodeParameters = {},
	schema: object[] = [],
): INodeParameters {
	return {
		resource: 'registration',
		operation: 'register',
		sessionId: byId(session),
		fields: {
			mappingMode: values ? 'defineBelow' : 'autoMapInputData',
			value: values,
			schema,
		} as unknown as INodeParameters,
		...more,
	};
}

function run(scene: {
	parameters: INodeParameters;
	items?: IDataObject[];
	credential?: ReturnType<typeof tokenCredential>;
}) {
	return runWorkflow({ node, credential: tokenCredential(sandbox), ...scene });
}

function column(id: string, type: string, options?: string[]) {
	return {
		id,
		displayName: id,
		type,
		required: id === 'email',
		defaultMatch: false,
		display: true,
		options: options?.map((value) => ({ name: value, value })),
	};
}
