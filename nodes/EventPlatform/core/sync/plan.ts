import { duplicateOf, notSendable, notSent } from '../people/outcome';
import { planRun } from '../bulk/plan';
import { divideIntoBatches, type Batch } from '../bulk/batch';
import type { Row } from '../people/registration';
import { groupBy } from '../values/collections';
import { problemOfId } from '../client/path';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { addressesIn, isAddress } from '../people/address';
import type { Reason } from '../people/reason';
import { findChanges } from '../people/changes';
import { addressBook, addressOf, isOfAnotherSession, type AddressBook } from '../people/identity';
import * as law from './law';
import { keepPerson, withIntent, type Entry, type Intent } from './intent';
import { Outcomes } from './outcomes';
import type { SyncSession } from './readSessions';
import { isSameBeyondDoubt } from '../people/sameAnswer';
import { typingMistakes } from '../people/typingMistakes';

/** All that a run means to do, before anything is sent. Removals are taken back in it later, and nothing else changes. */
export interface SyncPlan {
	/** The list, and behind it those who are to be removed or are kept. */
	entries: Entry[];
	/** The people who are to be added. */
	batches: readonly Batch[];
	/** The index of each duplicate, with that of the earlier row with the same person. */
	firstOf: Map<number, number>;
	/** The sessions of the list, by the id that the platform answers with. */
	sessions: ReadonlyMap<string, SyncSession>;
	/** Doubts that concern every session. */
	doubts: string[];
	/** How many people are registered and not on the list, whether they are to be removed or not. */
	notListedCount: number;
	/** Why nothing is to be sent. */
	reasonNotToBegin?: Reason;
}

/** The part of the law that people may change. */
export interface Rules {
	/** People who are registered and not on the list are removed. */
	mayRemoveOthers: boolean;
	/** How many people may be removed from one session; a fifth of its participants where it is absent. */
	mostRemovals?: number;
	/** Removals do not wait until every doubt is cleared up (part 4 of the law). */
	mayRemoveDespiteDoubt?: boolean;
}

const add: Intent = { kind: 'add', reasons: [] };

/** Plans what is done with each row, and with everybody who is registered and not on the list. `nowMs` tells whether a session may have begun. */
export function planSync(
	list: readonly Row[],
	registered: ReadonlyMap<string, SyncSession>,
	rules: Rules,
	nowMs: number,
): SyncPlan {
	const { outcomes, firstOf } = planRun(list);
	const entries = list.map((row, index): Entry => {
		const outcome = outcomes[index];
		return { ...row, index, intent: outcome ? { kind: 'none', outcome } : add };
	});
	const plan: SyncPlan = {
		entries,
		batches: [],
		firstOf: new Map(firstOf),
		sessions: registered,
		doubts: [],
		notListedCount: 0,
	};
	const everyone = [...registered.values()].flatMap(({ people: there = [] }) => there);
	const addresses = addressBook(everyone);
	const rowsOfSessions = groupBy(entries, (row) => row.sessionId);
	const anywhere = rowsWithoutSession(entries, registered);
	for (const [sessionId, rows] of rowsOfSessions) {
		const session: SyncSession = registered.get(sessionId) ?? { name: sessionId };
		if (!session.people) plan.doubts.push(law.doubtAboutSession(rows[0]?.index ?? 0));
		const there = (session.people ?? []).filter((person) => !isOfAnotherSession(person, sessionId));
		planRows(rows, session, byAddress(there, addresses), plan.firstOf);
		const listed = addressesOfRows(rows);
		const unlisted = notListed(there, listed, addresses);
		plan.notListedCount += unlisted.length;
		if (!rules.mayRemoveOthers) continue;
		const reasonToStay = findReasonToStay({ listed, anywhere, addresses, session, nowMs });
		const toRemove = unlisted.filter((person) => reasonToStay(person) === undefined);
		plan.reasonNotToBegin ??= law.reasonOfTooManyRemovals(
			session.name,
			there,
			toRemove,
			rules.mostRemovals,
		);
		for (const person of unlisted) {
			entries.push(personNotListed(person, sessionId, entries.length, reasonToStay(person)));
		}
	}
	holdBack(plan, rules, new Outcomes(), nowMs);
	const additions = withIntent(entries, 'add').map(({ index }) => index);
	return { ...plan, batches: divideIntoBatches(entries, additions) };
}

