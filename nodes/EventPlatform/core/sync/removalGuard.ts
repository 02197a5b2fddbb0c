import { attributesOf, readRecord } from '../client/document';
import { pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import type { RunParts } from '../bulk/runParts';
import { isOfAnotherSession } from '../people/identity';
import { fetchPeoplePage } from '../people/findPeople';
import type { Reason } from '../people/reason';
import { reasonOfError } from '../people/outcome';
import { phaseOf } from '../sessions/phase';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import * as law from './law';
import type { Entry } from './intent';
import type { PlatformTime } from './platformTime';

/** A session is read again before a removal where its last reading is older than this. */
const freshMs = 3_000;
/** A removal that has not left so long after the reading of its session does not leave any more. */
const mostDelayMs = 10_000;
/** So long before its planned start a session counts as begun: a removal takes its time, and dates of the platform have whole seconds. */
const marginMs = 5_000;

/** A session as it was read last before a removal. */
interface Reading {
	/** When its response came, by our clock. */
	readonly atMs: number;
	readonly session: law.SessionOfList;
	/** Why nobody may be removed any more. Absent: people may be removed for a moment. */
	readonly reason?: Reason;
}

/** Whether a person may be removed now. */
export type Permission =
	| {
			/** Why the person is kept. */
			reason: Reason;
	  }
	| {
			reason?: undefined;
			/** When the permission ends, by our clock. */
			untilMs: number;
	  };

/**
 * Applies the third part of the law right before each removal. Additions, updates and many removals take minutes, in which a session may
 * begin and people may watch its replay. What keeps one person of a session keeps everybody who would be removed after them.
 */
export class RemovalGuard {
	/** The last reading of each session, which may still be under way. */
	private readonly readings = new Map<string, Promise<Reading>>();

	/** `planned`: the sessions as the plan knows them, by their ids. */
	constructor(
		private readonly planned: ReadonlyMap<string, law.SessionOfList>,
		private readonly parts: Pick<RunParts, 'clock' | 'sessions'>,
		private readonly time: PlatformTime,
	) {}

	/** Gives the name of a session for people. */
	nameOf(sessionId: string): string {
		return this.planned.get(sessionId)?.name ?? sessionId;
	}

	/** Tells whether a person may be removed. `sinceMs`: an older reading of the session does not count, however fresh it is. */
	async permissionFor(
		{ sessionId, person }: Entry,
		ask: Ask,
		sinceMs = -Infinity,
	): Promise<Permission> {
		const oldestMs = Math.max(sinceMs, this.parts.clock.now() - freshMs);
		const { session, reason, atMs } = await this.readSince(oldestMs, sessionId, ask);
		if (reason !== undefined) return { reason };
		const isOnDemand = phaseOf(session.session ?? {}) === 'onDemand';
		const reasonOfPerson =
			isOnDemand && person
				? await this.reasonOfViewer(sessionId, person.record, session, ask)
				: undefined;
		return reasonOfPerson === undefined
			? { untilMs: atMs + mostDelayMs }
			: { reason: reasonOfPerson };
	}

	/** Gives a reading of a session that is no older than this. A session from which nobody may be removed is not read again. */
	private async readSince(oldestMs: number, sessionId: string, ask: Ask): Promise<Reading> {
		for (;;) {
			const pending = this.readings.get(sessionId) ?? this.read(sessionId, ask);
			this.readings.set(sessionId, pending);
			const reading = await pending;
			if (reading.reason !== undefined || reading.atMs >= oldestMs) return reading;
			// Another removal may have begun to read the session meanwhile.
			if (this.readings.get(sessionId) === pending) this.readings.delete(sessionId);
		}
	}

	private async read(sessionId: string, ask: Ask): Promise<Reading> {
		const { clock, sessions } = this.parts;
		const name = this.nameOf(sessionId);
		const request: ApiRequest = { method: 'GET', path: pathTo`/sessions/${sessionId}` };
		try {
			const session = { name, session: readRecord(request, await ask(request)) };
			const latestMs = this.time.nowMs() + mostDelayMs + marginMs;
			return { atMs: clock.now(), session, reason: law.reasonToRemoveNobody(session, latestMs) };
		} catch (error) {
			const { message } = reasonOfError(error, sessions);
			const reason = law.reasonOfUnreadSession(name, message);
			return { atMs: clock.now(), session: { name }, reason };
		}
	}

	/** Reads a person of a session on demand again. Gives the reason to keep the person; undefined where nothing speaks against the removal. */
	private async reasonOfViewer(
		sessionId: string,
		person: JsonObject,
		session: law.SessionOfList,
		ask: Ask,
	): Promise<Reason | undefined> {
		const query = { 'filter[email]': text(attributesOf(person).email) };
		try {
			const { records } = await fetchPeoplePage(ask, sessionId, query);
			const current = records.find(
				(record) => record.id === person.id && !isOfAnotherSession(record, sessionId),
			);
			if (!current) return law.reasonOfUnreadViewer(session.name);
			return (
				law.reasonNeverToRemove(current) ??
				law.reasonOfAttendance(current, session, this.time.nowMs())
			);
		} catch (error) {
			const { message } = reasonOfError(error, this.parts.sessions);
			return law.reasonOfUnreadViewer(session.name, message);
		}
	}
}
