// Runs n8n's lint over what the nodes and credentials describe: the first half of `npm run lint`.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { faultsOf, faultText } from './faults';
import { credentialSource, nodeSource, type SourceLine } from './source';

const root = join(__dirname, '../..');

/** The part of package.json that names what n8n loads. */
interface Manifest {
	n8n: Record<'nodes' | 'credentials', string[]>;
}

async function lintDescriptions(): Promise<void> {
	const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
	for (const file of n8n.nodes.map(sourceOf)) {
		const { description } = await load<INodeType>(file);
		report(file, nodeSource(classOf(file), description));
	}
	for (const file of n8n.credentials.map(sourceOf)) {
		report(file, credentialSource(classOf(file), await load<ICredentialType>(file)));
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

function report(file: string, lines: readonly SourceLine[]): void {
	for (const fault of faultsOf(lines, file)) {
		process.exitCode = 1;
		console.error(faultText(fault));
	}
}

void lintDescriptions();
