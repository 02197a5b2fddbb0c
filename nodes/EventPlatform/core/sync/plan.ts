import { groupBy } from '../http/collections';
import { notSent, type Outcome, type Status } from '../bulk/outcome';
import { planRun, type Candidate } from '../bulk/plan';
import type { JsonObject } from '../http/ports';
import { fieldsOf, showAll, type Show } from '../records/simplify';
import { addressesIn, isAddress, sameAddress } from '../jobs/address';
import { reasonOf, type Registration, type Reason } from '../jobs/task';
import { changesOf, isEmpty, outstanding, type Change } from './changes';
import {
	addressBook,
	addressOf,
	doubtAbout,
	doubtAboutSession,
	isOfTheTeam,
	tooMany,
	typingMistake,
	whyKept,
	whyNever,
} from './law';
import { typingMistakes } from './typingMistakes';

/** What became of one person, or would. */
export interface SyncOutcome extends Omit<Outcome, 'status'> {
	status: SyncStatus;
	changes: readonly Change[];
}

type Done = 'added' | 'updated' | 'removed';
type SyncStatus =
	| Exclude<Status, 'registered'>
	| Done
	| 'unchanged'
	/** The platform still shows something else than the list. */
	| 'not_updated'
	/** Not on the list, and not removed, with the reason. */
	| 'kept'
	/** Of a dry run. */
	| 'would_add'
	| 'would_update'
	| 'would_remove';

/** In the order of the interface. */
export const syncStatuses = [
	'added',
	'updated',
	'not_updated',
	'unchanged',
	'removed',
	'kept',
	'already_registered',
	'failed',
	'invalid',
	'duplicate',
	'unknown',
] as const satisfies readonly SyncStatus[];

/** What a dry run calls what a run does. */
export const inDryRun: Readonly<Record<Done, SyncStatus>> = {
	added: 'would_add',
	updated: 'would_update',
	removed: 'would_remove',
};

/** A session of the list: who is registered, or why that is not known. */
export interface Registered {
	/** With title and time, for people. */
	name: string;
	people: readonly JsonObject[] | Reason;
}

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
	/** The list, and behind it those who are to be removed or are kept. */
	people: readonly Candidate[];
	/** One place per person: what is so when everything succeeds. */
	outcomes: readonly SyncOutcome[];
	/** Places of those who are not registered yet. */
	additions: readonly number[];
	updates: readonly Step[];
	/** Those who go unless something is in doubt. */
	removals: readonly Step[];
	/** What speaks against removals before anything is sent, by session. */
	doubts: ReadonlyMap<string, readonly string[]>;
	/** Beside the outcome: of whom it may be a second address. */
	notes: ReadonlyMap<number, Reason>;
	/** A duplicate → the earlier row with the same person. */
	firstOf: ReadonlyMap<number, number>;
	/** Somebody behind the list → the first row of the session. */
	pairedTo: ReadonlyMap<number, number>;
	/** How many are registered and not on the list, whether they are to be removed or not. */
	others: number;
	/** Why the run must not begin. */
	refusal?: Reason;
}

export interface Rules {
	removesOthers: boolean;
	/** At most so many in one session; absent: a fifth of its participants. */
	mostRemovals?: number;
	/** Removals do not wait until everything is certain. */
	removesDespite?: boolean;
}

/** The sessions whose people have to be known: those with somebody who can be sent. */
export function sessionsOf(rows: readonly Candidate[]): string[] {
	return [...new Set(planRun(rows).chunks.map(({ sessionId }) => sessionId))];
}

/** What makes the registrants of each session those of the list. */
export function planSync(
	rows: readonly Candidate[],
	registered: ReadonlyMap<string, Registered>,
	rules: Rules,
	show: Show = showAll,
): SyncPlan {
	return new Planning(rows, registered, rules, show).finish();
}

class Planning {
	private readonly people: Candidate[];
	private readonly outcomes: SyncOutcome[] = [];
	private readonly additions: number[] = [];
	private readonly updates: Step[] = [];
	private readonly removals: Step[] = [];
	private readonly doubts = new Map<string, string[]>();
	private readonly notes = new Map<number, Reason>();
	private readonly pairedTo = new Map<number, number>();
	private readonly firstOf: Map<number, number>;
	private readonly withheld: ReadonlyArray<Outcome | undefined>;
	private readonly addressesOf: (person: JsonObject) => string[];
	private others = 0;
	private refusal?: Reason;

