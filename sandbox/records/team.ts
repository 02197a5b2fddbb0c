import { randomBytes, randomUUID } from 'node:crypto';
import type { Platform } from '../platform';
import { Refusal } from '../refusal';
import type { Row } from '../store/store';
import { emailKey } from './filters';
import { trackingNames } from './personRecord';

/** The team of a session body. It names users or people by their ids. */
export interface TeamOfSession {
	people: ReadonlyArray<{ id: string } | { data: { id: string } }>;
}

/** Puts these in the place of the team members of a session. */
export function setTeam(
	platform: Platform,
	session: { id: string; eventId: string },
	team: TeamOfSession,
): void {
	const { store } = platform;
	const people = team.people.map((member) =>
		memberOf(platform, ('data' in member ? member.data : member).id),
	);
	const former = "DELETE FROM registrations WHERE session_id = ? AND role = 'team_member'";
	store.write(former, session.id);
	for (const person of people) join(platform, session, person);
}

/** The person of a user; one who was never in a session has none yet. */
function memberOf(platform: Platform, id: string): Row {
	const { store } = platform;
	const user = store.get('SELECT * FROM users WHERE id = ?', id);
	const find = user
		? 'SELECT * FROM people WHERE email_key = ?'
		: 'SELECT * FROM people WHERE id = ?';
	const key = user ? emailKey(String(user['email'])) : id;
	const person = store.get(find, key);
	if (person) return person;
	if (!user) throw new Refusal(422, `There is no user '${id.slice(0, 80)}' for the team.`);
	const now = Math.floor(platform.now() / 1000);
	store.insert('people', {
		id: randomUUID(),
		role: 'team_member',
		email: user['email'] ?? '',
		email_key: key,
		first_name: user['first_name'] ?? null,
		last_name: user['last_name'] ?? null,
		avatar_link: null,
		timezone: null,
		created_at: now,
		updated_at: now,
	});
	return store.get(find, key) ?? {};
}

function join(platform: Platform, session: { id: string; eventId: string }, person: Row): void {
	const now = Math.floor(platform.now() / 1000);
	const { store } = platform;
	const taken = 'SELECT 1 FROM registrations WHERE session_id = ? AND person_id = ?';
	if (store.get(taken, session.id, person['id'] ?? '')) return;
	const answer = (id: 'email' | 'first_name' | 'last_name') => ({
		id,
		type: 'text',
		value: person[id] ?? null,
		required: true,
	});
	store.insert('registrations', {
		session_id: session.id,
		event_id: session.eventId,
		person_id: person['id'] ?? '',
		role: 'team_member',
		fields: JSON.stringify([answer('email'), answer('first_name'), answer('last_name')]),
		tracking: JSON.stringify(Object.fromEntries(trackingNames.map((name) => [name, null]))),
		password_key: randomBytes(12).toString('hex'),
		registration_type: 'team',
		created_at: now,
		updated_at: now,
	});
}
