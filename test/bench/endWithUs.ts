import type { ChildProcess } from 'node:child_process';

/** A program that is still running when this one ends, for whatever reason, is ended with it. */
export function endWithUs(child: ChildProcess): void {
	const kill = () => child.kill();
	process.once('exit', kill);
	child.once('exit', () => process.off('exit', kill));
}
