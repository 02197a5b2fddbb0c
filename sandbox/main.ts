import { BadArgument, readArguments } from './arguments';
import { startSandbox } from './server';

async function main(): Promise<void> {
	const {
		platform: _platform,
		close,
		...access
	} = await startSandbox(readArguments(process.argv.slice(2)));
	process.stdout.write(`${JSON.stringify(access)}\n`);
	const stop = () => void close().then(() => process.exit(0));
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
	return message;
}
