import { Failure } from '../http/failure';
import { pathTo } from '../http/path';
import type { Ask, JsonObject } from '../http/ports';
import { kindOf, passes, type Filters, type Subject } from './kinds';
import { inSession, listDelivered, type DeliveredRecord, type Delivery } from './record';
import { titlesOf, type Titles } from './titles';

/** An event as a list of the platform shows it. */
export interface Happened extends Delivery {
	/** Unix seconds. */
	at: number;
	/** Of its session and event. */
	titles?: Titles;
	/** Its time does not tell whether it is new in the list. */
	isLate: boolean;
}

export const lists = { events: '/events', sessions: '/sessions', jobs: '/jobs' };

export function peopleOf({ id }: DeliveredRecord): string {
	return pathTo`/sessions/${id}/people`;
}

/** Of these kinds, the ones that are found in lists of such records. */
export function listed(kinds: readonly string[], ...subjects: Subject[]): string[] {
	return kinds.filter((kind) => {
		const { subject, when } = kindOf(kind);
		return when !== undefined && subject !== undefined && subjects.includes(subject);
	});
}

/** What the records of a list show to have happened, whenever that was. */
export function eventsIn(
	subject: Subject,
	records: readonly DeliveredRecord[],
	{ kinds, filters }: { kinds: readonly string[]; filters: Filters },
	session?: JsonObject,
): Happened[] {
	const wanted = listed(kinds, subject);
	return records.flatMap((record) =>
		wanted.flatMap((kind) => {
			const { when, comesLate } = kindOf(kind);
			const at = when?.(record, session ?? {});
			if (at === undefined || !passes({ kind, record }, filters)) return [];
			const titles = titlesOf({ attributes: session ?? record.attributes });
			return { kind, record, at, titles, isLate: comesLate?.(record) ?? false };
		}),
	);
}

/** The people of a session, one request for each fifty; those that changed since then, or all. */
export async function readPeople(
	api: Ask,
	session: DeliveredRecord,
	{ since, limit }: { since?: number; limit?: number },
): Promise<DeliveredRecord[]> {
	const query = since === undefined ? undefined : { 'filter[updated_since]': since };
	const people = await listDelivered(api, peopleOf(session), { query, limit }).catch(unlessGone);
	return (people ?? []).map((person) => inSession(person, session.id));
}

/** Those that changed since then, if such kinds are wanted. */
export async function readEvents(
	api: Ask,
	kinds: readonly string[],
	since: number,
	limit?: number,
): Promise<DeliveredRecord[]> {
	if (listed(kinds, 'event').length === 0) return [];
	const query = { 'filter[updated_since]': since };
	return await listDelivered(api, lists.events, { query, limit });
}

/** What was deleted after it was listed, or never was there, holds up nothing else. */
export function unlessGone(error: unknown): null {
	if (error instanceof Failure && error.reason === 'not_found') return null;
	throw error;
}
