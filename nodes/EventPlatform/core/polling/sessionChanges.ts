import type { PlannedSession } from './schedule';

/** What became of a session between two reads. */
type ChangeKind = 'moved' | 'renamed' | 'canceled' | 'reopened';

/** Finds what has changed about a session. A time zone alone moves nothing: the session starts at the same moment. */
export function changesBetween(before: PlannedSession, after: PlannedSession): ChangeKind[] {
	const wasCanceled = before.state === 'canceled';
	const isCanceled = after.state === 'canceled';
	const changes: Array<ChangeKind | false> = [
		before.startsAt !== after.startsAt && 'moved',
		// A platform may show the title of the event, which counts where a session has no name, in one response and not in another.
		before.name !== undefined &&
			after.name !== undefined &&
			before.name !== after.name &&
			'renamed',
		!wasCanceled && isCanceled && 'canceled',
		wasCanceled && !isCanceled && 'reopened',
	];
	return changes.filter((change) => change !== false);
}
