import { calendarLinkColumns } from '../calendar/calendarLinks';
import { linksOfSession, parseWebAddress } from '../calendar/sessionEntry';
import { jobRecord } from '../jobs/jobRequests';
import { readJob } from '../dialect/jobs';
import { readTaskResult } from '../jobs/taskResult';
import { readPeopleOfJob } from '../jobs/jobPeople';
import type { Ask } from '../client/request';
import type { Json, JsonObject } from '../values/json';
import { text } from '../values/text';
import { withDates } from '../records/outputDates';
import { hasOwnId } from '../records/record';
import { viewRecord, wholeRecord, type RecordView } from '../records/recordView';
import { fieldsOf } from '../records/simplify';
import { startInWords, startOf } from '../sessions/start';
import { deliveryKey, shortKey } from './eventKey';
import { eventTypeOf, isInSession, recordTypes, type Delivery } from './eventTypes';
import { sessionFactsOf, type SessionFacts } from './sessionFacts';
import type { Ms } from '../values/units';

/** The kind of items that the event of an ended job gives: the job itself, all its tasks, or those that may have failed. */
export type Output = 'job' | 'tasks' | 'failedTasks';

/** The view of a simplified item, in which people look for when something happened and where. */
export const simplifiedItem: RecordView = {
	columns: 'usual',
	besides: [
		'event_title',
		'session_id',
		'session_name',
		'session_start_text',
		'session_started_at',
		'session_timezone',
		'registration_link',
		'registrant_created_at',
		'published_at',
		'started_at',
		'ended_at',
		'created_at',
		'starts_at',
		'starts_in_minutes',
		'lead',
		'lead_minutes',
		'changes',
		'previous_starts_at',
		'previous_name',
		...calendarLinkColumns,
	],
};

export function needsTasks(eventType: string, output: Output): boolean {
	return eventTypeOf(eventType).type === 'jobs' && output !== 'job';
}

/**
 * Makes the item that a run starts with, out of the record alone. People read `notChecked` on the item. `receivedAt` is in
 * milliseconds since 1970.
 */
export function itemOf(
	event: Delivery & { sessionFacts?: SessionFacts },
	receivedAt: Ms,
	view = wholeRecord,
	notChecked?: string,
): JsonObject {
	const { eventType, record } = event;
	const { type } = eventTypeOf(eventType);
	// The counters of a job get the names of the specification, whatever the platform calls them.
	const job = type === 'jobs' ? readJob(record) : undefined;
	const fields = fieldsOf(record);
	for (const [name, value] of factsFor(event, view.zone)) {
		if (!fields.has(name)) fields.set(name, value);
	}
	const isPerson = fields.get('type') === 'people' || fields.answers !== undefined;
	const includesJoinLink = view.includesJoinLink && isPerson;
	if (includesJoinLink && event.sessionFacts) {
		// The links hold the personal link, with which the person adds the session to a calendar.
		const personalLink = parseWebAddress(fields.joinLink ?? '');
		const links = linksOfSession({ ...event.sessionFacts }, personalLink);
		for (const [name, link] of Object.entries(links)) fields.set(name, link);
	}
	const { zone, ...viewWithoutZone } = view;
	const columns = viewRecord(fields, { ...viewWithoutZone, includesJoinLink });
	const fieldsOfItem: JsonObject = { ...columns, ...(job && jobRecord(job)) };
	// The fields of the next node have these names.
	const ownId = hasOwnId(record) ? record.id : null;
	if (ownId === null) fieldsOfItem.id = null;
	const { idColumn } = recordTypes[type ?? ''] ?? {};
	if (idColumn !== undefined) fieldsOfItem[idColumn] = ownId;
	if (notChecked !== undefined) fieldsOfItem.not_checked = notChecked;
	const item = stamped(fieldsOfItem, eventType, deliveryKey(event), receivedAt);
	return withDates(item, zone, fields.answers);
}

function factsFor(
	{ eventType, record, sessionFacts }: Delivery & { sessionFacts?: SessionFacts },
	zone = 'UTC',
): Array<[string, Json]> {
	if (!isInSession(eventType)) return [];
	const { event_title = null, ...facts } = sessionFacts ?? sessionFactsOf({});
	if (eventTypeOf(eventType).type !== 'sessions') {
		return Object.entries({
			event_title,
			session_name: facts.name,
			session_started_at: startOf({ ...facts }) ?? null,
			session_timezone: facts.timezone,
			registration_link: facts.registration_link,
			session_start_text: startTextOf(facts, zone),
		});
	}
	// A session has its own name and times.
	const own = sessionFactsOf(record.attributes);
	return [
		['event_title', event_title],
		['registration_link', facts.registration_link],
		['session_start_text', startTextOf(own, zone)],
	];
}

function startTextOf(facts: SessionFacts, zone: string): string | null {
	const start = { startsAt: startOf({ ...facts }), timezone: text(facts.timezone) };
	return startInWords(start, zone) ?? null;
}

function stamped(record: JsonObject, event: string, event_key: string, receivedAt: Ms): JsonObject {
	// The time is in seconds, like the times of records, so that all of them are written in the zone of the workflow.
	const received_at = Math.floor(receivedAt / 1_000);
	return inOrder({ ...record, event, event_key, received_at });
}

const columnsInFront = [
	'email',
	'first_name',
	'last_name',
	'title',
	'event_title',
	'name',
	'session_name',
	'session_start_text',
	'event',
];

/** Puts who and what an item is about first, and last what only workflows read. */
function inOrder({ event_key = null, received_at = null, ...item }: JsonObject): JsonObject {
	const front = columnsInFront.flatMap((name): Array<[string, Json]> => {
		const value = item[name];
		return value === undefined ? [] : [[name, value]];
	});
	return { ...Object.fromEntries(front), ...item, event_key, received_at };
}

interface TaskItems {
	items: JsonObject[];
	missing: number;
}

/** Makes the items that a run starts with out of the tasks of a job. `receivedAt`: when its delivery arrived, in milliseconds since 1970. */
export async function readTaskItems(
	event: Delivery,
	receivedAt: Ms,
	{ output, zone }: { output: Output; zone?: string },
	ask: Ask,
	apiRoot: string,
): Promise<TaskItems> {
	const { eventType, record: job } = event;
	const people = await readPeopleOfJob(ask, apiRoot, job.id, { ended: readJob(job) ?? {} });
	// Tasks are told apart by their content and not by their place, because the platform may list them in another order.
	const countOfContent = new Map<string, number>();
	const items = people.map(({ task, record }) => {
		const content = shortKey([deliveryKey(event), readTaskResult(task)]);
		const equalTasksBefore = countOfContent.get(content) ?? 0;
		countOfContent.set(content, equalTasksBefore + 1);
		const key = shortKey([content, equalTasksBefore]);
		return withDates(stamped(record, eventType, key, receivedAt), zone);
	});
	const missing = items.filter(({ outcome }) => outcome === 'unknown').length;
	// Tasks without a result may have failed.
	const outcomesLeftOut: unknown[] = output === 'tasks' ? [] : ['registered', 'already_registered'];
	return { items: items.filter(({ outcome }) => !outcomesLeftOut.includes(outcome)), missing };
}
