import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/* The sandbox reads its own files here alone: in the sandbox that is one file, they are a part of it. */

const checkout = join(__dirname, '..');

/** Reads a file by its path from the top of the repository; undefined where there is none. */
export function readOwnFile(path: string): Buffer | undefined {
	const file = join(checkout, path);
	return existsSync(file) ? readFileSync(file) : undefined;
}

/** Reads a file that is always there. */
export function ownFile(path: string): Buffer {
	const content = readOwnFile(path);
	if (content === undefined) throw new Error(`The sandbox lacks its file ${path}.`);
	return content;
}

/** Names the files of a folder. */
export function ownFilesIn(folder: string): string[] {
	return readdirSync(join(checkout, folder));
}
