import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './built';

const hidden = /(?:^|\/)(?:node_modules|dist|coverage|reports|\.git)(?:\/|$)/;
const pages = pagesIn(root).map((path) => relative(root, path));

test.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
	const broken = linksOf(page).filter((link) => !leadsSomewhere(page, link));
	expect(broken).toEqual([]);
});

test('the pages that nodes and credentials open have the headings that they ask for', () => {
	const sources = ['nodes/EventPlatform', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder))
			.filter((name) => /\.(?:node\.json|credentials\.ts)$/.test(name))
			.map((name) => readFileSync(join(root, folder, name), 'utf8')),
	);
	const anchors = sources.flatMap((text) =>
		[...text.matchAll(/n8n-nodes-event-platform(#[\w-]+)/g)].map(([, anchor]) => anchor ?? ''),
	);
	expect(anchors.length).toBeGreaterThan(3);
	// GitHub shows the README below "#readme".
	const headings = ['#readme', ...headingsOf('README.md').map((heading) => `#${heading}`)];
	expect(headings).toEqual(expect.arrayContaining(anchors));
});

/** Relative ones; what is only shown as code is none. */
function linksOf(page: string): string[] {
	const text = readFileSync(join(root, page), 'utf8')
		.replace(/^```[\s\S]*?^```/gm, '')
		.replace(/`[^`\n]*`/g, '');
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
	const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
	const seen = new Map<string, number>();
	return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
		const words = heading.replace(/\]\([^)]*\)/g, '').toLowerCase();
		const anchor = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
		const before = seen.get(anchor) ?? 0;
		seen.set(anchor, before + 1);
		return before === 0 ? anchor : `${anchor}-${before}`;
	});
}

function pagesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (hidden.test(relative(root, path))) return [];
		if (entry.isDirectory()) return pagesIn(path);
		return entry.name.endsWith('.md') ? [path] : [];
	});
}
