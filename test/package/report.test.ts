import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './built';

const folder = mkdtempSync(join(tmpdir(), 'report-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secrets = {
	email: 'ada.lovelace@example.com',
	name: 'Ada Lovelace',
	person_id: '0b9c6a1e-1d4a-4c8e-9b7f-2a1d3e4f5a6b',
	connection_link: 'https://app.livestorm.co/p/1?key=s3cret',
	password_key: 'short',
	phone: '+33 6 12 34 56 78',
	token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x',
};

function report(files: Record<string, string>): string {
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	const paths = Object.keys(files).map((name) => join(folder, name));
	return execFileSync(process.execPath, [join(root, 'scripts/report.mjs'), ...paths], {
		encoding: 'utf8',
	});
}

test('nothing personal or secret is in a report, wherever it stood', () => {
	const row = { ...secrets, status: 'failed', reason: `${secrets.email} was refused` };
	const text = report({
		'output.json': JSON.stringify([row, { json: row }]),
		'workflow.json': JSON.stringify({ nodes: [{ notes: secrets.email }], pinData: { a: [row] } }),
		'n8n.log': `Refused ${secrets.email} (${secrets.person_id}), ${secrets.phone}, Authorization: ${secrets.token}`,
	});
	expect(Object.values(secrets).filter((secret) => text.includes(secret))).toEqual([]);
});

test('what a reader needs stays: the status, the words of the platform, and who is the same person', () => {
	const row = { email: secrets.email, status: 'failed', reason: 'The form is closed' };
	const text = report({ 'output.json': JSON.stringify([row, row]) });
	expect(text).toContain('"reason": "The form is closed"');
	expect(text.match(/<email 1>/g)).toHaveLength(2);
});
