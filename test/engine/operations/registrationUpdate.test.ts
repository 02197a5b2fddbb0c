import { sandboxForTests, upcomingSession, type TestSandbox } from '../../support/sandbox';
import { fresh, makeRegistration } from './making';
import { byId, mapped, operate } from './operate';

let sandbox: TestSandbox;
let email: string;
let personId: string;

beforeAll(async () => {
	sandbox = await sandboxForTests();
});

beforeEach(async () => {
	await sandbox.reset();
	email = `${fresh('known')}@example.com`;
	personId = await makeRegistration(sandbox, upcomingSession, email);
});

test('somebody found by email, letter case aside, gets the new answers and keeps the others', async () => {
	const given = { email: email.toUpperCase(), fields: mapped({ company: 'Acme' }) };
	const { records, methods } = await update(given);
	expect(records).toMatchObject([
		{
			...{ id: personId, status: 'updated' },
			...{ company: 'Acme', first_name: 'Ada', last_name: 'Lovelace' },
			changes: [{ field: 'company', old: null, new: 'Acme' }],
		},
	]);
	expect(methods).toEqual(['GET', 'PATCH']);
});

test('what is so already is not sent: neither answers, nor a choice in another order, nor utm values', async () => {
	const known = { email: email.toUpperCase(), first_name: 'Ada' };
	const additionalFields = { utmSource: 'newsletter' };
	const give = (...interests: string[]) =>
		update({ fields: mapped({ ...known, interests }), additionalFields });
	await give('Product', 'Pricing');
	const again = await give('Pricing', 'Product');
	expect(again.records).toMatchObject([{ id: personId, status: 'unchanged', changes: [] }]);
	expect(again.methods).toEqual(['GET']);
});

test('a whole item is mapped by the form of the session, the rest of it is named', async () => {
	const { records, hints } = await update({ fields: mapped(null) }, { company: 'Acme', row: 7 });
	expect(records).toMatchObject([{ changes: [{ field: 'company', new: 'Acme' }] }]);
	expect(hints).toEqual([
		expect.stringMatching(/^Not on the registration form and therefore ignored: 'row'\. /),
	]);
});

test('a change that two lost answers have not made is an error that says so', async () => {
	const match = { method: 'PATCH', path: '/v1/sessions/:id/people/:person' };
	await sandbox.faults([{ match, do: 'html-502', times: 2 }]);
	const { error, methods } = await update({ fields: mapped({ company: 'Acme' }) });
	expect(error?.message).toBe('The registration was not updated');
	expect(error?.description).toMatch(/did not answer, and 'company' is still empty and not "Acme"/);
	expect(methods).toEqual(['GET', 'PATCH', 'GET', 'PATCH', 'GET']);
});

async function update(more: object, item = {}) {
	const of = { sessionId: byId(upcomingSession), by: 'email', email, ...more };
	const outcome = await operate(sandbox, 'registration.update', of, { items: [item] });
	const people = outcome.requests.filter(({ path }) => /people/.test(path));
	return { ...outcome, methods: people.map(({ method }) => method) };
}
