import { notSendable, notSent, type PersonOutcome } from '../bulk/outcome';
import { planRun, type Candidate } from '../bulk/plan';
import { groupBy } from '../http/collections';
import { problemOfId } from '../http/path';
import type { JsonObject } from '../http/ports';
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
	/** What is to be sent for that: the person, or a change or removal of the registration. */
	todo?: 'add' | Step;
}

export interface SyncPlan {
	/** The list, and behind it those who are to be removed or are kept. */
	entries: Entry[];
	/** A duplicate → the earlier row with the same person. */
	firstOf: Map<number, number>;
	/** Somebody behind the list → the first row of the session. */
	pairedTo: Map<number, number>;
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

/** What makes the registrants of each session those of the list. */
export function planSync(
	rows: readonly Candidate[],
	registered: ReadonlyMap<string, Registered>,
	rules: Rules,
	show: Show = showAll,
): SyncPlan {
	return new Planning(rows, registered, rules, show).finish();
}

/** A session of the list. */
interface Session extends Registered {
	id: string;
	rows: readonly Entry[];
	/** The place of the first one. */
	first: number;
	/** Those who are registered, as far as they could be read. */
	known: readonly JsonObject[];
}

/** Plans session by session: first its rows, then those who are registered and not on the list. */
class Planning {
	private readonly plan: SyncPlan;
	private readonly addressesOf: (person: JsonObject) => string[];
	private readonly sessions: readonly Session[];

	constructor(
		list: readonly Candidate[],
		registered: ReadonlyMap<string, Registered>,
		private readonly rules: Rules,
		private readonly show: Show,
	) {
		const { outcomes, firstOf } = planRun(list);
		const entries = list.map((candidate, place): Entry => {
			const todo = outcomes[place] ? undefined : 'add';
			const outcome = { ...(outcomes[place] ?? added), changes: [] };
			return { candidate, place, outcome, todo };
		});
		this.plan = { entries, firstOf: new Map(firstOf), pairedTo: new Map(), others: 0 };
		const everyone = [...registered.values()].flatMap(({ people }) => listIn(people));
		this.addressesOf = law.addressBook(everyone);
		const rowsOf = groupBy(entries, ({ candidate }) => candidate.sessionId);
		this.sessions = [...rowsOf].map(([id, rows]) => {
			const session = registered.get(id) ?? { name: id };
			const known = listIn(session.people).filter((person) => !law.isOfAnotherSession(person, id));
			return { ...session, id, rows, first: rows[0]?.place ?? 0, known };
		});
	}

	finish(): SyncPlan {
		const { plan, rules } = this;
		for (const session of this.sessions) {
			this.planRows(session);
			const others = this.othersOf(session);
			plan.others += others.length;
			if (!rules.removesOthers) continue;
			const behind = others.map((person) => this.putBehind(session, person));
			const removals = behind.filter(({ todo }) => todo);
			plan.refusal ??= law.tooMany(session.name, session.known, others, rules.mostRemovals);
			if (!rules.removesDespite) this.holdBack(session, removals);
		}
		return plan;
	}

	private planRows({ rows, people, known }: Session): void {
		const personOf = this.peopleByAddress(known);
		const rowOf = new Map<JsonObject, Entry>();
		for (const row of rows.filter(({ todo }) => todo)) {
			const person = personOf.get(sameAddress(row.candidate.email ?? ''));
			const first = person && rowOf.get(person);
			if (people && 'code' in people) {
				become(row, notSent(people));
			} else if (first) {
				this.plan.firstOf.set(row.place, first.place);
				become(row, samePerson);
			} else if (person) {
				rowOf.set(person, row);
				this.compare(row, person);
			}
		}
	}

	private peopleByAddress(known: readonly JsonObject[]): Map<string, JsonObject> {
		const shownHere = known.map((person) => [law.addressOf(person), person] as const);
		const shown = known.flatMap((person) =>
			this.addressesOf(person).map((address) => [address, person] as const),
		);
		// An address that the session shows goes before one that another session shows.
		const personOf = new Map([...shownHere, ...shown].reverse());
		personOf.delete('');
		return personOf;
	}