	constructor(
		private readonly rows: readonly Candidate[],
		private readonly registered: ReadonlyMap<string, Registered>,
		private readonly rules: Rules,
		private readonly show: Show,
	) {
		this.people = [...rows];
		const { outcomes, firstOf } = planRun(rows);
		this.withheld = outcomes;
		this.firstOf = new Map(firstOf);
		this.addressesOf = addressBook([...registered.values()].map(({ people }) => listIn(people)));
	}

	finish(): SyncPlan {
		const rowsOf = groupBy([...this.rows.keys()], (index) => this.rows[index]?.sessionId ?? '');
		const unread = [...rowsOf].filter(([id]) => !this.isRead(id)).map(([, [index = 0]]) => index);
		for (const [sessionId, places] of rowsOf) {
			const known = listIn(this.registered.get(sessionId)?.people ?? []);
			this.planRows(sessionId, places, known);
			this.planOthers(sessionId, places, known, unread);
		}
		const { people, outcomes, additions, updates, removals } = this;
		const { doubts, notes, firstOf, pairedTo, others, refusal } = this;
		const steps = { additions, updates, removals };
		return { people, outcomes, ...steps, doubts, notes, firstOf, pairedTo, others, refusal };
	}

	private isRead(sessionId: string): boolean {
		const session = this.registered.get(sessionId);
		return session !== undefined && Array.isArray(session.people);
	}

	private planRows(sessionId: string, places: readonly number[], known: readonly JsonObject[]) {
		const personOf = new Map<string, JsonObject>();
		// An address that the session shows goes before one that another session shows.
		for (const addresses of [(person: JsonObject) => [addressOf(person)], this.addressesOf]) {
			for (const person of known) {
				for (const address of addresses(person)) {
					if (!personOf.has(address)) personOf.set(address, person);
				}
			}
		}
		const rowOf = new Map<JsonObject, number>();
		const unknown = this.registered.get(sessionId)?.people;
		for (const index of places) {
			const { email = '', wanted } = this.rows[index] ?? nobody;
			const person = personOf.get(sameAddress(email));
			const first = person && rowOf.get(person);
			const why = unknown && 'code' in unknown ? notSent(unknown) : undefined;
			const stays = this.withheld[index] ?? why;
			if (stays) this.outcomes[index] = asSync(stays);
			else if (!person) this.add(index);
			else if (first !== undefined) {
				this.firstOf.set(index, first);
				this.outcomes[index] = samePerson;
			} else {
				rowOf.set(person, index);
				this.compare({ index, sessionId, person }, wanted);
			}
		}
	}

	private add(index: number): void {
		this.outcomes[index] = { status: 'added', changes: [], errors: [] };
		this.additions.push(index);
	}

	/** The address is what tells who it is, so it is no answer to change. */
	private compare(step: Step, { fields, tracking }: Registration): void {
		const { person, index } = step;
		const answers = { fields: fields.filter(({ id }) => id !== 'email'), tracking };
		const change = isOfTheTeam(person) ? nothing : outstanding(person, answers);
		const changes = changesOf(person, change);
		const status = isEmpty(change) ? 'unchanged' : 'updated';
		const shown = this.show(fieldsOf(person));
		this.outcomes[index] = { status, person: shown, changes, errors: [] };
		if (status === 'updated') this.updates.push({ ...step, change });
	}

	/** Those who are registered and not on the list. */
	private planOthers(
		sessionId: string,
		places: readonly number[],
		known: readonly JsonObject[],
		unread: readonly number[],
	): void {
		const listed = new Set(places.flatMap((index) => addressesIn(this.rows[index]?.email ?? '')));
		const others = known.filter(
			(person) =>
				!isOfTheTeam(person) && !this.addressesOf(person).some((address) => listed.has(address)),
		);
		this.others += others.length;
		if (!this.rules.removesOthers) return;
		const removals: Step[] = [];
		for (const person of others) {
			const email = addressOf(person) || undefined;
			const index = this.people.push({ sessionId, email, wanted: nothing, problems: [] }) - 1;
			const never = whyNever(person);
			const shown = this.show(fieldsOf(person));
			const status = never === undefined ? 'removed' : 'kept';
			const errors = never === undefined ? [] : [{ code: 'kept', message: never }];
			this.outcomes[index] = { status, person: shown, changes: [], errors };
			this.pairedTo.set(index, places[0] ?? 0);
			if (never === undefined) removals.push({ index, sessionId, person });
		}
		this.removals.push(...removals);
		this.judge(sessionId, places, known, removals, unread);
	}

