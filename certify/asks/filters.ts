import { isObject, type Json, type JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { text } from '../../nodes/EventPlatform/core/values/text';
import type { Use } from '../uses';

/** A filter that the connector sends: how it is asked, and what a record must look like that it lets through. */
export interface FilterAsk {
	/** The operation of the list. */
	operation: string;
	/** The name of the request whose first record gives the value. */
	from: string;
	/** Within `filter[…]`. */
	filter: string;
	/** The attribute that it looks at. */
	attribute: string;
	how: 'equal' | 'within' | 'nothing after' | 'nothing before';
	reliesOn: readonly Use[];
	/** The list is one of the session, or one of all. */
	ofSession?: true;
}

type Rest = Pick<FilterAsk, 'reliesOn' | 'ofSession'>;

function ask(
	operation: string,
	from: string,
	how: FilterAsk['how'],
	names: string | readonly [filter: string, attribute: string],
	rest: Rest = { reliesOn: ['filters'] },
): FilterAsk {
	const [filter, attribute] = typeof names === 'string' ? [names, names] : names;
	return { operation, from, filter, attribute, how, ...rest };
}

const events = (how: FilterAsk['how'], names: Parameters<typeof ask>[3], rest?: Rest) =>
	ask('listEvents', 'events', how, names, rest);
const sessions = (how: FilterAsk['how'], names: Parameters<typeof ask>[3], rest?: Rest) =>
	ask('listSessions', 'sessions', how, names, rest);
const registrants = (how: FilterAsk['how'], names: Parameters<typeof ask>[3], ...more: Use[]) =>
	ask('listSessionPeople', 'session people', how, names, {
		reliesOn: ['filters', ...more],
		ofSession: true,
	});

export const filterAsks: readonly FilterAsk[] = [
	events('within', 'title', { reliesOn: ['filters', 'search'] }),
	events('equal', 'scheduling_status'),
	events('nothing after', ['created_since', 'created_at']),
	events('nothing before', ['created_until', 'created_at']),
	events('nothing after', ['updated_since', 'updated_at'], { reliesOn: ['filters', 'polling'] }),
	events('nothing before', ['updated_until', 'updated_at']),
	sessions('equal', 'status'),
	sessions('nothing after', ['date_from', 'estimated_started_at'], {
		reliesOn: ['filters', 'polling'],
	}),
	sessions('nothing before', ['date_to', 'estimated_started_at']),
	sessions('nothing after', ['created_since', 'created_at']),
	sessions('nothing after', ['updated_since', 'updated_at'], { reliesOn: ['filters', 'polling'] }),
	registrants('equal', 'email', 'who', 'search'),
	registrants('equal', 'role'),
	registrants('equal', 'attended'),
	registrants('nothing after', ['updated_since', 'updated_at'], 'polling'),
	ask('listPeople', 'people', 'equal', 'email', { reliesOn: ['filters', 'search'] }),
	ask('listPeople', 'people', 'equal', 'role'),
	ask('listPeopleAttributes', 'people attributes', 'equal', 'slug'),
	ask('listUsers', 'users', 'equal', 'email'),
	ask('listWebhooks', 'webhooks', 'equal', 'event', { reliesOn: ['subscriptions'] }),
];

export function nameOf({ operation, filter }: FilterAsk): string {
	return `${operation} filter ${filter}`;
}

/** Far after and far before anything that a platform holds. */
const farSeconds = { after: 4_102_444_800, before: 1 };

export function valueOf(
	ask: FilterAsk,
	records: readonly JsonObject[],
): string | number | boolean | undefined {
	if (ask.how === 'nothing after') return farSeconds.after;
	if (ask.how === 'nothing before') return farSeconds.before;
	const value = records.map((record) => read(record, ask.attribute)).find(isAskable);
	return isAskable(value) ? value : undefined;
}

/** Whether a record may be among those that the filter lets through. */
export function isRight(
	ask: FilterAsk,
	record: JsonObject,
	value: string | boolean | number,
): boolean {
	const came = read(record, ask.attribute);
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
