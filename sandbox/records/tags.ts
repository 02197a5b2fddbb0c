import { randomUUID } from 'node:crypto';
import { Refusal } from '../refusal';
import { findEvent } from './find';
import { type Call, type Handler, pathId } from './handler';
import { tagRecord } from './linked';

function titleOf(call: Call): string {
	const { data } = call.body as { data: { attributes: { title: string } } };
	const title = data.attributes.title.trim();
	if (!title) throw new Refusal(422, 'A tag needs a title.');
	return title;
}

const addEventTag: Handler = (call) => {
	const eventId = pathId(call, 'id');
	const title = titleOf(call);
	const { store } = call.platform;
	findEvent(call.platform, eventId);
	const tag = store.transaction(() => {
		const tagQuery = 'SELECT * FROM tags WHERE lower(title) = lower(?)';
		if (!store.get(tagQuery, title)) store.insert('tags', { id: randomUUID(), title });
		const row = store.get(tagQuery, title) ?? {};
		const sql = 'INSERT OR IGNORE INTO event_tags (event_id, tag_id) VALUES (?, ?)';
		store.write(sql, eventId, row['id'] ?? '');
		return row;
	});
	return { status: 201, body: { data: tagRecord(tag) } };
};

const removeEventTag: Handler = (call) => {
	const eventId = pathId(call, 'id');
	const title = titleOf(call);
	findEvent(call.platform, eventId);
	const sql = `DELETE FROM event_tags WHERE event_id = ?
		AND tag_id IN (SELECT id FROM tags WHERE lower(title) = lower(?))`;
	if (call.platform.store.write(sql, eventId, title) === 0) {
		throw new Refusal(404, `The event does not have the tag '${title.slice(0, 80)}'.`);
	}
	return { status: 204 };
};

export const tagHandlers = { addEventTag, removeEventTag };
