import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { adopt, changesSince, readObserved } from '../../certify/adopt';
import { contractFile } from '../../certify/contract';
import type { Report } from '../../certify/report';
import type { SandboxOptions } from '../../sandbox/options';
import { certified, fullSandbox } from './certifyRun';

let specified: Report;
let wild: Report;

beforeAll(async () => {
	const reportOf = async (options: Partial<SandboxOptions>) =>
		(await certified((await fullSandbox(options)).baseUrl)).report;
	specified = await reportOf({});
	wild = await reportOf({ world: 'wild', resultsLagMs: 5 });
});

function copyOfContract(): string {
	const folder = mkdtempSync(join(tmpdir(), 'adopt-'));
	copyFileSync(contractFile, join(folder, 'openapi.yaml'));
	return folder;
}

test('what held becomes evidence with its date; nothing else in the contract changes, comments included', () => {
	const folder = copyOfContract();
	expect(adopt(wild, folder).map((line) => line.split(':')[0])).toContain('job.flat');
	const [before = '', after = ''] = [contractFile, join(folder, 'openapi.yaml')].map((file) =>
		readFileSync(file, 'utf8'),
	);
	const otherLines = (text: string) =>
		text.split('\n').filter((line) => !/x-(?:evidence|observed):/.test(line));
	expect(otherLines(after)).toEqual(otherLines(before));
	const observed = { 'x-evidence': 'observed', 'x-observed': wild.date };
	expect(load(after)).toMatchObject({
		paths: { '/v1/events': { get: observed } },
		components: { schemas: { Session: observed, Job: { 'x-evidence': 'specified' } } },
	});
});

test('a later report of fewer statements keeps what was seen before, and tells what changed', () => {
	const folder = copyOfContract();
	adopt(specified, folder);
	const before = readObserved(folder);
	expect(before && changesSince(specified, before)).toEqual([]);
	const changes = before ? changesSince(wild, before) : [];
	const said = expect.stringMatching(
		/\(job\.flat\): holds on .*, now differs \(in data\)$/,
	) as string;
	expect(changes).toContainEqual(said);
	const reading = { ...wild, rows: wild.rows.filter(({ needs }) => needs === 'read') };
	adopt(reading, folder);
	expect(readObserved(folder)?.rows).toMatchObject({
		'job.flat': { state: 'holds' },
		'errors.fields': { traits: { errorFields: 'swapped' } },
	});
});
