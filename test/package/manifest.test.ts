import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { credentials, manifest, nodes, root } from './built';

interface Codex {
	resources: Record<string, Array<{ url: string }>>;
}

test.each([...nodes, ...credentials])('$path has an icon for light and one for dark', (one) => {
	const { path, loaded } = one;
	const icons = 'description' in loaded ? loaded.description.icon : loaded.icon;
	expect(Object.keys(icons ?? {}).sort()).toEqual(['dark', 'light']);
	for (const icon of Object.values(icons as Record<string, string>)) {
		const file = join(root, dirname(path), icon.replace('file:', ''));
		expect(readFileSync(file, 'utf8')).toMatch(/^(<\?xml[^>]*>\s*)?<svg[\s>]/);
	}
});

test.each(nodes)('$path has its codex: documentation, and words under which it is found', (one) => {
	const file = join(root, one.path.replace(/\.js$/, '.json'));
	const codex = JSON.parse(readFileSync(file, 'utf8')) as Codex;
	const words = ['livestorm', 'webinar', 'registration', 'bulk', 'attendee'];
	expect(codex).toMatchObject({
		node: `${manifest.name}.${one.loaded.description.name}`,
		categories: expect.arrayContaining([expect.any(String)]) as string[],
		alias: expect.arrayContaining(words) as string[],
	});
	const links = Object.values(codex.resources).flat();
	expect(links.filter(({ url }) => !url.startsWith(manifest.homepage))).toEqual([]);
});

test('each node takes both credentials, chosen by the authentication', () => {
	const known = credentials.map(({ loaded }) => loaded.name).sort();
	for (const { loaded } of nodes) {
		const used = loaded.description.credentials ?? [];
		expect(used.map(({ name }) => name).sort()).toEqual(known);
		for (const { displayOptions } of used) {
			expect(displayOptions?.show?.authentication).toHaveLength(1);
		}
	}
});

test('n8n’s own loader takes the package, its icons and its codex', async () => {
	const loader = new PackageDirectoryLoader(root);
	await loader.loadAll();
	const { nodes: types, credentials: kinds } = loader.known;
	const names = ['eventPlatform', 'eventPlatformPollingTrigger', 'eventPlatformTrigger'];
	expect(Object.keys(types).sort()).toEqual(names);
	expect(Object.keys(kinds).sort()).toEqual(['eventPlatformApi', 'eventPlatformOAuth2Api']);
	for (const { iconUrl, codex } of loader.types.nodes) {
		expect(JSON.stringify(iconUrl)).toMatch(/icons\/n8n-nodes-event-platform\/.*\.dark\.svg"/);
		expect(codex?.alias).toContain('livestorm');
	}
});

test('the package is one that n8n verifies: MIT, no dependency, no script that runs on install', () => {
	expect(manifest).toMatchObject({
		license: 'MIT',
		files: ['dist'],
		peerDependencies: { 'n8n-workflow': '*' },
	});
	expect(manifest.keywords).toContain('n8n-community-node-package');
	expect(manifest.author.name && manifest.author.email && manifest.homepage).toBeTruthy();
	const forbidden = /^(?:dependencies|bundled?Dependencies|optionalDependencies|overrides)$/;
	expect(Object.keys(manifest).filter((name) => forbidden.test(name))).toEqual([]);
	const automatic = /^(pre|post)?(install|prepare|pack|publish)$|^prepublishOnly$/;
	expect(Object.keys(manifest.scripts).filter((name) => automatic.test(name))).toEqual([]);
	expect(existsSync(join(root, 'LICENSE.md'))).toBe(true);
});
