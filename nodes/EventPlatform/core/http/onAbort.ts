const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `wake` when the signal is raised; what it gives back ends that. However many wait, the signal
 * has one listener of ours: a run may have a hundred requests waiting, and versions of Node before 20
 * warn of a leak at eleven listeners.
 */
export function onAbort(signal: AbortSignal | undefined, wake: () => void): () => void {
	if (!signal) return () => {};
	const waiters = waiting.get(signal) ?? listen(signal);
	// Its own, so that the same function may wait twice.
	const waiter = () => wake();
	waiters.add(waiter);
	return () => void waiters.delete(waiter);
}

function listen(signal: AbortSignal): Set<() => void> {
	const waiters = new Set<() => void>();
	waiting.set(signal, waiters);
	const wakeAll = () => waiters.forEach((wake) => wake());
	signal.addEventListener('abort', wakeAll, { once: true });
	return waiters;
}
