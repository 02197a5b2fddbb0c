import { notSendable, notSent, type PersonOutcome } from '../bulk/outcome';
import { planRun, type Candidate } from '../bulk/plan';
import { groupBy } from '../http/collections';
import { problemOfId } from '../http/path';
import type { JsonObject } from '../http/json';
import { addressesIn, isAddress, sameAddress } from '../jobs/address';
import type { Reason } from '../jobs/task';
import { fieldsOf, showAll, type Show } from '../records/simplify';
import { outstanding } from './changes';
import * as law from './law';
import type { Registered } from './registered';
import type { Step } from './steps';
import { typingMistakes } from './typingMistakes';

/** A row of the list, or somebody who is registered and not on it. */
export interface Entry {
	candidate: Candidate;
	/** Among the entries, which begin with the list. */
	place: number;
	/** What is so when everything succeeds; at the end, what became of it. */
	outcome: PersonOutcome;
	todo?: 'add' | Step;
}

export interface SyncPlan {
	/** The list, and behind it those who are to be removed or are kept. */
	entries: Entry[];
	/** A duplicate → the earlier row with the same person. */
	firstOf: Map<number, number>;
	/** Somebody behind the list → the first row of the session. */
	pairedTo: Map<number, number>;
	/** How many are registered and not on the list, to be removed or not. */
	others: number;
	/** Why nothing is to be sent. */
	refusal?: Reason;
}

export interface Rules {
	removesOthers: boolean;
	/** At most so many in one session; absent: a fifth of its participants. */
	mostRemovals?: number;
	/** Removals do not wait until everything is certain. */
	removesDespite?: boolean;
}

export function planSync(
	list: readonly Candidate[],
	registered: ReadonlyMap<string, Registered>,
	rules: Rules,
	show: Show = showAll,
): SyncPlan {
	const { outcomes, firstOf } = planRun(list);
	const entries = list.map((candidate, place): Entry => {
		const todo = outcomes[place] ? undefined : 'add';
		const outcome = { ...(outcomes[place] ?? added), changes: [] };
		return { candidate, place, outcome, todo };
	});
	const plan: SyncPlan = { entries, firstOf: new Map(firstOf), pairedTo: new Map(), others: 0 };
	const everyone = [...registered.values()].flatMap(({ people }) => listIn(people));
	const addressesOf = law.addressBook(everyone);
	const rowsOf = groupBy(entries, ({ candidate }) => candidate.sessionId);
	const sessions = [...rowsOf].map(([id, rows]) =>
		compare(id, rows, registered.get(id), addressesOf),
	);
	const unread = sessions
		.filter(({ people }) => !Array.isArray(people))
		.map(({ firstPlace }) => law.doubtAboutSession(firstPlace));
	for (const session of sessions) {
		planRows(session, plan.firstOf, show);
		plan.others += session.others.length;
		if (!rules.removesOthers) continue;
		const behind = session.others.map((person) => putBehind(person, session, plan, show));
		plan.refusal ??= law.tooMany(session.name, session.known, session.others, rules.mostRemovals);
		const removals = behind.filter(({ todo }) => todo);
		if (!rules.removesDespite) holdBack(removals, session, unread);
	}
	return plan;
}

/** A session of the list: its rows beside those who are registered. */
interface Session extends Registered {
	id: string;
	rows: readonly Entry[];
	firstPlace: number;
	/** Those who are registered, as far as they could be read. */
	known: readonly JsonObject[];
	/** Those by each address that a session of the run shows of them. */
	personOf: ReadonlyMap<string, JsonObject>;
	/** Those of them who are not on the list. */
	others: readonly JsonObject[];
}

function compare(
	id: string,
	rows: readonly Entry[],
	{ name, people }: Registered = { name: id },
	addressesOf: (person: JsonObject) => string[],
): Session {
	const known = listIn(people).filter((person) => !law.isOfAnotherSession(person, id));
	const shownHere = known.map((person) => [law.addressOf(person), person] as const);
	const shown = known.flatMap((person) =>
		addressesOf(person).map((address) => [address, person] as const),
	);
	// An address that the session shows goes before one that another session shows.
	const personOf = new Map([...shownHere, ...shown].reverse());
	personOf.delete('');
	const listed = new Set(rows.flatMap(({ candidate: { email = '' } }) => addressesIn(email)));
	const isListed = (person: JsonObject) =>
		addressesOf(person).some((address) => listed.has(address));
	const others = known.filter((person) => !law.isOfTheTeam(person) && !isListed(person));
	return { id, name, people, rows, firstPlace: rows[0]?.place ?? 0, known, personOf, others };
}

