import { attributesOf, includedIn, readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { Api, ApiRequest, Ask, JsonObject } from '../http/ports';
import { text } from '../http/text';

/** A session, and its event where the platform sends it along. */
export interface SessionRead {
	session: JsonObject;
	event?: JsonObject;
}

interface Sessions {
	reading: Map<string, Promise<SessionRead>>;
	/** By the ids that were asked for, and by those that the platform answered with. */
	read: Map<string, SessionRead>;
}

/** By run, because each run has an api of its own. */
const ofRuns = new WeakMap<Api, Sessions>();

/** Read once in a run, by the part of the run that needs it first. `ask` is the api as far as that part uses it. */
export function readSession(api: Api, id: string, ask: Ask = api): Promise<SessionRead> {
	const sessions: Sessions = ofRuns.get(api) ?? { reading: new Map(), read: new Map() };
	ofRuns.set(api, sessions);
	const { reading, read } = sessions;
	const known = reading.get(id) ?? ask(requestOf(id)).then(sessionIn(id));
	reading.set(id, known);
	known.then(
		(found) => [id, text(found.session.id)].forEach((one) => read.set(one, found)),
		// What failed may work the next time.
		() => reading.delete(id),
	);
	return known;
}

/** The session that a request of this run was about, where it is known already. */
export function sessionOf(api: Api, { path }: Pick<ApiRequest, 'path'>): SessionRead | undefined {
	const [, collection, id = ''] = path.split('/').map(decodeURIComponent);
	return collection === 'sessions' ? ofRuns.get(api)?.read.get(id) : undefined;
}

function requestOf(id: string): ApiRequest {
	return { method: 'GET', path: pathTo`/sessions/${id}`, query: { include: 'event' } };
}

function sessionIn(id: string) {
	return (answer: Awaited<ReturnType<Ask>>): SessionRead => {
		const session = readRecord(requestOf(id), answer);
		const eventId = attributesOf(session).event_id;
		const event = includedIn(answer.body).find(
			(record) => record.id === eventId && record.type === 'events',
		);
		return { session, event };
	};
}

/** Why nobody can register any more, as far as the record shows. */
export function whyClosed({ session }: SessionRead, name: string): string | undefined {
	const { status } = attributesOf(session);
	const isCanceled = status === 'canceled' || status === 'cancelled';
	if (!isCanceled && status !== 'past') return undefined;
	return `${name} ${isCanceled ? 'was canceled' : 'is over'}: nobody can register any more.`;
}
