import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { adopt, changesSince, readObserved } from '../../certify/adopt';
import { contractFile } from '../../certify/contract';
import type { Report } from '../../certify/report';
import { certified, fullSandbox } from './running';

let specified: Report;
let wild: Report;

beforeAll(async () => {
	const reportOf = async (options: Parameters<typeof fullSandbox>[0]) =>
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
	const before = readFileSync(contractFile, 'utf8').split('\n');
	const after = readFileSync(join(folder, 'openapi.yaml'), 'utf8').split('\n');
	const isEvidence = (line: string) => /x-(?:evidence|observed):/.test(line);
	const others = (lines: string[]) => lines.filter((line) => !isEvidence(line));
	const beforeThem = new Set(others(before));
	expect(others(after).filter((line) => !beforeThem.has(line))).toEqual([]);
	expect(others(after).length).toBe(others(before).length);
	const { paths, components } = parse(after.join('\n')) as Record<
		string,
		Record<string, Record<string, Record<string, unknown>>>
	>;
	const observed = { 'x-evidence': 'observed', 'x-observed': wild.date };
	expect(paths?.['/v1/events']?.['get']).toMatchObject(observed);
	expect(components?.['schemas']?.['Session']).toMatchObject(observed);
	expect(components?.['schemas']?.['Job']).toMatchObject({ 'x-evidence': 'specified' });
});

test('a later report of fewer statements keeps what was seen before, and tells what changed', () => {
	const folder = copyOfContract();
	adopt(specified, folder);
	const before = readObserved(folder);
	expect(before && changesSince(specified, before)).toEqual([]);
	const changes = before ? changesSince(wild, before) : [];
	expect(changes.find((line) => line.includes('job.flat'))).toMatch(
		/holds on .*, now differs \(in data\)$/,
	);
	const reading = { ...wild, rows: wild.rows.filter(({ needs }) => needs === 'read') };
	adopt(reading, folder);
	const after = readObserved(folder);
	expect([after?.rows['job.flat']?.state, after?.rows['errors.fields']?.traits]).toEqual([
		'holds',
		{ errorFields: 'swapped' },
	]);
});
