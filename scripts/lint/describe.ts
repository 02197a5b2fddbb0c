// Writes what the nodes and credentials describe into reports/described, for `npm run lint`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { credentialSource, nodeSource } from './described';

const root = join(__dirname, '../..');
const target = join(root, 'reports/described');

/** The part of package.json that names what n8n loads. */
interface Manifest {
	n8n: Record<'nodes' | 'credentials', string[]>;
}

async function describe(): Promise<void> {
	const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
	rmSync(target, { recursive: true, force: true });
	for (const file of n8n.nodes.map(sourceOf)) {
		const { description } = await load<INodeType>(file);
		write(file, nodeSource(classOf(file), description));
	}
	for (const file of n8n.credentials.map(sourceOf)) {
		write(file, credentialSource(classOf(file), await load<ICredentialType>(file)));
	}
}

/** The file in the repository of one that package.json names as it is built. */
function sourceOf(built: string): string {
	return built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
}

function classOf(file: string): string {
	return basename(file).replace(/\..*$/, '');
}

async function load<Loaded>(file: string): Promise<Loaded> {
	const module = (await import(join(root, file))) as Record<string, new () => Loaded>;
	const Class = module[classOf(file)];
	if (!Class) throw new Error(`${file} has no class ${classOf(file)}`);
	return new Class();
}

function write(file: string, source: string): void {
	const path = join(target, file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, source);
}

void describe();
