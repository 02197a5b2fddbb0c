import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';

/** The package as it would be published: `npm run build` comes first. */

export const root = join(__dirname, '../..');

interface Manifest {
	name: string;
	version: string;
	homepage: string;
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

export const nodes = manifest.n8n.nodes.map((path) => load<INodeType>(path));
export const credentials = manifest.n8n.credentials.map((path) => load<ICredentialType>(path));

/** n8n takes the class that has the name of the file. */
function load<Loaded>(path: string): { path: string; loaded: Loaded } {
	const name = path.replace(/^.*\/(\w+)\..*$/, '$1');
	// eslint's types end at a file that is only there after the build.
	const classes = jest.requireActual<Record<string, new () => Loaded>>(join(root, path));
	const Class = classes[name];
	if (!Class) throw new Error(`${path} has no class ${name}`);
	return { path, loaded: new Class() };
}
