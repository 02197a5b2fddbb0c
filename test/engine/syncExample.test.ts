import '../support/time/fasterClock';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapped } from '../support/n8n/operation';
import { sync } from '../support/runs/bulkScene';
import { registerPeople } from '../support/platform/platformRecords';
import { registered } from '../support/platform/registrants';
import { sandboxOfFile } from '../support/platform/sandbox';

/* The example of docs/sync.md, with what the node really returns. */

const page = readFileSync(join(__dirname, '../../docs/sync.md'), 'utf8');
const [, example = ''] = page.split('\n## An example\n');
const [firstRun = '', typo = ''] = example.split('\n## ')[0]?.split('\n### ') ?? [];

const names = ['ada', 'benjamin', 'cem', 'dora', 'emil'];
const five = names.map((name) => person(name, 'Acme'));
const list = [
	person('ada', 'NewCorp'),
	...five.filter(({ first_name: name }) => name !== 'ada' && name !== 'cem'),
	person('kim', 'Acme'),
];
const withTypo = list.map((row) =>
	row.first_name === 'benjamin' ? { ...row, email: 'benjamim@example.com' } : row,
);
const byName = { parameters: { fields: mapped(null) } };

const sandbox = sandboxOfFile({ rate: 1_000 });
const run = (people: IDataObject[], options: INodeParameters) =>
	sync(sandbox, people, options, byName);

beforeEach(async () => {
	await sandbox.reset();
	await registerPeople(sandbox, five);
});

test('the dry run says what the page shows', async () => {
	const { records } = await run(list, { dryRun: true, removeOthers: true });
	expect(tableIn(firstRun)).toEqual(records.map(cellsOf));
});

test('without Remove Others the hint counts the person who stays, in the words of the page', async () => {
	const { records, hints } = await run(list, { dryRun: true });
	expect(records.map(({ email }) => email)).not.toContain('cem@example.com');
	const [quoted] = /_(\d+ person is registered and not[^_]+)_/.exec(firstRun)?.slice(1) ?? [];
	expect(hints).toContain(quoted?.replaceAll(/\s+/g, ' '));
});

test('with a typing mistake nobody is removed, in the dry run as in the run', async () => {
	const dry = await run(withTypo, { dryRun: true, removeOthers: true });
	const named = new Map(dry.records.map((record) => [record.email, cellsOf(record)]));
	expect(tableIn(typo)).toHaveLength(3);
	for (const row of tableIn(typo)) expect(named.get(row[0])).toEqual(row);
	await run(withTypo, { removeOthers: true });
	expect(await registered(sandbox)).toEqual(
		expect.arrayContaining(['benjamin@example.com', 'cem@example.com']),
	);
});

function person(name: string, company: string) {
	return { email: `${name}@example.com`, first_name: name, company };
}

function cellsOf({ email, status, changes }: IDataObject): unknown[] {
	return [email, status, changes ?? ''];
}

/** The rows of the table in a part of the page. */
function tableIn(part: string): string[][] {
	const rows = [...part.matchAll(/^\| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(([, ...cells]) =>
		cells.map((cell) => cell.trim().replaceAll('`', '')),
	);
	return rows.filter(([email = '']) => email.includes('@'));
}
