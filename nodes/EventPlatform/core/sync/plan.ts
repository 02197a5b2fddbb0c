import { notSendable, notSent, type PersonOutcome, type Status } from '../bulk/outcome';
import { inChunks, planRun, type Candidate, type Chunk } from '../bulk/plan';
import { groupBy } from '../http/collections';
import { problemOfId } from '../http/ports';
import { text, type JsonObject } from '../http/json';
import { addressesIn, isAddress, sameAddress } from '../jobs/address';
import type { Reason } from '../jobs/task';
import { outstanding } from './changes';
import * as law from './law';
import type { Entry } from './law';
import type { Registered } from './registered';
import { typingMistakes } from './typingMistakes';

export interface SyncPlan {
	/** The list, and behind it those who are to be removed or are kept. */
	people: Entry[];
	/** Of those who are to be added. */
	chunks: readonly Chunk[];
	/** A duplicate → the earlier row with the same person. */
	firstOf: Map<number, number>;
	/** What is in doubt of every session. */
	doubts: string[];
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
): SyncPlan {
	const { outcomes, firstOf } = planRun(list);
	const people = list.map((candidate, index): Entry => {
		const outcome: PersonOutcome = outcomes[index] ?? { status: 'added', errors: [] };
		return { ...candidate, index, outcome: { ...outcome, changes: [] } };
	});
	const plan: SyncPlan = { people, chunks: [], firstOf: new Map(firstOf), doubts: [], others: 0 };
	const everyone = [...registered.values()].flatMap(({ people: there = [] }) => there);
	const addressesOf = law.addressBook(everyone);
	for (const [sessionId, rows] of groupBy(people, (row) => row.sessionId)) {
		const session: Registered = registered.get(sessionId) ?? { name: sessionId };
		if (!session.people) plan.doubts.push(law.doubtAboutSession(rows[0]?.index ?? 0));
		const there = (session.people ?? []).filter((one) => !law.isOfAnotherSession(one, sessionId));
		planRows(rows, byAddress(there, addressesOf), plan.firstOf, session.whyNot);
		const listed = new Set(rows.flatMap(({ email = '' }) => addressesIn(email)));
		const isListed = (person: JsonObject) => addressesOf(person).some((one) => listed.has(one));
		const others = there.filter((person) => !law.isOfTheTeam(person) && !isListed(person));
		plan.others += others.length;
		if (!rules.removesOthers) continue;
		plan.refusal ??= law.tooMany(session.name, there, others, rules.mostRemovals);
		for (const person of others) people.push(behind(person, sessionId, people.length));
	}
	holdBack(plan, rules);
	const additions = those(people, 'added').map(({ index }) => index);
	return { ...plan, chunks: inChunks(people, additions) };
}

/** An address that the session shows goes before one that another session shows. */
function byAddress(there: readonly JsonObject[], addressesOf: (person: JsonObject) => string[]) {
	const shown = there.flatMap((person) =>
		addressesOf(person).map((address) => [address, person] as const),
	);
	const shownHere = there.map((person) => [law.addressOf(person), person] as const);
	return new Map([...shownHere, ...shown].reverse());
}

function planRows(
	rows: readonly Entry[],
	personOf: ReadonlyMap<string, JsonObject>,
	firstOf: SyncPlan['firstOf'],
	whyNot: Reason | undefined,
): void {
	const rowOf = new Map<JsonObject, Entry>();
	for (const row of rows) {
		const address = sameAddress(text(row.email));
		const person = isAddress(address) ? personOf.get(address) : undefined;
		row.person = person;
		const first = person && rowOf.get(person);
		if (row.outcome.status !== 'added') continue;
		if (whyNot) become(row, notSent(whyNot));
		else if (first) {
			firstOf.set(row.index, first.index);
			become(row, samePerson);
		} else if (person) {
			rowOf.set(person, row);
			change(row, person);
		}
	}
}

/** Makes of an addition a change. The address tells who it is, so it is no answer to change. */
function change(row: Entry, person: JsonObject): void {
	const fields = row.wanted.fields.filter(({ id }) => id !== 'email');
	row.wanted = { ...row.wanted, fields };
	const changes = law.isOfTheTeam(person) ? [] : outstanding(person, row.wanted);
	if (changes.length === 0) become(row, { status: 'unchanged' });
	else if (problemOfId(person.id) === undefined) become(row, { status: 'updated', changes });
	else become(row, notSent({ code: 'no_id', message: law.noId }));
}

/** Behind the list: somebody to remove, or to keep where the person is never removed. */
function behind(person: JsonObject, sessionId: string, index: number): Entry {
	const email = law.addressOf(person) || undefined;
	const entry: Entry = {
		...{ sessionId, email, wanted: { fields: [], tracking: {} }, problems: [], index, person },
		outcome: { status: 'removed', changes: [], errors: [] },
	};
	const never = law.whyNever(person);
	if (never !== undefined) keep(entry, never);
	return entry;
}

/** Nobody goes who is on the list after all, or while something is in doubt: once in the plan, and once after the additions. */
export function holdBack({ people, doubts }: SyncPlan, { removesDespite }: Rules): void {
	for (const ofSession of groupBy(people, ({ sessionId }) => sessionId).values()) {
		const removals = those(ofSession, 'removed');
		const news = ofSession.filter(({ person }) => !person);
		/** By the ID that the platform shows, which everybody who is to be removed has. */
		const addedAs = new Map(
			news.map(({ email = '', outcome }) => [text(outcome.person?.id), email]),
		);
		const mistakes = removesDespite ? new Map<string, string>() : findMistakes(news, removals);
		const all = new Set([...news.flatMap(law.doubtAbout), ...doubts, ...mistakes.values()]);
		const [any] = removesDespite ? [] : all;
		for (const entry of removals) {
			const email = addedAs.get(text(entry.person?.id));
			// Who may be somebody of the list is told that first.
			const why = mistakes.get(text(entry.email)) ?? any;
			if (email !== undefined) keep(entry, law.addedAs(email));
			else if (why !== undefined) keep(entry, law.whyKept(why, all.size - 1));
		}
	}
}

/** Why somebody may be on the list, by the address. The row is told, too. */
function findMistakes(news: readonly Entry[], removals: readonly Entry[]): Map<string, string> {
	const rowOf = new Map(those(news, 'added').map((row) => [sameAddress(text(row.email)), row]));
	const removed = new Set(removals.map(({ email }) => text(email)));
	const pairs = typingMistakes([...rowOf.keys()], [...removed]);
	for (const pair of pairs) {
		const message = law.typingMistake(pair.removed, 'registered');
		const row = rowOf.get(pair.added);
		if (row) become(row, { errors: [{ code: 'typing_mistake', message }] });
	}
	return new Map(pairs.map((pair) => [pair.removed, law.typingMistake(pair.added, 'on the list')]));
}

export function those(people: readonly Entry[], status: Status): Entry[] {
	return people.filter(({ outcome }) => outcome.status === status);
}

/** What does not come as planned has no changes, unless it says which are left. */
export function become(entry: Entry, became: Partial<PersonOutcome>): void {
	entry.outcome = { ...entry.outcome, ...(became.status && { changes: [] }), ...became };
}

function keep(entry: Entry, message: string): void {
	become(entry, { status: 'kept', errors: [{ code: 'kept', message }] });
}

const samePerson = notSendable('duplicate', [
	'An earlier row of this run has the same person for the same session, with another address.',
]);
