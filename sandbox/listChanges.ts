import type { Platform } from './platform';
import { type Handler, pathId } from './records/handler';
import { findSession } from './records/find';
import type { PageMeta } from './records/page';
import { seedPerson } from './seed/people';

/** Numbers above those of the people who are seeded. */
const firstStranger = 950_000_001;

/** Lets the people of a session change after each page that is not the last one. */
export function changingWhileRead(listSessionPeople: Handler): Handler {
	return (call) => {
		const answered = listSessionPeople(call);
		const { meta } = answered.body as { meta: PageMeta };
		const { listChanges } = call.platform.options;
		if (meta.next_page !== null) {
			const id = pathId(call, 'id');
			if (listChanges === 'inserted' || listChanges === 'both') addStranger(call.platform, id);
			if (listChanges === 'deleted' || listChanges === 'both') removeFirst(call.platform, id);
		}
		return answered;
	};
}

function addStranger(platform: Platform, sessionId: string): void {
	const { event_id: eventId, estimated_started_at: startedAt } = findSession(platform, sessionId);
	const sql = "SELECT count(*) AS count FROM people WHERE email LIKE 'stranger%@example.net'";
	const number = firstStranger + Number(platform.store.get(sql)?.['count']);
	const session = {
		id: sessionId,
		eventId: String(eventId),
		status: 'upcoming',
		draft: false,
		startedAt: Number(startedAt),
	} as const;
	const email = `stranger${number}@example.net`;
	platform.store.transaction(() =>
		seedPerson(platform, session, { number, email, firstName: 'Sam', lastName: 'Stranger' }),
	);
}

function removeFirst({ store }: Platform, sessionId: string): void {
	const sql = `DELETE FROM registrations
		WHERE seq = (SELECT min(seq) FROM registrations WHERE session_id = ?)`;
	store.write(sql, sessionId);
}
