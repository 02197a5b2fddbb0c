import { thousands } from '../client/usage';
import { nameOfPerson } from '../people/peopleInWords';
import { fieldsOf } from '../records/simplify';
import { groupBy } from '../values/collections';
import { text } from '../values/text';
import type { Reason } from '../people/reason';
import { withIntent, type Entry } from './intent';

/**
 * Finds people who would be added under the name of somebody who would be removed, and gives what a dry run tells of both: it
 * may be one person with a new address, or two people of one name. Nobody can know that, so these are words alone.
 */
export function reasonsOfSameNames(people: readonly Entry[]): Map<Entry, Reason> {
	const reasons = new Map<Entry, Reason>();
	for (const ofSession of groupBy(people, ({ sessionId }) => sessionId).values()) {
		const added = byName(withIntent(ofSession, 'add'));
		const removed = byName(withIntent(ofSession, 'remove'));
		for (const [name, additions] of added) {
			const removals = removed.get(name) ?? [];
			if (removals.length === 0) continue;
			const ofAdditions = reasonOfSameName(removals, 'removed');
			for (const entry of additions) reasons.set(entry, ofAdditions);
			const ofRemovals = reasonOfSameName(additions, 'added');
			for (const entry of removals) reasons.set(entry, ofRemovals);
		}
	}
	return reasons;
}

/** People by the name, as far as they have a first and a last name: many people share one of them. */
function byName(people: readonly Entry[]): Map<string, Entry[]> {
	const named = people.filter((entry) => keyOf(entry).includes(' '));
	return groupBy(named, keyOf);
}

/** The name without letter case, accents and surplus spaces; empty where there is none. */
function keyOf({ registration, person }: Entry): string {
	const fields = person && fieldsOf(person);
	const names = fields && {
		first_name: text(fields.get('first_name')),
		last_name: text(fields.get('last_name')),
	};
	const name = nameOfPerson({ registration }, names) ?? '';
	const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
	return plain.split(/\s+/).filter(Boolean).join(' ');
}

function reasonOfSameName(
	[first, ...others]: readonly Entry[],
	becomes: 'added' | 'removed',
): Reason {
	const more = others.length === 0 ? '' : ` and ${thousands(others.length)} more`;
	const message = `The same name as ${first?.email ?? 'somebody without an email'}${more}, who would be ${becomes}. It may be the same person with another address.`;
	return { code: 'same_name', message };
}
