/*
 * The lists that are watched, a function for each kind. A list that a session has is read when its session shows something else than it did,
 * or in every poll where its session cannot show that.
 */
import { attributesOf } from '../../client/document';
import { normalizeId, pathTo, pathToPeople } from '../../client/path';
import { parseSeconds } from '../../dialect/time';
import {
	eventTypeOf,
	listableTypes,
	listPaths,
	recordTypes,
	typesOfContent,
	type ListedEvent,
} from '../../events/eventTypes';
import { hasTitleOfFilter, isWithinFilters } from '../../events/filters';
import { sessionFactsOf } from '../../events/sessionFacts';
import { type DeliveredRecord, deliveredIn, madeIdOf, withSession } from '../../records/record';
import { hasBegun, hasEnded } from '../../sessions/phase';
import type { JsonObject } from '../../values/json';
import { text } from '../../values/text';
import type { Round } from '../pollContext';
import type { Search } from '../pollSettings';
import { isEndedJob } from './bookmark';
import type { Cursor } from './cursor';
import type { Watch } from './watch';

export function watchedLists(round: Round, sessions: readonly DeliveredRecord[]): Watch[] {
	const { search } = round;
	const isWanted = (recordType: string) => listableTypes(search.eventTypes, recordType).length > 0;
	const contents = typesOfContent.filter(isWanted);
	return [
		...(isWanted('events') ? [workspaceList(round, 'events')] : []),
		...watchedJobs(round),
		...sessions.flatMap((session) => (isWanted('people') ? peopleOf(round, session) : [])),
		...sessions.flatMap((session) =>
			contents.flatMap((recordType) => contentsOf(round, recordType, session)),
		),
	];
}

/** A list of the workspace. `sessionsInView.ts` reads the one of sessions. */
export function workspaceList(round: Round, recordType: 'events' | 'sessions'): Watch {
	return {
		path: listPaths[recordType],
		filter: recordType === 'events' ? 'always' : 'never',
		eventsOf: (records) => eventsIn(round, recordType, deliveredIn(records)),
	};
}

interface NamedJob {
	id: string;
	path: string;
	/** It is not asked for any more. */
	hasEnded: boolean;
	/** It could not be read when it was last tried, nor before that. */
	isUnread: boolean;
}

/** The jobs that people named, and what is remembered of them. */
export function namedJobs({ eventTypes, filters }: Search, cursor?: Cursor): NamedJob[] {
	if (!eventTypes.some((name) => eventTypeOf(name).isAskedById)) return [];
	const ids = new Set(filters.jobIds.map(normalizeId));
	return [...ids].map((id) => {
		const path = pathTo`/jobs/${id}`;
		const before = cursor?.lists[path];
		const hasEnded = before !== undefined && isEndedJob(path, before);
		const { trouble } = before ?? {};
		const isUnread = trouble !== undefined && trouble.triedAt > trouble.sinceAt;
		return { id, path, hasEnded, isUnread };
	});
}

/** A job has no time, and people have named it: it is told whatever 'Start From' says. */
function watchedJobs({ search, cursor, nowSeconds }: Round): Watch[] {
	const eventType = search.eventTypes.find((name) => eventTypeOf(name).isAskedById);
	if (eventType === undefined) return [];
	return namedJobs(search).map(({ id, path }) => ({
		path,
		isOneRecord: true,
		// It counts as empty when polling began: one that had ended before is told, too.
		emptyUntil: Infinity,
		filter: 'never',
		eventsOf: (records) =>
			deliveredIn(records)
				.filter((record) => eventTypeOf(eventType).isConfirmedBy?.(record) !== false)
				.map((record) => ({
					eventType,
					record: { ...record, id },
					happenedAtSeconds: Math.max(nowSeconds, cursor.startedAt),
					isUntimed: true,
				})),
	}));
}

/** The people of a session may have changed when one of these has. */
const shownOfRegistrations = ['registrants_count', 'updated_at'];
const shownOfAttendance = ['attendees_count', 'started_at', 'ended_at'];

function typesOfPeople({ eventTypes }: Search): Array<ReturnType<typeof eventTypeOf>> {
	return listableTypes(eventTypes, 'people').map(eventTypeOf);
}

