/** Groups members by their key, in the order in which the keys come first. */
export function groupBy<Member, Key = string>(
	all: readonly Member[],
	keyOf: (member: Member) => Key,
): Map<Key, Member[]> {
	const groups = new Map<Key, Member[]>();
	for (const member of all) {
		const members = groups.get(keyOf(member)) ?? [];
		groups.set(keyOf(member), members);
		members.push(member);
	}
	return groups;
}

/** Gives the numbers from 1 to `last`. */
export function upTo(last: number): number[] {
	return Array.from({ length: last }, (_, index) => index + 1);
}

/** Drops the oldest members of a collection that has more than `limit`. */
export function keepLatest(collection: Set<string> | Map<string, unknown>, limit: number): void {
	for (const oldest of collection.keys()) {
		if (collection.size <= limit) return;
		collection.delete(oldest);
	}
}
