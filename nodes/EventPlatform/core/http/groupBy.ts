export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all) {
		const key = keyOf(one);
		const members = groups.get(key);
		if (members) members.push(one);
		else groups.set(key, [one]);
	}
	return groups;
}
