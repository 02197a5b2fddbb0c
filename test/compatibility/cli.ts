import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SavedCredential, Workflow } from '../../host/editor';
import type { Installation } from '../../host/installation';
import { n8nEnvironment } from '../../host/n8n';
import { freePort } from '../../host/ports';

interface Printed {
	data: {
		resultData: {
			error?: { message: string };
			runData: Record<string, Array<{ data?: { main: Array<Array<{ json: object }> | null> } }>>;
		};
	};
}

export interface N8nCli {
	import(kind: 'credentials' | 'workflow', all: Array<SavedCredential | Workflow>): Promise<void>;
	/** The workflow listens when n8n is started the next time. */
	activate(workflowId: string): Promise<string>;
	/** Runs a workflow and gives the JSON that each node put out. */
	execute(workflowId: string): Promise<(node: string) => object[]>;
}

/** n8n at the command line, which is the same in every version. Each command starts all of n8n. */
export function n8nCli(installation: Installation, userFolder: string): N8nCli {
	async function run(...words: string[]): Promise<string> {
		const { node, n8n } = installation;
		const { stdout } = await promisify(execFile)(node, [n8n, ...words], {
			env: await n8nEnvironment(installation, { userFolder, port: await freePort() }),
			maxBuffer: 100 * 1024 * 1024,
			timeout: 20 * 60_000,
		});
		return stdout;
	}
	return {
		async import(kind, all) {
			const path = join(userFolder, `${kind}.json`);
			await writeFile(path, JSON.stringify(all));
			await run(`import:${kind}`, `--input=${path}`);
		},
		activate: (id) => run('update:workflow', `--id=${id}`, '--active=true'),
		async execute(id) {
			const printed = await run('execute', `--id=${id}`, '--rawOutput');
			const { data } = JSON.parse(printed.slice(printed.indexOf('{'))) as Printed;
			const { error, runData } = data.resultData;
			if (error) throw new Error(error.message);
			return (node: string) =>
				(runData[node] ?? []).flatMap(({ data: { main } = { main: [] } }) =>
					main.flatMap((items) => (items ?? []).map(({ json }) => json)),
				);
		},
	};
}
