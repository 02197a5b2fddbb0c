import { isObject, type Json, type JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { text } from '../../nodes/EventPlatform/core/values/text';
import { pathTo } from '../../nodes/EventPlatform/core/client/path';
import { type Asker, Ended, type Question } from '../ask';
import type { Entry } from '../journal';
import type { Listener } from '../listen';
import type { Ours } from '../ours';
import type { Exchange } from '../seen';
import { eventMark, mostPeople, nowhere, personMark, sessionMark, webhookMark } from '../marks';
import { words } from '../words';
import { get, recordsIn } from './reading';

/** The start of the session in its own time zone. It is far ahead, so nobody is reminded of it. */
export const planned = { at: '2037-06-15 10:30:00', zone: 'Europe/Paris', seconds: 2_128_667_400 };
export const movedBySeconds = 86_400;

/** The tasks of the bulk request, in the order sent: who is new, who is there already, who has no address. */
export const bulkTasks = [
	'new',
	'there',
	'there',
	'none',
	'there',
	'new',
	'there',
	'there',
	'there',
	'new',
] as const;

/** One draft event, one session, at most six people, one subscription; everything through `ours`. */
export async function askWriting(
	asker: Asker,
	ours: Ours,
	mailbox: string,
	listener?: Listener,
): Promise<void> {
	const { run } = ours.journal;
	if (!mayListEvents(asker)) {
		// A record that was made has to be found again.
		throw new Ended(words`events cannot be listed, so nothing is created`);
	}
	for (const operation of ['createUser', 'deleteUser']) {
		asker.seen.skip(operation, words`an invitation is a mail to somebody, and may cost a seat`);
	}
	const event: Entry = { kind: 'event', mark: eventMark(run) };
	await ours.create('create event', event, undefined, {
		method: 'POST',
		operation: 'createEvent',
		body: { data: { type: 'events', attributes: { title: event.mark, status: 'draft' } } },
	});
	if (event.id === undefined) return;
	await ours.change('update event', [event], '', {
		method: 'PATCH',
		operation: 'updateEvent',
		retry: 'idempotent',
		body: { data: { type: 'events', id: event.id, attributes: { description: 'Changed' } } },
	});
	await asker.ask('updated event', { ...get(pathTo`/events/${event.id}`), operation: 'getEvent' });
	await askTags(asker, ours, event);
	const session: Entry = { kind: 'session', mark: sessionMark(run) };
	const attributes = {
		name: session.mark,
		estimated_started_at: planned.at,
		timezone: planned.zone,
	};
	await ours.create('create session', session, event, {
		method: 'POST',
		operation: 'createSession',
		body: { data: { type: 'sessions', attributes } },
	});
	let webhook: Entry | undefined;
	if (session.id !== undefined) {
		const moved = {
			estimated_started_at: planned.at.replace('-15', '-16'),
			timezone: planned.zone,
		};
		await ours.change('update session', [session], '', {
			method: 'PATCH',
			operation: 'updateSession',
			retry: 'idempotent',
			body: { data: { type: 'sessions', id: session.id, attributes: moved } },
		});
		if (listener) await subscribe(asker, ours, listener).then((entry) => (webhook = entry));
		await askPeople(asker, ours, session, mailbox, listener);
	}
	webhook ??= await subscribe(asker, ours, undefined);
	if (webhook.id !== undefined) await ours.remove(webhook, [], 'delete webhook');
	await askRemoval(asker, ours, event, session);
}

function mayListEvents({ seen }: Asker): boolean {
	const events = seen.get('events');
	if (!events || 'lost' in events) return false;
	return isObject(events.body) && Array.isArray(events.body['data']);
}

/** A tag that is there already: a new one would stay in the workspace. */
async function askTags(asker: Asker, ours: Ours, event: Entry): Promise<void> {
	const exchange = await asker.ask('events with tags', {
		...get('/events', { include: 'tags', 'page[size]': 50 }),
		operation: 'listEvents',
	});
	const body = 'body' in exchange ? exchange.body : undefined;
	const included = isObject(body) && Array.isArray(body['included']) ? body['included'] : [];
	const title = included
		.filter(isObject)
		.map(({ type, attributes }) =>
			type === 'tags' && isObject(attributes) ? attributes['title'] : '',
		)
		.find((text) => typeof text === 'string' && text !== '');
	if (typeof title !== 'string') {
		for (const operation of ['addEventTag', 'removeEventTag']) {
			asker.seen.skip(operation, words`there is no tag, and a new one could not be removed`);
		}
		return;
	}
	const tag = { data: { type: 'tags', attributes: { title } } };
	await ours.change('add tag', [event], '/tags', {
		method: 'POST',
		operation: 'addEventTag',
		body: tag,
	});
	await ours.change('remove tag', [event], '/tags', {
		method: 'DELETE',
		operation: 'removeEventTag',
		body: tag,
	});
}

async function askPeople(
	asker: Asker,
	ours: Ours,
	session: Entry,
	mailbox: string,
	listener: Listener | undefined,
): Promise<void> {
	const { run } = ours.journal;
	const entries = Array.from({ length: mostPeople }, (_, index): Entry => ({
		kind: 'person',
		mark: personMark(run, mailbox, index + 1),
	}));
	const [first, ...others] = entries as [Entry, ...Entry[]];
	const register = (title: string, fields: JsonObject) =>
		ours.change(title, [session], '/people', {
			method: 'POST',
			operation: 'registerPerson',
			isOdd: true,
			body: { data: { type: 'people', attributes: { fields: fieldsOf(fields) } } },
		});
	await ours.create('register', first, session, {
		method: 'POST',
		operation: 'registerPerson',
		body: {
			data: {
				type: 'people',
				attributes: { fields: fieldsOf({ email: first.mark, first_name: 'Ada' }) },
			},
		},
	});
	if (first.id === undefined) {
		asker.seen.skip('bulk', words`the session of a draft takes no registration`);
		return;
	}
	await register('register again', { email: first.mark });
	await register('register in other letters', { email: first.mark.toUpperCase() });
	await register('register without email', { first_name: 'Ada' });
	const [second, third, fourth, fifth, sixth] = others as [Entry, Entry, Entry, Entry, Entry];
	// These may be accepted after all, so their addresses are ours and stand in the journal.
	for (const entry of others) ours.journal.write(entry);
	await register('register with an unknown field', { email: fifth.mark, [unknownField]: 'x' });
	const hasEnded = await askBulk(asker, ours, session, first, [second, third, fourth], listener);
	if (listener) await awaitDeliveries(asker, listener);
	await bulk(ours, session, 'bulk with an unknown field', [
		{ email: sixth.mark, [unknownField]: 'x' },
		{ email: third.mark },
	]);
	// Fifty-one times one of the six, and nobody who is looked at again: whatever happens, there are no more.
	await bulk(ours, session, 'bulk of 51', Array<JsonObject>(51).fill({ email: sixth.mark }));
	await bulk(ours, session, 'bulk of none', []);
	// A job that goes on would register them again.
	if (hasEnded) await askRegistration(asker, ours, session, first, second);
}

/** Long enough for a first task, short enough for a job that is not over. */
const earlyMs = 600;
/** A result may be shown this much later than its task is done: no statement is about that. */
const settleMs = 2_000;
const unknownField = 'certify_no_such_field';

/** Sends a bulk request. Only the one that is called `bulk` shows what the contract promises. */
function bulk(ours: Ours, session: Entry, name: string, tasks: readonly JsonObject[]) {
	return ours.change(name, [session], '/people/bulk', {
		method: 'POST',
		operation: 'registerInBulk',
		isOdd: name !== 'bulk',
		contentType: 'application/vnd.api+json',
		body: {
			data: {
				type: 'jobs',
				attributes: { tasks: tasks.map((fields) => ({ fields: fieldsOf(fields) })) },
			},
		},
	});
}

async function askBulk(
	asker: Asker,
	ours: Ours,
	session: Entry,
	there: Entry,
	fresh: readonly Entry[],
	listener: Listener | undefined,
): Promise<boolean> {
	let next = 0;
	const tasks = bulkTasks.map((who): JsonObject => {
		if (who === 'none') return { first_name: 'Ada' };
		return { email: who === 'there' ? there.mark : (fresh[next++]?.mark ?? there.mark) };
	});
	const accepted = await bulk(ours, session, 'bulk', tasks);
	const id = idIn(accepted);
	if (id === undefined) return false;
	if (listener) listener.isOurs = (record) => text(record['id']) === id;
	const job: Question = { ...get(pathTo`/jobs/${id}`), operation: 'getJob' };
	const tasksOfJob: Question = { ...get(pathTo`/jobs/${id}/tasks`), operation: 'listJobTasks' };
	// Nothing is promised of a job that goes on, nor of a second look, and a refusal is of interest as it is.
	const oddly = { isOdd: true, retry: 'never' } as const;
	const { clock, signal } = asker.parts;
	await clock.sleep(earlyMs, signal);
	await asker.ask('job at once', { ...job, ...oddly });
	const early = await asker.ask('tasks at once', { ...tasksOfJob, ...oddly });
	if ('status' in early && early.status < 300 && recordsIn(early).length === 0) {
		await clock.sleep(settleMs, signal);
		asker.seen.add('tasks at once', await asker.askUnnamed({ ...tasksOfJob, ...oddly }));
	}
	await asker.ask('job after that', { ...job, ...oddly });
	let ended: Exchange | undefined;
	for (let looks = 0; looks < 12 && !isOver(ended); looks++) {
		await clock.sleep(500 * (looks + 1), signal);
		ended = await asker.askUnnamed({ ...job });
	}
	if (ended) asker.seen.add('job', ended);
	await clock.sleep(settleMs, signal);
	await asker.ask('tasks', tasksOfJob);
	await asker.ask('tasks again', { ...tasksOfJob, ...oddly });
	await asker.ask('page of tasks', { ...tasksOfJob, ...oddly, query: { 'page[size]': 50 } });
	return isOver(ended);
}

async function askRegistration(
	asker: Asker,
	ours: Ours,
	session: Entry,
	first: Entry,
	second: Entry,
) {
	const person = pathTo`/sessions/${session.id}/people/${first.id}`;
	const ask = (name: string) =>
		asker.ask(name, { ...get(person), operation: 'getSessionPerson', isOdd: true });
	await ours.change('update person', [session, first], '', {
		method: 'PATCH',
		operation: 'updateSessionPerson',
		retry: 'never',
		body: { data: { type: 'people', attributes: { fields: fieldsOf({ first_name: 'Grace' }) } } },
	});
	await ask('updated person');
	await ours.change('remove person', [session, first], '', {
		method: 'DELETE',
		operation: 'deleteSessionPerson',
	});
	await ask('removed person');
	const removeByEmail = (name: string, { isOdd = false } = {}) =>
		ours.change(name, [session], '/people', {
			method: 'DELETE',
			operation: 'unregisterByEmail',
			isOdd,
			query: { 'filter[email]': second.mark },
		});
	await removeByEmail('remove by email');
	await removeByEmail('remove by email again', { isOdd: true });
}

/** The query that the address of a subscription carries. */
export const deliveryQuery = 'key=certify&part=2';

/**
 * Without a listener the address leads nowhere. A subscription tells of the whole workspace, and its deliveries are nobody
 * else's business.
 */
async function subscribe(asker: Asker, ours: Ours, listener: Listener | undefined): Promise<Entry> {
	const mark = webhookMark(ours.journal.run, listener?.url ?? nowhere);
	const webhook: Entry = { kind: 'webhook', mark };
	const attributes = { url: `${mark}?${deliveryQuery}`, event: 'job.ended' };
	await ours.create('create webhook', webhook, undefined, {
		method: 'POST',
		operation: 'createWebhook',
		body: { data: { type: 'webhooks', attributes } },
	});
	if (webhook.id === undefined) return webhook;
	const list = await asker.ask('webhooks with ours', {
		...get('/webhooks', { 'filter[event]': 'job.ended', 'page[size]': 50 }),
		operation: 'listWebhooks',
	});
	const own = recordsIn(list).filter(({ id }) => text(id) === webhook.id);
	if ('status' in list) asker.seen.add('our webhook', { ...list, body: { data: own } });
	return webhook;
}

/** The job is over by now: its delivery, and the one that comes again because the first was refused. */
async function awaitDeliveries(asker: Asker, listener: Listener): Promise<void> {
	const { clock, signal } = asker.parts;
	const isOurJob = ({ at = 0 }: { at?: number }) => clock.now() - at < longestRetryMs;
	const begun = clock.now();
	while (listener.heard.length < 2) {
		const [first] = listener.heard;
		if (!isOurJob({ at: first?.at ?? begun })) break;
		await clock.sleep(1_000, signal);
	}
	for (const [at, name] of ['delivery', 'second delivery'].entries()) {
		const heard = listener.heard[at];
		if (!heard) asker.seen.skip(name, words`nothing was delivered`);
		else {
			const { query, genuine, headers, body, at: time } = heard;
			const noted = {
				...headers,
				'x-query': query,
				...(genuine !== undefined && { 'x-genuine': String(genuine) }),
			};
			asker.seen.add(name, {
				status: 200,
				operation: 'delivery',
				isPlain: false,
				headers: noted,
				body,
				at: time,
			});
		}
	}
}

const longestRetryMs = 90_000;

async function askRemoval(asker: Asker, ours: Ours, event: Entry, session: Entry): Promise<void> {
	if (session.id !== undefined) {
		await ours.remove(session, [event], 'delete session');
		await asker.ask('deleted session', {
			...get(pathTo`/sessions/${session.id}`),
			operation: 'getSession',
			isOdd: true,
		});
	}
	await ours.remove(event, [], 'delete event');
	await asker.ask('deleted event', {
		...get(pathTo`/events/${event.id}`),
		operation: 'getEvent',
		isOdd: true,
	});
}

function fieldsOf(values: JsonObject): Json[] {
	return Object.entries(values).map(([id, value]) => ({ id, value }));
}

function idIn(exchange: Exchange): string | undefined {
	if ('lost' in exchange || exchange.status >= 300 || !isObject(exchange.body)) return undefined;
	const record = isObject(exchange.body['data']) ? exchange.body['data'] : exchange.body;
	return text(record['id']) || undefined;
}

function isOver(exchange: Exchange | undefined): boolean {
	if (!exchange || 'lost' in exchange || !isObject(exchange.body)) return false;
	const record = isObject(exchange.body['data']) ? exchange.body['data'] : exchange.body;
	const status = isObject(record['attributes']) ? record['attributes']['status'] : undefined;
	return status !== 'processing';
}
