import { randomUUID } from 'node:crypto';
import type { ApiRecord, Platform } from '../platform';
import { Refusal, notFound } from '../refusal';
import type { Row } from '../store/store';
import { Conditions } from './filters';
import { type Handler, pathId } from './handler';
import { readPage, readRows } from './page';

function webhookRecord(row: Row): ApiRecord {
	const { id, url, event, created_at, updated_at } = row;
	return { id: String(id), type: 'webhooks', attributes: { url, event, created_at, updated_at } };
}

/** A subscription that was disabled after its last failure is gone for the API; the control page has it. */
const listWebhooks: Handler = (call) => {
	const filters = new Conditions(call.query).add('w.disabled_at = 0').equal('event', 'w.event');
	const from = 'FROM webhooks w';
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: `SELECT w.* ${from}`, from, order: 'w.seq', ...filters.sql },
		readPage(call),
	);
	return { status: 200, body: { data: rows.map(webhookRecord), meta } };
};

const createWebhook: Handler = (call) => {
	const { data } = call.body as { data: { attributes: Subscription } };
	return { status: 201, body: { data: subscribe(call.platform, data.attributes) } };
};

/** The parts that a subscription is made of. */
export interface Subscription {
	url: string;
	event: string;
}

/** Makes a subscription; gives its record. */
export function subscribe(
	{ store, options, now }: Platform,
	{ url, event }: Subscription,
): ApiRecord {
	requireUrl(url, options.allowHttpWebhooks);
	const same = 'SELECT 1 FROM webhooks WHERE url = ? AND event = ? AND disabled_at = 0';
	if (store.get(same, url, event)) {
		throw new Refusal(409, `This URL is subscribed to ${event} already.`);
	}
	const id = randomUUID();
	const seconds = Math.floor(now() / 1000);
	store.insert('webhooks', { id, url, event, created_at: seconds, updated_at: seconds });
	return webhookRecord(store.get('SELECT * FROM webhooks WHERE id = ?', id) ?? {});
}

const deleteWebhook: Handler = (call) => {
	const id = pathId(call, 'id');
	const deleted = call.platform.store.write('DELETE FROM webhooks WHERE id = ?', id);
	if (deleted === 0) throw notFound('webhook', id);
	return { status: 204 };
};

export const webhookHandlers = { listWebhooks, createWebhook, deleteWebhook };

function requireUrl(text: string, httpAllowed: boolean): void {
	const protocol = URL.canParse(text) ? new URL(text).protocol : '';
	if (protocol === 'https:' || (protocol === 'http:' && httpAllowed)) return;
	throw new Refusal(422, 'The url of a webhook must be a full HTTPS address.');
}
