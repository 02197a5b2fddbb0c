import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process of this machine. */
export interface RunningProcess {
	pid: number;
	/** When the system started it, in its own unit: a later process with the same number has another one. Empty where the system does not tell. */
	startedAt: string;
}

/** Notes a process in such a way that it is known again, even if a later process gets its number. */
export function noteProcess(pid: number): RunningProcess {
	return { pid, startedAt: stateOf(pid).startedAt };
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
	const state = stateOf(pid);
	return startedAt === state.startedAt && !state.isDead;
}

interface ProcessState {
	startedAt: string;
	/** It has ended, but its parent has not asked for its exit code: signals still reach its number. A container whose first process is no init keeps such processes. */
	isDead: boolean;
}

function stateOf(pid: number): ProcessState {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name of the program stands in brackets before these, and may hold spaces and brackets. proc(5) counts from the number.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return { isDead: isDead(fields[0]), startedAt: fields[19] ?? '' };
	} catch {
		return { isDead: isDead(letterFromPs(pid)), startedAt: '' };
	}
}

/** Where there is no /proc, as on macOS. */
function letterFromPs(pid: number): string {
	try {
		return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
	} catch {
		return '';
	}
}

function isDead(state = ''): boolean {
	return /^[ZX]/.test(state);
}
