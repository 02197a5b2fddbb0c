/** Groups members by their key, in the order in which the keys come first. */
export function groupBy<Member, Key = string>(
	all: readonly Member[],
	keyOf: (member: Member) => Key,
): Map<Key, Member[]> {
	const groups = new Map<Key, Member[]>();
	for (const member of all) {
		addToGroup(groups, keyOf(member), member);
	}
	return groups;
}

export function addToGroup<Member, Key>(
	groups: Map<Key, Member[]>,
	key: Key,
	member: Member,
): void {
	const members = groups.get(key);
	if (members) members.push(member);
	else groups.set(key, [member]);
}

export function addAll<Member>(list: Member[], members: Iterable<Member>): void {
	for (const member of members) list.push(member);
}

/** The smallest of any number of numbers; Infinity where there are none. */
export function smallestOf(numbers: Iterable<number>): number {
	let smallest = Infinity;
	for (const number of numbers) smallest = Math.min(smallest, number);
	return smallest;
}

/** The largest of any number of numbers; -Infinity where there are none. */
export function largestOf(numbers: Iterable<number>): number {
	let largest = -Infinity;
	for (const number of numbers) largest = Math.max(largest, number);
	return largest;
}

export function upTo(last: number): number[] {
	return Array.from({ length: last }, (_, index) => index + 1);
}
