import { listRecords } from '../http/paginate';
import { pathTo } from '../http/path';
import type { Api, Json, JsonObject } from '../http/ports';
import type { Delivery } from './delivery';
import { passes, type Filters } from './filters';
import type { KnownKind } from './kinds';
import { readDelivered, registrationOf, type DeliveredRecord } from './record';

/** The time of the event in Unix seconds, as the record and its session show it; nothing: it did not happen. */
type When = (record: DeliveredRecord, session: JsonObject) => Json | undefined;

const attribute =
	(name: string): When =>
	({ attributes }) =>
		attributes[name];

/** Undefined: the platform has no list of them. */
const whenItHappened: Readonly<Record<KnownKind, When | undefined>> = {
	'event.created': attribute('created_at'),
	'event.published': attribute('published_at'),
	'session.created': attribute('created_at'),
	'session.started': attribute('started_at'),
	'session.ended': attribute('ended_at'),
	'people.registered': (record) => registrationOf(record).created_at,
	'people.attended': (record, session) =>
		registrationOf(record).attended === true ? session.ended_at || session.started_at : undefined,
	'people.not_attended': (record, session) =>
		registrationOf(record).attended === true ? undefined : session.ended_at,
	// Jobs have no list; a replay does not say when it was watched first.
	'job.ended': undefined,
	'people.watched_replay': undefined,
};

function when(kind: string): When | undefined {
	return Object.hasOwn(whenItHappened, kind) ? whenItHappened[kind as KnownKind] : undefined;
}

export function canBeListed(kind: string): boolean {
	return when(kind) !== undefined;
}

export interface Gap {
	kinds: readonly string[];
	/** Milliseconds since 1970. */
	since: number;
}

/**
 * What happened since then as far as the platform lists it, oldest first: one request for each page of
 * changed events and of sessions, and for each page of people changed in a session that was not over.
 */
export async function findMissed(api: Api, gap: Gap, filters: Filters): Promise<Delivery[]> {
	const since = Math.floor(gap.since / 1_000);
	const query = { 'filter[updated_since]': since };
	const found: Array<Delivery & { at: number }> = [];

	function add(subject: string, records: readonly JsonObject[], session: JsonObject = {}): void {
		const kinds = gap.kinds.filter((kind) => kind.startsWith(`${subject}.`));
		for (const record of records.map(readDelivered).filter((read) => read !== undefined)) {
			for (const kind of kinds) {
				const at = when(kind)?.(record, session);
				const isMissed = typeof at === 'number' && at > 0 && at >= since;
				if (isMissed && passes({ kind, record }, filters)) found.push({ kind, record, at });
			}
		}
	}

	const wants = (subject: string) =>
		gap.kinds.some((kind) => kind.startsWith(`${subject}.`) && canBeListed(kind));
	if (wants('event')) add('event', await listRecords(api, '/events', { query }));
	if (wants('session') && !wants('people')) {
		add('session', await listRecords(api, '/sessions', { query }));
	}
	if (wants('people')) {
		// All of them: whether a registration changes the session's updated_at is not documented.
		const sessions = await listRecords(api, '/sessions');
		add('session', sessions);
		for (const session of sessions.map(readDelivered)) {
			if (session === undefined || !mayHaveNews(session, since)) continue;
			if (!passes({ kind: 'session.created', record: session }, filters)) continue;
			const path = pathTo`/sessions/${session.id}/people`;
			add('people', await listRecords(api, path, { query }), session.attributes);
		}
	}
	return found
		.sort((one, other) => one.at - other.at)
		.map(({ kind, record }) => ({ kind, record }));
}

function mayHaveNews({ attributes }: DeliveredRecord, since: number): boolean {
	const { ended_at: endedAt, updated_at: updatedAt } = attributes;
	return !endedAt || [endedAt, updatedAt].some((at) => typeof at === 'number' && at >= since);
}