/** Gives the row of each address that stands in a row whose session is not known. */
function rowsWithoutSession(
	rows: readonly Entry[],
	registered: ReadonlyMap<string, SyncSession>,
): Map<string, Entry> {
	const unknown = rows.filter(({ sessionId }) => registered.get(sessionId)?.people === undefined);
	return new Map(
		unknown.flatMap((row) =>
			addressesIn(row.email ?? '').map((address) => [address, row] as const),
		),
	);
}

/** Finds people who are registered, are not of the team, and do not stand on the list by any address that is certainly theirs. */
function notListed(
	there: readonly JsonObject[],
	listed: ReadonlySet<string>,
	addresses: AddressBook,
): JsonObject[] {
	const isListed = (person: JsonObject) =>
		addresses(person).certain.some((address) => listed.has(address));
	return there.filter((person) => !law.isOfTheTeam(person) && !isListed(person));
}

function addressesOfRows(rows: readonly Entry[]): Set<string> {
	return new Set(rows.flatMap(({ email = '' }) => addressesIn(email)));
}

/** The facts that decide whether somebody who is not on the list of a session stays in it. */
interface Circumstances {
	/** All addresses that the rows of the session may mean. */
	listed: ReadonlySet<string>;
	/** Rows that may be of any session, by address. */
	anywhere: ReadonlyMap<string, Entry>;
	addresses: AddressBook;
	session: SyncSession;
	nowMs: number;
}

/** Gives the function that finds why a person who is not on the list is kept whatever the rules are; it gives undefined where nothing speaks against a removal. */
function findReasonToStay({
	listed,
	anywhere,
	addresses,
	session,
	nowMs,
}: Circumstances): (person: JsonObject) => string | undefined {
	const ofSession = law.reasonToRemoveNobody(session, nowMs);
	return (person: JsonObject): string | undefined => {
		const { certain, possible } = addresses(person);
		const [row] = [...certain, ...possible].flatMap((address) => anywhere.get(address) ?? []);
		const alias = possible.find((address) => listed.has(address));
		return (
			ofSession ??
			law.reasonNeverToRemove(person) ??
			law.reasonOfAttendance(person, session, nowMs) ??
			(row && law.listedWithoutSession(row.index)) ??
			(alias === undefined ? undefined : law.listedWithSameId(alias))
		);
	};
}

/** Gives the person of each address. An address that the session shows goes before one that another session shows. */
function byAddress(there: readonly JsonObject[], addresses: AddressBook): Map<string, JsonObject> {
	const anyAddress = there.flatMap((person) =>
		addresses(person).certain.map((address) => [address, person] as const),
	);
	const shownAddress = there.map((person) => [addressOf(person), person] as const);
	return new Map([...shownAddress, ...anyAddress].reverse());
}

function planRows(
	rows: readonly Entry[],
	{ reasonNotToSend, closed }: SyncSession,
	personOf: ReadonlyMap<string, JsonObject>,
	firstOf: SyncPlan['firstOf'],
): void {
	const rowOf = new Map<JsonObject, Entry>();
	for (const row of rows) {
		const person = isAddress(row.address) ? personOf.get(row.address) : undefined;
		row.person = person;
		const first = person && rowOf.get(person);
		if (row.intent.kind !== 'add') continue;
		if (reasonNotToSend) row.intent = { kind: 'none', outcome: notSent(reasonNotToSend) };
		else if (first) {
			firstOf.set(row.index, first.index);
			const outcome = duplicateOf(first.index, ', with another address');
			row.intent = { kind: 'none', outcome };
		} else if (person) {
			rowOf.set(person, row);
			planChange(row, person);
		} else if (closed !== undefined) {
			// A session has to take people only where somebody would have to be added.
			row.intent = { kind: 'none', outcome: notSendable('invalid', [closed]) };
		}
	}
}

