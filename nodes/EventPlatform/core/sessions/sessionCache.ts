import { text } from '../values/text';
import { pathTo } from '../client/path';
import { getRecord, attributesOf } from '../client/document';
import { type Ask } from '../client/request';
import { type JsonObject } from '../values/json';
import { askForSession, type SessionRead } from './readSession';
import { sessionName } from './sessionName';

/** A session that was asked for. */
interface CachedSession {
	/** The request under way, or what it has brought. */
	session: Promise<SessionRead>;
	/** The session when it has come. */
	read?: SessionRead;
}

/** Owns the sessions that a run has read: each is asked for once, by the part that needs it first. */
export class SessionCache {
	/** The sessions by the ids that were asked for, and by those in the responses. */
	private readonly cached = new Map<string, CachedSession>();

	/** `zone`: the time zone for sessions that name none. */
	constructor(
		private readonly api: Ask,
		private readonly zone = 'UTC',
	) {}

	/** Gives a session. `ask`: the api through which the part of the run sends that needs the session. */
	read(id: string, ask: Ask = this.api): Promise<SessionRead> {
		const earlier = this.cached.get(id);
		if (earlier) return earlier.session;
		const entry: CachedSession = { session: askForSession(ask, id) };
		this.cached.set(id, entry);
		entry.session.then(
			(read) => {
				entry.read = read;
				this.cached.set(text(read.session.id), entry);
			},
			// A session that could not be read is asked for again the next time.
			() => this.cached.delete(id),
		);
		return entry.session;
	}

	/** Gives the event of a session. It is asked for, once in a run, where the platform did not send it along with the session. */
	async readEvent(id: string, ask: Ask = this.api): Promise<JsonObject> {
		const { session, event: sentAlong } = await this.read(id, ask);
		if (sentAlong) return sentAlong;
		const event = await getRecord(ask, pathTo`/events/${attributesOf(session).event_id}`);
		this.recordEvent(id, { session, event });
		return event;
	}

	/** Gives a session that this run has read; undefined where it has not. */
	find(id: string): SessionRead | undefined {
		return this.cached.get(id)?.read;
	}

	/** Names a session as people know it, or by its ID where this run has not read it. The name may begin a sentence. */
	nameOf(id: string): string {
		const read = this.find(id);
		return read ? this.nameOfRead(read) : `The session ${id}`;
	}

	/** Names a session that was read. */
	nameOfRead(read: SessionRead): string {
		return sessionName(read, this.zone);
	}

	/** Gives the session that the path of a request is about, if this run has read it. */
	findByPath(path: string): SessionRead | undefined {
		const [, collection, id = ''] = path.split('/').map(decodeURIComponent);
		return collection === 'sessions' ? this.find(id) : undefined;
	}

	private recordEvent(id: string, read: SessionRead): void {
		const entry = this.cached.get(id);
		if (entry) Object.assign(entry, { session: Promise.resolve(read), read });
	}
}
