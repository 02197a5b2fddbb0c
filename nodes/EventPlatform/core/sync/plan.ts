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

/** The plan of a run, which is made before anything is sent. Later removals may be taken back in it, and nothing else changes. */
export interface SyncPlan {
	/** The rows of the list, and behind them the people who are to be removed or are kept. */
	entries: Entry[];
	/** The people who are to be added, request by request. */
	batches: readonly Batch[];
	/** The index of each duplicate, with that of the earlier row with the same person. */
	firstOf: Map<number, number>;
	/** The sessions of the list, by the id in the platform's response. */
	sessions: ReadonlyMap<string, SyncSession>;
	/** The doubts that concern every session. */
	doubts: string[];
	/** The number of people who are registered and not on the list, whether they are to be removed or not. */
	notListedCount: number;
	/** The reason why nothing is to be sent. Absent: something may be sent. */
	reasonNotToBegin?: Reason;
}

/** The part of the law that people may change. */
export interface Rules {
	/** Whether people who are registered and not on the list are removed. */
	mayRemoveOthers: boolean;
	/** The number of people who may be removed from one session. Absent: a fifth of its participants. */
	mostRemovals?: number;
	/** Whether people are removed before every doubt is cleared up (part 4 of the law). */
	mayRemoveDespiteDoubt?: boolean;
}

const addIntent: Intent = { kind: 'add', reasons: [] };

/** Plans the changes for each row, and for everybody who is registered and not on the list. `nowMs`: the time that tells whether a session may have begun. */
export function planSync(
	list: readonly Row[],
	registered: ReadonlyMap<string, SyncSession>,
	rules: Rules,
	nowMs: number,
): SyncPlan {
	const { outcomes, firstOf } = planRun(list);
	const entries = list.map((row, index): Entry => {
		const outcome = outcomes[index];
		return { ...row, index, intent: outcome ? { kind: 'none', outcome } : addIntent };
	});
	const plan: SyncPlan = {
		entries,
		batches: [],
		firstOf: new Map(firstOf),
		sessions: registered,
		doubts: [],
		notListedCount: 0,
	};
	const everyone = [...registered.values()].flatMap(
		({ people: registeredPeople = [] }) => registeredPeople,
	);
	const addresses = addressBook(everyone);
	const rowsOfSessions = groupBy(entries, (row) => row.sessionId);
	const rowOfUnknownSession = rowsWithoutSession(entries, registered);
	for (const [sessionId, rows] of rowsOfSessions) {
		const session: SyncSession = registered.get(sessionId) ?? { name: sessionId };
		if (!session.people) plan.doubts.push(law.doubtAboutSession(rows[0]?.index ?? 0));
		const registeredPeople = (session.people ?? []).filter(
			(person) => !isOfAnotherSession(person, sessionId),
		);
		planRows(rows, session, personByAddress(registeredPeople, addresses), plan.firstOf);
		const listedAddresses = addressesOfRows(rows);
		const unlisted = findNotListed(registeredPeople, listedAddresses, addresses);
		plan.notListedCount += unlisted.length;
		if (!rules.mayRemoveOthers) continue;
		const reasonToStay = findReasonToStay({
			listedAddresses,
			rowOfUnknownSession,
			addresses,
			session,
			nowMs,
		});
		const toRemove = unlisted.filter((person) => reasonToStay(person) === undefined);
		plan.reasonNotToBegin ??= law.reasonOfTooManyRemovals(
			session.name,
			registeredPeople,
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
	const rowsOfUnknown = rows.filter(
		({ sessionId }) => registered.get(sessionId)?.people === undefined,
	);
	return new Map(
		rowsOfUnknown.flatMap((row) =>
			addressesIn(row.email ?? '').map((address) => [address, row] as const),
		),
	);
}

/** Finds the people who are registered, are not of the team, and are not on the list under any address that is certainly theirs. */
function findNotListed(
	registeredPeople: readonly JsonObject[],
	listedAddresses: ReadonlySet<string>,
	addresses: AddressBook,
): JsonObject[] {
	const isListed = (person: JsonObject) =>
		addresses(person).certain.some((address) => listedAddresses.has(address));
	return registeredPeople.filter((person) => !law.isOfTheTeam(person) && !isListed(person));
}

/** Gives all addresses that these rows may mean. */
function addressesOfRows(rows: readonly Entry[]): Set<string> {
	return new Set(rows.flatMap(({ email = '' }) => addressesIn(email)));
}

/** The facts that decide whether somebody who is not on the list of a session stays in it. */
interface Circumstances {
	/** All addresses that the rows of the session may mean. */
	listedAddresses: ReadonlySet<string>;
	/** The rows that may belong to any session, by address. */
	rowOfUnknownSession: ReadonlyMap<string, Entry>;
	addresses: AddressBook;
	session: SyncSession;
	nowMs: number;
}

/** Makes the function that finds the reason to keep a person who is not on the list, whatever the rules are. It gives undefined where nothing speaks against a removal. */
function findReasonToStay({
	listedAddresses,
	rowOfUnknownSession,
	addresses,
	session,
	nowMs,
}: Circumstances): (person: JsonObject) => string | undefined {
	const reasonOfSession = law.reasonToRemoveNobody(session, nowMs);
	return (person: JsonObject): string | undefined => {
		const { certain, possible } = addresses(person);
		const [row] = [...certain, ...possible].flatMap(
			(address) => rowOfUnknownSession.get(address) ?? [],
		);
		const alias = possible.find((address) => listedAddresses.has(address));
		return (
			reasonOfSession ??
			law.reasonNeverToRemove(person) ??
			law.reasonOfAttendance(person, session, nowMs) ??
			(row && law.describeListedWithoutSession(row.index)) ??
			(alias === undefined ? undefined : law.describeListedWithSameId(alias))
		);
	};
}

/** Gives the person of each address. An address that the session shows goes before one that another session shows. */
function personByAddress(
	registeredPeople: readonly JsonObject[],
	addresses: AddressBook,
): Map<string, JsonObject> {
	const anyAddress = registeredPeople.flatMap((person) =>
		addresses(person).certain.map((address) => [address, person] as const),
	);
	const shownAddress = registeredPeople.map((person) => [addressOf(person), person] as const);
	return new Map([...shownAddress, ...anyAddress].reverse());
}

/** Decides the intents of the rows of a session. `personOf`: the registered person with each address. */
function planRows(
	rows: readonly Entry[],
	{ reasonNotToSend, reasonClosed }: SyncSession,
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
		} else if (reasonClosed !== undefined) {
			// Only a person who would have to be added needs a session that still takes people.
			row.intent = { kind: 'none', outcome: notSendable('invalid', [reasonClosed]) };
		}
	}
}

