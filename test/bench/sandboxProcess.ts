import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Access } from '../../sandbox/server';
import { endWithUs } from './endWithUs';

const root = join(__dirname, '..', '..');

export interface SandboxProcess extends Access {
	stop(): Promise<void>;
}

/** The sandbox in a process of its own, as `npm run sandbox` starts it, on any free port. */
export async function startSandboxProcess(words: string[]): Promise<SandboxProcess> {
	const main = join(root, 'sandbox', 'main.ts');
	const child = spawn(process.execPath, ['--import', 'tsx', main, '--port', '0', ...words], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = new Promise<void>((done) => child.once('exit', () => done()));
	const stop = async () => {
		child.kill();
		await ended;
	};
	endWithUs(child);
	for await (const line of createInterface({ input: child.stdout })) {
		if (!line.startsWith('{')) continue;
		child.stdout.resume();
		return { ...(JSON.parse(line) as Access), stop };
	}
	throw new Error('The sandbox ended before it listened.');
}

/** What reached the API, as the sandbox logged it. */
export async function apiRequests(
	baseUrl: string,
): Promise<Array<{ path: string; status: number }>> {
	const answer = await fetch(`${baseUrl}/_sandbox/requests`);
	const all = (await answer.json()) as Array<{ path: string; status: number }>;
	return all.filter(({ path }) => path.startsWith('/v1/'));
}