	/** The address is what tells who it is, so it is no answer to change. */
	private compare(row: Entry, person: JsonObject): void {
		const { sessionId, wanted } = row.candidate;
		const answers = { ...wanted, fields: wanted.fields.filter(({ id }) => id !== 'email') };
		const changes = law.isOfTheTeam(person) ? [] : outstanding(person, answers);
		const isSame = changes.length === 0;
		become(row, { status: isSame ? 'unchanged' : 'updated', changes, ...this.shown(person) });
		if (isSame) return;
		if (problemOfId(person.id) === undefined) row.todo = { sessionId, person, wanted: answers };
		else become(row, notSent({ code: 'no_id', message: law.noId }));
	}

	private shown(person: JsonObject): Pick<PersonOutcome, 'person' | 'errors'> {
		return { person: this.show(fieldsOf(person)), errors: [] };
	}

	/** Those who are registered and not on the list. */
	private othersOf({ rows, known }: Session): JsonObject[] {
		const listed = new Set(rows.flatMap(({ candidate: { email = '' } }) => addressesIn(email)));
		const isListed = (person: JsonObject) =>
			this.addressesOf(person).some((address) => listed.has(address));
		return known.filter((person) => !law.isOfTheTeam(person) && !isListed(person));
	}

	/** With nothing to do where the person is never removed. */
	private putBehind({ id: sessionId, first }: Session, person: JsonObject): Entry {
		const { entries, pairedTo } = this.plan;
		const email = law.addressOf(person) || undefined;
		const entry: Entry = {
			candidate: { sessionId, email, wanted: { fields: [], tracking: {} }, problems: [] },
			place: entries.length,
			outcome: { status: 'removed', changes: [], ...this.shown(person) },
			todo: { sessionId, person },
		};
		const never = law.whyNever(person);
		if (never !== undefined) keep(entry, never);
		pairedTo.set(entry.place, first);
		entries.push(entry);
		return entry;
	}

	/** Nobody goes while something is in doubt. Who may be somebody of the list is told that first. */
	private holdBack(session: Session, removals: readonly Entry[]): void {
		const unread = this.sessions.filter(({ people }) => !Array.isArray(people));
		const doubts = [
			...this.doubtsAboutRows(session),
			...unread.map(({ first }) => law.doubtAboutSession(first)),
		];
		const additions = session.rows.filter(({ todo }) => todo === 'add');
		const rowOf = new Map(additions.map((row) => [sameAddress(row.candidate.email ?? ''), row]));
		/** Why each of those who go may be somebody of the list, by address. */
		const own = new Map<string, string>();
		const removed = new Set(removals.flatMap(({ candidate: { email } }) => email ?? []));
		for (const pair of typingMistakes([...rowOf.keys()], [...removed])) {
			const why = law.typingMistake(pair.added, 'on the list');
			doubts.push(why);
			own.set(pair.removed, why);
			const message = law.typingMistake(pair.removed, 'registered');
			const row = rowOf.get(pair.added);
			if (row) row.outcome = { ...row.outcome, errors: [{ code: 'typing_mistake', message }] };
		}
		if (doubts.length === 0) return;
		for (const entry of removals) {
			const first = own.get(entry.candidate.email ?? '');
			const why = first === undefined ? doubts : [first, ...doubts.filter((one) => one !== first)];
			keep(entry, law.whyKept(why));
		}
	}

	/** Rows that cannot be sent, and whose person is not known to be registered. */
	private doubtsAboutRows({ rows, known }: Session): string[] {
		const there = new Set(known.flatMap(this.addressesOf));
		return rows.flatMap(({ place, candidate: { email = '' }, outcome }) => {
			if (outcome.status !== 'invalid') return [];
			const isThere = isAddress(email) && there.has(sameAddress(email));
			return isThere ? [] : (law.doubtAbout(place, email, outcome) ?? []);
		});
	}
}

/** Nothing is to be sent for it. */
function become(entry: Entry, outcome: PersonOutcome): void {
	entry.todo = undefined;
	entry.outcome = { changes: [], ...outcome };
}

/** Somebody who was to be removed is kept. */
export function keep(entry: Entry, message: string): void {
	become(entry, { ...entry.outcome, status: 'kept', errors: [{ code: 'kept', message }] });
}

function listIn(people: Registered['people'] = []): readonly JsonObject[] {
	return 'code' in people ? [] : people;
}

const added: PersonOutcome = { status: 'added', errors: [] };

const samePerson = notSendable('duplicate', [
	'An earlier row of this run has the same person for the same session, with another address.',
]);
