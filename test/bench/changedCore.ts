import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const core = join(__dirname, '../../nodes/EventPlatform/core');

/** What the core would be without one of its mechanisms: a text of one of its files, and what it becomes. */
export type Change = [file: string, text: string, into: string];

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
