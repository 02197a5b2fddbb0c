import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const root = resolve(__dirname, '../../..');

export interface Program {
	child: ChildProcessByStdio<null, Readable, Readable>;
	/** Its exit code. */
	ended: Promise<number | null>;
	isRunning(): boolean;
	/** All that it wrote, errors too. */
	printed(): string;
	stop(): Promise<void>;
}

/** A program in a process of its own, which ends with this one at the latest. Its file is one of this checkout unless `cwd` is another folder. */
export function startProgram(
	file: string,
	words: readonly string[] = [],
	options: { env?: NodeJS.ProcessEnv; node?: string; flags?: string[]; cwd?: string } = {},
): Program {
	const { env, node = process.execPath, flags = [], cwd = root } = options;
	const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
	const child = spawn(node, [...flags, ...loader, file, ...words], {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (part) => (printed += String(part)));
	}
	const kill = () => child.kill();
	process.once('exit', kill);
	let isRunning = true;
	const ended = new Promise<number | null>((done) => child.once('close', done)).finally(() => {
		isRunning = false;
		process.off('exit', kill);
	});
	return {
		child,
		ended,
		isRunning: () => isRunning,
		printed: () => printed,
		async stop() {
			child.kill();
			await ended;
		},
	};
}

/** The first line that begins so, as soon as it is printed. */
export async function lineOf(program: Program, beginning: string): Promise<string> {
	for (;;) {
		const lines = program.printed().split('\n').slice(0, -1);
		const match = lines.find((line) => line.startsWith(beginning));
		if (match !== undefined) return match;
		if (!program.isRunning()) throw new Error(`The program has ended: ${program.printed()}`);
		await sleep(20);
	}
}
