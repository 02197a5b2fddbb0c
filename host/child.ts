import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program we started, together with everything that it started itself. */
export interface Child {
	readonly pid: number;
	/** Resolves when it has ended, for whatever reason. */
	readonly ended: Promise<void>;
	/** Asks it to end; kills it and its own children when it does not in time. */
	stop(): Promise<void>;
	/** Kills it and its own children at once, as a crash would. */
	kill(): void;
}

/** Longer than n8n takes to end when no execution is under way. */
const endsWithinMs = 15_000;
const ownGroup = process.platform !== 'win32';
const running = new Set<ChildProcess>();
// Whatever ends this program, what it started ends too.
process.on('exit', killAll);

export function killAll(): void {
	running.forEach((child) => signal(child, 'SIGKILL'));
}

export function start(
	program: string,
	args: string[],
	environment: NodeJS.ProcessEnv,
	logFile: string,
): Child {
	// The child has a process group of its own. So its children (n8n's task runner) can be ended with it, and Ctrl-C
	// of the terminal does not reach it before this program has ended everything that depends on it.
	const child = spawn(program, args, {
		env: environment,
		detached: ownGroup,
		stdio: ['ignore', 'pipe', 'pipe'],
		windowsHide: true,
	});
	const log = createWriteStream(logFile);
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	running.add(child);
	const ended = new Promise<void>((done) => {
		child.on('error', () => done());
		child.on('exit', () => done());
	}).then(() => {
		running.delete(child);
		log.end();
	});

	return {
		pid: child.pid ?? 0,
		ended,
		async stop() {
			if (!running.has(child)) return;
			signal(child, 'SIGTERM');
			await Promise.race([ended, sleep(endsWithinMs, undefined, { ref: false })]);
			signal(child, 'SIGKILL');
			await ended;
		},
		kill: () => signal(child, 'SIGKILL'),
	};
}

function signal(child: ChildProcess, name: NodeJS.Signals) {
	if (child.pid === undefined) return;
	try {
		process.kill(ownGroup ? -child.pid : child.pid, name);
	} catch {
		// Gone already.
	}
}
