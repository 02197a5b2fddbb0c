import { isObject, type JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { pathTo } from '../../nodes/EventPlatform/core/client/path';
import type { ApiRequest } from '../../nodes/EventPlatform/core/client/request';
import { type Asker, type Authorization, Ended, type Question } from '../ask';
import { type Exchange, typeOf } from '../seen';
import { mediaType, words } from '../words';
import { filterAsks, nameOf, valueOf } from './filters';

/** Nothing has this id. */
const unknownId = '00000000-0000-4000-8000-000000000000';

/** Asks whether the token works at all. Gives the form of it that works where that is not the promised form. */
export async function askAccess(
	asker: Asker,
	{ token, isOAuth }: { token: string; isOAuth: boolean },
): Promise<string | undefined> {
	const ping = (name: string, authorization: Authorization) =>
		asker.ask(name, {
			...get('/ping'),
			operation: 'ping',
			isOdd: authorization !== 'usual',
			retry: 'never',
			authorization,
		});
	const usual = await ping('ping', 'usual');
	if ('lost' in usual) throw new Ended(words`the platform cannot be reached`);
	const isRefused = usual.status === 401;
	if (usual.status >= 300 && !isRefused) {
		throw new Ended(words`the platform answered the ping with ${usual.status}`);
	}
	if (typeof usual.body === 'string' && usual.body !== '') {
		throw new Ended(words`the platform answered the ping with ${mediaType(typeOf(usual))}`);
	}
	const otherForm = isOAuth ? token : `Bearer ${token}`;
	const exchange = await ping('ping in the other form', { value: otherForm });
	const isOtherTaken = 'status' in exchange && exchange.status < 300;
	if (isRefused && !isOtherTaken) {
		throw new Ended(words`the platform does not accept the token (401)`);
	}
	await ping('ping without a token', 'none');
	return isRefused ? otherForm : undefined;
}

/** Sends at most sixty requests, none of which changes anything. */
export async function askReading(asker: Asker): Promise<void> {
	const list = (name: string, operation: string, path: string, query?: Query) =>
		asker.ask(name, { ...get(path, query), operation });
	await list('me', 'getMe', '/me');
	await list('me with organization', 'getMe', '/me', { include: 'organization' });
	await list('organization', 'getOrganization', '/organization');
	await list('events', 'listEvents', '/events');
	await asker.ask('events as JSON:API', {
		...get('/events'),
		operation: 'listEvents',
		contentType: 'application/vnd.api+json',
	});
	await list('events with sessions', 'listEvents', '/events', { include: 'sessions' });
	await list('sessions', 'listSessions', '/sessions', { 'page[size]': 50 });
	await list('sessions with event', 'listSessions', '/sessions', { include: 'event' });
	await list('people', 'listPeople', '/people');
	await list('people attributes', 'listPeopleAttributes', '/people_attributes');
	await list('users', 'listUsers', '/users');
	await list('webhooks', 'listWebhooks', '/webhooks');
	await askPages(asker);
	await askRecords(asker);
	await askFilters(asker);
	await asker.ask('unknown event', {
		...get(pathTo`/events/${unknownId}`),
		operation: 'getEvent',
		isOdd: true,
	});
	await asker.ask('unknown job', {
		...get(pathTo`/jobs/${unknownId}`),
		operation: 'getJob',
		isOdd: true,
	});
}

/** One of these lists is asked for its pages: the list that has more records, because it shows more. */
const pagedLists = [
	{ name: 'people', operation: 'listPeople', path: '/people' },
	{ name: 'events', operation: 'listEvents', path: '/events' },
] as const;

async function askPages(asker: Asker): Promise<void> {
	const count = (name: string) => Number(metaIn(asker.seen.get(name))?.['record_count'] ?? 0);
	const { name, operation, path } = pagedLists.reduce((longest, list) =>
		count(list.name) > count(longest.name) ? list : longest,
	);
	const ask = (title: string, query: Query, { isOdd = false } = {}) =>
		asker.ask(title, { ...get(path, query), operation, isOdd });
	const first = asker.seen.get(name);
	if (first) asker.seen.add('page', first);
	const meta = metaIn(first);
	if (!meta) return asker.seen.skip('page', words`no page came with its meta`);
	for (const size of [20, 50, 51, 100]) await ask(`page of ${size}`, { 'page[size]': size });
	const start = Number(meta['current_page'] ?? 0);
	const pages = Number(meta['page_count'] ?? 0);
	if (pages > 1) {
		await ask('second page', { 'page[number]': start + 1 });
		await ask('last page', { 'page[number]': start + pages - 1 });
	} else {
		for (const title of ['second page', 'last page']) {
			asker.seen.skip(title, words`there is only one page`);
		}
	}
	// Nobody promises where an empty list ends.
	if (pages > 0)
		await ask('page beyond the last', { 'page[number]': start + pages }, { isOdd: true });
	else asker.seen.skip('page beyond the last', words`the list is empty`);
}

async function askRecords(asker: Asker): Promise<void> {
	const event = firstIn(asker, 'events');
	const session = fullest(asker, 'registrants_count');
	const person = firstIn(asker, 'people');
	const past = fullest(asker, 'attendees_count', 'past') ?? session;
	const askRecord = async (
		name: string,
		operation: string,
		id: string | undefined,
		path: (id: string) => string,
		query?: Query,
	) => {
		if (id === undefined) asker.seen.skip(name, words`there is no record of that kind`);
		else await asker.ask(name, { ...get(path(id), query), operation });
	};
	await askRecord('event', 'getEvent', event, (id) => pathTo`/events/${id}`);
	await askRecord(
		'event sessions',
		'listEventSessions',
		event,
		(id) => pathTo`/events/${id}/sessions`,
	);
	await askRecord('event people', 'listEventPeople', event, (id) => pathTo`/events/${id}/people`);
	await askRecord('session', 'getSession', session, (id) => pathTo`/sessions/${id}`);
	await askRecord(
		'session people',
		'listSessionPeople',
		session,
		(id) => pathTo`/sessions/${id}/people`,
	);
	const registrant = firstIn(asker, 'session people');
	await askRecord(
		'session person',
		'getSessionPerson',
		registrant,
		(id) => pathTo`/sessions/${session}/people/${id}`,
	);
	await askRecord('person', 'getPerson', person, (id) => pathTo`/people/${id}`);
	await askRecord('questions', 'listQuestions', past, (id) => pathTo`/sessions/${id}/questions`);
	await askRecord(
		'chat messages',
		'listChatMessages',
		past,
		(id) => pathTo`/sessions/${id}/chat_messages`,
	);
	await askRecord(
		'recordings',
		'listRecordings',
		past,
		(id) => pathTo`/sessions/${id}/recordings`,
		{
			url_expires_in: askedExpirySeconds,
		},
	);
}

export const askedExpirySeconds = 3_600;

async function askFilters(asker: Asker): Promise<void> {
	for (const ask of filterAsks) {
		const source = asker.seen.get(ask.from);
		const value = valueOf(ask, recordsIn(source));
		const session = fullest(asker, 'registrants_count');
		if (value === undefined || (ask.isOfSession && session === undefined)) {
			asker.seen.skip(nameOf(ask), words`there is no record to ask for`);
			continue;
		}
		const path = ask.isOfSession ? pathTo`/sessions/${session}/people` : listPaths[ask.operation];
		await asker.ask(nameOf(ask), {
			...get(path ?? '', { [`filter[${ask.filter}]`]: value }),
			operation: ask.operation,
			isOdd: true,
		});
	}
}

const listPaths: Readonly<Record<string, string>> = {
	listEvents: '/events',
	listSessions: '/sessions',
	listPeople: '/people',
	listPeopleAttributes: '/people_attributes',
	listUsers: '/users',
	listWebhooks: '/webhooks',
};

type Query = NonNullable<ApiRequest['query']>;

export function get(path: string, query?: Query): Pick<Question, 'method' | 'path' | 'query'> {
	return { method: 'GET', path, ...(query && { query }) };
}

export function recordsIn(exchange: Exchange | undefined): JsonObject[] {
	const body = exchange && 'body' in exchange ? exchange.body : undefined;
	const list = isObject(body) ? body['data'] : undefined;
	return Array.isArray(list) ? list.filter(isObject) : [];
}

function metaIn(exchange: Exchange | undefined): JsonObject | undefined {
	const body = exchange && 'body' in exchange ? exchange.body : undefined;
	return isObject(body) && isObject(body['meta']) ? body['meta'] : undefined;
}

function firstIn(asker: Asker, name: string): string | undefined {
	return idOf(recordsIn(asker.seen.get(name))[0]);
}

/** The session that has the most people, of those in a state. */
function fullest(asker: Asker, counter: string, status?: string): string | undefined {
	const count = ({ attributes }: JsonObject) =>
		Number(isObject(attributes) ? attributes[counter] : 0);
	const isWanted = ({ attributes }: JsonObject) =>
		status === undefined || (isObject(attributes) && attributes['status'] === status);
	return idOf(
		recordsIn(asker.seen.get('sessions'))
			.filter(isWanted)
			.sort((a, b) => count(b) - count(a))[0],
	);
}

function idOf(record: JsonObject | undefined): string | undefined {
	return typeof record?.['id'] === 'string' && record['id'] !== '' ? record['id'] : undefined;
}
