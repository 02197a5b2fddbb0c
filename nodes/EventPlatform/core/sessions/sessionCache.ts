import { text } from '../values/text';
import { attributesOf } from '../client/document';
import { type Ask } from '../client/request';
import { asFailure } from '../client/failure';
import { isLasting, meaningOf } from '../failures/meaning';
import { Readings } from '../failures/readings';
import { type JsonObject } from '../values/json';
import { askForSession, eventIdOf, readEventOf, type SessionRead } from './readSession';
import { startInWords } from './start';
import { plannedStart } from '../dialect/time';

/** Owns the sessions that a run has read: each is asked for once, by the part that needs it first. */
export class SessionCache {
	/** By the ids that were asked for, and by the ids in the responses. */
	private readonly sessions = new Map<string, SessionRead>();
	private readonly readings = new Readings<string, SessionRead>('unlessPassing');
	/** By their ids: the events that the platform did not send along with a session. */
	private readonly events = new Readings<string, JsonObject | undefined>('unlessPassing');

	constructor(
		private readonly ask: Ask,
		private readonly zone = 'UTC',
	) {}

	/** Reads a session, once in a run. `ask`: the function through which the part of the run that needs the session sends its requests. */
	async read(id: string, ask: Ask = this.ask): Promise<SessionRead> {
		const known = this.sessions.get(id);
		if (known) return known;
		return await this.readings.read(id, async () => {
			const sessionRead = await askForSession(ask, id);
			this.remember(id, sessionRead);
			return sessionRead;
		});
	}

	/**
	 * Reads the event of a session; undefined where the session does not name it. It takes a request, once in a run, where the platform did
	 * not send the event along with the session.
	 */
	async readEvent(id: string, ask: Ask = this.ask): Promise<JsonObject | undefined> {
		const { session, event: knownEvent } = await this.read(id, ask);
		const eventId = eventIdOf(session);
		if (knownEvent !== undefined || eventId === undefined) return knownEvent;
		const event = await this.events.read(eventId, () => readEventOf(ask, session));
		this.remember(id, { session, event });
		return event;
	}

	/**
	 * Reads a session with its event, for a caller that can do without the event. The event is absent where the platform does not show it, also
	 * where a scope is missing or there is no such endpoint. Any other failure, such as one that passes or that of a refused credential, is
	 * thrown: what is written without the title would stay so.
	 */
	async readWithEvent(id: string): Promise<SessionRead> {
		const { session } = await this.read(id);
		const event = await this.readEvent(id).catch((error: unknown) => {
			const { mayBeElsewhere, isIdUnknown } = meaningOf(asFailure(error));
			if (isLasting(error) && (mayBeElsewhere || isIdUnknown)) return undefined;
			throw error;
		});
		return { session, event };
	}

	find(id: string): SessionRead | undefined {
		return this.sessions.get(id);
	}

	/** Names a session as people know it, or by its ID where this run has not read it. The name may begin a sentence. */
	nameOf(id: string): string {
		const sessionRead = this.find(id);
		return sessionRead ? this.nameOfRead(sessionRead) : `The session ${id}`;
	}

	nameOfRead(sessionRead: SessionRead): string {
		return sessionName(sessionRead, this.zone);
	}

	findByPath(path: string): SessionRead | undefined {
		const [, collection, id = ''] = path.split('/').map(decodeURIComponent);
		return collection === 'sessions' ? this.find(id) : undefined;
	}

	private remember(id: string, sessionRead: SessionRead): void {
		for (const key of [id, text(sessionRead.session.id)]) this.sessions.set(key, sessionRead);
	}
}

/**
 * Names a session as people know it, rather than by its ID: "'Product Tour' (29 Nov 2026, 10:00 Paris)". `zone`: the time zone for sessions
 * that name none.
 */
function sessionName({ session, event }: SessionRead, zone: string): string {
	const attributes = attributesOf(session);
	const { name, timezone } = attributes;
	const start = { startsAt: plannedStart(attributes), timezone: text(timezone) };
	const titles = [event ? text(attributesOf(event).title) : '', text(name)].filter(Boolean);
	const title = titles.length > 0 ? `'${titles.join(', ')}'` : `The session ${text(session.id)}`;
	const date = startInWords(start, zone);
	return date === undefined ? title : `${title} (${date})`;
}