/** It tells who registers. The other events of people come after the end of their session. */
export function tellsRegistrations(search: Search): boolean {
	return typesOfPeople(search).some(({ isAfterEnd = false }) => !isAfterEnd);
}

function peopleOf(round: Round, session: DeliveredRecord): Watch[] {
	const { cursor, search } = round;
	const { attributes, id } = session;
	const { registrants_count: count } = attributes;
	const types = typesOfPeople(search);
	const needsRegistrations = tellsRegistrations(search);
	const needsAttendance = types.some(({ attendance }) => attendance !== undefined);
	const end = parseSeconds(attributes.ended_at);
	const endedAt = needsAttendance && end !== undefined && end >= cursor.startedAt ? end : undefined;
	const needsReplay = types.some(({ isAfterEnd, attendance }) => isAfterEnd && !attendance);
	const mayHaveReplay = needsReplay && end !== undefined;
	const shownFields = shownOfRegistrations.concat(
		needsAttendance || needsReplay ? shownOfAttendance : [],
	);
	return [
		{
			path: pathToPeople(id),
			session,
			// Where a platform does not count people, they are read in every poll.
			shown:
				typeof count === 'number'
					? JSON.stringify(shownFields.map((name) => attributes[name]))
					: undefined,
			// Who attended, and who watched the replay, is not known before the end.
			hasNothingToTell:
				count === 0 || !(needsRegistrations || endedAt !== undefined || mayHaveReplay),
			emptyUntil: count === 0 ? Infinity : parseSeconds(attributes.created_at),
			// Nobody has seen whether a replay counts as a change of the person.
			filter: mayHaveReplay ? 'never' : cursor.registrationTimes === 'present' ? 'always' : 'known',
			endedAt,
			eventsOf: (records) => eventsInSession(round, 'people', session, records),
		},
	];
}

/** What a session has a list of, once it has begun or has ended. */
function contentsOf(round: Round, recordType: string, session: DeliveredRecord): Watch[] {
	const { attributes, id } = session;
	const startedAt = parseSeconds(attributes.started_at);
	const endedAt = parseSeconds(attributes.ended_at);
	const needsEnd = recordTypes[recordType]?.listedOnce === 'ended';
	if (!(needsEnd ? hasEnded(attributes) : hasBegun(attributes))) return [];
	return [
		{
			path: pathTo`/sessions/${id}/${recordType}`,
			session,
			emptyUntil: needsEnd ? endedAt : (startedAt ?? endedAt),
			filter: 'never',
			eventsOf: (records) => eventsInSession(round, recordType, session, records.map(withMadeId)),
		},
	];
}

/** A recording without an id is known by its name, or by its address without the signature, which is another one each time. */
function withMadeId(recording: JsonObject): JsonObject {
	if (text(recording.id) !== '') return recording;
	const { file_name: name, url } = attributesOf(recording);
	const [address = ''] = text(url).split('?');
	const identity = text(name) || address;
	return identity === '' ? recording : { ...recording, id: madeIdOf(identity) };
}

function eventsInSession(
	round: Round,
	recordType: string,
	session: DeliveredRecord,
	records: readonly JsonObject[],
): ListedEvent[] {
	const ofSession = deliveredIn(records).map((record) => withSession(record, recordType, session));
	return eventsIn(round, recordType, ofSession, session.attributes);
}

/** Finds the events that the records of a list show, whenever they happened. */
export function eventsIn(
	{ search }: Round,
	recordType: string,
	records: readonly DeliveredRecord[],
	session?: JsonObject,
): ListedEvent[] {
	const eventTypes = listableTypes(search.eventTypes, recordType);
	return records.flatMap((record) =>
		eventTypes.flatMap((eventType) => {
			const { happenedAtSeconds, isUntimed, attendance } = eventTypeOf(eventType);
			const time = happenedAtSeconds?.(record, session ?? {});
			const event = { eventType, record };
			if (time === undefined || !isWithinFilters(event, search.filters)) return [];
			const facts = sessionFactsOf(session ?? record.attributes);
			if (!hasTitleOfFilter(event, facts, search.filters)) return [];
			return {
				...event,
				happenedAtSeconds: time === 'unknown' ? undefined : time,
				sessionFacts: facts,
				attendance,
				isUntimed: isUntimed?.(record) ?? false,
			};
		}),
	);
}
