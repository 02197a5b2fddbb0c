import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { fresh, makeRegistration } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

/** A list from a file that was read in the wrong encoding. */

let sandbox: TestSandbox;

beforeAll(async () => {
	sandbox = await sandboxForTests();
});

const reason =
	"The value of 'first_name' has lost letters (\"J\ufffdrgen\"): the file was read in the wrong encoding. Set 'Encoding' among the options of 'Extract from File', to Latin1 for most files of Excel.";

const good = (): IDataObject => ({ email: `${fresh('letters')}@example.com`, first_name: 'Ada' });
const misread = (): IDataObject => ({ ...good(), first_name: 'J\ufffdrgen' });

const byHand = { email: '={{ $json.email }}', first_name: '={{ $json.first_name }}' };

function run(operation: string, items: IDataObject[], more: object = {}) {
	const parameters = { sessionId: byId(upcomingSession), fields: mapped(null), ...more };
	return operate(sandbox, `registration.${operation}`, parameters, { items });
}

test.each<[operation: string, fields: object, options: object, status: string]>([
	['bulkRegister', mapped(null), {}, 'registered'],
	['bulkRegister', mapped(byHand), {}, 'registered'],
	['bulkRegister', mapped(null), { validateOnly: true }, 'valid'],
	['sync', mapped(null), {}, 'added'],
	['sync', mapped(null), { dryRun: true }, 'would_add'],
])(
	'keeps its person out of the list: %s with %j and %j',
	async (operation, fields, options, status) => {
		const { records } = await run(operation, [good(), misread()], { fields, options });
		expect(records.map((record) => [record.status, record.reason])).toEqual([
			[status, null],
			['invalid', reason],
		]);
	},
);

test('is not registered alone', async () => {
	const { error, sent } = await run('register', [misread()]);
	expect(error?.message).toBe(reason.replace(/\.$/, ''));
	expect(sent.filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('changes nobody who is registered', async () => {
	const email = `${fresh('letters')}@example.com`;
	await makeRegistration(sandbox, upcomingSession, email);
	const { error, sent } = await run('update', [{ first_name: 'J\ufffdrgen' }], {
		by: 'email',
		email,
	});
	expect(error?.message).toBe(reason.replace(/\.$/, ''));
	expect(sent.filter((request) => request.startsWith('PATCH'))).toEqual([]);
});

test('removes nobody in a sync', async () => {
	const registered = `${fresh('letters')}@example.com`;
	await makeRegistration(sandbox, upcomingSession, registered);
	const options = { removeOthers: true, mostRemovals: 1_000 };
	const { records, sent } = await run('sync', [good(), misread()], { options });
	expect(sent.filter((request) => request.startsWith('DELETE'))).toEqual([]);
	expect(records).toContainEqual(expect.objectContaining({ email: registered, status: 'kept' }));
});
