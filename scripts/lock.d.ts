/** Runs `work` while no other program holds the lock file; calls `onWait` once when it has to wait. */
export function withLock<T>(
	lockFile: string,
	onWait: () => void,
	work: () => Promise<T>,
): Promise<T>;
