import { emailAndAddressOf, type Row } from '../../../nodes/EventPlatform/core/people/registration';
import { planSync } from '../../../nodes/EventPlatform/core/sync/plan';
import { reasonsOfSameNames } from '../../../nodes/EventPlatform/core/sync/sameNames';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

type Name = [first: string | null, last: string | null];

function row(email: string, [first, last]: Name): Row {
	const answers = Object.entries({ email, first_name: first, last_name: last });
	const fields = answers.flatMap(([id, value]) => (value === null ? [] : { id, value }));
	return {
		sessionId: 's',
		...emailAndAddressOf(email),
		problems: [],
		registration: { fields, tracking: {} },
	};
}

function person(email: string, [first_name, last_name]: Name): JsonObject {
	const attributes = { email, first_name, last_name, role: 'participant' };
	return { id: `id of ${email}`, type: 'people', attributes };
}

/** Gives the reason told of each, in the order of the plan. The rows come first, then the people who would be removed. */
function reasonsFor(rows: Row[], people: JsonObject[], mayRemoveOthers = true) {
	const session = { type: 'sessions', id: 's', attributes: { status: 'upcoming' } };
	const sessions = new Map([['s', { name: "'Demo'", session, people }]]);
	const rules = { mayRemoveOthers, mostRemovals: 100 };
	const plan = planSync(rows, sessions, rules, Date.parse('2026-11-28T10:00:00Z'));
	const before = JSON.stringify(plan.entries);
	const reasons = reasonsOfSameNames(plan.entries);
	// Words alone: nobody is planned otherwise.
	expect(JSON.stringify(plan.entries)).toBe(before);
	return plan.entries.map((entry) => reasons.get(entry)?.message);
}

const ada: Name = ['Ada', 'Lovelace'];
const ofAda = (who: string, what: string) =>
	`The same name as ${who}, who would be ${what}. It may be the same person with another address.`;

test.each<[string, Name]>([
	['the same', ada],
	['in other letters and spaces', [' ADA', 'lovelace  ']],
	['with accents', ['\u00c1da', 'Lovelace']],
])('both sides are told of a name that is %s', (_, name) => {
	expect(reasonsFor([row('new@example.com', name)], [person('old@example.com', ada)])).toEqual([
		ofAda('old@example.com', 'removed'),
		ofAda('new@example.com', 'added'),
	]);
});

test('of several people of one name the first is named, and the others are counted', () => {
	const rows = ['a', 'b', 'c'].map((name) => row(`${name}@example.com`, ada));
	const [first, , , removed] = reasonsFor(rows, [person('old@example.com', ada)]);
	expect(first).toBe(ofAda('old@example.com', 'removed'));
	expect(removed).toBe(ofAda('a@example.com and 2 more', 'added'));
});

test.each<[string, Name, Name]>([
	['another name', ['Grace', 'Lovelace'], ada],
	['a first name alone', ['Ada', null], ['Ada', null]],
	['no name', [null, null], [null, null]],
])('nobody is told of %s', (_, listed, registered) => {
	const rows = [row('new@example.com', listed)];
	expect(reasonsFor(rows, [person('old@example.com', registered)])).toEqual([undefined, undefined]);
});

test('nobody is told where nobody would be removed, or somebody is on the list under both addresses', () => {
	const registered = [person('old@example.com', ada)];
	expect(reasonsFor([row('new@example.com', ada)], registered, false)).toEqual([undefined]);
	const both = ['old', 'new'].map((name) => row(`${name}@example.com`, ada));
	expect(reasonsFor(both, registered)).toEqual([undefined, undefined]);
});

test('somebody who is kept because of a likely typo is not told again', () => {
	const rows = [row('lovelaces@example.com', ada)];
	expect(reasonsFor(rows, [person('lovelace@example.com', ada)])).toEqual([undefined, undefined]);
});
