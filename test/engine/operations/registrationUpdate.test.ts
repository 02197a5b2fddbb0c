import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow, tokenCredential } from '../../support/engine';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../../support/sandbox';
import { fresh, makeRegistration } from './making';
import { byId } from './operationCase';

const node = new EventPlatform();
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
	const { items, requests } = await update({
		email: email.toUpperCase(),
		fields: mapped({ company: 'Acme' }),
	});
	expect(items).toMatchObject([
		{
			id: personId,
			status: 'updated',
			...{ company: 'Acme', first_name: 'Ada', last_name: 'Lovelace' },
			changes: [{ field: 'company', old: null, new: 'Acme' }],
		},
	]);
	expect(requests).toEqual(['GET', 'PATCH']);
});

test('what is so already is not sent: neither answers, nor a choice in another order, nor utm values', async () => {
	const values = {
		email: email.toUpperCase(),
		first_name: 'Ada',
		interests: ['Product', 'Pricing'],
	};
	const additionalFields = { utmSource: 'newsletter' };
	await update({ fields: mapped(values), additionalFields });
	const again = await update({
		fields: mapped({ ...values, interests: ['Pricing', 'Product'] }),
		additionalFields,
	});
	expect(again.items).toMatchObject([{ id: personId, status: 'unchanged', changes: [] }]);
	expect(again.requests).toEqual(['GET']);
});

test('a whole item is mapped by the form of the session, the rest of it is named', async () => {
	const { items, hints } = await update({ fields: automatic }, [{ company: 'Acme', row: 7 }]);
	expect(items).toMatchObject([{ changes: [{ field: 'company', new: 'Acme' }] }]);
	expect(hints).toEqual([
		expect.stringMatching(/^Not on the registration form and therefore ignored: 'row'\. /),
	]);
});

test('nothing given is refused before anything is sent', async () => {
	const { error, requests } = await update({ fields: mapped({ company: '' }) });
	expect(error?.message).toBe('There is nothing to update');
	expect(requests).toEqual([]);
});

describe('an answer that gets lost', () => {
	const match = { method: 'PATCH', path: '/v1/sessions/:id/people/:person' };

	test('is replaced by the person, read again: the change was made', async () => {
		await sandbox.faults([{ match, do: 'reset-after' }]);
		const { items, requests } = await update({ fields: mapped({ company: 'Acme' }) });
		expect(items).toMatchObject([{ status: 'updated', company: 'Acme' }]);
		expect(requests).toEqual(['GET', 'PATCH', 'GET']);
	});

	test('of a change that was not made is followed by a second attempt', async () => {
		await sandbox.faults([{ match, do: 'html-502' }]);
		const { items, requests } = await update({ fields: mapped({ company: 'Acme' }) });
		expect(items).toMatchObject([{ status: 'updated', company: 'Acme' }]);
		expect(requests).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
	});

	test('twice without the change being made is an error that says so', async () => {
		await sandbox.faults([{ match, do: 'html-502', times: 2 }]);
		const { error, requests } = await update({ fields: mapped({ company: 'Acme' }) });
		expect(error?.message).toBe('The registration was not updated');
		expect(error?.description).toMatch(
			/did not answer, and 'company' is still empty and not "Acme"/,
		);
		expect(requests).toEqual(['GET', 'PATCH', 'GET', 'PATCH', 'GET']);
	});
});

const automatic = { mappingMode: 'autoMapInputData', value: null, schema: [] };

function mapped(value: IDataObject) {
	return { mappingMode: 'defineBelow', value, schema: [] };
}

async function update(more: object, people: IDataObject[] = [{}]) {
	const before = (await sandbox.requests()).length;
	const parameters = {
		resource: 'registration',
		operation: 'update',
		sessionId: byId(upcomingSession),
		by: 'email',
		email,
		...more,
	} as INodeParameters;
	const { items, error, hints } = await runWorkflow({
		node,
		credential: tokenCredential(sandbox),
		parameters,
		items: people,
	});
	const requests = (await sandbox.requests()).slice(before);
	return {
		items: items.map(({ json }) => json),
		error,
		hints: hints.map(({ message }) => message),
		requests: requests.filter(({ path }) => /people/.test(path)).map(({ method }) => method),
	};
}
