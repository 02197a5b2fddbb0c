import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './built';

/** Pages for people who change the package. They name files so that readers find them. */
const pages = [
	'CONTRIBUTING.md',
	...readdirSync(join(root, 'docs/internals')).map((name) => `docs/internals/${name}`),
];

/** Places that a page may leave out in front of a path. */
const places = ['', 'nodes/EventPlatform/', 'nodes/EventPlatform/core/', 'test/'];

/** Files that a command writes, so that a fresh clone has none of them. */
const written = /^(?:reports|dist)\/|^contract\/observed\.json$/;

const hidden = new Set(['node_modules', 'dist', 'coverage', 'reports', '.git']);
const folders = readdirSync(root, { withFileTypes: true }).filter(
	(entry) => entry.isDirectory() && !hidden.has(entry.name),
);
const paths = folders.flatMap(({ name }) => pathsIn(name));

test.each(pages)('every file and folder that %s names exists', (page) => {
	const missing = pathsNamedBy(page).filter((path) => !written.test(path) && !isThere(path));
	expect(missing).toEqual([]);
});

describe('the map of the repository', () => {
	const [, map = ''] =
		/## Where things are\s+```\n([\s\S]*?)```/.exec(read('docs/internals/developing.md')) ?? [];
	const mapped = pathsOfMap(map);

	test('has nothing that does not exist', () => {
		expect(mapped.length).toBeGreaterThan(30);
		expect(mapped.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});

	test.each(['nodes/EventPlatform', 'nodes/EventPlatform/core', 'scripts'])(
		'has every folder of %s',
		(parent) => {
			const inside = readdirSync(join(root, parent), { withFileTypes: true })
				.filter((entry) => entry.isDirectory())
				.map(({ name }) => `${parent}/${name}`);
			expect(inside.filter((path) => !mapped.includes(path))).toEqual([]);
		},
	);
});

/** The code among the words of a page that is the name of a file, or a path from a folder of the repository. */
function pathsNamedBy(page: string): string[] {
	const prose = read(page).replace(/^```[\s\S]*?^```/gm, '');
	const code = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
	return code.filter((name) => isFileName.test(name) || isBelowFolder(name));
}

const isFileName = /^[\w<>./-]+\.(?:ts|mjs|cjs|yaml|md)$/;

function isBelowFolder(name: string): boolean {
	return folders.some((folder) => name.startsWith(`${folder.name}/`)) && /^[\w<>./-]+$/.test(name);
}

/** A name without a folder may stand anywhere; what stands in angle brackets, such as `<resource>`, is any name. */
function isThere(path: string): boolean {
	const pattern = path
		.replace(/\/$/, '')
		.replace(/[.\\+*?^$()[\]{}|]/g, '\\$&')
		.replace(/<\w+>/g, '[^/]+');
	const inPlace = new RegExp(`^(?:${places.join('|')})${pattern}$`);
	const anywhere = new RegExp(`/${pattern}$`);
	return (
		existsSync(join(root, path)) ||
		paths.some((each) => inPlace.test(each) || (!path.includes('/') && anywhere.test(each)))
	);
}

/** The map indents what stands in a folder by two spaces more than the folder. */
function pathsOfMap(map: string): string[] {
	const above: string[] = [];
	return map
		.split('\n')
		.filter((line) => line.trim() !== '')
		.map((line) => {
			const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? [];
			above.length = indent.length / 2;
			above.push(name.replace(/\/$/, ''));
			return above.join('/');
		});
}

function pathsIn(folder: string): string[] {
	const entries = readdirSync(join(root, folder), { withFileTypes: true });
	return entries.flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		if (hidden.has(entry.name)) return [];
		return entry.isDirectory() ? [path, ...pathsIn(path)] : [path];
	});
}

function read(page: string): string {
	return readFileSync(join(root, page), 'utf8');
}
