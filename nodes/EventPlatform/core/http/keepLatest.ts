/** Drops the oldest of them until no more than the limit are left. */
export function keepLatest(kept: Set<string> | Map<string, unknown>, limit: number): void {
	for (const oldest of kept.keys()) {
		if (kept.size <= limit) return;
		kept.delete(oldest);
	}
}
