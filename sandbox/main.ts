import { readArguments } from './arguments';
import { BadArgument } from './options/kinds';
import { observedTraits } from './options/observed';
import { optionList } from './options/list';
import { type Access, startSandbox } from './server';

/** The values that a client needs to know, and nothing else of the sandbox. */
const accessNames: Array<keyof Access> = [
	'baseUrl',
	'authServerUrl',
	'apiToken',
	'clientId',
	'clientSecret',
	'redirectUri',
	'scope',
];

async function main(): Promise<void> {
	const args = process.argv.slice(2);
	if (args.includes('--help')) return void process.stdout.write(`${optionList()}\n`);
	const options = readArguments(args);
	if (options.world === 'observed' && observedTraits() === undefined) {
		process.stderr.write(
			'No report of the real platform was adopted yet: this is the world of the specification.\n',
		);
	}
	const sandbox = await startSandbox(options);
	process.stdout.write(`${JSON.stringify(sandbox, accessNames)}\n`);
	const stop = () => void sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', stop).once('SIGTERM', stop);
}

main().catch((error: unknown) => {
	process.stderr.write(`${sentence(error)}\n`);
	process.exit(error instanceof BadArgument ? 2 : 1);
});

function sentence(error: unknown): string {
	const { message, code, port } = error as Error & { code?: string; port?: number };
	if (code === 'EADDRINUSE') return `Port ${port} is in use: choose another one with --port.`;
	if (code === 'EACCES')
		return `This user may not listen on port ${port}: choose another one with --port.`;
	if (code === 'ERR_SQLITE_ERROR') return `The file of --data cannot be used: ${message}.`;
	return message;
}
