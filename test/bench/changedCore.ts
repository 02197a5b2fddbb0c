import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '../support/runs/mechanisms';

const core = join(__dirname, '../../nodes/EventPlatform/core');

/** The exports of some modules of a copy of the core in which this was changed. */
export async function changedCore<Exports>(
	[file, text, into]: Change,
	modules: string[],
): Promise<Exports> {
	const parts = readFileSync(join(core, `${file}.ts`), 'utf8').split(text);
	if (parts.length !== 2) throw new Error(`"${text}" does not stand in ${file} once.`);
	const folder = mkdtempSync(join(tmpdir(), 'core-'));
	try {
		cpSync(core, folder, { recursive: true });
		writeFileSync(join(folder, `${file}.ts`), parts.join(into));
		const loaded = modules.map((name): Promise<object> => import(join(folder, `${name}.ts`)));
		return Object.assign({}, ...(await Promise.all(loaded))) as Exports;
	} finally {
		rmSync(folder, { recursive: true });
	}
}
