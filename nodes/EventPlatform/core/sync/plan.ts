import { groupBy } from '../http/groupBy';
import { notSent, type Outcome, type Status } from '../bulk/outcome';
import { planRun, type Candidate } from '../bulk/plan';
import { isObject } from '../http/json';
import { attributesOf } from '../http/jsonApi';
import type { JsonObject } from '../http/ports';
import { fieldsOf, showAll, type Show } from '../http/simplify';
import { text } from '../http/text';
import type { Registration } from '../jobs/registration';
import { sameAddress, type Reason } from '../jobs/taskResult';
import { changesOf, isEmpty, outstanding, type Change } from './changes';

/** What became of one person, or would. */
export interface SyncOutcome extends Omit<Outcome, 'status'> {
	status: Exclude<Status, 'registered'> | 'added' | 'updated' | 'unchanged' | 'removed';
	changes: readonly Change[];
}

/** In the order of the interface. */
export const syncStatuses = [
	'added',
	'updated',
	'unchanged',
	'removed',
	'already_registered',
	'failed',
	'invalid',
	'duplicate',
	'unknown',
] as const satisfies ReadonlyArray<SyncOutcome['status']>;

/** Who is registered, by session; or why that is not known. */
export type Registered = ReadonlyMap<string, readonly JsonObject[] | Reason>;

/** Something to do with the registration of one person. */
export interface Step {
	/** The person's place. */
	index: number;
	sessionId: string;
	/** The record as it is registered. */
	person: JsonObject;
	/** Absent: the registration goes. */
	change?: Registration;
}

export interface SyncPlan {
	/** The list, and behind it those who are to be removed. */
	people: readonly Candidate[];
	/** One place per person: what is so when everything succeeds. */
	outcomes: readonly SyncOutcome[];
	/** Places of those who are not registered yet. */
	additions: readonly number[];
	updates: readonly Step[];
	removals: readonly Step[];
	/** A duplicate → the earlier row with the same address. */
	firstOf: ReadonlyMap<number, number>;
	/** Somebody behind the list → the first row of the session. */
	pairedTo: ReadonlyMap<number, number>;
	/** Those whom a run may remove, by session. */
	participants: ReadonlyMap<string, number>;
}

/** The sessions whose people have to be known: those with somebody who can be sent. */
export function sessionsOf(rows: readonly Candidate[]): string[] {
	return [...new Set(planRun(rows).chunks.map(({ sessionId }) => sessionId))];
}

/** What makes the registrants of each session those of the list. */
export function planSync(
	rows: readonly Candidate[],
	registered: Registered,
	removesOthers: boolean,
	show: Show = showAll,
): SyncPlan {
	const { outcomes: withheld, firstOf } = planRun(rows);
	const people: Candidate[] = [...rows];
	const outcomes: SyncOutcome[] = [];
	const additions: number[] = [];
	const updates: Step[] = [];
	const removals: Step[] = [];
	const pairedTo = new Map<number, number>();
	const participants = new Map<string, number>();
	const rowsOf = groupBy([...rows.keys()], (index) => rows[index]?.sessionId ?? '');

	for (const [sessionId, places] of rowsOf) {
		const there = registered.get(sessionId) ?? [];
		const known = 'code' in there ? [] : there;
		const byEmail = new Map(known.map((person) => [addressOf(person), person]));
		for (const index of places) {
			const { email = '', wanted } = rows[index] ?? nobody;
			const person = byEmail.get(sameAddress(email));
			const stays = withheld[index] ?? ('code' in there ? notSent(there) : undefined);
			if (stays) outcomes[index] = asSync(stays);
			else if (!person) {
				outcomes[index] = { status: 'added', changes: [], errors: [] };
				additions.push(index);
			} else {
				const change = isParticipant(person) ? outstanding(person, wanted) : nothing;
				const changes = changesOf(person, change);
				const status = isEmpty(change) ? 'unchanged' : 'updated';
				outcomes[index] = { status, person: show(fieldsOf(person)), changes, errors: [] };
				if (status === 'updated') updates.push({ index, sessionId, person, change });
			}
		}
		const removable = known.filter(isParticipant);
		participants.set(sessionId, removable.length);
		if (!removesOthers) continue;
		// Whoever stands on the list stays, even in a row that cannot be sent.
		const listed = new Set(places.map((index) => sameAddress(rows[index]?.email ?? '')));
		for (const person of removable) {
			const email = addressOf(person);
			if (email === '' || listed.has(email)) continue;
			const index = people.push({ sessionId, email, wanted: nothing, problems: [] }) - 1;
			const shown = show(fieldsOf(person));
			outcomes[index] = { status: 'removed', person: shown, changes: [], errors: [] };
			pairedTo.set(index, places[0] ?? 0);
			removals.push({ index, sessionId, person });
		}
	}
	return { people, outcomes, additions, updates, removals, firstOf, pairedTo, participants };
}

/** The statuses of bulk registration, of which one has another name here. */
export function asSync({ status, ...outcome }: Outcome): SyncOutcome {
	return { ...outcome, status: status === 'registered' ? 'added' : status, changes: [] };
}

/** A wrong list must not empty a session: so many of its people may be removed unless told otherwise. */
function usualRemovals(participants: number): number {
	return Math.max(50, Math.floor(participants / 10));
}

/** Why the run must not begin: the first session that would lose more people than it may. */
export function tooManyRemovals(
	{ removals, participants }: SyncPlan,
	most?: number,
): string | undefined {
	const bySession = groupBy(removals, ({ sessionId }) => sessionId);
	for (const [sessionId, { length }] of bySession) {
		const total = participants.get(sessionId) ?? 0;
		const allowed = most ?? usualRemovals(total);
		if (length > allowed) {
			return `The list would remove ${length} of ${total} people from the session ${sessionId}, and at most ${allowed} may be removed. Nothing was sent.`;
		}
	}
	return undefined;
}

/** The requests that the plan takes, by session and together. */
export function requestsOf({ people, additions, updates, removals }: SyncPlan) {
	const bySession = new Map<string, number>();
	const add = (sessionId: string, requests: number) =>
		bySession.set(sessionId, (bySession.get(sessionId) ?? 0) + requests);
	const { chunks } = planRun(additions.flatMap((index) => people[index] ?? []));
	// One to send each, and one to read its results.
	for (const { sessionId } of chunks) add(sessionId, 2);
	for (const { sessionId } of [...updates, ...removals]) add(sessionId, 1);
	const requests = [...bySession.values()].reduce((sum, count) => sum + count, 0);
	return { requests, bySession };
}

const nothing: Registration = { fields: [], tracking: {} };
const nobody: Pick<Candidate, 'email' | 'wanted'> = { wanted: nothing };

function addressOf(person: JsonObject): string {
	return sameAddress(text(attributesOf(person).email));
}

/** Team members and guest speakers are nobody's registrants: they stay as they are. */
function isParticipant(person: JsonObject): boolean {
	const { role, registrant_detail: detail } = attributesOf(person);
	const isGuest = isObject(detail) && detail.is_guest_speaker === true;
	return text(role).toLowerCase() === 'participant' && !isGuest;
}
