import { readFileSync } from 'node:fs';

/** A process of this machine. */
export interface RunningProcess {
	pid: number;
	/** When the system started it, in its own unit: a later process with the same number has another one. Empty where the system does not tell. */
	startedAt: string;
}

/** Notes a process in such a way that it is known again, even if a later process gets its number. */
export function noteProcess(pid: number): RunningProcess {
	return { pid, startedAt: startOf(pid) };
}

/** Whether another process than this one is still the one that was noted. */
export function isStillRunning({ pid, startedAt }: RunningProcess): boolean {
	if (pid === process.pid) return false;
	try {
		process.kill(pid, 0);
	} catch (error) {
		// A process of another user cannot be reached, but it is there.
		if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
	}
	return startedAt === startOf(pid);
}

/** Linux tells the start of a process as the twenty-second part of its state; the name before it may hold spaces. */
function startOf(pid: number): string {
	try {
		const state = readFileSync(`/proc/${pid}/stat`, 'utf8');
		return state.slice(state.lastIndexOf(')') + 2).split(' ')[19] ?? '';
	} catch {
		return '';
	}
}
