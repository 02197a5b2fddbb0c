import {
	duplicateOf,
	notSendable,
	notSent,
	type Change,
	type Outcome,
	type Reason,
} from '../people/outcome';
import type { Batch } from '../registration/candidate';
import { divideIntoBatches, planRun } from '../registration/plan';
import type { YieldIfDue } from '../client/clock';
import type { Row } from '../people/registration';
import type { JsonObject } from '../values/json';
import { groupBy } from '../values/collections';
import { problemOfId } from '../client/path';
import { addressesIn, isAddress } from '../people/address';
import { findChanges } from '../people/changes';
import {
	addressBook,
	isOfAnotherSession,
	type AddressBook,
	type SessionPerson,
} from '../people/identity';
import { isSameBeyondDoubt } from '../people/sameAnswer';
import { typingMistakes } from '../people/typingMistakes';
import { noDoubts, reasonOfDoubts, type Doubts } from './doubts';
import {
	withIntent,
	type ListRow,
	type PersonNotListed,
	type PlannedPerson,
	type PlannedRow,
	type PlannedWith,
} from './intent';
import * as law from './law';
import type { SyncSession } from './readSessions';

export interface SyncPlan {
	/** The rows of the list, and behind them the people who are to be removed or are kept. */
	readonly entries: readonly PlannedPerson[];
	readonly additions: ReadonlyArray<PlannedWith<'add'>>;
	readonly batches: readonly Batch[];
	readonly sessions: ReadonlyMap<string, SyncSession>;
	readonly notListedCount: number;
	readonly reasonNotToBegin?: Reason;
}

export interface Rules {
	mayRemoveOthers: boolean;
	/** The number of people who may be removed from one session. Absent: a fifth of its participants. */
	mostRemovals?: number;
	mayRemoveDespiteDoubt?: boolean;
}

interface Circumstances {
	readonly rules: Rules;
	readonly nowMs: number;
	readonly yieldIfDue: YieldIfDue;
	readonly addresses: AddressBook;
	/** The rows that may belong to any session, by address. */
	readonly rowOfUnknownSession: ReadonlyMap<string, ListRow>;
	readonly doubtsOfSessions: readonly string[];
}

export async function planSync(
	list: readonly Row[],
	sessions: ReadonlyMap<string, SyncSession>,
	rules: Rules,
	{ nowMs, yieldIfDue }: Pick<Circumstances, 'nowMs' | 'yieldIfDue'>,
): Promise<SyncPlan> {
	const { candidates } = planRun(list);
	await yieldIfDue();
	const rows = candidates.map((candidate): ListRow => ({ ...candidate.row, candidate }));
	const unknownRows = rows.filter(({ sessionId }) => !sessions.get(sessionId)?.people);
	const everyone = [...sessions.values()].flatMap(({ people = [] }) => people);
	const circumstances: Circumstances = {
		rules,
		nowMs,
		yieldIfDue,
		addresses: await addressBook(everyone, yieldIfDue),
		rowOfUnknownSession: await rowByAddress(unknownRows, yieldIfDue),
		doubtsOfSessions: firstOfEachSession(unknownRows).map(law.doubtAboutSession),
	};
	const plans: SessionPlan[] = [];
	for (const [sessionId, rowsOfSession] of groupBy(rows, (row) => row.sessionId)) {
		const session = sessions.get(sessionId) ?? { name: sessionId };
		plans.push(await planSession(sessionId, session, rowsOfSession, circumstances));
	}
	await yieldIfDue();
	const ofTheList = plans
		.flatMap((plan) => plan.rows)
		.sort((a, b) => a.candidate.rowNumber - b.candidate.rowNumber);
	const entries = [...ofTheList, ...plans.flatMap((plan) => plan.others)];
	const additions = withIntent(entries, 'add');
	return {
		entries,
		additions,
		batches: divideIntoBatches(additions.map(({ candidate }) => candidate)),
		sessions,
		notListedCount: plans.reduce((sum, plan) => sum + plan.notListedCount, 0),
		reasonNotToBegin: plans.find((plan) => plan.reasonNotToBegin)?.reasonNotToBegin,
	};
}

function firstOfEachSession(rows: readonly ListRow[]): ListRow[] {
	return [...groupBy(rows, ({ sessionId }) => sessionId).values()].flatMap(([row]) => row ?? []);
}

/** Finds the row to name beside a person. Of several with an address any will do, because all of them name the person. */
async function rowByAddress(
	rows: readonly ListRow[],
	yieldIfDue: YieldIfDue,
): Promise<Map<string, ListRow>> {
	const rowOf = new Map<string, ListRow>();
	for (const row of rows) {
		await yieldIfDue();
		for (const address of addressesIn(row.email)) rowOf.set(address, row);
	}
	return rowOf;
}

interface SessionPlan {
	readonly rows: readonly PlannedRow[];
	readonly others: readonly PersonNotListed[];
	readonly notListedCount: number;
	readonly reasonNotToBegin?: Reason;
}

