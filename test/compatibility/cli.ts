import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SavedCredential, Workflow } from '../../host/editor';
import type { Installation } from '../../host/installation';
import { n8nEnvironment } from '../../host/n8n';
import { freePort } from '../../host/ports';

const run = promisify(execFile);

/** n8n at the command line, which is the same in every version. Each command starts all of n8n. */
export class N8nCli {
	constructor(
		private readonly installation: Installation,
		private readonly userFolder: string,
	) {}

	async import(kind: 'credentials', all: SavedCredential[]): Promise<void>;
	async import(kind: 'workflow', all: Array<Workflow & { id: string }>): Promise<void>;
	async import(kind: string, all: unknown[]) {
		const path = join(this.userFolder, `${kind}.json`);
		await writeFile(path, JSON.stringify(all));
		await this.run(`import:${kind}`, `--input=${path}`);
	}

	/** It listens when n8n is started the next time. */
	async activate(id: string) {
		await this.run('update:workflow', `--id=${id}`, '--active=true');
	}

	/** Runs a workflow and gives the JSON that each node put out. */
	async execute(id: string) {
		const printed = await this.run('execute', `--id=${id}`, '--rawOutput');
		const { data } = JSON.parse(printed.slice(printed.indexOf('{'))) as Printed;
		if (data.resultData.error) throw new Error(data.resultData.error.message);
		return (node: string) =>
			(data.resultData.runData[node] ?? []).flatMap((one) =>
				(one.data?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json)),
			);
	}

	private async run(...words: string[]): Promise<string> {
		const { node, n8n } = this.installation;
		const settings = { userFolder: this.userFolder, port: await freePort() };
		const { stdout } = await run(node, [n8n, ...words], {
			env: await n8nEnvironment(this.installation, settings),
			maxBuffer: 100 * 1024 * 1024,
			timeout: 20 * 60_000,
		});
		return stdout;
	}
}

interface Printed {
	data: {
		resultData: {
			error?: { message: string };
			runData: Record<
				string,
				Array<{ data?: { main: Array<Array<{ json: Record<string, unknown> }> | null> } }>
			>;
		};
	};
}
