import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Writes a page that comes from the code or the examples. With --check it only compares, and ends the program if the page is out of date. */
export function writePage(path, text) {
	const file = join(root, path);
	if (!process.argv.includes('--check')) {
		writeFileSync(file, text);
		return;
	}
	if (readFileSync(file, 'utf8') === text) return;
	console.error(`${path} is out of date: run "npm run reference" and commit the result.`);
	process.exit(1);
}

/** The anchor that GitHub makes of a heading. */
export function anchorOf(title) {
	return title
		.toLowerCase()
		.replace(/[^\p{L}\p{N}_ -]/gu, '')
		.replaceAll(' ', '-');
}