/** Makes of an addition a change. The address tells who it is, so it is no answer to change. */
function planChange(row: Entry, person: JsonObject): void {
	const fields = row.registration.fields.filter(({ id }) => id !== 'email');
	row.registration = { ...row.registration, fields };
	const changes = law.isOfTheTeam(person)
		? []
		: findChanges(person, row.registration, isSameBeyondDoubt);
	if (changes.length === 0) {
		row.intent = { kind: 'none', outcome: { status: 'unchanged', reasons: [] } };
	} else if (problemOfId(person.id) === undefined) {
		row.intent = { kind: 'update', changes };
	} else {
		row.intent = { kind: 'none', outcome: notSent({ code: 'no_id', message: law.noId }) };
	}
}

/** Makes the entry of a person who is not on the list: to be removed, or kept where there is a reason. */
function personNotListed(
	person: JsonObject,
	sessionId: string,
	index: number,
	reason: string | undefined,
): Entry {
	const address = addressOf(person);
	const entry: Entry = {
		sessionId,
		email: address || undefined,
		address,
		registration: { fields: [], tracking: {} },
		problems: [],
		index,
		person,
		intent: { kind: 'remove' },
	};
	if (reason !== undefined) keepPerson(entry, reason);
	return entry;
}

/**
 * Takes removals back: nobody goes who is on the list after all, from a session that has begun meanwhile, or while something
 * is in doubt. That is decided once in the plan, and once more by what became of the additions.
 */
export function holdBack(
	{ entries: all, sessions, doubts }: SyncPlan,
	{ mayRemoveDespiteDoubt }: Rules,
	outcomes: Outcomes,
	nowMs: number,
): void {
	for (const [sessionId, entries] of groupBy(all, (entry) => entry.sessionId)) {
		const removals = withIntent(entries, 'remove');
		const session = sessions.get(sessionId);
		const reasonToKeepAll = session && law.reasonToRemoveNobody(session, nowMs);
		const newcomers = entries.filter(({ person }) => !person);
		/** The address under which somebody would be added, by the ID that the platform shows. Everybody who is to be removed has one. */
		const addedAs = new Map(
			newcomers.map((row) => [text(outcomes.find(row)?.person?.id), row.email ?? '']),
		);
		const mistakes = mayRemoveDespiteDoubt
			? new Map<string, string>()
			: findMistakes(newcomers, removals, outcomes);
		const doubtsOfRows = newcomers.flatMap((row) => law.doubtsAboutRow(row, outcomes.find(row)));
		const reasons = new Set([...doubtsOfRows, ...doubts, ...mistakes.values()]);
		const [first] = mayRemoveDespiteDoubt ? [] : reasons;
		for (const entry of removals) {
			const email = addedAs.get(text(entry.person?.id));
			// A person who may be somebody of the list reads that before any other reason.
			const doubt = mistakes.get(entry.address) ?? first;
			if (reasonToKeepAll !== undefined) keepPerson(entry, reasonToKeepAll);
			else if (email !== undefined) keepPerson(entry, law.addedAs(email));
			else if (doubt !== undefined) keepPerson(entry, law.describeKept(doubt, reasons.size - 1));
		}
	}
}

/** Finds removals whose address differs from that of an addition by one typing mistake, and notes it on the addition, too. Gives the doubt by the address of the removal. */
function findMistakes(
	newcomers: readonly Entry[],
	removals: readonly Entry[],
	outcomes: Outcomes,
): Map<string, string> {
	const added = withIntent(newcomers, 'add').filter((row) => {
		const { status = 'added' } = outcomes.find(row) ?? {};
		return status === 'added';
	});
	const rowOf = new Map(added.map((row) => [row.address, row]));
	const removed = new Set(removals.map(({ address }) => address));
	const pairs = typingMistakes([...rowOf.keys()], [...removed]);
	for (const pair of pairs) {
		const message = law.describeTypingMistake(pair.removed, 'registered');
		const row = rowOf.get(pair.added);
		if (row) row.intent = { kind: 'add', reasons: [{ code: 'typing_mistake', message }] };
	}
	return new Map(
		pairs.map((pair) => [pair.removed, law.describeTypingMistake(pair.added, 'on the list')]),
	);
}
