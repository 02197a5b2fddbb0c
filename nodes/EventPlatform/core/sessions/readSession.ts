import { attributesOf, includedIn, readRecord } from '../http/jsonApi';
import { pathTo } from '../http/path';
import type { Api, ApiRequest, Ask, JsonObject } from '../http/ports';
import { text } from '../http/text';

/** A session, and its event where the platform sends it along. */
export interface SessionRead {
	session: JsonObject;
	event?: JsonObject;
}

/** The sessions of a run, by the ids that were asked for, and `read` also by those that the platform answered with. */
class Sessions {
	readonly reading = new Map<string, Promise<SessionRead>>();
	readonly read = new Map<string, SessionRead>();
}

/** By run, because each run has an api of its own. */
const ofRuns = new WeakMap<Api, Sessions>();

/** Read once in a run, by the part of the run that needs it first. `ask` is the api as far as that part uses it. */
export function readSession(api: Api, id: string, ask: Ask = api): Promise<SessionRead> {
	const sessions = ofRuns.get(api) ?? new Sessions();
	ofRuns.set(api, sessions);
	const { reading, read } = sessions;
	const known = reading.get(id) ?? askForSession(ask, id);
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

async function askForSession(ask: Ask, id: string): Promise<SessionRead> {
	const path = pathTo`/sessions/${id}`;
	const request: ApiRequest = { method: 'GET', path, query: { include: 'event' } };
	const answer = await ask(request);
	const session = readRecord(request, answer);
	const { event_id } = attributesOf(session);
	const records = includedIn(answer.body);
	return { session, event: records.find(({ id, type }) => id === event_id && type === 'events') };
}

/** Why nobody can register any more, as far as the record shows. */
export function whyClosed({ session }: SessionRead, name: string): string | undefined {
	const { status } = attributesOf(session);
	const isCanceled = status === 'canceled' || status === 'cancelled';
	if (!isCanceled && status !== 'past') return undefined;
	return `${name} ${isCanceled ? 'was canceled' : 'is over'}: nobody can register any more.`;
}
