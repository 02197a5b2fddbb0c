import { mapConcurrently } from '../client/concurrently';
import { reasonOfError } from '../people/outcome';
import { askForSession } from '../sessions/readSession';
import { groupBy } from '../values/collections';
import type { Meter } from '../bulk/meter';
import type { RunParts } from '../bulk/runParts';
import * as law from './law';
import { keepPerson, withIntent } from './intent';
import type { SyncPlan } from './plan';

/** At most so many sessions are read at once. */
const sessionsAtOnce = 8;

/**
 * Reads each session from which somebody is to be removed once more, right before the first removal, and keeps everybody of a
 * session that has begun, is over or was canceled by now: additions and updates take time, and a host may open a session early.
 */
export async function keepPeopleOfBegunSessions(
	{ entries, sessions: plannedSessions }: SyncPlan,
	{ clock, sessions, signal }: Pick<RunParts, 'clock' | 'sessions' | 'signal'>,
	meter: Pick<Meter, 'askFor'>,
): Promise<void> {
	const removalsOf = groupBy(withIntent(entries, 'remove'), ({ sessionId }) => sessionId);
	await mapConcurrently([...removalsOf], sessionsAtOnce, async ([sessionId, removals]) => {
		// A run that is cancelled removes nobody anyway, and says so itself.
		if (signal?.aborted) return;
		const name = plannedSessions.get(sessionId)?.name ?? sessionId;
		const reason = await askForSession(meter.askFor(sessionId), sessionId).then(
			({ session }) => law.reasonToRemoveNobody({ name, session }, clock.now()),
			(error: unknown) => law.describeNotReadAgain(name, reasonOfError(error, sessions).message),
		);
		if (reason === undefined) return;
		for (const entry of removals) keepPerson(entry, reason);
	});
}
