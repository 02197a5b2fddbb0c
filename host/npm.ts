import { spawn } from 'node:child_process';
import { Trouble } from './trouble';

/** Runs the machine's npm in a folder and gives what it printed; a failure is said in one sentence. */
export async function npm(folder: string, words: string[], purpose: string): Promise<string> {
	const { code, printed, complaints } = await run(folder, words);
	if (code !== 0) throw new Trouble(reason(purpose, complaints + printed));
	return printed;
}

/** Whether npm can only use what it has kept from before. */
export async function isOffline(folder: string): Promise<boolean> {
	const patience = ['--fetch-retries=0', '--fetch-timeout=20000'];
	const { code, complaints } = await run(folder, ['ping', ...patience, '--loglevel=error']);
	// A registry that does not know the question is there all the same.
	return code !== 0 && noNetwork.test(complaints);
}

async function run(folder: string, words: string[]) {
	const windows = process.platform === 'win32';
	const child = spawn('npm', words, {
		cwd: folder,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: windows,
		env: quietEnvironment(),
	});
	let printed = '';
	let complaints = '';
	child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
	const code = await new Promise<number | null>((done, fail) => {
		child.on('error', (error) => fail(new Trouble(`npm could not be started: ${error.message}.`)));
		child.on('close', done);
	});
	return { code, printed, complaints };
}

/** A script started by npm inherits npm's own settings (prefix, arguments …), which are not meant for this call. */
function quietEnvironment() {
	const inherited = Object.entries(process.env).filter(
		([name]) =>
			!/^npm_(package|lifecycle|command|execpath|node_execpath|config_(local_)?prefix)/.test(name),
	);
	return { ...Object.fromEntries(inherited), npm_config_update_notifier: 'false' };
}

const noNetwork =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/i;

export function reason(purpose: string, said: string): string {
	if (/ENOSPC|no space left/i.test(said)) {
		return `${purpose} failed because the disk is full: free some space (n8n needs about 4 GB) and start again.`;
	}
	if (noNetwork.test(said)) {
		return `${purpose} failed because the npm registry cannot be reached: check the network and start again.`;
	}
	if (/gyp ERR|node-gyp/i.test(said)) {
		return `${purpose} failed because the database driver could not be compiled: install python3, make and g++ and start again.`;
	}
	const lines = said.split('\n').filter((line) => /npm (error|ERR!)/.test(line));
	return `${purpose} failed: ${lines[0]?.replace(/^npm (error|ERR!)\s*/, '') ?? 'npm gave no reason'}.`;
}
