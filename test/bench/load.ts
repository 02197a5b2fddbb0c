import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Uses every core while the work is done: requests then leave later than they may. */
export async function underLoad<Result>(
	isLoaded: boolean,
	work: () => Promise<Result>,
): Promise<Result> {
	const busy = Array.from({ length: isLoaded ? availableParallelism() : 0 }, () =>
		spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
	);
	try {
		return await work();
	} finally {
		for (const child of busy) child.kill();
	}
}
