import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './built';

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const map = /^## Where things are\n+```\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '';
const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split(/\/?\n/);

test('the map in CONTRIBUTING.md has every folder at the top, and every one of the connector and its core', () => {
	const connector = 'nodes/EventPlatform';
	const wanted = [
		// Editors leave hidden folders of their own.
		...foldersOf('.').filter((name) => !/^\.(?!ci$|github$)/.test(name) && !ignored.includes(name)),
		...[connector, `${connector}/core`].flatMap((folder) =>
			foldersOf(folder).map((name) => `${folder}/${name}`),
		),
	];
	expect(wanted).toEqual(expect.arrayContaining(['.github', 'nodes/EventPlatform/core/sync']));
	const told = map.split('\n').map((line) => line.trim().split(/\s/)[0] ?? '');
	const isTold = (folder: string) =>
		told.some((one) => one === `${basename(folder)}/` || one.startsWith(`${folder}/`));
	expect(wanted.filter((folder) => !isTold(folder))).toEqual([]);
});

test('every path that CONTRIBUTING.md names in its questions exists', () => {
	const named = [...page.matchAll(/`(nodes\/[^`<\s]+)`/g)].map(([, path]) => path ?? '');
	expect(named.length).toBeGreaterThan(8);
	expect(named.filter((path) => !path.includes('<') && !existsSync(join(root, path)))).toEqual([]);
});

function foldersOf(folder: string): string[] {
	const entries = readdirSync(join(root, folder), { withFileTypes: true });
	return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
