import type { YieldIfDue } from '../client/clock';
import { normalizeId } from '../client/path';
import { isAddress } from '../people/address';
import type { Reason } from '../people/outcome';
import { typingMistakes } from '../people/typingMistakes';
import { correctOutcome, setOutcome } from '../registration/candidate';
import { addToGroup, groupBy } from '../values/collections';
import { text } from '../values/text';
import * as law from './removalLaw';
import { withIntent, type SyncCandidate } from './intent';
import type { Registered } from './registered';

/*
 * Applies the fourth part of the law: nobody is removed from a session while something about it is in doubt. After additions it applies the
 * first part and the fourth once more.
 */

interface Doubts {
	/** What is in doubt about the session, so that nobody is removed from it. */
	readonly ofSession: ReadonlySet<string>;
	/** What is in doubt about single people. */
	readonly ofPerson: ReadonlyMap<Registered, string>;
	/** The rows that may mean somebody else, for `holdBack`. */
	readonly mistakes: readonly Mistake[];
}

export const noDoubts: Doubts = { ofSession: new Set(), ofPerson: new Map(), mistakes: [] };

export function reasonOfDoubts(
	{ ofSession, ofPerson }: Doubts,
	person: Registered,
): Reason | undefined {
	const [firstDoubt] = ofSession;
	// Where a person may be somebody on the list, that doubt comes before any other.
	const own = ofPerson.get(person);
	const doubt = own ?? firstDoubt;
	if (doubt === undefined) return undefined;
	if (firstDoubt === undefined) return law.reasonOfOwnDoubt(doubt);
	return law.reasonOfDoubt(doubt, ofSession.size - (ofSession.has(doubt) ? 1 : 0));
}

/** Finds what is in doubt before anything is sent. `doubtsOfSessions`: about those that cannot be read. */
export async function findDoubts(
	rows: readonly SyncCandidate[],
	toRemove: readonly Registered[],
	doubtsOfSessions: readonly string[],
	yieldIfDue: YieldIfDue,
): Promise<Doubts> {
	const mistakes = await findMistakes(rows, toRemove, yieldIfDue);
	const doubtsOfRows = rows
		.filter(({ person }) => !person)
		.flatMap((row) => law.doubtsAboutRow(row, row.outcome));
	const ofAdditions = mistakes.filter(({ isOfAddition }) => isOfAddition);
	// Where both are registered, that says nothing about anybody else.
	const ofRegistered = mistakes.filter(({ isOfAddition }) => !isOfAddition);
	const mistakesInWords = ofAdditions.map(({ inWords }) => inWords);
	return {
		ofSession: new Set([...doubtsOfRows, ...doubtsOfSessions, ...mistakesInWords]),
		// Of two about a person the last one stays, which is that of an addition.
		ofPerson: new Map(
			[...ofRegistered, ...ofAdditions].flatMap(({ people, inWords }) =>
				people.map((person) => [person, inWords] as const),
			),
		),
		mistakes,
	};
}

/** A row that differs by one typo from an address of somebody who would be removed. */
interface Mistake {
	readonly row: SyncCandidate;
	/** Everybody who has that address: a session may list somebody twice. */
	readonly people: readonly Registered[];
	readonly inWords: string;
	/** The row would add somebody. Otherwise both are registered. */
	readonly isOfAddition: boolean;
}

async function findMistakes(
	rows: readonly SyncCandidate[],
	toRemove: readonly Registered[],
	yieldIfDue: YieldIfDue,
): Promise<Mistake[]> {
	if (toRemove.length === 0) return [];
	const withAddress: SyncCandidate[] = [];
	for (const candidate of rows) {
		await yieldIfDue();
		if (isAddress(candidate.row.address)) withAddress.push(candidate);
	}
	const rowsOf = groupBy(withAddress, ({ row }) => row.address);
	const peopleOf = new Map<string, Registered[]>();
	for (const person of toRemove) {
		for (const address of person.addresses) addToGroup(peopleOf, address, person);
	}
	const pairs = await typingMistakes([...rowsOf.keys()], [...peopleOf.keys()], yieldIfDue);
	return pairs.flatMap(({ listed, removed }) => {
		const people = peopleOf.get(removed) ?? [];
		return (rowsOf.get(listed) ?? []).flatMap((row) => {
			const isOfAddition = row.intent?.kind === 'add';
			const describe = isOfAddition ? law.describeTypingMistake : law.describeRegisteredTwice;
			// A row that is not sent anyway is a doubt by itself, and has a reason of its own.
			if (!(isOfAddition || row.person)) return [];
			return { row, people, inWords: describe(row, removed), isOfAddition };
		});
	});
}

/** Tells the rows of their mistakes, and adds nobody of them. */
export function holdBack({ mistakes }: Pick<Doubts, 'mistakes'>): void {
	const inWordsOf = new Map(mistakes.map(({ row, inWords }) => [row, inWords]));
	for (const [candidate, inWords] of inWordsOf) {
		const { intent, outcome } = candidate;
		const likeness = law.reasonOfLikeness(inWords);
		if (intent?.kind === 'add') {
			candidate.intent = undefined;
			setOutcome([candidate], { status: 'invalid', reasons: [law.reasonNotToAdd(inWords)] });
		} else if (intent?.kind === 'update') {
			candidate.intent = { ...intent, reasons: [...intent.reasons, likeness] };
		} else if (outcome) {
			correctOutcome(candidate, { ...outcome, reasons: [...outcome.reasons, likeness] });
		}
	}
}

/** People are kept after all, depending on what became of those who were added to their session. */
export function reasonsAfterAdditions(
	candidates: readonly SyncCandidate[],
	mayRemoveDespiteProblems = false,
): Map<SyncCandidate, Reason> {
	const reasons = new Map<SyncCandidate, Reason>();
	const additionsOf = groupBy(withIntent(candidates, 'add'), ({ row }) => row.sessionId);
	const removalsOf = groupBy(withIntent(candidates, 'remove'), ({ row }) => row.sessionId);
	for (const [sessionId, removals] of removalsOf) {
		const additions = additionsOf.get(sessionId) ?? [];
		// Everybody who is to be removed has an ID, so an addition without one keeps nobody.
		const additionOf = new Map(
			additions.map((added) => [normalizeId(text(added.outcome?.person?.id)), added] as const),
		);
		const ofSession = new Set(
			additions.flatMap((added) => law.doubtsAboutRow(added, added.outcome)),
		);
		const doubts = mayRemoveDespiteProblems ? noDoubts : { ...noDoubts, ofSession };
		for (const candidate of removals) {
			const added = additionOf.get(normalizeId(candidate.person.id));
			const reason = added
				? law.reasonOfAddedInRun(added)
				: reasonOfDoubts(doubts, candidate.person);
			if (reason !== undefined) reasons.set(candidate, reason);
		}
	}
	return reasons;
}
