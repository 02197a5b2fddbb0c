import { spawn } from 'node:child_process';
import { withoutSecrets } from '../scripts/environment';
import { UserError } from './userError';

/** Runs the machine's npm in a folder and gives what it printed; a failure becomes one sentence. */
export async function npm(folder: string, args: string[], purpose: string): Promise<string> {
	const { code, printed, errors } = await run(folder, args);
	if (code !== 0) throw new UserError(reason(purpose, errors + printed));
	return printed;
}

/** Whether npm has to do with its cache, because the registry cannot be reached. */
export async function isOffline(folder: string): Promise<boolean> {
	const atMost20Seconds = ['--fetch-retries=0', '--fetch-timeout=20000'];
	const { code, errors } = await run(folder, ['ping', ...atMost20Seconds, '--loglevel=error']);
	// A registry that does not know `ping` answers with an error, but it can be reached.
	return code !== 0 && noNetwork.test(errors);
}

async function run(folder: string, args: string[]) {
	const windows = process.platform === 'win32';
	const child = spawn('npm', args, {
		cwd: folder,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: windows,
		env: quietEnvironment(),
	});
	let printed = '';
	let errors = '';
	child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const code = await new Promise<number | null>((done, fail) => {
		child.on('error', (error) =>
			fail(new UserError(`npm could not be started: ${error.message}.`)),
		);
		child.on('close', done);
	});
	return { code, printed, errors };
}

/**
 * A script started by npm inherits npm's own settings (prefix, arguments …), which are not meant for this call. What gives
 * access to anything is not meant for the scripts that packages run when they are installed.
 */
function quietEnvironment() {
	const inherited = Object.entries(withoutSecrets(process.env)).filter(
		([name]) =>
			!/^(npm_(package|lifecycle|command|execpath|node_execpath|config_(local_)?prefix))/.test(
				name,
			),
	);
	// The compiler of npm packages knows the folder of Node's headers by either name; a later npm passes on the second one alone.
	const { npm_config_nodedir: headers = '' } = process.env;
	return {
		...Object.fromEntries(inherited),
		...(headers && { npm_package_config_node_gyp_nodedir: headers }),
		npm_config_update_notifier: 'false',
	};
}

const noNetwork =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/i;

/** One sentence from what npm printed: what failed, why, and what to do. */
export function reason(purpose: string, output: string): string {
	if (/ENOSPC|no space left/i.test(output)) {
		return `${purpose} failed because the disk is full: free some space (n8n needs about 4 GB) and start again.`;
	}
	if (/gyp ERR|node-gyp/i.test(output)) {
		return noNetwork.test(output) ? noHeaders(purpose) : noCompiler(purpose);
	}
	if (noNetwork.test(output)) {
		return `${purpose} failed because the npm registry cannot be reached: check the network and start again.`;
	}
	const lines = output.split('\n').filter((line) => /npm (error|ERR!)/.test(line));
	return `${purpose} failed: ${lines[0]?.replace(/^npm (error|ERR!)\s*/, '') ?? 'npm gave no reason'}.`;
}

/** n8n's database driver is compiled where its ready binary cannot be fetched from github.com. */
function noHeaders(purpose: string) {
	return (
		`${purpose} failed because the database driver (sqlite3) could not be compiled: the headers of Node cannot be fetched from nodejs.org. ` +
		'Let this machine reach nodejs.org (or github.com, which has the driver ready to run), or set npm_config_nodedir to a folder that has ' +
		'include/node/node.h, such as /usr, and start again. What was downloaded is kept.'
	);
}

function noCompiler(purpose: string) {
	return (
		`${purpose} failed because the database driver (sqlite3) could not be compiled: install python3, make and g++ and start again. ` +
		'What was downloaded is kept.'
	);
}
