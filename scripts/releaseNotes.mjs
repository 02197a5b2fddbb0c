// Prints what the changelog says of a version: node scripts/releaseNotes.mjs 1.2.3 [CHANGELOG.md]
// The release on GitHub shows it. Ends with 1 where the changelog has no dated section of this version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const [version = '', file = join(root, 'CHANGELOG.md')] = process.argv.slice(2);
const sections = readFileSync(file, 'utf8').split(/^(?=## )/m);
const section = sections.find((text) => {
	const [, named] = /^## \[([^\]]+)\] - \d{4}-\d\d-\d\d\n/.exec(text) ?? [];
	return named === version;
});
if (section === undefined) {
	console.error(`${file} has no section "## [${version}] - <date>".`);
	process.exit(1);
}
console.log(section.slice(section.indexOf('\n')).trim());
