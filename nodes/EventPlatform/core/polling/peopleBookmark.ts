import { daySeconds, type DuePeople, type HiddenPeople, type PeopleBookmark } from './cursor';

/** The part of a bookmark that every kind of it has: the people who have started a run. */
type StartedPeople = Pick<PeopleBookmark, 'sinceAt' | 'seen' | 'untimed' | 'isComplete'>;

export function startedPeopleOf(bookmark: PeopleBookmark): StartedPeople {
	const { sinceAt, seen, untimed, isComplete } = bookmark;
	return { sinceAt, seen, untimed, isComplete };
}

/** The bookmark of people who could not be read: the next poll reads them whatever their session shows. */
export function postponePeople(
	bookmark: PeopleBookmark,
	triedAt = lastTriedAt(bookmark),
): DuePeople {
	return { ...startedPeopleOf(bookmark), kind: 'due', triedAt };
}

/** The bookmark of people whose session is not listed; undefined when it has been forgotten. */
export function hidePeople(bookmark: PeopleBookmark, now: number): HiddenPeople | undefined {
	const hiddenAt = bookmark.kind === 'hidden' ? bookmark.hiddenAt : now;
	if (now - hiddenAt >= daySeconds) return undefined;
	return { ...startedPeopleOf(bookmark), kind: 'hidden', hiddenAt };
}

/** Whether some of these people may still start a run, however long ago their session has ended. */
export function isUnfinished(bookmark: PeopleBookmark | undefined): boolean {
	return bookmark?.kind === 'due' || (bookmark?.kind === 'read' && bookmark.attendance === 'open');
}

/** When people were last read, or reading them was last tried; 0: they never were. */
export function lastTriedAt(bookmark: PeopleBookmark | undefined): number {
	if (bookmark?.kind === 'read') return bookmark.readAt;
	return bookmark?.kind === 'due' ? (bookmark.triedAt ?? 0) : 0;
}