async function planSession(
	sessionId: string,
	session: SyncSession,
	listRows: readonly ListRow[],
	circumstances: Circumstances,
): Promise<SessionPlan> {
	const { rules, addresses, yieldIfDue } = circumstances;
	const people = (session.people ?? []).filter(
		({ record }) => !isOfAnotherSession(record, sessionId),
	);
	await yieldIfDue();
	const rows = await planRows(listRows, session, people, circumstances);
	const rowOf = await rowByAddress(listRows, yieldIfDue);
	const notListed: SessionPerson[] = [];
	for (const person of people) {
		await yieldIfDue();
		const isListed = addresses(person).certain.some((address) => rowOf.has(address));
		if (!isListed && !law.isOfTheTeam(person.record)) notListed.push(person);
	}
	const notListedCount = notListed.length;
	if (!rules.mayRemoveOthers) return { rows, others: [], notListedCount };

	const reasons = await reasonsToStay(notListed, session, rowOf, circumstances);
	const toRemove = notListed.filter((person) => !reasons.has(person));
	const hasDoubts = rules.mayRemoveDespiteDoubt !== true;
	const mistakes = hasDoubts ? await findMistakes(rows, toRemove, circumstances) : [];
	const doubts = hasDoubts ? doubtsAbout(rows, circumstances.doubtsOfSessions, mistakes) : noDoubts;
	const others: PersonNotListed[] = [];
	for (const person of notListed) {
		await yieldIfDue();
		const reason = reasons.get(person) ?? reasonOfDoubts(doubts, person);
		others.push(personNotListed(person, sessionId, reason));
	}
	return {
		rows: withMistakes(rows, mistakes),
		others,
		notListedCount,
		// Those whom a doubt keeps count, too: a list that lacks so many people is a wrong list, and nobody of it is to be added either.
		reasonNotToBegin: law.reasonOfTooManyRemovals(
			session.name,
			people.map(({ record }) => record),
			toRemove.map(({ record }) => record),
			rules.mostRemovals,
		),
	};
}

async function planRows(
	rows: readonly ListRow[],
	session: SyncSession,
	people: readonly SessionPerson[],
	{ addresses, yieldIfDue }: Circumstances,
): Promise<PlannedRow[]> {
	const personOf = personByAddress(people, addresses);
	await yieldIfDue();
	const firstRowOf = new Map<SessionPerson, ListRow>();
	const entries: PlannedRow[] = [];
	for (const row of rows) {
		await yieldIfDue();
		const person = isAddress(row.address) ? personOf.get(row.address) : undefined;
		const outcome = row.candidate.outcome ?? outcomeOfSession(session, person);
		const first = person && firstRowOf.get(person);
		if (outcome) {
			entries.push({ ...row, person, intent: { kind: 'none', outcome } });
		} else if (first) {
			row.candidate.first = first.candidate;
			const duplicate = duplicateOf(first.candidate, ', with another address');
			entries.push({ ...row, person, intent: { kind: 'none', outcome: duplicate } });
		} else if (person) {
			firstRowOf.set(person, row);
			entries.push(planChange(row, person));
		} else {
			entries.push({ ...row, intent: { kind: 'add' } });
		}
	}
	return entries;
}

/** An address that the session shows goes before one that another session shows. */
function personByAddress(
	people: readonly SessionPerson[],
	addresses: AddressBook,
): Map<string, SessionPerson> {
	const personOf = new Map<string, SessionPerson>();
	for (const person of people) {
		if (!personOf.has(person.address)) personOf.set(person.address, person);
	}
	for (const person of people) {
		for (const address of addresses(person).certain) {
			if (!personOf.has(address)) personOf.set(address, person);
		}
	}
	return personOf;
}

function outcomeOfSession(
	{ reasonNotToSend, reasonClosed }: SyncSession,
	person?: SessionPerson,
): Outcome | undefined {
	if (reasonNotToSend) return notSent(reasonNotToSend);
	// Only a person who would have to be added needs a session that still takes people.
	return person || reasonClosed === undefined ? undefined : notSendable('invalid', [reasonClosed]);
}

/** Plans the update of a person who is registered. The address tells who it is, so it is no answer to change. */
function planChange(row: ListRow, person: SessionPerson): PlannedRow {
	const fields = row.registration.fields.filter(({ id }) => id !== 'email');
	const registration = { ...row.registration, fields };
	const changes = findChanges(person.record, registration, isSameBeyondDoubt);
	return { ...row, registration, person, intent: intentOfChanges(changes, person.record) };
}

function intentOfChanges(changes: readonly Change[], record: JsonObject): PlannedRow['intent'] {
	const unchanged = (reasons: readonly Reason[]): PlannedRow['intent'] => {
		return { kind: 'none', outcome: { status: 'unchanged', reasons } };
	};
	if (changes.length === 0) return unchanged([]);
	if (law.isOfTheTeam(record)) return unchanged([law.reasonToLeaveTeam(changes)]);
	if (problemOfId(record.id) === undefined) return { kind: 'update', changes, reasons: [] };
	return { kind: 'none', outcome: notSent({ code: 'no_id', message: law.reasonWithoutId }) };
}

