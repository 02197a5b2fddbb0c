import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { firstPage } from './operationCase';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { Engine } from '../../support/n8n/engine';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { tokenCredential } from '../../support/n8n/engineConsent';
import { upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile({ rate: 0 });
/** The columns as the editor saves them. */
let schema: Array<{ id: string }>;

beforeAll(async () => {
	const node = new EventPlatform();
	const credential = tokenCredential(sandbox);
	const parameters = { sessionId: byId(upcomingSession) };
	const context = new Engine({ node, credential, parameters }).editorContext();
	schema = (await node.methods.resourceMapping.registrationForm.call(context)).fields;
});

const questions = ['email', 'first_name', 'last_name', 'company', 'team_size', 'interests'];
const manually = Object.fromEntries(questions.map((id) => [id, `={{ $json.${id} }}`]));

const noEmail = 'There is no email. It is the one field that every person needs.';
/** The special answers of a row, and the reason why it is refused, if it is. */
const rows: Array<[answers: IDataObject, problem?: string]> = [
	[{ team_size: ' ', interests: 'Product, Pricing' }],
	[
		{ team_size: '5 people' },
		`"5 people" is not a choice of 'Team Size'. It has 1-10, 11-100, 100+.`,
	],
	[{ email: null }, noEmail],
];

describe.each([
	['mapped by hand', manually],
	['mapped automatically', null],
])('a row %s', (_, values) => {
	test('that is wrong is invalid in bulk, and the others are registered', async () => {
		const people = rows.map(([answers]) => personWith(answers));
		const { records, hints } = await register(people, values, { operation: 'bulkRegister' });
		expect(records.map(({ status, reason }) => [status, reason])).toEqual(
			rows.map(([, why]) => (why === undefined ? ['registered', null] : ['invalid', why])),
		);
		expect(hints.join()).not.toMatch(/left out|requires/);
	});

	test('without the answer to a required question is registered, and the question named', async () => {
		const more = { Compny: 'Engines', 'Shoe size': 43 };
		const unanswered = ['', ' '].map((company) => personWith({ company, ...more }));
		const people = [...unanswered, { email: 'nobody' }];
		const { records, hints } = await register(people, values, { operation: 'bulkRegister' });
		expect(records.map(({ status }) => status)).toEqual(['registered', 'registered', 'invalid']);
		expect(hints).toContain(
			"Registered without answers that the form requires: 2 people (Ada Lovelace, Ada Lovelace) without 'Company'.",
		);
		const ignored = `'Compny' (2 people, did you mean 'Company'?), 'Shoe size' (2 people). It asks`;
		expect(hints.join().includes(ignored)).toBe(values === null);
	});
});

describe('a row whose email is empty, which n8n leaves out of its item,', () => {
	const withColumn = (column: string): IDataObject[] => {
		const { email, ...ada } = personWith({});
		return [{ ...ada, [column]: email }, { ...ada }];
	};

	test.each(['bulkRegister', 'sync'])(
		'is not told to rename the right column (%s)',
		async (operation) => {
			const { records } = await register(withColumn('E-Mail'), null, { operation });
			expect(records[1]?.reason).toBe(noEmail);
		},
	);

	test('is not told to rename it by Register either', async () => {
		const { error } = await register(withColumn('E-Mail').reverse());
		expect(error?.message).toBe(noEmail.replace(/\.$/, ''));
	});
});

test('a column of several choices is one without its title, too', async () => {
	const old = saved('interests', { displayName: undefined });
	const interests = 'Product, Pricing';
	const { records } = await register([personWith({ interests })], manually, {}, old);
	expect(records).toMatchObject([{ interests }]);
});

test('whole items are mapped by the form that the session has by now, asked for once', async () => {
	const people = [1, 2, 3].map(() => personWith({ shoe_size: 43 }));
	const { records, sent } = await register(people, null, {}, schema.slice(0, 1));
	expect(records.map(({ company }) => company)).toEqual(people.map(() => 'Engines'));
	expect(sent.filter((request) => request.startsWith('GET'))).toEqual([
		`GET /sessions/${upcomingSession}?include=event`,
		// A column that the form does not know may have the name of an attribute.
		`GET /people_attributes?${firstPage()}`,
	]);
});

describe('columns of whole items that no question takes', () => {
	test.each(['={{ $json.Channel }}', `={{ $json["Channel"] ?? '' }}`])(
		'are not called ignored where an expression reads them: %s',
		async (utmMedium) => {
			const row = personWith({ Channel: 'mail', shoes: 43 });
			const { hints } = await register([row], null, { additionalFields: { utmMedium } });
			expect(hints.join()).toMatch(/therefore ignored: 'shoes'\. It asks/);
		},
	);

	test('are named with the question that they probably mean', async () => {
		const row = personWith({ company: '', 'Company (HQ)': 'Engines', 'Tema Size': '1-10' });
		const { hints } = await register([row], null);
		const asked = [
			['Company (HQ)', 'Company'],
			['Tema Size', 'Team Size'],
		].map(([column, label]) => `'${column}' (did you mean '${label}'?)`);
		expect(hints.join()).toContain(asked.join(', '));
	});
});

function personWith(answers: IDataObject): IDataObject {
	const email = `${fresh('row')}@example.com`;
	return { email, first_name: 'Ada', last_name: 'Lovelace', company: 'Engines', ...answers };
}

/** The columns as an earlier form, or a program that builds workflows, left them. */
function saved(id: string, more: object) {
	return schema.map((column) => (column.id === id ? { ...column, ...more } : column));
}

function register(
	items: IDataObject[],
	values: object | null = null,
	more: object = {},
	columns = schema,
) {
	const of = { sessionId: byId(upcomingSession), fields: mapped(values, columns), ...more };
	return operate(sandbox, 'registration.register', of, { items });
}
