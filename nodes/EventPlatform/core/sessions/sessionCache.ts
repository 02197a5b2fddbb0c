import { text } from '../values/text';
import { attributesOf } from '../client/document';
import { type Ask } from '../client/request';
import { asFailure, Failure } from '../client/failure';
import { meaningOf } from '../failures/meaning';
import { type JsonObject } from '../values/json';
import { askForSession, readEventOf, type SessionRead } from './readSession';
import { shortTime } from '../values/dates';
import { plannedStart } from '../dialect/time';

interface CachedSession {
	request: Promise<SessionRead>;
	session?: SessionRead;
	/** The request for the event, where the platform did not send it along. */
	event?: Promise<JsonObject | undefined>;
}

/** Owns the sessions that a run has read: each is asked for once, by the part that needs it first. */
export class SessionCache {
	/** The sessions by the ids that were asked for, and by the ids in the responses. */
	private readonly sessions = new Map<string, CachedSession>();

	constructor(
		private readonly ask: Ask,
		private readonly zone = 'UTC',
	) {}

	/** Reads a session, once in a run. `ask`: the function through which the part of the run that needs the session sends its requests. */
	read(id: string, ask: Ask = this.ask): Promise<SessionRead> {
		const cached = this.sessions.get(id);
		if (cached) return cached.request;
		const asked: CachedSession = { request: askForSession(ask, id) };
		this.sessions.set(id, asked);
		asked.request.then(
			(sessionRead) => {
				asked.session = sessionRead;
				this.sessions.set(text(sessionRead.session.id), asked);
			},
			// A session that could not be read is asked for again the next time.
			() => this.sessions.delete(id),
		);
		return asked.request;
	}

	/**
	 * Reads the event of a session; undefined where the session does not name it. It takes a request, once in a run, where the platform did
	 * not send the event along with the session.
	 */
	async readEvent(id: string, ask: Ask = this.ask): Promise<JsonObject | undefined> {
		const { session, event: eventSentAlong } = await this.read(id, ask);
		if (eventSentAlong) return eventSentAlong;
		const cached = this.sessions.get(id);
		const request = cached?.event ?? readEventOf(ask, session);
		if (cached) cached.event = request;
		request.catch((error: unknown) => {
			// What the platform does not show is asked for once. After any other failure, and after a cancellation, the next part asks again.
			const isNotShown = error instanceof Failure && !meaningOf(error).isPassing;
			if (cached && !isNotShown) cached.event = undefined;
		});
		const event = await request;
		if (event) this.recordEvent(id, { session, event });
		return event;
	}

	/**
	 * Does the same for a caller that can do without the event; undefined where the platform does not show it. A failure that passes, or that
	 * ends the run, is thrown: what is written without the title would stay so.
	 */
	async readEventIfShown(id: string, ask: Ask = this.ask): Promise<JsonObject | undefined> {
		await this.read(id, ask);
		return await this.readEvent(id, ask).catch((error: unknown) => {
			const { isPassing, mayBeElsewhere, isIdUnknown } = meaningOf(asFailure(error));
			if (!isPassing && (mayBeElsewhere || isIdUnknown)) return undefined;
			throw error;
		});
	}

	find(id: string): SessionRead | undefined {
		return this.sessions.get(id)?.session;
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

	private recordEvent(id: string, session: SessionRead): void {
		const cached = this.sessions.get(id);
		if (cached) Object.assign(cached, { request: Promise.resolve(session), session });
	}
}

/** Names a session as people know it, rather than by its ID: "'Product Tour' (29 Nov 10:00 Paris)". `zone`: the time zone for sessions that name none. */
function sessionName({ session, event }: SessionRead, zone: string): string {
	const attributes = attributesOf(session);
	const { name, timezone } = attributes;
	const titles = [event ? text(attributesOf(event).title) : '', text(name)].filter(Boolean);
	const ownZone = text(timezone) || zone;
	const startsAt = plannedStart(attributes);
	const time = startsAt === undefined ? undefined : shortTime(startsAt * 1_000, ownZone);
	const title = titles.length > 0 ? `'${titles.join(', ')}'` : `The session ${text(session.id)}`;
	return time === undefined ? title : `${title} (${time})`;
}
