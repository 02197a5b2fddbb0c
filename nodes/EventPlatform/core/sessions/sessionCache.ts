import { text } from '../values/text';
import { pathTo } from '../client/path';
import { getRecord, attributesOf } from '../client/document';
import { type Ask } from '../client/request';
import { type JsonObject } from '../values/json';
import { askForSession, type SessionRead } from './readSession';
import { sessionName } from './sessionName';

/** A session that is asked for, with what came back once that is known. */
interface Reading {
	readonly session: Promise<SessionRead>;
	read?: SessionRead;
}

/** Owns the sessions that a run has read: each is asked for once, by the part that needs it first. */
export class SessionCache {
	/** By the ids that were asked for and those that the platform answered with. */
	private readonly readings = new Map<string, Reading>();

	/** `zone`: the time zone for sessions that name none. */
	constructor(
		private readonly api: Ask,
		private readonly zone = 'UTC',
	) {}

	/** Gives a session. `ask`: the api as far as the part uses it that asks. */
	read(id: string, ask: Ask = this.api): Promise<SessionRead> {
		const reading: Reading = this.readings.get(id) ?? { session: askForSession(ask, id) };
		this.readings.set(id, reading);
		reading.session.then(
			(read) => {
				reading.read = read;
				this.readings.set(text(read.session.id), reading);
			},
			// A session that could not be read is asked for again the next time.
			() => this.readings.delete(id),
		);
		return reading.session;
	}

	/** Gives the event of a session. It is asked for, once in a run, where the platform did not send it along with the session. */
	async readEvent(id: string, ask: Ask = this.api): Promise<JsonObject> {
		const read = await this.read(id, ask);
		read.event ??= await getRecord(ask, pathTo`/events/${attributesOf(read.session).event_id}`);
		return read.event;
	}

	/** Gives a session that this run has read; undefined where it has not. */
	find(id: string): SessionRead | undefined {
		return this.readings.get(id)?.read;
	}

	/** Names a session as people know it, or by its ID where this run has not read it; at the beginning of a sentence. */
	nameOf(id: string): string {
		const read = this.find(id);
		return read ? this.nameOfRead(read) : `The session ${id}`;
	}

	nameOfRead(read: SessionRead): string {
		return sessionName(read, this.zone);
	}

	/** Gives the session that the path of a request is about, if this run has read it. */
	findByPath(path: string): SessionRead | undefined {
		const [, collection, id = ''] = path.split('/').map(decodeURIComponent);
		return collection === 'sessions' ? this.find(id) : undefined;
	}
}
