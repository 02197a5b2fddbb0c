import { randomUUID } from 'node:crypto';
import type { Platform } from '../platform';
import { Refusal } from '../refusal';
import type { Row } from '../store/store';
import {
	type FormFieldToWrite,
	defaultForm,
	defaultSwitches,
	eventRecord,
	formFrom,
	schedulingStatus,
	selectEvents,
} from './eventRecord';
import { Conditions } from './filters';
import { findEvent } from './find';
import { type Call, type Handler, pathId } from './handler';
import { linkSessions, linkTags, linked } from './linked';
import { readPage, readRows } from './page';
import { type SessionData, insertSession } from './sessions';

interface EventAttributes extends Partial<Record<keyof typeof defaultSwitches, boolean>> {
	title?: string;
	slug?: string;
	description?: string | null;
	status?: 'draft' | 'published';
	owner_id?: string;
	copy_from_event_id?: string;
	fields?: FormFieldToWrite[];
}

interface EventDocument {
	data: {
		attributes: EventAttributes;
		relationships?: {
			sessions?: SessionData[];
		};
	};
}

const listEvents: Handler = (call) => {
	const filters = new Conditions(call.query);
	filters
		.when('title', (value) => filters.add(`instr(lower(e.title), lower(?)) > 0`, String(value)))
		.equal('scheduling_status', `(${schedulingStatus})`)
		.flag('everyone_can_speak', "json_extract(e.switches, '$.everyone_can_speak')")
		.createdAndUpdated('e')
		.when('tag', (value) =>
			filters.add(
				`EXISTS (SELECT 1 FROM event_tags et JOIN tags t ON t.id = et.tag_id
				WHERE et.event_id = e.id AND lower(t.title) IN (SELECT lower(value) FROM json_each(?)))`,
				JSON.stringify([value].flat()),
			),
		);
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: selectEvents, from: 'FROM events e', order: 'e.seq', ...filters.sql },
		readPage(call),
	);
	const data = rows.map(eventRecord);
	return { status: 200, body: { data, ...linked(call, data, links), meta } };
};

const getEvent: Handler = (call) => answerEvent(call, pathId(call, 'id'), 200);

const createEvent: Handler = (call) => {
	const { attributes, relationships } = (call.body as EventDocument).data;
	const id = randomUUID();
	call.platform.store.transaction(() => {
		addEvent(call.platform, id, attributes);
		for (const session of relationships?.sessions ?? []) {
			insertSession(call, id, session);
		}
	});
	return answerEvent(call, id, 201);
};

/** Publishes an event, as a host does on the page of the platform. Gives the id of the event. */
export function publishNewEvent(platform: Platform, title: string): string {
	const id = randomUUID();
	platform.store.transaction(() => addEvent(platform, id, { title, status: 'published' }));
	return id;
}

const updateEvent: Handler = (call) => {
	const id = pathId(call, 'id');
	const { store } = call.platform;
	const { attributes } = (call.body as EventDocument).data;
	store.transaction(() => {
		const event = findEvent(call.platform, id);
		const published = attributes.status === 'published' && event['status'] !== 'published';
		const now = Math.floor(call.platform.now() / 1000);
		store.update('events', id, {
			...textColumns(call.platform, attributes, id),
			switches: JSON.stringify({ ...parseSwitches(event), ...switchesOf(attributes) }),
			...(published && { published_at: now }),
			updated_at: now,
		});
		if (published) announceEvent(call.platform, 'event.published', id);
	});
	return answerEvent(call, id, 200);
};

const deleteEvent: Handler = (call) => {
	const id = pathId(call, 'id');
	const { store } = call.platform;
	findEvent(call.platform, id);
	store.transaction(() => {
		// Registrations first: the trigger that counts them needs their session.
		store.write('DELETE FROM registrations WHERE event_id = ?', id);
		store.write('DELETE FROM sessions WHERE event_id = ?', id);
		store.write('DELETE FROM events WHERE id = ?', id);
	});
	return { status: 204 };
};

