import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LazyPackageDirectoryLoader, PackageDirectoryLoader } from 'n8n-core';
import type { INodeTypeDescription, Themed } from 'n8n-workflow';
import { credentials, manifest, nodes, root } from './built';

/** n8n reads what the nodes are from `dist/known` and `dist/types`, and loads the code of a node when it first runs. */

const lazy = new LazyPackageDirectoryLoader(root);
const eager = new PackageDirectoryLoader(root);
beforeAll(() => Promise.all([lazy.loadAll(), eager.loadAll()]));

/** What is left of a value in a JSON file. */
const inJson = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value;

/** n8n leaves its own note of the methods out of the files. */
function withoutNotes(described: INodeTypeDescription) {
	return { ...described, __loadOptionsMethods: undefined };
}

function iconsOf({ iconUrl }: { iconUrl?: Themed<string> }): string[] {
	return typeof iconUrl === 'string' ? [iconUrl] : [iconUrl?.light, iconUrl?.dark].map(String);
}

test('n8n starts without loading the code of a node', () => {
	expect(lazy.isLazyLoaded).toBe(true);
	expect(Object.keys(lazy.nodeTypes)).toEqual([]);
	expect(Object.keys(lazy.credentialTypes)).toEqual([]);
});

test('the files say of every node and credential what the code says', () => {
	expect(lazy.types.credentials).toEqual(inJson(eager.types.credentials));
	expect(lazy.types.nodes).toEqual(inJson(eager.types.nodes).map(withoutNotes));
	expect(lazy.known).toEqual(inJson(eager.known));
	expect(lazy.types.nodes).toHaveLength(nodes.length);
	expect(lazy.types.credentials).toHaveLength(credentials.length);
});

test('nothing that a node says is lost in a file: it has no function, no pattern and no date', () => {
	for (const { loaded } of nodes) expect(inJson(loaded.description)).toEqual(loaded.description);
});

test('the files name the version of the package, and the words under which each node is found', () => {
	for (const { communityNodePackageVersion, codex } of lazy.types.nodes) {
		expect(communityNodePackageVersion).toBe(manifest.version);
		expect(codex?.alias).toContain('livestorm');
	}
});

test('the icons that the files name are in the package', () => {
	const described = [...lazy.types.nodes, ...lazy.types.credentials];
	const icons = described.flatMap(iconsOf);
	expect(icons).toHaveLength(2 * described.length);
	expect(icons.filter((icon) => icon.endsWith('.dark.svg'))).toHaveLength(described.length);
	for (const icon of icons) {
		const file = icon.replace(`icons/${manifest.name}/`, '');
		expect(existsSync(join(root, file))).toBe(true);
	}
});

test.each(nodes.map(({ loaded }) => loaded.description.name))(
	'%s has every method that its files name, once it is loaded',
	(name) => {
		const described = lazy.types.nodes.find((node) => node.name === name);
		const named = [
			...JSON.stringify(described).matchAll(
				/"(?:loadOptions|resourceMapper|searchList)Method":"(\w+)"/g,
			),
		];
		const { type } = lazy.getNode(name);
		if ('nodeVersions' in type) throw new Error('Each of our nodes has one version.');
		const offered = Object.values(type.methods ?? {}).flatMap((methods) => Object.keys(methods));
		expect(named.length).toBeGreaterThan(0);
		for (const [, method] of named) expect(offered).toContain(method);
	},
);

test('a credential that is loaded when it is used signs its requests', async () => {
	const { type } = lazy.getCredential('eventPlatformApi');
	if (typeof type.authenticate !== 'function') throw new Error('It signs with a function.');
	const signed = await type.authenticate({ apiToken: 'abc' }, { url: 'https://api.example.com' });
	expect(signed.headers).toEqual({ Authorization: 'abc' });
});
