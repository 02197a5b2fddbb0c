import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

/** A list from a file that was read in the wrong encoding. */

const sandbox = sandboxOfFile();

const reason =
	"The value of 'first_name' has lost letters (\"J\ufffdrgen\"): the file was read in the wrong encoding. Save the list as 'CSV UTF-8' in Excel, or set 'Encoding' among the options of 'Extract from File' to Latin1, which puts most files of Excel right.";

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

describe('signs that nobody has written', () => {
	test.each([
		['of Windows-1252 are what the file says', 'D\u0092Angelo', 'D’Angelo'],
		['that nobody sees are struck out', 'Ada\u202e\u0007 L', 'Ada L'],
	])('%s', async (_, written, read) => {
		const person = { ...good(), first_name: written };
		const options = { includeDetails: true };
		const { records } = await run('bulkRegister', [person], { options });
		expect(records).toMatchObject([{ status: 'registered', person: { first_name: read } }]);
	});

	test('in a place that Windows-1252 does not have are lost letters', async () => {
		const { records } = await run('bulkRegister', [good(), { ...good(), first_name: 'A\u0081' }]);
		const reason = expect.stringContaining('has lost letters ("A\ufffd")') as string;
		expect(records[1]).toMatchObject({ status: 'invalid', reason });
	});

	test('that look like UTF-8 read anew are told of where several rows have them', async () => {
		const people = ['MÃ¼ller', 'SÃ¶hne'].map((name) => ({ ...good(), first_name: name }));
		const [several, one] = [
			await run('bulkRegister', people),
			await run('bulkRegister', [good(), people[0] ?? {}]),
		];
		const hint = /^Letters look like 'Ã¼' for 'ü' in 'first_name' \(2 people\)/;
		expect(several.hints.filter((words) => hint.test(words))).toHaveLength(1);
		expect(one.hints.join()).not.toContain('Letters look like');
	});

	test('are explained once for a row with several lost letters', async () => {
		const person = { ...good(), first_name: '\ufffd', last_name: 'K\ufffdnig', company: '\ufffd' };
		const { records } = await run('bulkRegister', [good(), person]);
		const advice = (records[1]?.reason as string).split('Save the list');
		expect(advice).toHaveLength(2);
	});
});

test.each([
	['semicolons', 'Email;First Name', 'ada@example.com;Ada'],
	['tabs', 'Email\tFirst Name', 'ada@example.com\tAda'],
])('a file with %s that was read with commas is told so', async (separator, header, row) => {
	const { error } = await run('register', [{ [header]: row }]);
	expect(error?.message).toContain(`The file has ${separator} between its columns`);
});

test('a time that is no whole number of milliseconds sends everybody', async () => {
	const options = { maxWaitSeconds: 100 / 3 };
	const { records } = await run('bulkRegister', [good()], { options });
	expect(records).toMatchObject([{ status: 'registered' }]);
});
