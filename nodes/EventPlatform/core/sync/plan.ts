import {
	duplicateOf,
	notSendable,
	notSent,
	type Change,
	type Outcome,
	type Reason,
} from '../people/outcome';
import { setOutcome, type Batch, type Candidate } from '../registration/candidate';
import { divideIntoBatches } from '../registration/bulkPlan';
import type { YieldIfDue } from '../client/clock';
import type { Row } from '../people/registration';
import { addAll, groupBy } from '../values/collections';
import { addressesIn, isAddress } from '../people/address';
import { registrantFirst } from '../people/identity';
import { findChanges, isSameBeyondDoubt } from '../people/changes';
import { findDoubts, holdBack, noDoubts, reasonOfDoubts } from './doubts';
import { outcomeOfKept, withIntent, type SyncCandidate } from './intent';
import * as law from './removalLaw';
import type { SyncSession } from './readSessions';
import type { Registered } from './registered';

export interface SyncPlan {
	/** The rows of the list, and behind them the people who are to be removed or are kept. */
	readonly candidates: readonly SyncCandidate[];
	readonly batches: readonly Batch[];
	readonly notListedCount: number;
	readonly reasonNotToBegin?: Reason;
}

export interface Rules {
	mayRemoveOthers: boolean;
	/** The number of people who may be removed from one session. Absent: a fifth of its participants. */
	mostRemovals?: number;
	mayRemoveDespiteProblems?: boolean;
}

interface Circumstances {
	readonly rules: Rules;
	readonly time: law.RunTime;
	readonly yieldIfDue: YieldIfDue;
	/** The addresses in rows whose session cannot be read. They count as listed everywhere. */
	readonly listedEverywhere: ReadonlySet<string>;
	readonly doubtsOfSessions: readonly string[];
}

/** Decides what is to be done with each row, and with the people who are registered and not on the list. */
export async function planSync(
	rows: readonly SyncCandidate[],
	sessions: ReadonlyMap<string, SyncSession>,
	rules: Rules,
	{ time, yieldIfDue }: Pick<Circumstances, 'time' | 'yieldIfDue'>,
): Promise<SyncPlan> {
	const rowsOf = groupBy(rows, ({ row }) => row.sessionId);
	const unread = [...rowsOf].flatMap(([id, ofSession]) =>
		sessions.get(id)?.people ? [] : [ofSession],
	);
	const circumstances: Circumstances = {
		rules,
		time,
		yieldIfDue,
		listedEverywhere: await addressesOfRows(unread.flat(), yieldIfDue),
		doubtsOfSessions: unread.flatMap(([row]) => (row ? law.doubtAboutSession(row) : [])),
	};
	const candidates = [...rows];
	let notListedCount = 0;
	let reasonNotToBegin: Reason | undefined;
	for (const [sessionId, ofSession] of rowsOf) {
		const session = sessions.get(sessionId) ?? { id: sessionId, name: sessionId };
		const plan = await planSession(session, ofSession, circumstances);
		addAll(candidates, plan.others);
		notListedCount += plan.notListedCount;
		reasonNotToBegin ??= plan.reasonNotToBegin;
	}
	await yieldIfDue();
	const batches = divideIntoBatches(withIntent(rows, 'add'));
	return { candidates, batches, notListedCount, reasonNotToBegin };
}

async function addressesOfRows(
	rows: readonly Candidate[],
	yieldIfDue: YieldIfDue,
): Promise<Set<string>> {
	const addresses = new Set<string>();
	for (const { row } of rows) {
		await yieldIfDue();
		const { email, possibleEmails = [] } = row;
		for (const address of [email, ...possibleEmails].flatMap(addressesIn)) addresses.add(address);
	}
	return addresses;
}

interface SessionPlan {
	/** The people who are to be removed or are kept. */
	readonly others: readonly SyncCandidate[];
	readonly notListedCount: number;
	readonly reasonNotToBegin?: Reason;
}

async function planSession(
	session: SyncSession,
	rows: readonly SyncCandidate[],
	circumstances: Circumstances,
): Promise<SessionPlan> {
	await planRows(rows, session, circumstances.yieldIfDue);
	const notListed = await findNotListed(session, rows, circumstances);
	const notListedCount = notListed.length;
	if (!circumstances.rules.mayRemoveOthers) return { others: [], notListedCount };
	return { ...(await planRemovals(session, rows, notListed, circumstances)), notListedCount };
}

async function findNotListed(
	{ people = [] }: SyncSession,
	rows: readonly SyncCandidate[],
	{ listedEverywhere, yieldIfDue }: Circumstances,
): Promise<Registered[]> {
	const listed = await addressesOfRows(rows, yieldIfDue);
	const isListed = (address: string) => listed.has(address) || listedEverywhere.has(address);
	const notListed: Registered[] = [];
	for (const person of people) {
		await yieldIfDue();
		if (!law.isOfTheTeam(person.standing) && !person.addresses.some(isListed))
			notListed.push(person);
	}
	return notListed;
}

