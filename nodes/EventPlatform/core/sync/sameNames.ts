import { thousands } from '../client/usage';
import { nameOfPerson } from '../people/peopleInWords';
import { fieldsOf } from '../records/simplify';
import { groupBy } from '../values/collections';
import { text } from '../values/text';
import type { Reason } from '../people/reason';
import { withIntent, type Entry } from './intent';

/**
 * Finds people who would be added under the name of somebody who would be removed, and gives the reason that a dry run shows for
 * both: they may be one person with a new address, or two people of one name. Nobody can know that, so nothing but these words
 * follows from it.
 */
export function reasonsOfSameNames(people: readonly Entry[]): Map<Entry, Reason> {
	const reasons = new Map<Entry, Reason>();
	for (const entriesOfSession of groupBy(people, ({ sessionId }) => sessionId).values()) {
		const additionsByName = groupByName(withIntent(entriesOfSession, 'add'));
		const removalsByName = groupByName(withIntent(entriesOfSession, 'remove'));
		for (const [name, additions] of additionsByName) {
			const removals = removalsByName.get(name) ?? [];
			if (removals.length === 0) continue;
			const reasonOfAdditions = reasonOfSameName(removals, 'removed');
			for (const entry of additions) reasons.set(entry, reasonOfAdditions);
			const reasonOfRemovals = reasonOfSameName(additions, 'added');
			for (const entry of removals) reasons.set(entry, reasonOfRemovals);
		}
	}
	return reasons;
}

/** Groups people by name. People without a first or a last name are left out, because many people share one of them. */
function groupByName(people: readonly Entry[]): Map<string, Entry[]> {
	const peopleWithBothNames = people.filter((entry) => nameKeyOf(entry).includes(' '));
	return groupBy(peopleWithBothNames, nameKeyOf);
}

/** Gives the name of a person without letter case, accents and surplus spaces; empty where there is none. */
function nameKeyOf({ registration, person }: Entry): string {
	const fields = person && fieldsOf(person);
	const names = fields && {
		first_name: text(fields.get('first_name')),
		last_name: text(fields.get('last_name')),
	};
	const name = nameOfPerson({ registration }, names) ?? '';
	const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
	return plain.split(/\s+/).filter(Boolean).join(' ');
}

/** Makes the reason that names the people with the same name, and says what would become of them. */
function reasonOfSameName(
	[first, ...others]: readonly Entry[],
	becomes: 'added' | 'removed',
): Reason {
	const more = others.length === 0 ? '' : ` and ${thousands(others.length)} more`;
	const message = `The same name as ${first?.email ?? 'somebody without an email'}${more}, who would be ${becomes}. It may be the same person with another address.`;
	return { code: 'same_name', message };
}