function planRows({ rows, people, personOf }: Session, firstOf: SyncPlan['firstOf'], show: Show) {
	const rowOf = new Map<JsonObject, Entry>();
	for (const row of rows.filter(({ todo }) => todo)) {
		const person = personOf.get(sameAddress(row.candidate.email ?? ''));
		const first = person && rowOf.get(person);
		if (people && 'code' in people) {
			become(row, notSent(people));
		} else if (first) {
			firstOf.set(row.place, first.place);
			become(row, samePerson);
		} else if (person) {
			rowOf.set(person, row);
			change(row, person, show);
		}
	}
}

/** Makes of an addition a change. The address tells who it is, so it is no answer to change. */
function change(row: Entry, person: JsonObject, show: Show): void {
	const { sessionId, wanted } = row.candidate;
	const answers = { ...wanted, fields: wanted.fields.filter(({ id }) => id !== 'email') };
	const changes = law.isOfTheTeam(person) ? [] : outstanding(person, answers);
	const shown = show(fieldsOf(person));
	if (changes.length === 0) {
		become(row, { status: 'unchanged', person: shown });
	} else if (problemOfId(person.id) !== undefined) {
		become(row, notSent({ code: 'no_id', message: law.noId }));
	} else {
		become(row, { status: 'updated', changes, person: shown });
		row.todo = { sessionId, person, wanted: answers };
	}
}

/** Behind the list: somebody to remove, or to keep where the person is never removed. */
function putBehind(
	person: JsonObject,
	{ id: sessionId, firstPlace }: Session,
	{ entries, pairedTo }: SyncPlan,
	show: Show,
): Entry {
	const email = law.addressOf(person) || undefined;
	const entry: Entry = {
		candidate: { sessionId, email, wanted: { fields: [], tracking: {} }, problems: [] },
		place: entries.length,
		outcome: { status: 'removed', changes: [], person: show(fieldsOf(person)), errors: [] },
		todo: { sessionId, person },
	};
	const never = law.whyNever(person);
	if (never !== undefined) keep(entry, never);
	pairedTo.set(entry.place, firstPlace);
	entries.push(entry);
	return entry;
}

/** Nobody goes while something is in doubt. Who may be somebody of the list is told that first. */
function holdBack(removals: readonly Entry[], session: Session, unread: readonly string[]): void {
	const doubts = new Set([...doubtsAboutRows(session), ...unread]);
	const additions = session.rows.filter(({ todo }) => todo === 'add');
	const rowOf = new Map(additions.map((row) => [sameAddress(row.candidate.email ?? ''), row]));
	/** Why each of those who go may be somebody of the list, by address. */
	const own = new Map<string, string>();
	const removed = new Set(removals.flatMap(({ candidate: { email } }) => email ?? []));
	for (const pair of typingMistakes([...rowOf.keys()], [...removed])) {
		const why = law.typingMistake(pair.added, 'on the list');
		doubts.add(why);
		own.set(pair.removed, why);
		const message = law.typingMistake(pair.removed, 'registered');
		const row = rowOf.get(pair.added);
		if (row) row.outcome = { ...row.outcome, errors: [{ code: 'typing_mistake', message }] };
	}
	const [any] = doubts;
	if (any === undefined) return;
	for (const entry of removals) {
		const first = own.get(entry.candidate.email ?? '') ?? any;
		keep(entry, law.whyKept(first, doubts.size - 1));
	}
}

/** Rows that cannot be sent, and whose person is not known to be registered. */
function doubtsAboutRows({ rows, personOf }: Session): string[] {
	return rows.flatMap(({ place, candidate: { email = '' }, outcome }) => {
		const isThere = isAddress(email) && personOf.has(sameAddress(email));
		if (outcome.status !== 'invalid' || isThere) return [];
		return law.doubtAbout(place, email, outcome) ?? [];
	});
}

/** Nothing is sent, or no more. What was not changed has no changes, unless it says which are left. */
export function become(entry: Entry, became: Partial<PersonOutcome>): void {
	entry.todo = undefined;
	entry.outcome = { ...entry.outcome, changes: [], ...became };
}

export function keep(entry: Entry, message: string): void {
	become(entry, { status: 'kept', errors: [{ code: 'kept', message }] });
}

function listIn(people: Registered['people'] = []): readonly JsonObject[] {
	return 'code' in people ? [] : people;
}

const added: PersonOutcome = { status: 'added', errors: [] };

const samePerson = notSendable('duplicate', [
	'An earlier row of this run has the same person for the same session, with another address.',
]);