async function planRemovals(
	session: SyncSession,
	rows: readonly SyncCandidate[],
	notListed: readonly Registered[],
	{ rules, time, doubtsOfSessions, yieldIfDue }: Circumstances,
): Promise<Omit<SessionPlan, 'notListedCount'>> {
	const reasonOfSession = law.reasonToRemoveNobody(session, time);
	const reasonToStay = ({ neverToRemove, attendance }: Registered) =>
		reasonOfSession ?? neverToRemove ?? attendance;
	const toRemove = notListed.filter((person) => !reasonToStay(person));
	const doubts = rules.mayRemoveDespiteProblems
		? noDoubts
		: await findDoubts(rows, toRemove, doubtsOfSessions, yieldIfDue);
	holdBack(doubts);
	const others: SyncCandidate[] = [];
	for (const person of notListed) {
		await yieldIfDue();
		const reason = reasonToStay(person) ?? reasonOfDoubts(doubts, person);
		others.push(notOnTheList(person, session.id, reason));
	}
	// Those whom a doubt keeps count, too: a list that lacks so many people is a wrong list, and nobody of it is to be added either.
	const { name, people = [] } = session;
	const reasonNotToBegin = law.reasonOfTooManyRemovals(name, people, toRemove, rules.mostRemovals);
	return { others, reasonNotToBegin };
}

async function planRows(
	rows: readonly SyncCandidate[],
	session: SyncSession,
	yieldIfDue: YieldIfDue,
): Promise<void> {
	const personOf = await personByAddress(session.people ?? [], yieldIfDue);
	const firstRowOf = new Map<Registered, SyncCandidate>();
	for (const candidate of rows) {
		await yieldIfDue();
		const { address } = candidate.row;
		const person = isAddress(address) ? personOf.get(address) : undefined;
		candidate.person = person;
		const outcome = candidate.outcome ?? outcomeOfSession(session, person);
		const first = person && firstRowOf.get(person);
		if (outcome) {
			setOutcome([candidate], outcome);
		} else if (first) {
			candidate.first = first;
			setOutcome([candidate], duplicateOf(first, ', with another address'));
		} else if (person) {
			firstRowOf.set(person, candidate);
			planChange(candidate, person);
		} else {
			candidate.intent = { kind: 'add' };
		}
	}
}

/**
 * The address of a person goes before one that the registration of somebody else shows. Of two with one address, such as somebody of the team who
 * has registered as well, it is the registrant's: Sync leaves the answers of the team as they are.
 */
async function personByAddress(
	people: readonly Registered[],
	yieldIfDue: YieldIfDue,
): Promise<Map<string, Registered>> {
	const personOf = new Map<string, Registered>();
	const hasRegistered = ({ standing }: Registered) => standing === 'registrant';
	const sorted = [...people].sort((a, b) => registrantFirst(hasRegistered(a), hasRegistered(b)));
	for (const addressesOf of [ownAddress, everyAddress]) {
		for (const person of sorted) {
			await yieldIfDue();
			for (const address of addressesOf(person)) {
				if (!personOf.has(address)) personOf.set(address, person);
			}
		}
	}
	return personOf;
}

const ownAddress = ({ address }: Registered): readonly string[] => [address];
const everyAddress = ({ addresses }: Registered): readonly string[] => addresses;

function outcomeOfSession(
	{ reasonNotToSend, reasonClosed }: SyncSession,
	person?: Registered,
): Outcome | undefined {
	if (reasonNotToSend) return notSent(reasonNotToSend);
	// Only a person who would have to be added needs a session that still takes people.
	return person || reasonClosed === undefined ? undefined : notSendable('invalid', [reasonClosed]);
}

/** Plans the update of a person who is registered. The address tells who it is, so it is no answer to change. */
function planChange(candidate: SyncCandidate, person: Registered): void {
	const { registration } = candidate.row;
	const changes = findChanges(person.answered, registration, isSameBeyondDoubt).filter(
		({ field }) => field !== 'email',
	);
	const outcome = outcomeWithoutUpdate(changes, person);
	if (outcome) setOutcome([candidate], outcome);
	else candidate.intent = { kind: 'update', changes, reasons: [] };
}

function outcomeWithoutUpdate(
	changes: readonly Change[],
	{ id, standing }: Registered,
): Outcome | undefined {
	if (changes.length === 0) return unchanged;
	if (law.isOfTheTeam(standing))
		return { status: 'unchanged', reasons: [law.reasonToLeaveTeam(changes)] };
	return id === '' ? notSent({ code: 'no_id', message: law.reasonWithoutId }) : undefined;
}

/** Most people of a long list share it. */
const unchanged: Outcome = { status: 'unchanged', reasons: [] };

function notOnTheList(person: Registered, sessionId: string, reason?: Reason): SyncCandidate {
	const { address } = person;
	const row = { sessionId, email: address, address, ...nothingEntered };
	const candidate = { row, person };
	return reason
		? { ...candidate, outcome: outcomeOfKept(reason) }
		: { ...candidate, intent: { kind: 'remove' } };
}

/** All people who are not on the list share it. */
const nothingEntered: Pick<Row, 'registration' | 'problems'> = {
	registration: { fields: [], tracking: {} },
	problems: [],
};
