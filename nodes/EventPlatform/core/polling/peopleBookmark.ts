import type { PeopleBookmark, StartedPeople } from './cursor';

/** Gives the people of a bookmark who have started a run, without the state of their list. */
export function startedPeopleOf(bookmark: PeopleBookmark): StartedPeople {
	const { sinceAt, seen, untimed, isComplete } = bookmark;
	return { sinceAt, seen, untimed, isComplete };
}

/** Whether some of these people may still start a run, however long ago their session has ended. */
export function isUnfinished(bookmark: PeopleBookmark | undefined): boolean {
	return bookmark?.kind === 'due' || (bookmark?.kind === 'read' && bookmark.attendance === 'open');
}

/** Tells when people were last read, or reading them was last tried; undefined where they never were. */
export function lastTriedAt(bookmark: PeopleBookmark | undefined): number | undefined {
	if (bookmark?.kind === 'read') return bookmark.readAt;
	return bookmark?.kind === 'due' ? bookmark.triedAt : undefined;
}
