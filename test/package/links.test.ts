import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './built';

/* Pages lead to files and headings, and those for people who change the package name files as well. */

const hidden = new Set(['node_modules', 'dist', 'coverage', 'reports', '.git']);
/** Every file and folder of the checkout, from its root. */
const paths = pathsIn('');
const pages = paths.filter((path) => path.endsWith('.md'));
const pagesOfInternals = pages.filter((page) => /^(?:CONTRIBUTING|docs\/internals\/)/.test(page));

test.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
	const broken = linksOf(page).filter((link) => !leadsSomewhere(page, link));
	expect(broken).toEqual([]);
});

test('the pages that nodes and credentials open have the headings that they ask for', () => {
	const sources = paths
		.filter((path) => /^(?:nodes|credentials)\/.*\.(?:node\.json|credentials\.ts)$/.test(path))
		.map(read);
	const anchors = sources.flatMap((text) =>
		[...text.matchAll(/n8n-nodes-event-platform(#[\w-]+)/g)].map(([, anchor]) => anchor ?? ''),
	);
	expect(anchors.length).toBeGreaterThan(3);
	// GitHub shows the README below "#readme".
	const headings = ['#readme', ...headingsOf('README.md').map((heading) => `#${heading}`)];
	expect(headings).toEqual(expect.arrayContaining(anchors));
});

test.each(pagesOfInternals)('every file and folder that %s names exists', (page) => {
	const missing = pathsNamedBy(page).filter((path) => !written.test(path) && !isThere(path));
	expect(missing).toEqual([]);
});

describe('the map of the repository', () => {
	const [, map = ''] =
		/## Where things are\s+```\n([\s\S]*?)```/.exec(read('docs/internals/developing.md')) ?? [];
	const mapped = pathsOfMap(map);

	test('has nothing that does not exist', () => {
		expect(mapped.length).toBeGreaterThan(30);
		expect(mapped.filter((path) => !paths.includes(path))).toEqual([]);
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

/** Relative ones; what is only shown as code is none. */
function linksOf(page: string): string[] {
	const text = proseOf(page).replace(/`[^`\n]*`/g, '');
	return [...text.matchAll(/\]\(([^()\s]+)\)/g)]
		.map(([, target]) => target ?? '')
		.filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(page: string, link: string): boolean {
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
	if (!existsSync(join(root, target))) return false;
	return anchor === undefined || !target.endsWith('.md') || headingsOf(target).includes(anchor);
}

/** Gives the headings of a page as the anchors that GitHub makes of them. */
function headingsOf(page: string): string[] {
	const seen = new Map<string, number>();
	return [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
		const words = heading.replace(/\]\([^)]*\)/g, '').toLowerCase();
		const anchor = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
		const before = seen.get(anchor) ?? 0;
		seen.set(anchor, before + 1);
		return before === 0 ? anchor : `${anchor}-${before}`;
	});
}

/** The code among the words of a page that is the name of a file, or a path from a folder of the repository. */
function pathsNamedBy(page: string): string[] {
	const code = [...proseOf(page).matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
	return code.filter((name) => /^[\w<>./-]+\.(?:ts|mjs|cjs|yaml|md)$/.test(name) || isBelow(name));
}

function isBelow(name: string): boolean {
	const [folder = '', inside] = name.split('/');
	return inside !== undefined && paths.includes(folder) && /^[\w<>./-]+$/.test(name);
}

/** A name without a folder may stand anywhere; what stands in angle brackets, such as `<resource>`, is any name. */
function isThere(path: string): boolean {
	const pattern = path
		.replace(/\/$/, '')
		.replace(/[.\\+*?^$()[\]{}|]/g, '\\$&')
		.replace(/<\w+>/g, '[^/]+');
	const inPlace = new RegExp(`^(?:${places.join('|')})${pattern}$`);
	const anywhere = new RegExp(`/${pattern}$`);
	return paths.some((each) => inPlace.test(each) || (!path.includes('/') && anywhere.test(each)));
}

/** Places that a page may leave out in front of a path. */
const places = ['', 'nodes/EventPlatform/', 'nodes/EventPlatform/core/', 'test/'];

/** Files that a command writes, so that a fresh clone has none of them. */
const written = /^(?:reports|dist)\/|^contract\/observed\.json$/;

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
		const path = join(folder, entry.name);
		if (hidden.has(entry.name)) return [];
		return entry.isDirectory() ? [path, ...pathsIn(path)] : [path];
	});
}

/** A page without its blocks of code. */
function proseOf(page: string): string {
	return read(page).replace(/^```[\s\S]*?^```/gm, '');
}

function read(path: string): string {
	return readFileSync(join(root, path), 'utf8');
}
