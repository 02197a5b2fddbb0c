import { Failure } from '../http/failure';
import { listRecords } from '../http/paginate';
import { pathTo } from '../http/path';
import type { Api, ApiRequest, JsonObject } from '../http/ports';
import type { Delivery } from './delivery';
import { passes, type Filters } from './filters';
import { kindOf } from './kinds';
import { readDelivered, type DeliveredRecord } from './record';

export function canBeListed(kind: string): boolean {
	return kindOf(kind).when !== undefined;
}

/** Whether one of the kinds is found in a list of these records. */
export function wants(kinds: readonly string[], subject: 'event' | 'session' | 'people'): boolean {
	return kinds.some((kind) => kind.startsWith(`${subject}.`) && canBeListed(kind));
}

export interface Look {
	kinds: readonly string[];
	filters: Filters;
	/** From when on a list is looked at, in Unix seconds. */
	since(list: string): number;
	sessions: readonly JsonObject[];
	/** The sessions whose people are read. */
	mayHaveNews(session: DeliveredRecord): boolean;
	/** The most records that are read of a list; absent: all. */
	limit?: number;
}

export interface Happened extends Delivery {
	/** Unix seconds. */
	at: number;
	/** The path of the list that shows it. */
	list: string;
}

/**
 * What happened as far as the platform lists it, oldest first: one request for each page of changed
 * events, and for each page of people in a session that may have news.
 */
export async function findHappened(api: Api, look: Look): Promise<Happened[]> {
	const { kinds, filters, since, sessions, limit } = look;
	const found: Happened[] = [];

	function add(
		list: string,
		subject: string,
		records: readonly JsonObject[],
		session: JsonObject = {},
	): void {
		for (const record of records.flatMap((one) => readDelivered(one) ?? [])) {
			for (const kind of kinds.filter((one) => one.startsWith(`${subject}.`))) {
				const at = kindOf(kind).when?.(record, session);
				const isMeant = typeof at === 'number' && at > 0 && at >= since(list);
				if (isMeant && passes({ kind, record }, filters)) found.push({ kind, record, at, list });
			}
		}
	}

	if (wants(kinds, 'event')) {
		const query = updatedSince(since('/events'));
		add('/events', 'event', await listRecords(api, '/events', { query, limit }));
	}
	add('/sessions', 'session', sessions);
	if (wants(kinds, 'people')) {
		for (const session of sessions.flatMap((one) => readDelivered(one) ?? [])) {
			if (!mayMatter(session, look)) continue;
			const list = peopleOf(session);
			const query = mayBeUntouched(session, look) ? undefined : updatedSince(since(list));
			const people = await listRecords(api, list, { query, limit }).catch(unlessGone);
			add(list, 'people', people ?? [], session.attributes);
		}
	}
	return found.sort((one, other) => one.at - other.at);
}

export function peopleOf({ id }: DeliveredRecord): string {
	return pathTo`/sessions/${id}/people`;
}

export function updatedSince(seconds: number): NonNullable<ApiRequest['query']> {
	return { 'filter[updated_since]': seconds };
}

function mayMatter(session: DeliveredRecord, { filters, mayHaveNews }: Look): boolean {
	return passes({ kind: 'session.created', record: session }, filters) && mayHaveNews(session);
}

/** The end of a session makes absentees of people whose records nobody touched. */
function mayBeUntouched(session: DeliveredRecord, { kinds, since }: Look): boolean {
	const { ended_at: endedAt } = session.attributes;
	const hasJustEnded = typeof endedAt === 'number' && endedAt >= since(peopleOf(session));
	return hasJustEnded && kinds.some((kind) => /^people\.(?:not_)?attended$/.test(kind));
}

/** What was deleted after it was listed, or never was there, holds up nothing else. */
export function unlessGone(error: unknown): undefined {
	if (error instanceof Failure && error.reason === 'not_found') return undefined;
	throw error;
}
