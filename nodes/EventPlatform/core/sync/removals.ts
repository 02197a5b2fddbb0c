import { readRecord } from '../client/document';
import { pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { platformNowMs, type Run } from '../client/run';
import { asFailure, Failure } from '../client/failure';
import { findByEmail } from '../people/findPeople';
import {
	afterMissing,
	removePerson,
	shownEmailOf,
	type Permission,
	type Removal,
} from '../people/removal';
import type { Outage } from '../registration/outage';
import type { Outcome, Reason } from '../people/outcome';
import { phaseOf } from '../sessions/phase';
import type { JsonObject } from '../values/json';
import * as law from './law';
import { outcomeOfKept, type CandidateTo } from './intent';

/*
 * A removal of someone whose session has begun would cost the record of an attendance, so a reading of the session counts for a few
 * seconds only. It serves all removals of three seconds, so that about one request in twenty is a reading at the usual limit. The
 * last of them has seven seconds left to leave: the eight that wait at once need two.
 */

/** A session is read again before a removal where its last reading is older than this. */
export const freshMs = 3_000;
/** A removal that has not left so long after the reading of its session does not leave any more. */
const mostDelayMs = 10_000;
/** So long before its planned start a session counts as begun: a removal takes its time, and dates of the platform have whole seconds. */
const marginMs = 5_000;

interface SessionReading {
	/** When its response came, by our clock. */
	readonly atMs: number;
	readonly session: law.SessionOfList;
	readonly reason?: Reason;
}

const removed: Outcome = { status: 'removed', reasons: [] };

/**
 * Removes people, and applies the third part of the law right before each removal. Additions, updates and many removals take minutes,
 * in which a session may begin and people may watch its replay. What keeps one person of a session keeps everybody who would be
 * removed after them.
 */
export class Removals {
	private readonly readings = new Map<string, Promise<SessionReading>>();

	constructor(
		private readonly planned: ReadonlyMap<string, law.SessionOfList>,
		private readonly run: Run,
		private readonly outage: Outage,
	) {}

	async remove(ask: Ask, { row, person }: CandidateTo<'remove'>): Promise<Outcome | Failure> {
		const { id, email } = person;
		const removal = { sessionId: row.sessionId, person: { id, attributes: { email } } };
		const permit = (sinceMs: number) => this.permissionFor(removal, ask, sinceMs);
		const result = await removePerson(ask, removal, this.run, permit).catch(asFailure);
		if (!(result instanceof Failure)) return result ? outcomeOfKept(result) : removed;
		if (result.cause === 'not_found') return await outcomeOfMissing(ask, removal);
		throw result;
	}

	/** An older reading of the session than `sinceMs` does not count, however fresh it is. */
	private async permissionFor(
		{ sessionId, person }: Removal,
		ask: Ask,
		sinceMs: number,
	): Promise<Permission> {
		const oldestMs = Math.max(sinceMs, this.run.clock.now() - freshMs);
		const { session, reason, atMs } = await this.readSince(oldestMs, sessionId, ask);
		if (reason) return { reason };
		const isOnDemand = phaseOf(session.session ?? {}) === 'onDemand';
		const reasonOfPerson =
			isOnDemand && (await this.reasonOfViewer(sessionId, person, session, ask));
		if (reasonOfPerson) return { reason: reasonOfPerson };
		const latestMs = atMs + mostDelayMs;
		// The end of the run is told by the failure of its requests.
		if (latestMs >= (this.run.deadlineAt ?? Infinity)) return {};
		return { latest: { atMs: latestMs, reason: law.reasonOfLateRemoval(session.name) } };
	}

	private nameOf(sessionId: string): string {
		return this.planned.get(sessionId)?.name ?? sessionId;
	}

	/** A session from which nobody may be removed is not read again. */
	private async readSince(oldestMs: number, sessionId: string, ask: Ask): Promise<SessionReading> {
		for (;;) {
			const pending = this.readings.get(sessionId) ?? this.read(sessionId, ask);
			this.readings.set(sessionId, pending);
			const reading = await pending;
			if (reading.reason !== undefined || reading.atMs >= oldestMs) return reading;
			// Another removal may have begun to read the session meanwhile.
			if (this.readings.get(sessionId) === pending) this.readings.delete(sessionId);
		}
	}

	private async read(sessionId: string, ask: Ask): Promise<SessionReading> {
		const { clock } = this.run;
		const name = this.nameOf(sessionId);
		const request: ApiRequest = { method: 'GET', path: pathTo`/sessions/${sessionId}` };
		try {
			const session = { name, session: readRecord(request, await ask(request)) };
			const latestMs = platformNowMs(this.run) + mostDelayMs + marginMs;
			return { atMs: clock.now(), session, reason: law.reasonToRemoveNobody(session, latestMs) };
		} catch (error) {
			const { message } = this.outage.reasonOf(error);
			const reason = law.reasonOfUnreadSession(name, message);
			return { atMs: clock.now(), session: { name }, reason };
		}
	}

	private async reasonOfViewer(
		sessionId: string,
		person: JsonObject,
		session: law.SessionOfList,
		ask: Ask,
	): Promise<Reason | undefined> {
		try {
			const { listed } = await findByEmail(ask, sessionId, shownEmailOf(person));
			const current = listed.find(({ id }) => id === person.id);
			if (!current) return law.reasonOfUnreadViewer(session.name);
			return (
				law.reasonNeverToRemove(current) ??
				law.reasonOfAttendance(current, session, platformNowMs(this.run))
			);
		} catch (error) {
			const { message } = this.outage.reasonOf(error);
			return law.reasonOfUnreadViewer(session.name, message);
		}
	}
}

const stillThere: Reason = {
	code: 'not_removed',
	message: 'The platform did not find the person to remove, but its list of people still has them.',
};

async function outcomeOfMissing(ask: Ask, removal: Removal): Promise<Outcome | Failure> {
	const result = await afterMissing(ask, removal);
	if (result instanceof Failure) return result;
	return result === 'removed' ? removed : { status: 'failed', reasons: [stillThere] };
}
