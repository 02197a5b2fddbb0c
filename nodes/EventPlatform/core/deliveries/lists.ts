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

/** Which kinds, of which records. */
export interface Sought {
	kinds: readonly string[];
	filters: Filters;
}

/** What the records of a list show to have happened, whenever that was. */
export function eventsIn(
	subject: Subject,
	records: readonly DeliveredRecord[],
	{ kinds, filters }: Sought,
	session?: JsonObject,
): Happened[] {
	const wanted = listed(kinds, subject);
	return records.flatMap((record) =>
		wanted.flatMap((kind) => {
			const { when, comesLate } = kindOf(kind);
			const at = when?.(record, session ?? {});
			if (at === undefined || !passes({ kind, record }, filters)) return [];
			const titles = titlesOf(session ?? record.attributes);
			return { kind, record, at, titles, isLate: comesLate?.(record) ?? false };
		}),
	);
}

/** Of a list, so many, or all; those that changed since then, or whenever that was. */
interface Part {
	since?: number;
	limit?: number;
}

/** What happened to the people of a session, one request for each fifty. */
export async function readPeople(
	api: Ask,
	session: DeliveredRecord,
	sought: Sought,
	part: Part,
): Promise<Happened[]> {
	if (listed(sought.kinds, 'people').length === 0) return [];
	const people = (await readPart(api, peopleOf(session), part).catch(unlessGone)) ?? [];
	const inIt = people.map((person) => inSession(person, session.id));
	return eventsIn('people', inIt, sought, session.attributes);
}

export async function readEvents(api: Ask, sought: Sought, part: Part): Promise<Happened[]> {
	if (listed(sought.kinds, 'event').length === 0) return [];
	return eventsIn('event', await readPart(api, lists.events, part), sought);
}

function readPart(api: Ask, path: string, { since, limit }: Part): Promise<DeliveredRecord[]> {
	const query = since === undefined ? undefined : { 'filter[updated_since]': since };
	return listDelivered(api, path, { query, limit });
}

/** What was deleted after it was listed, or never was there, holds up nothing else. */
export function unlessGone(error: unknown): null {
	if (error instanceof Failure && error.reason === 'not_found') return null;
	throw error;
}
