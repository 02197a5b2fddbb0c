import { isObject, type Json, type JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { text } from '../../nodes/EventPlatform/core/values/text';
import type { Use } from '../uses';

/** A filter that the connector sends: how it is asked, and what a record must look like that it lets through. */
export interface FilterAsk {
	/** The operation of the list. */
	operation: string;
	/** The name of the request whose first record gives the value. */
	from: string;
	/** Its name within `filter[…]`. */
	filter: string;
	/** The attribute of a record that it looks at; absent where that has the name of the filter. */
	attribute?: string;
	/** How the value that is asked for and that of a record are compared. */
	how: 'equal' | 'within' | 'nothing after' | 'nothing before';
	/** The parts of the connector that rely on it; absent where only the filters of the lists do. */
	reliesOn?: readonly Use[];
	/** Whether the list is that of a session; absent where it is that of the workspace. */
	isOfSession?: true;
}

const ofEvents = { operation: 'listEvents', from: 'events' } as const;
const ofSessions = { operation: 'listSessions', from: 'sessions' } as const;
const ofPeople = { operation: 'listPeople', from: 'people' } as const;
const ofRegistrants = {
	operation: 'listSessionPeople',
	from: 'session people',
	isOfSession: true,
} as const;

const createdSince = {
	filter: 'created_since',
	attribute: 'created_at',
	how: 'nothing after',
} as const;
const createdUntil = {
	filter: 'created_until',
	attribute: 'created_at',
	how: 'nothing before',
} as const;
const updatedSince = {
	filter: 'updated_since',
	attribute: 'updated_at',
	how: 'nothing after',
} as const;
const updatedUntil = {
	filter: 'updated_until',
	attribute: 'updated_at',
	how: 'nothing before',
} as const;

export const filterAsks: readonly FilterAsk[] = [
	{ ...ofEvents, filter: 'title', how: 'within', reliesOn: ['filters', 'search'] },
	{ ...ofEvents, filter: 'scheduling_status', how: 'equal' },
	{ ...ofEvents, ...createdSince },
	{ ...ofEvents, ...createdUntil },
	{ ...ofEvents, ...updatedSince, reliesOn: ['filters', 'polling'] },
	{ ...ofEvents, ...updatedUntil },
	{ ...ofSessions, filter: 'status', how: 'equal' },
	{
		...ofSessions,
		filter: 'date_from',
		attribute: 'estimated_started_at',
		how: 'nothing after',
		reliesOn: ['filters', 'polling'],
	},
	{
		...ofSessions,
		filter: 'date_to',
		attribute: 'estimated_started_at',
		how: 'nothing before',
	},
	{ ...ofSessions, ...createdSince },
	{ ...ofSessions, ...updatedSince, reliesOn: ['filters', 'polling'] },
	{ ...ofRegistrants, filter: 'email', how: 'equal', reliesOn: ['filters', 'who', 'search'] },
	{ ...ofRegistrants, filter: 'role', how: 'equal' },
	{ ...ofRegistrants, filter: 'attended', how: 'equal' },
	{ ...ofRegistrants, ...updatedSince, reliesOn: ['filters', 'polling'] },
	{ ...ofPeople, filter: 'email', how: 'equal', reliesOn: ['filters', 'search'] },
	{ ...ofPeople, filter: 'role', how: 'equal' },
	{ operation: 'listPeopleAttributes', from: 'people attributes', filter: 'slug', how: 'equal' },
	{ operation: 'listUsers', from: 'users', filter: 'email', how: 'equal' },
	{
		operation: 'listWebhooks',
		from: 'webhooks',
		filter: 'event',
		how: 'equal',
		reliesOn: ['subscriptions'],
	},
];

export function nameOf({ operation, filter }: FilterAsk): string {
	return `${operation} filter ${filter}`;
}

function attributeOf({ attribute, filter }: FilterAsk): string {
	return attribute ?? filter;
}

/** Far after and far before anything that a platform holds. */
const farSeconds = { after: 4_102_444_800, before: 1 };

export function valueOf(
	ask: FilterAsk,
	records: readonly JsonObject[],
): string | number | boolean | undefined {
	if (ask.how === 'nothing after') return farSeconds.after;
	if (ask.how === 'nothing before') return farSeconds.before;
	const value = records.map((record) => read(record, attributeOf(ask))).find(isAskable);
	return isAskable(value) ? value : undefined;
}

/** Whether a record may be among those that the filter lets through. */
export function isRight(
	ask: FilterAsk,
	record: JsonObject,
	value: string | boolean | number,
): boolean {
	const came = read(record, attributeOf(ask));
	if (ask.how !== 'equal' && ask.how !== 'within') return false;
	const [actual, expected] = [text(came ?? '').toLowerCase(), String(value).toLowerCase()];
	return ask.how === 'equal' ? actual === expected : actual.includes(expected);
}

function isAskable(value: Json | undefined): value is string | boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'boolean';
}

function read({ attributes }: JsonObject, name: string): Json | undefined {
	if (!isObject(attributes)) return undefined;
	const detail = attributes['registrant_detail'];
	return attributes[name] ?? (isObject(detail) ? detail[name] : undefined);
}
