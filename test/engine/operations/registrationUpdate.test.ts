import { startPlatform } from '../../support/n8n/startPlatform';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh, makeRegistration } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile();
let email: string;
let personId: string;

beforeEach(async () => {
	await sandbox.reset();
	email = `${fresh('known')}@example.com`;
	personId = await makeRegistration(sandbox, upcomingSession, email);
});

test('somebody found by email, letter case aside, gets the new answers and keeps the others', async () => {
	const parameters = { email: email.toUpperCase(), fields: mapped({ company: 'Acme' }) };
	const { records, methods } = await update(parameters);
	expect(records).toMatchObject([
		{
			id: personId,
			status: 'updated',
			company: 'Acme',
			first_name: 'Ada',
			last_name: 'Lovelace',
			changes: [{ field: 'company', old: null, new: 'Acme' }],
		},
	]);
	expect(methods).toEqual(['GET', 'PATCH']);
});

test('what is the same text already is not sent: neither answers, nor a choice, nor utm values, nor the address that found the person', async () => {
	const additionalFields = { utmSource: 'newsletter' };
	const give = (...interests: string[]) =>
		update({
			fields: mapped({ email: email.toUpperCase(), first_name: 'Ada', interests }),
			additionalFields,
		});
	await give('Product', 'Pricing');
	const again = await give('Product', 'Pricing');
	expect(again.records).toMatchObject([{ id: personId, status: 'unchanged', changes: [] }]);
	expect(again.methods).toEqual(['GET']);
	// Somebody who gives another order may mean it.
	const reordered = await give('Pricing', 'Product');
	expect(reordered.records).toMatchObject([{ id: personId, status: 'updated' }]);
	expect(reordered.methods).toEqual(['GET', 'PATCH']);
});

const fifty = 'x'.repeat(50);

test.each([
	['Acme', 'acme'],
	['Acme', 'Acme '],
	['1.1', '1.10'],
	['5', '5.0'],
	['2026-04-03', '03/04/2026'],
	['28/11/2026', '2026-11-28'],
	['yes', 'true'],
	['+33 612 345 678', '+33612345678'],
	[fifty, `${fifty} and more`],
	['and more...', 'and more... of it'],
])('a person who changes %j to %j gets the new text', async (old, company) => {
	await update({ fields: mapped({ company: old }) });
	const { records, methods } = await update({ fields: mapped({ company }) });
	expect(records).toMatchObject([
		{ status: 'updated', changes: [{ field: 'company', old, new: company }] },
	]);
	expect(methods).toEqual(['GET', 'PATCH']);
	expect(records).toMatchObject([{ company }]);
});

describe('a change that only a reader to the letter sees, and whose answer gets lost,', () => {
	const rows: Array<[field: string, old: unknown, now: unknown]> = [
		['company', 'Acme', 'Acme '],
		['company', 'Acme\nInc', 'Acme\r\nInc'],
		['interests', ['Product', 'Pricing'], ['Pricing', 'Product']],
	];
	const change = async (field: string, value: unknown) =>
		await update({ fields: mapped({ [field]: value }) });
	const loseAnswer = () =>
		sandbox.faults([
			{ match: { method: 'PATCH', path: '/v1/sessions/:id/people/:person' }, do: 'reset-after' },
		]);

	test.each(rows)(
		'is called made where the platform made it: %s from %j to %j',
		async (field, old, now) => {
			await change(field, old);
			await loseAnswer();
			const { error, records } = await change(field, now);
			expect(error).toBeUndefined();
			expect(records).toMatchObject([{ status: 'updated' }]);
			expect((await change(field, now)).records).toMatchObject([{ status: 'unchanged' }]);
		},
	);
});

test('an address in other letters is sent where the person was not found by it', async () => {
	const by = { by: 'person', personId: byId(personId) };
	const parameters = { ...by, fields: mapped({ email: email.toUpperCase() }) };
	const { methods, records } = await update(parameters);
	expect(records).toMatchObject([{ changes: [{ field: 'email', old: email }] }]);
	expect(methods.slice(0, 2)).toEqual(['GET', 'PATCH']);
});

test('a whole item is mapped by the form of the session, the rest of it is named', async () => {
	const { records, hints } = await update({ fields: mapped(null) }, { company: 'Acme', row: 7 });
	expect(records).toMatchObject([{ changes: [{ field: 'company', new: 'Acme' }] }]);
	expect(hints).toEqual([
		expect.stringMatching(/^Not on the registration form and therefore ignored: 'row'\. /),
	]);
});

test('a change that a lost answer has not made is an error that says so, and is not sent again', async () => {
	const match = { method: 'PATCH', path: '/v1/sessions/:id/people/:person' };
	await sandbox.faults([{ match, do: 'html-502', times: 2 }]);
	const { error, methods } = await update({ fields: mapped({ company: 'Acme' }) });
	expect(error?.message).toBe('The registration was not updated');
	expect(error?.description).toMatch(/did not answer, and 'company' is still empty and not "Acme"/);
	expect(methods).toEqual(['GET', 'PATCH', 'GET']);
});

describe('a person found by the ID, whose record is of another session,', () => {
	const personOf = (sessionId: string) => ({
		id: 'p1',
		type: 'people',
		attributes: {
			email: 'ada@example.com',
			registrant_detail: {
				session_id: sessionId,
				attended: true,
				fields: [{ id: 'company', type: 'text', value: 'Acme' }],
			},
		},
	});
	const [asked, other] = ['a', 'b'].map((last) => `5e550000-0000-4000-8000-00000000000${last}`);

	test.each([
		['get', other, undefined],
		['update', other, undefined],
		['get', asked, 'Acme'],
		['update', asked, 'Acme'],
	])('%s: of %s the answer is %s', async (name, sessionId = '', company) => {
		const started = await startPlatform((response) =>
			response.end(JSON.stringify({ data: personOf(sessionId) })),
		);
		const { records, error } = await operate(started, `registration.${name}`, {
			sessionId: byId(asked ?? ''),
			by: 'person',
			personId: byId('p1'),
			fields: mapped({ company: 'Acme' }),
		});
		expect(records.map((record) => record.company)).toEqual(company ? [company] : []);
		const shape = 'The answer of the platform does not have the expected form';
		expect(error?.message).toBe(company ? undefined : shape);
		expect(started.seen).toHaveLength(1);
	});
});

async function update(more: object, item = {}) {
	const of = { sessionId: byId(upcomingSession), by: 'email', email, ...more };
	const outcome = await operate(sandbox, 'registration.update', of, { items: [item] });
	const people = outcome.requests.filter(({ path }) => /people/.test(path));
	return { ...outcome, methods: people.map(({ method }) => method) };
}
