import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { Engine, tokenCredential, type Outcome } from '../../support/engine';
import { bulkRegister } from '../../support/bulk';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../../support/sandbox';
import { fresh } from './making';
import { byId } from './operationCase';
import { Registering } from './registering';

jest.setTimeout(20_000);

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

interface Row {
	what: string;
	given: IDataObject;
	problem?: string;
	answers?: IDataObject;
}

const noEmail = 'There is no email. It is the one field that every person needs.';
const rows: Row[] = [
	{ what: 'is complete', given: { team_size: '1-10' }, answers: { team_size: '1-10' } },
	{ what: 'leaves a choice blank', given: { team_size: '' }, answers: { team_size: null } },
	{
		what: 'has only a blank for a choice',
		given: { team_size: ' ' },
		answers: { team_size: null },
	},
	{ what: 'has null for a choice', given: { team_size: null }, answers: { team_size: null } },
	{
		what: 'lists several choices with commas',
		given: { interests: 'Product, Pricing' },
		answers: { interests: ['Product', 'Pricing'] },
	},
	{ what: 'has a list', given: { interests: ['Pricing'] }, answers: { interests: ['Pricing'] } },
	{
		what: 'has an answer that is no choice',
		given: { team_size: '5 people' },
		problem: `"5 people" is not a choice of 'Team Size'. It has 1-10, 11-100, 100+.`,
	},
	{
		what: 'has an answer that is none of several choices',
		given: { interests: 'Product, Beer' },
		problem: `"Beer" is not a choice of 'Interests'. It has Product, Pricing, Integrations.`,
	},
	{ what: 'has no email', given: { email: '' }, problem: noEmail },
	{ what: 'has null for the email', given: { email: null }, problem: noEmail },
];

/** The cause as the title, and what else there is to say below it. */
function saidBy(error: Outcome['error']): string {
	return `${error?.message}. ${error?.description}`;
}

describe.each([
	['mapped by hand', manually],
	['mapped automatically', null],
])('a row %s', (_, value) => {
	test.each(rows)('that $what is registered, or refused with the reason', async (row) => {
		const { items, error, requests } = await registering.register(value, {}, schema, [
			personWith(row.given),
		]);
		if (row.problem === undefined) {
			expect(error).toBeUndefined();
			expect(items).toMatchObject([{ status: 'registered', fields: row.answers }]);
		} else {
			expect(saidBy(error)).toBe(`${row.problem} This person was not registered.`);
			expect(requests).toEqual([]);
		}
	});

	test('that is wrong is invalid in bulk, and the others are registered', async () => {
		const people = rows.map(({ given }) => personWith(given));
		const { items, error, hints } = await bulkRegister(sandbox, people, {
			parameters: { fields: mapping(value) },
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => (json.errors as IDataObject[])[0]?.message)).toEqual(
			rows.map(({ problem }) => problem),
		);
		expect(items.map(({ json }) => json.status)).toEqual(
			rows.map(({ problem }) => (problem === undefined ? 'registered' : 'invalid')),
		);
		expect(hints.map(({ message }) => message).join()).not.toMatch(/left out|required/);
	});

	test('without the answer to a required question is registered, and the question named', async () => {
		const people = [1, 2].map(() => personWith({ company: '' }));
		const { items, hints } = await bulkRegister(sandbox, people, {
			parameters: { fields: mapping(value) },
		});
		expect(items.map(({ json }) => json.status)).toEqual(['registered', 'registered']);
		expect(hints.map(({ message }) => message)).toContain(
			"'Company' (2 people) is required on the form; registering without it.",
		);
	});
});

test('a list with the labels of the form as headings is registered as it is', async () => {
	const email = `${fresh('labels')}@example.com`;
	const person = { Email: email, 'First Name': 'Ada', 'LAST NAME': 'Lovelace', Company: 'Engines' };
	const { items, hints } = await registering.register(null, {}, schema, [person]);
	expect(items).toMatchObject([
		{
			email,
			status: 'registered',
			fields: { first_name: 'Ada', last_name: 'Lovelace', company: 'Engines' },
		},
	]);
	expect(hints).toEqual([]);
});

test('a required choice whose cell is blank refuses its row with the choices', async () => {
	const strict = schema.map((column) =>
		(column as { id: string }).id === 'team_size'
			? { ...column, displayName: 'Team Size (required)' }
			: column,
	);
	const { error } = await registering.register(manually, {}, strict, [
		personWith({ team_size: '' }),
	]);
	expect(saidBy(error)).toBe(
		"'Team Size' is required on the form. It has 1-10, 11-100, 100+. This person was not registered.",
	);
});

test('a column of several choices that an earlier version saved is still one', async () => {
	const old = schema.map((column) =>
		(column as { id: string }).id === 'interests' ? { ...column, type: 'array' } : column,
	);
	const person = personWith({ interests: 'Product, Pricing' });
	const { items } = await registering.register(manually, {}, old, [person]);
	expect(items).toMatchObject([{ fields: { interests: ['Product', 'Pricing'] } }]);
});

function personWith(given: IDataObject): IDataObject {
	const email = `${fresh('row')}@example.com`;
	return { email, first_name: 'Ada', last_name: 'Lovelace', company: 'Engines', ...given };
}

function mapping(value: Record<string, string> | null) {
	const mappingMode = value ? 'defineBelow' : 'autoMapInputData';
	return { mappingMode, value, schema, matchingColumns: [] } as unknown as INodeParameters;
}