async function reasonsToStay(
	notListed: readonly SessionPerson[],
	session: SyncSession,
	rowOf: ReadonlyMap<string, ListRow>,
	{ addresses, rowOfUnknownSession, nowMs, yieldIfDue }: Circumstances,
): Promise<Map<SessionPerson, Reason>> {
	const reasonOfSession = law.reasonToRemoveNobody(session, nowMs);
	const reasonOfAddresses = (person: SessionPerson): Reason | undefined => {
		const { certain, possible } = addresses(person);
		const rowAt = (rows: ReadonlyMap<string, ListRow>, all: readonly string[]) =>
			all.flatMap((address) => rows.get(address) ?? []).at(0);
		const unknownRow = rowAt(rowOfUnknownSession, [...certain, ...possible]);
		if (unknownRow) return law.reasonOfListedWithoutSession(unknownRow);
		const rowWithSameId = rowAt(rowOf, possible);
		return rowWithSameId && law.reasonOfSameId(rowWithSameId);
	};
	const reasons = new Map<SessionPerson, Reason>();
	for (const person of notListed) {
		await yieldIfDue();
		const reason =
			reasonOfSession ??
			law.reasonNeverToRemove(person.record) ??
			law.reasonOfAttendance(person.record, session, nowMs) ??
			reasonOfAddresses(person);
		if (reason !== undefined) reasons.set(person, reason);
	}
	return reasons;
}

/** A row that differs by one typo from the address of somebody who would be removed. */
interface Mistake {
	readonly row: PlannedRow;
	readonly person: SessionPerson;
	readonly inWords: string;
}

async function findMistakes(
	rows: readonly PlannedRow[],
	toRemove: readonly SessionPerson[],
	{ addresses, yieldIfDue }: Circumstances,
): Promise<Mistake[]> {
	const rowsOf = groupBy(
		rows.filter(({ address }) => isAddress(address)),
		({ address }) => address,
	);
	const personOf = new Map<string, SessionPerson>();
	for (const person of toRemove) {
		for (const address of addresses(person).certain) personOf.set(address, person);
	}
	const pairs = await typingMistakes([...rowsOf.keys()], [...personOf.keys()], yieldIfDue);
	return pairs.flatMap(({ listed, removed }) => {
		const person = personOf.get(removed);
		return (rowsOf.get(listed) ?? []).flatMap((row) => {
			const describe = isToAdd(row) ? law.describeTypingMistake : law.describeRegisteredTwice;
			// A row that is not sent anyway is a doubt by itself, and has a reason of its own.
			if (!person || !(isToAdd(row) || row.person)) return [];
			return { row, person, inWords: describe(row, removed) };
		});
	});
}

function isToAdd({ intent }: PlannedRow): boolean {
	return intent.kind === 'add';
}

function withMistakes(rows: readonly PlannedRow[], mistakes: readonly Mistake[]): PlannedRow[] {
	const inWordsOf = new Map(mistakes.map(({ row, inWords }) => [row, inWords]));
	return rows.map((row) => {
		const inWords = inWordsOf.get(row);
		return inWords === undefined ? row : { ...row, intent: intentInDoubt(row.intent, inWords) };
	});
}

function intentInDoubt(intent: PlannedRow['intent'], mistake: string): PlannedRow['intent'] {
	const likeness = law.reasonOfLikeness(mistake);
	switch (intent.kind) {
		case 'add': {
			const outcome: Outcome = { status: 'invalid', reasons: [law.reasonNotToAdd(mistake)] };
			return { kind: 'none', outcome };
		}
		case 'update':
			return { ...intent, reasons: [...intent.reasons, likeness] };
		case 'none': {
			const { outcome } = intent;
			return { kind: 'none', outcome: { ...outcome, reasons: [...outcome.reasons, likeness] } };
		}
	}
}

function doubtsAbout(
	rows: readonly PlannedRow[],
	doubtsOfSessions: readonly string[],
	mistakes: readonly Mistake[],
): Doubts {
	const doubtsOfRows = withIntent(rows, 'none')
		.filter(({ person }) => !person)
		.flatMap((row) => law.doubtsAboutRow(row, row.intent.outcome));
	// Where both are registered, that says nothing about anybody else.
	const ofAdditions = mistakes.filter(({ row }) => isToAdd(row));
	return {
		ofSession: new Set([
			...doubtsOfRows,
			...doubtsOfSessions,
			...ofAdditions.map(({ inWords }) => inWords),
		]),
		ofPerson: new Map(
			[...mistakes, ...ofAdditions].map(({ person, inWords }) => [person, inWords]),
		),
	};
}

function personNotListed(
	person: SessionPerson,
	sessionId: string,
	reason?: Reason,
): PersonNotListed {
	const { address } = person;
	return {
		sessionId,
		email: address,
		address,
		registration: { fields: [], tracking: {} },
		problems: [],
		person,
		intent: reason ? { kind: 'keep', reason } : { kind: 'remove' },
	};
}