/** Turns an addition into an update of the person who is registered. The address tells who it is, so it is no answer to change. */
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
		row.intent = {
			kind: 'none',
			outcome: notSent({ code: 'no_id', message: law.reasonWithoutId }),
		};
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
 * Takes removals back: the person may be on the list after all, the session may have begun meanwhile, or something about it may be
 * in doubt. That is decided once in the plan, and once more by the outcomes of the additions.
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
		// Everybody who is to be removed has an ID, so an addition without one keeps nobody.
		const emailOfAdded = new Map(
			newcomers.map((row) => [text(outcomes.find(row)?.person?.id), row.email ?? '']),
		);
		const mistakes = mayRemoveDespiteDoubt
			? new Map<string, string>()
			: findMistakes(newcomers, removals, outcomes);
		const doubtsOfRows = newcomers.flatMap((row) => law.doubtsAboutRow(row, outcomes.find(row)));
		const allDoubts = new Set([...doubtsOfRows, ...doubts, ...mistakes.values()]);
		const [firstDoubt] = mayRemoveDespiteDoubt ? [] : allDoubts;
		for (const entry of removals) {
			const email = emailOfAdded.get(text(entry.person?.id));
			// Where a person may be somebody on the list, that doubt comes before any other.
			const doubt = mistakes.get(entry.address) ?? firstDoubt;
			if (reasonToKeepAll !== undefined) keepPerson(entry, reasonToKeepAll);
			else if (email !== undefined) keepPerson(entry, law.describeAddedInRun(email));
			else if (doubt !== undefined) keepPerson(entry, law.describeKept(doubt, allDoubts.size - 1));
		}
	}
}

/** Finds removals whose address is one typing mistake apart from that of an addition, and notes that on the addition, too. Gives the doubts by the address of the removal. */
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
