import type { ApiRecord, Platform } from './platform';
import { type Handler, pathId } from './records/handler';
import { findSession } from './records/find';
import type { PageMeta } from './records/page';
import { seedPerson } from './seed/people';

/** Numbers above those of the people who are seeded. */
const firstStranger = 950_000_001;

/** Lets the people of a session change after each page that is not the last one, and the list lag behind. */
export function changingWhileRead(listSessionPeople: Handler): Handler {
	return (call) => {
		const answered = listSessionPeople(call);
		const { data, meta } = answered.body as { data: ApiRecord[]; meta: PageMeta };
		const { listChanges, listLagMs } = call.platform.options;
		if (meta.next_page !== null) {
			const id = pathId(call, 'id');
			if (listChanges === 'inserted' || listChanges === 'both') addStranger(call.platform, id);
			if (listChanges === 'deleted' || listChanges === 'both') removeFirst(call.platform, id);
		}
		if (listLagMs === 0) return answered;
		const until = (call.platform.now() - listLagMs) / 1000;
		const records = data.filter(({ attributes }) => registeredAt(attributes) < until);
		return { ...answered, body: { ...(answered.body as object), data: records } };
	};
}

function registeredAt({ registrant_detail: detail }: ApiRecord['attributes']): number {
	return Number((detail as { created_at: number }).created_at);
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
