/*
 * Events of the platform, and the ways in which a workflow hears of them. Begin here.
 *
 *   eventTypes.ts            the table of what can happen, a row for each event type
 *   filters.ts               which of the events start a run
 *   ../webhooks/receive.ts   decides about a delivery
 *   ../polling/poll.ts  finds the new events in the platform's lists; ../webhooks/gap.ts: the events that were not delivered
 *   item.ts                  makes the items that a run starts with; sessionFacts.ts: with facts about the session
 *
 * This file reads a delivery. eventKey.ts gives an event the key that recognises it however often it comes.
 */
import { contentOf } from '../dialect/envelope';
import { statedEventType } from '../dialect/webhooks';
import { isObject, type Json } from '../values/json';
import { hasOwnId, madeIdOf, readDelivered } from '../records/record';
import {
	eventTypeTable,
	withSortedNames,
	eventTypeOf,
	deliveredTypes,
	type Delivery,
} from './eventTypes';

interface Listening {
	chosen: readonly string[];
	/** The `event` in the query of the URL, where people entered the URL by hand; several of them come as a list. */
	named?: unknown;
}

export type UnreadReason =
	| { kind: 'ambiguous'; candidates: readonly string[] }
	/** The URL names several event types, or none that is chosen, or one that records of this type do not have. */
	| { kind: 'event_not_chosen' }
	/** The delivery is of no chosen event type, or has not the shape that the platform sends. */
	| { kind: 'not_an_event' };

/**
 * Reads a delivery. Its record has one of two forms: the specification's (the record itself, flat) and the one that clients have
 * seen (the record in `data`, the event type in its `meta`). Only the payload of an ended job is specified (section 6): a delivery of
 * another event type may have any shape. One without an id is known by its body.
 */
export function readDelivery(body: unknown, listening: Listening): Delivery | UnreadReason {
	const eventType = decideEventType(body, listening);
	if (typeof eventType === 'object') return eventType;
	const { type: usualType = '', hasSpecifiedPayload } = eventTypeOf(eventType);
	const content = contentOf(body) ?? { body: body as Json };
	const record = readDelivered(content) ?? readDelivered({ ...content, id: idOfBody(body) });
	if (record === undefined) return { kind: 'not_an_event' };
	const hasId = hasOwnId(record);
	if (hasSpecifiedPayload && !hasId) return { kind: 'not_an_event' };
	// What has no id need not be a record of the usual type, of which a simplified item shows only a part.
	const type = record.type || (hasId ? usualType : '');
	return { eventType, record: { ...record, type } };
}

/** Undefined where it is nested so deep that nobody can have meant it. */
function idOfBody(body: unknown): string | undefined {
	try {
		return madeIdOf(JSON.stringify(body, withSortedNames));
	} catch {
		return undefined;
	}
}

/** One line of the log has to hold them. An attribute, such as `data.attributes.name`, stands at the third level. */
const mostMembers = 40;
const mostLoggedLevels = 3;
/** A name that is no word may be data, such as the email of somebody. */
const safeToLog = /^[a-z_][\w-]{0,39}$/i;

/** Names the members of a body, such as "data, data.id", without their values. */
export function memberNames(body: unknown): string {
	const names: string[] = [];
	const add = (part: unknown, path: string, level: number): void => {
		if (!isObject(part) || level > mostLoggedLevels) return;
		for (const [name, member] of Object.entries(part)) {
			if (names.length === mostMembers) return;
			if (!safeToLog.test(name)) continue;
			names.push(path + name);
			add(member, `${path}${name}.`, level + 1);
		}
	};
	add(body, '', 1);
	return names.join(', ');
}

/**
 * Decides of which event type a delivery is. The one that it states itself counts first, because a person may have entered one URL
 * for two event types.
 */
function decideEventType(body: unknown, { chosen, named }: Listening): string | UnreadReason {
	const statedType = statedEventType(body);
	if (statedType !== undefined) return statedType;
	const { type: sentType } = contentOf(body) ?? {};
	const type = typeof sentType === 'string' ? sentType : '';
	if (named !== undefined && named !== '') return namedEventType(named, type, chosen);
	return impliedEventType(type, chosen);
}

function namedEventType(
	named: unknown,
	type: string,
	chosen: readonly string[],
): string | UnreadReason {
	const eventType = chosen.find((name) => name === named);
	const { type: expected = type } = eventType === undefined ? {} : eventTypeOf(eventType);
	const isOfType = !deliveredTypes.has(type) || type === expected;
	return eventType !== undefined && isOfType ? eventType : { kind: 'event_not_chosen' };
}

/**
 * Concludes the event type from the type of the record, which has only one event type, as section 6 says of jobs, or of which only
 * one is chosen.
 */
function impliedEventType(type: string, chosen: readonly string[]): string | UnreadReason {
	const isOfType = (name: string) => eventTypeOf(name).type === type;
	const [onlyType, ...otherTypes] = Object.keys(eventTypeTable).filter(isOfType);
	if (onlyType !== undefined && otherTypes.length === 0) return onlyType;
	// A type that the platform is not known to have rules out no event type, and neither does a missing one.
	const candidates = deliveredTypes.has(type) ? chosen.filter(isOfType) : chosen;
	const [eventType, ...otherCandidates] = candidates;
	if (eventType === undefined) return { kind: 'not_an_event' };
	return otherCandidates.length === 0 ? eventType : { kind: 'ambiguous', candidates };
}