export const eventHandlers = {
	listEvents,
	getEvent,
	createEvent,
	updateEvent,
	putEvent: updateEvent,
	deleteEvent,
};

function answerEvent(call: Call, id: string, status: number) {
	const event = eventRecord(findEvent(call.platform, id));
	return { status, body: { data: event, ...linked(call, [event], links) } };
}

const links = { sessions: linkSessions, tags: linkTags };

/** Creates an event and tells the webhooks of it. */
function addEvent(platform: Platform, id: string, attributes: EventAttributes): void {
	insertEvent(platform, id, attributes);
	announceEvent(platform, 'event.created', id);
	if (attributes.status === 'published') announceEvent(platform, 'event.published', id);
}

function announceEvent(
	platform: Platform,
	eventType: 'event.created' | 'event.published',
	id: string,
): void {
	platform.announce(eventType, eventRecord(findEvent(platform, id)));
}

/** 422 if it is unknown: a 404 would be about the path, and the id stands in the body. */
function eventToCopy({ store }: Platform, id: string): Row {
	const row = store.get(`${selectEvents} WHERE e.id = ?`, id);
	if (!row) throw new Refusal(422, `There is no event '${id.slice(0, 80)}' to copy.`);
	return row;
}

function insertEvent(platform: Platform, id: string, attributes: EventAttributes): void {
	const { store } = platform;
	const original = attributes.copy_from_event_id;
	const copied = original === undefined ? undefined : eventToCopy(platform, original);
	const now = Math.floor(platform.now() / 1000);
	const title = attributes.title ?? copied?.['title'];
	if (!title) throw new Refusal(422, 'An event needs a title.');
	const owner = store.get('SELECT id FROM users ORDER BY seq LIMIT 1')?.['id'] ?? '';
	store.insert('events', {
		id,
		title,
		slug: `${slugOf(String(title))}-${id.slice(0, 8)}`,
		description: copied?.['description'] ?? null,
		status: 'draft',
		language: copied?.['language'] ?? 'en',
		owner_id: copied?.['owner_id'] ?? owner,
		estimated_duration: copied?.['estimated_duration'] ?? 60,
		switches: JSON.stringify({
			...(copied ? parseSwitches(copied) : defaultSwitches),
			...switchesOf(attributes),
		}),
		fields: copied?.['fields'] ?? JSON.stringify(defaultForm),
		published_at: attributes.status === 'published' ? now : 0,
		created_at: now,
		updated_at: now,
		...textColumns(platform, attributes, id),
	});
}

function textColumns(platform: Platform, attributes: EventAttributes, id: string) {
	const { title, slug, description, status, owner_id } = attributes;
	const { store } = platform;
	if (title !== undefined && !title.trim()) throw new Refusal(422, 'An event needs a title.');
	if (owner_id !== undefined && !store.get('SELECT 1 FROM users WHERE id = ?', owner_id)) {
		throw new Refusal(422, `There is no user '${owner_id}' to own the event.`);
	}
	if (
		slug !== undefined &&
		store.get('SELECT 1 FROM events WHERE slug = ? AND id <> ?', slug, id)
	) {
		throw new Refusal(422, `Another event has the slug '${slug}'.`);
	}
	const fields = attributes.fields && JSON.stringify(formFrom(attributes.fields));
	const columns = { title, slug, description, status, owner_id, fields };
	return Object.fromEntries(
		Object.entries(columns).filter(
			(entry): entry is [string, string | null] => entry[1] !== undefined,
		),
	);
}

function switchesOf(attributes: EventAttributes): Partial<typeof defaultSwitches> {
	const names = Object.keys(defaultSwitches) as Array<keyof typeof defaultSwitches>;
	return Object.fromEntries(
		names.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
	);
}

function parseSwitches(event: Row): typeof defaultSwitches {
	return JSON.parse(String(event['switches'])) as typeof defaultSwitches;
}

function slugOf(title: string): string {
	const slug = title
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-');
	return slug.replace(/^-|-$/g, '').slice(0, 60) || 'event';
}
