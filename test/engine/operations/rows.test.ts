import '../../support/fasterClock';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { Engine, tokenCredential } from '../../support/engine';
import { bulkRegister } from '../../support/bulk';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../../support/sandbox';
import { fresh } from './making';
import { byId } from './operationCase';
import { Registering } from './registering';

let sandbox: TestSandbox;
let registering: Registering;
/** As the editor saves them. */
let schema: object[];

beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 0 });
	registering = new Registering(sandbox, upcomingSession);
	const node = new EventPlatform();
	const context = new Engine({
		node,
		credential: tokenCredential(sandbox),
		parameters: {
			resource: 'registration',
			operation: 'register',
			sessionId: byId(upcomingSession),
		},
	}).editorContext();
	schema = (await node.methods.resourceMapping.registrationForm.call(context)).fields;
});

const manually = {
	email: '={{ $json.email }}',
	first_name: '={{ $json.first_name }}',
	last_name: '={{ $json.last_name }}',
	company: '={{ $json.company }}',
	team_size: '={{ $json.team_size }}',
	interests: '={{ $json.interests }}',
};

const noEmail = 'There is no email. It is the one field that every person needs.';
/** What is special about a row, and why it is refused, if it is. */
const rows: Array<[given: IDataObject, problem?: string]> = [
	[{ team_size: '1-10' }],
	[{ team_size: ' ', interests: 'Product, Pricing' }],
	[{ interests: '["Product"]' }],
	[
		{ team_size: '5 people' },
		`"5 people" is not a choice of 'Team Size'. It has 1-10, 11-100, 100+.`,
	],
	[
		{ interests: 'Product, Beer' },
		`"Beer" is not a choice of 'Interests'. It has Product, Pricing, Integrations.`,
	],
	[{ email: null }, noEmail],
];

describe.each([
	['mapped by hand', manually],
	['mapped automatically', null],
])('a row %s', (_, value) => {
	test('that is wrong is invalid in bulk, and the others are registered', async () => {
		const people = rows.map(([given]) => personWith(given));
		const { items, error, hints } = await bulkRegister(sandbox, people, {
			parameters: { fields: mapping(value) },
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.reason)).toEqual(
			rows.map(([, problem]) => problem ?? null),
		);
		expect(items.map(({ json }) => json.status)).toEqual(
			rows.map(([, problem]) => (problem === undefined ? 'registered' : 'invalid')),
		);
		expect(hints.map(({ message }) => message).join()).not.toMatch(/left out|requires/);
	});

	test('without the answer to a required question is registered, and the question named', async () => {
		const people = [...['', ' '].map((company) => personWith({ company })), { email: 'nobody' }];
		const { items, hints } = await bulkRegister(sandbox, people, {
			parameters: { fields: mapping(value) },
		});
		expect(items.map(({ json }) => json.status)).toEqual([
			...['registered', 'registered', 'invalid'],
		]);
		expect(hints.map(({ message }) => message)).toContain(
			"Registered without answers that the form requires: 'Company' (2 people).",
		);
	});
});

test('a single person is refused with the cause as the title, before anything is sent', async () => {
	const { error, requests } = await registering.register(manually, {}, schema, [
		personWith({ email: '' }),
	]);
	expect(`${error?.message}. ${error?.description}`).toBe(
		`${noEmail} This person was not registered.`,
	);
	expect(requests).toEqual([]);
});

test('a list with the labels of the form as headings is registered as it is', async () => {
	const email = `${fresh('labels')}@example.com`;
	const person = { Email: email, 'First Name': 'Ada', 'LAST NAME': 'Lovelace', Company: 'Engines' };
	const { items, hints } = await registering.register(null, {}, schema, [person]);
	expect(items).toMatchObject([
		{
			email,
			status: 'registered',
			...{ first_name: 'Ada', last_name: 'Lovelace', company: 'Engines' },
		},
	]);
	expect(hints).toEqual([]);
});

test('a column that is close to a question is suggested', async () => {
	const { hints } = await registering.register(null, {}, schema, [
		{ ...personWith({ company: null }), Compny: 'Engines', 'Shoe size': 43 },
	]);
	expect(hints[0]).toMatch(
		/therefore ignored: 'Compny' \(did you mean 'Company'\?\), 'Shoe size'\. It asks/,
	);
});

describe('a choice that the saved form does not have', () => {
	/** As saved before the form got "Product". */
	const old = () =>
		schema.map((column) =>
			(column as { id: string }).id === 'interests'
				? { ...column, displayName: 'Interests', options: [{ name: 'Pricing', value: 'Pricing' }] }
				: column,
		);

	test('and the form has by now is sent, after one look at the form for the whole run', async () => {
		const people = [1, 2, 3].map(() => personWith({ interests: 'product' }));
		const { items, error, requests } = await registering.register(manually, {}, old(), people);
		expect(error).toBeUndefined();
		expect(items.map(({ status }) => status)).toEqual(people.map(() => 'registered'));
		expect(requests.filter((request) => request.startsWith('GET'))).toHaveLength(1);
	});

	test('and the form still does not have is for the platform to judge, where that is wanted', async () => {
		const person = personWith({ interests: 'Beer' });
		const more = { options: { sendUnknownChoices: true } };
		const { error } = await registering.register(manually, more, old(), [person]);
		expect(error?.message).toMatch(/'Beer' is not a choice of the field 'interests'/);
	});
});

test('a column of several choices that an earlier version saved is still one', async () => {
	const old = schema.map((column) =>
		(column as { id: string }).id === 'interests' ? { ...column, type: 'array' } : column,
	);
	const person = personWith({ interests: 'Product, Pricing' });
	const { items } = await registering.register(manually, {}, old, [person]);
	expect(items).toMatchObject([{ interests: 'Product, Pricing' }]);
});

test('without a saved form, whole items are mapped by the form of the session, asked for once', async () => {
	const people = [1, 2, 3].map(() => personWith({ shoe_size: 43 }));
	const { items, requests } = await registering.register(null, {}, [], people);
	expect(items.map(({ status }) => status)).toEqual(people.map(() => 'registered'));
	expect(requests.filter((request) => request.startsWith('GET'))).toEqual([
		`GET /v1/sessions/${upcomingSession} 200`,
	]);
});

test('a form that could not be read for a moment is asked for again', async () => {
	const people = Array.from({ length: 40 }, () => personWith({}));
	const match = { path: '/v1/sessions/:id', method: 'GET' };
	await registering.sandbox.faults([{ match, times: 4, do: '500' }]);
	const { items } = await registering.register(null, {}, [], people, {
		onError: 'continueRegularOutput',
	});
	const failed = items.filter(({ error }) => error !== undefined);
	expect(failed).toHaveLength(1);
	expect(items.filter(({ status }) => status === 'registered')).toHaveLength(39);
});

function personWith(given: IDataObject): IDataObject {
	const email = `${fresh('row')}@example.com`;
	return { email, first_name: 'Ada', last_name: 'Lovelace', company: 'Engines', ...given };
}

function mapping(value: Record<string, string> | null) {
	const mappingMode = value ? 'defineBelow' : 'autoMapInputData';
	return { mappingMode, value, schema, matchingColumns: [] } as unknown as INodeParameters;
}