	private judge(
		sessionId: string,
		places: readonly number[],
		known: readonly JsonObject[],
		removals: readonly Step[],
		unread: readonly number[],
	): void {
		if (removals.length === 0) return;
		const session = this.registered.get(sessionId)?.name ?? sessionId;
		const participants = known.filter((one) => !isOfTheTeam(one) && !whyNever(one)).length;
		const people = removals.map(({ person }) => person);
		const tooManyGo = tooMany({ session, participants, people }, this.rules.mostRemovals);
		if (tooManyGo !== undefined) {
			this.refusal ??= { code: 'too_many_removals', message: tooManyGo };
		}
		if (this.rules.removesDespite) return;
		const doubts = [
			...this.doubtsAboutRows(places, known),
			...unread.map((index) => doubtAboutSession(index + 1)),
		];
		const own = this.typingMistakes(removals, doubts);
		if (doubts.length === 0) return;
		this.doubts.set(sessionId, doubts);
		for (const { index } of removals) {
			const first = own.get(index);
			const why = first === undefined ? doubts : [first, ...doubts.filter((one) => one !== first)];
			this.outcomes[index] = kept(this.outcomes[index], why);
		}
	}

	/** Rows that cannot be sent, and whose person is not known to be registered. */
	private doubtsAboutRows(places: readonly number[], known: readonly JsonObject[]): string[] {
		const there = new Set(known.flatMap(this.addressesOf));
		return places.flatMap((index) => {
			const { email = '' } = this.rows[index] ?? nobody;
			const { status = 'added', errors = [] } = this.withheld[index] ?? {};
			if (status !== 'invalid') return [];
			if (isAddress(email) && there.has(sameAddress(email))) return [];
			const reason = reasonOf(errors) ?? 'it cannot be read.';
			return doubtAbout({ row: index + 1, email: email || undefined, status, reason }) ?? [];
		});
	}

	/** Adds to the doubts, and gives those that people who are registered have of their own. */
	private typingMistakes(removals: readonly Step[], doubts: string[]): Map<number, string> {
		const own = new Map<number, string>();
		const sessionId = removals[0]?.sessionId;
		const added = new Map<string, number>();
		for (const index of this.additions) {
			const { sessionId: its, email = '' } = this.rows[index] ?? nobody;
			if (its === sessionId) added.set(sameAddress(email), index);
		}
		const removed = new Map(removals.map(({ person, index }) => [addressOf(person), index]));
		for (const pair of typingMistakes([...added.keys()], [...removed.keys()])) {
			const why = typingMistake(pair.added, 'on the list');
			doubts.push(why);
			own.set(removed.get(pair.removed) ?? -1, why);
			const message = typingMistake(pair.removed, 'registered');
			this.notes.set(added.get(pair.added) ?? -1, { code: 'typing_mistake', message });
		}
		for (const [index, note] of this.notes) {
			const outcome = this.outcomes[index];
			if (outcome) this.outcomes[index] = { ...outcome, errors: [note] };
		}
		return own;
	}
}

/** The statuses of bulk registration, of which one has another name here. */
export function asSync({ status, ...outcome }: Outcome): SyncOutcome {
	return { ...outcome, status: status === 'registered' ? 'added' : status, changes: [] };
}

export function kept(planned: SyncOutcome | undefined, doubts: readonly string[]): SyncOutcome {
	const errors = [{ code: 'kept', message: whyKept(doubts) }];
	return { changes: [], ...planned, status: 'kept', errors };
}

/** The requests that the plan takes, by session and together. */
export function requestsOf({ people, additions, updates, removals, doubts }: SyncPlan) {
	const bySession = new Map<string, number>();
	const add = (sessionId: string, requests: number) =>
		bySession.set(sessionId, (bySession.get(sessionId) ?? 0) + requests);
	const { chunks } = planRun(additions.flatMap((index) => people[index] ?? []));
	// One to send each, and one to read its results.
	for (const { sessionId } of chunks) add(sessionId, 2);
	const certain = removals.filter(({ sessionId }) => !doubts.has(sessionId));
	for (const { sessionId } of [...updates, ...certain]) add(sessionId, 1);
	const requests = [...bySession.values()].reduce((sum, count) => sum + count, 0);
	return { requests, bySession };
}

function listIn(people: Registered['people']): readonly JsonObject[] {
	return 'code' in people ? [] : people;
}

const nothing: Registration = { fields: [], tracking: {} };
const nobody: Candidate = { sessionId: '', wanted: nothing, problems: [] };

const samePerson: SyncOutcome = {
	status: 'duplicate',
	changes: [],
	errors: [
		{
			code: 'duplicate',
			message:
				'The same person stands earlier in this run for the same session, with another address.',
		},
	],
};
