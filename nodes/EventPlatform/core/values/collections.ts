export function groupBy<T, Key = string>(all: readonly T[], keyOf: (one: T) => Key): Map<Key, T[]> {
	const groups = new Map<Key, T[]>();
	for (const one of all) {
		const members = groups.get(keyOf(one)) ?? [];
		groups.set(keyOf(one), members);
		members.push(one);
	}
	return groups;
}

/** The numbers from 1. */
export function upTo(last: number): number[] {
	return Array.from({ length: last }, (_, index) => index + 1);
}

/** Drops the oldest beyond the limit. */
export function keepLatest(kept: Set<string> | Map<string, unknown>, limit: number): void {
	for (const oldest of kept.keys()) {
		if (kept.size <= limit) return;
		kept.delete(oldest);
	}
}
