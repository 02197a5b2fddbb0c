import type { INodeListSearchItems } from 'n8n-workflow';
import { normalizeId } from '../core/client/path';
import { text } from '../core/values/text';
import type { JsonObject } from '../core/values/json';
import { attributesOf } from '../core/client/document';
import { clockTime } from '../core/values/dates';
import { fullName } from '../core/records/simplify';
import type { Question } from '../form/question';
import { parseSeconds, plannedStart } from '../core/dialect/time';
import { phaseOf, type SessionPhase } from '../core/sessions/phase';
import { eventIdOf } from '../core/sessions/readSession';
import { startInWords } from '../core/sessions/start';
import type { Seconds } from '../core/values/units';

export type DescribeChoice = (record: JsonObject) => INodeListSearchItems;

export function eventChoice(event: JsonObject): INodeListSearchItems {
	const { title, scheduling_status: status, registration_link: link } = attributesOf(event);
	return {
		name: joinParts(text(title) || 'Untitled event', withSpaces(status)),
		value: text(event.id),
		url: text(link) || undefined,
	};
}

export function personChoice(person: JsonObject): INodeListSearchItems {
	const attributes = attributesOf(person);
	const name = fullName(attributes);
	const email = text(attributes.email);
	const value = text(person.id);
	return { name: name ? `${name} (${email})` : email || value, value };
}

export function recordingChoice(recording: JsonObject): INodeListSearchItems {
	const { file_name, file_type, created_at } = attributesOf(recording);
	const madeAt = parseSeconds(created_at);
	const date =
		madeAt === undefined
			? undefined
			: clockTime(madeAt * 1_000, 'UTC').slice(0, 'yyyy-MM-dd HH:mm'.length);
	const name = joinParts(text(file_name) || 'Recording', text(file_type), date);
	return { name, value: text(recording.id) };
}

export function userChoice(user: JsonObject): INodeListSearchItems {
	const { role } = attributesOf(user);
	const { name, value } = personChoice(user);
	return { name: joinParts(name, withSpaces(role)), value };
}

export function attributeChoice({ id, label, choices }: Question): INodeListSearchItems {
	const offered = choices?.map(({ value }) => value).join(', ');
	return { name: joinParts(label, offered), value: id };
}

/** Leaves out the query, which may hold a key that deliveries are recognised by. */
export function webhookChoice(webhook: JsonObject): INodeListSearchItems {
	const { url, event } = attributesOf(webhook);
	const [address] = text(url).split(/[?#]/, 1);
	return { name: joinParts(text(event), address), value: text(webhook.id) };
}

/** Describes sessions in the order in which people look for them. `records` may hold their events as well. */
export function sessionChoices(records: readonly JsonObject[]): INodeListSearchItems[] {
	const events = records.filter(({ type }) => type === 'events');
	const eventsById = new Map<unknown, JsonObject>(
		events.map((event) => [normalizeId(text(event.id)), event]),
	);
	return records
		.filter(({ type }) => type === 'sessions')
		.map((session) => {
			const event = eventsById.get(eventIdOf(session));
			const startsAt: number | undefined = plannedStart(attributesOf(session));
			const rank = rankByPhase[phaseOf(session)];
			// Of sessions to come, those without a date stand behind the others.
			const order = rank === 0 ? (startsAt ?? Number.MAX_SAFE_INTEGER) : -(startsAt ?? 0);
			return { session, event, startsAt, rank, order };
		})
		.sort((a, b) => a.rank - b.rank || a.order - b.order)
		.map(({ session, startsAt, event }) => sessionChoice(session, startsAt, event));
}

/**
 * The order of sessions: those to come stand first, the next one at the top; then those that are over, the latest at the top; canceled
 * ones stand last.
 */
const rankByPhase: Readonly<Record<SessionPhase, number>> = {
	live: 0,
	toCome: 0,
	onDemand: 1,
	over: 1,
	unclear: 1,
	canceled: 2,
};

/** Describes a session by what differs among the dates of one event: the list cuts off the end of a long line. */
function sessionChoice(
	session: JsonObject,
	startsAt: Seconds | undefined,
	event: JsonObject = {},
): INodeListSearchItems {
	const { name, status, timezone, room_link: room } = attributesOf(session);
	const { title, registration_link: page } = attributesOf(event);
	const date = startInWords({ startsAt, timezone: text(timezone) }, 'UTC') ?? 'no date';
	const description = withSpaces(status);
	const unusualStatus = description === 'upcoming' ? '' : description;
	return {
		name: joinParts(date, unusualStatus, text(name), text(title) || 'Untitled event'),
		value: text(session.id),
		description,
		// All sessions of an event get the same URL, because they share a form: the mapper keeps its answers while the URL stays the same.
		url: text(page) || text(room) || undefined,
	};
}

/** Writes a status as people read it: "not_started" → "not started". */
function withSpaces(status: unknown): string {
	return text(status).replace(/_/g, ' ');
}

function joinParts(...parts: Array<string | undefined>): string {
	return parts.filter((part) => part).join(' · ');
}
