import { Failure } from '../http/failure';
import { asSpelled, pathTo } from '../http/path';
import type { Ask, JsonObject } from '../http/ports';
import { readKeys, seenKey } from './delivery';
import { kindOf, passes, pathOf, type Filters, type Subject } from './kinds';
import {
	inSession,
	listDelivered,
	readDelivered,
	titlesOf,
	type DeliveredRecord,
	type Delivery,
	type Titles,
} from './record';

/** An event as a list of the platform shows it. */
export interface Happened extends Delivery {
	/** Unix seconds. */
	at: number;
	titles?: Titles;
	/** Its time does not tell whether it is new in the list. */
	isLate: boolean;
}

export const lists = { events: '/events', sessions: '/sessions', jobs: '/jobs' };

export function peopleOf({ id }: DeliveredRecord): string {
	return pathTo`/sessions/${id}/people`;
}

/** Of these kinds, the ones that are found in lists of such records. */
export function listed(kinds: readonly string[], ...wanted: Subject[]): string[] {
	return kinds.filter((kind) => {
		const { subject, when } = kindOf(kind);
		return when !== undefined && subject !== undefined && wanted.includes(subject);
	});
}

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

/** Undefined where one list could not be read; it is told when that is so. */
export type Attempt = <T>(work: Promise<T>) => Promise<T | undefined>;

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

/** Those of the named jobs that have ended and are not known: one request for each that is not. */
export async function readJobs(
	api: Ask,
	attempt: Attempt,
	{ kinds, filters }: Sought,
	known: string | undefined,
	at: number,
): Promise<Happened[]> {
	const told = readKeys(known);
	const ended: Happened[] = [];
	for (const kind of kinds.filter((one) => kindOf(one).isNamed)) {
		for (const id of new Set(filters.jobIds)) {
			const named = { type: 'jobs', id: asSpelled(id), attributes: {}, relationships: {} };
			const path = pathOf({ kind, record: named });
			if (path === undefined || told.has(seenKey({ kind, record: named }))) continue;
			const answer = await attempt(api({ method: 'GET', path }).catch(unlessGone));
			const record = readDelivered(answer?.body);
			if (record === undefined || kindOf(kind).isBorneOut?.(record) === false) continue;
			ended.push({ kind, record: { ...record, id: named.id }, at, isLate: true });
		}
	}
	return ended;
}

/** What was deleted after it was listed, or never was there, holds up nothing else. */
export function unlessGone(error: unknown): null {
	if (error instanceof Failure && error.reason === 'not_found') return null;
	throw error;
}
