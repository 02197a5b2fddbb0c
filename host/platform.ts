export interface Session {
	id: string;
	name: string;
}

/** Where a sandbox is, and the token that it takes. */
interface Platform {
	baseUrl: string;
	apiToken: string;
}

interface Document<Data> {
	data: Data;
	included?: Array<{ attributes: { title?: string } }>;
}

interface SessionRecord {
	id: string;
	attributes: { name?: string | null };
}

const dayMs = 24 * 60 * 60 * 1_000;

/** The first session of the sandbox that people can still register for; a new one where all are over, as the samples are after two weeks. */
export async function sampleSession(platform: Platform): Promise<Session> {
	const list = '/sessions?filter[status]=upcoming';
	const { data } = await ask<Document<SessionRecord[]>>(platform, list);
	const [session = await newSession(platform)] = data;
	return { id: session.id, name: session.attributes.name ?? session.id };
}

/** A session that is over, whose people can be moved to another one; undefined where none is. */
export async function heldSession(platform: Platform): Promise<Session | undefined> {
	const list = '/sessions?filter[status]=past&include=event';
	const { data, included } = await ask<Document<SessionRecord[]>>(platform, list);
	const [session] = data;
	if (session === undefined) return undefined;
	const [event] = included ?? [];
	return { id: session.id, name: session.attributes.name ?? event?.attributes.title ?? session.id };
}

async function newSession(platform: Platform): Promise<SessionRecord> {
	const event = await ask<Document<{ id: string }>>(platform, '/events', {
		data: { type: 'events', attributes: { title: 'Sample webinar', status: 'published' } },
	});
	const path = `/events/${event.data.id}/sessions`;
	const start = new Date(Date.now() + 7 * dayMs).toISOString();
	const { data } = await ask<Document<SessionRecord>>(platform, path, {
		data: {
			type: 'sessions',
			attributes: { name: 'Sample session', estimated_started_at: start },
		},
	});
	return data;
}

async function ask<T>({ baseUrl, apiToken }: Platform, path: string, body?: object): Promise<T> {
	const response = await fetch(`${baseUrl}/v1${path}`, {
		headers: { authorization: apiToken, 'content-type': 'application/json' },
		...(body && { method: 'POST', body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${path}: ${text}`);
	return JSON.parse(text) as T;
}
