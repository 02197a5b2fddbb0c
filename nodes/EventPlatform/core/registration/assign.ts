import { addressesIn } from '../people/address';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { distinctReasons, sharedResult, type TaskResult } from './taskResult';
import type { ListedPerson } from '../people/findPeople';
import { ownReason, type Outcome } from '../people/outcome';

interface JobFacts {
	order?: ResultOrder;
	succeeded?: number;
	hasSharedId?: boolean;
	/** Addresses of people of the job that others of them have sent as answers, too. In a record such an address may be another person's answer. */
	sentByOthers?: ReadonlySet<string>;
}

export interface Assigned<Person> {
	results: Map<Person, TaskResult>;
	/** The people without a result, where the list of registered people may tell whose each result is. */
	open: Person[];
	/** The results that belong to people without one, though it is not known to whom. */
	unassigned: TaskResult[];
	order: ResultOrder;
	/** The results contradict each other or the people, so that only addresses were used. */
	isContradicted: boolean;
}

export interface ResultOrder {
	readonly inOrder: number;
	readonly isBroken: boolean;
}

export const noOrder: ResultOrder = { inOrder: 0, isBroken: false };

function isProven({ inOrder, isBroken }: ResultOrder): boolean {
	return !isBroken && inOrder >= leastPeopleInOrder;
}

/** So many people in order, and nobody elsewhere, prove the order: most of a full job of fifty. In a shorter list neighbours may be in order by chance. */
const leastPeopleInOrder = 40;

/**
 * Finds the result of each person of a job: by the address in the record, then by position where the order is proven, then by
 * elimination. It never guesses: from results that contradict each other it concludes nothing but by address. An email that the
 * platform has made up names nobody else, so it contradicts nothing.
 *
 * A position is the place of a person among those who were sent, and `nth` is the place of a result in the platform's list.
 */
export function assign<Person extends { readonly address: string }>(
	people: readonly Person[],
	results: readonly TaskResult[],
	{ order: orderBefore = noOrder, succeeded, hasSharedId = false, sentByOthers }: JobFacts = {},
): Assigned<Person> {
	const emails = people.map(({ address }) => address);
	const positionOfEach = positionsByAddress(emails, results, sentByOthers);
	// Where a person has two results, there are too few for the others, so that nothing is guessed.
	const assigned = emails.map((_, position) => results[positionOfEach.indexOf(position)]);
	const inOrder = positionOfEach.filter((position, nth) => position === nth).length;
	const isMoved = positionOfEach.some(
		(position, nth) => position !== undefined && position !== nth,
	);
	const order: ResultOrder = {
		inOrder: orderBefore.inOrder + inOrder,
		isBroken: orderBefore.isBroken || isMoved,
	};
	const unassigned = results.filter((_, nth) => positionOfEach[nth] === undefined);
	const isComplete = results.length === emails.length;
	const registered = results.filter(({ status }) => status === 'registered').length;
	const isMiscounted = isComplete && succeeded !== undefined && succeeded !== registered;
	const hasStranger = unassigned.some(hasOwnAddress);
	const isContradicted =
		hasSharedId ||
		isMiscounted ||
		hasStranger ||
		results.length > emails.length ||
		isSomebodyNamedTwice(unassigned, emails);
	const byPerson = (all: ReadonlyArray<TaskResult | undefined>) =>
		new Map(
			people.flatMap((person, position) => {
				const result = all[position];
				return result ? [[person, result] as const] : [];
			}),
		);
	const assignedByAddress = {
		results: byPerson(assigned),
		open: [],
		unassigned,
		order,
		isContradicted,
	};
	const open = people.filter((_, position) => assigned[position] === undefined);
	if (isContradicted || unassigned.length < open.length) return assignedByAddress;
	// Another job may come in another order, so at least half of its own people have to be seen in theirs.
	const isOrdered = isComplete && isProven(order) && 2 * inOrder >= emails.length;
	const resultOfAll = sharedResult(unassigned);
	if (!isOrdered && !resultOfAll) return { ...assignedByAddress, open };
	const completeResults = assigned.map(
		(result, position) => result ?? (isOrdered ? results[position] : resultOfAll),
	);
	return { ...assignedByAddress, results: byPerson(completeResults), unassigned: [] };
}

/** Where two results are the same failure of a person whom its words name, one of them stands in place of another result. */
function isSomebodyNamedTwice(
	unassigned: readonly TaskResult[],
	emails: readonly string[],
): boolean {
	const namingReasons = unassigned
		.map(({ reasons }) => reasons.map(({ message }) => message).join('\n'))
		.filter((words) => addressesIn(words).some((address) => emails.includes(address)));
	return new Set(namingReasons).size < namingReasons.length;
}

/** The record's own email decides, or else the address of the only one of these people whom the record mentions. */
function positionsByAddress(
	emails: readonly string[],
	results: readonly TaskResult[],
	sentByOthers: ReadonlySet<string> = new Set(),
): Array<number | undefined> {
	const positionOf = new Map<string | undefined, number>(
		emails.map((email, position) => [email, position]),
	);
	const ownPositions = results.map(({ email }) => positionOf.get(email));
	const mentionedAddresses = results.map((result, nth) => {
		const isNamed = ownPositions[nth] !== undefined || hasOwnAddress(result);
		const mentions = isNamed ? [] : (result.mentions ?? []);
		return mentions.filter((address) => positionOf.has(address));
	});
	// A platform that shows no address in one of the records may show another person's address in the others.
	const isEveryAddressShown = results.every((result, nth) => {
		const isNamed = result.status !== 'registered' || ownPositions[nth] !== undefined;
		return isNamed || hasOwnAddress(result) || (mentionedAddresses[nth] ?? []).length > 0;
	});
	if (!isEveryAddressShown) return ownPositions;
	const mentionedPositions = mentionedAddresses.map(([address, ...more]) => {
		const isAmbiguous = address === undefined || more.length > 0 || sentByOthers.has(address);
		return isAmbiguous ? undefined : positionOf.get(address);
	});
	const takenPositions = [...ownPositions, ...mentionedPositions];
	const isTakenOnce = (position?: number) =>
		takenPositions.indexOf(position) === takenPositions.lastIndexOf(position);
	return ownPositions.map((position, nth) => {
		const mentionedAt = mentionedPositions[nth];
		return position ?? (isTakenOnce(mentionedAt) ? mentionedAt : undefined);
	});
}

function hasOwnAddress({ email }: TaskResult): boolean {
	return email !== undefined && !isGeneratedAddress(email);
}

export interface SentPerson {
	address: string;
	otherTexts: readonly string[];
}

export function addressesSentByOthers(people: readonly SentPerson[]): Set<string> {
	const ownAddresses = new Set(people.map(({ address }) => address));
	const addresses = new Set<string>();
	for (const { address: ownAddress, otherTexts } of people) {
		const texts = otherTexts.filter((text) => text.includes('@'));
		for (const address of texts.flatMap(addressesIn)) {
			if (address !== ownAddress && ownAddresses.has(address)) addresses.add(address);
		}
	}
	return addresses;
}

/** Concludes that people in the list were registered and all others have failed. It concludes nothing unless as many people are in the list as the results say. */
export function concludeFromList<Person extends { readonly address: string }>(
	people: readonly Person[],
	unassigned: readonly TaskResult[],
	listed: ReadonlyMap<string, Pick<ListedPerson, 'person'>>,
): Map<Person, TaskResult> {
	const succeeded = unassigned.filter(({ status }) => status !== 'failed');
	const present = people.filter(({ address }) => listed.has(address));
	const isClear = unassigned.length === people.length && present.length === succeeded.length;
	const resultOfPresent = sharedResult(succeeded);
	const resultOfAbsent = sharedResult(unassigned.filter(({ status }) => status === 'failed'));
	const concluded = new Map<Person, TaskResult>();
	for (const person of isClear ? people : []) {
		const record = listed.get(person.address)?.person;
		const result = record
			? resultOfPresent && { ...resultOfPresent, person: record }
			: resultOfAbsent;
		if (result) concluded.set(person, result);
	}
	return concluded;
}

export function outcomeLeftOpen(
	unassigned: readonly TaskResult[],
	isContradicted: boolean,
	jobId: string,
): Outcome {
	const possibleReasons = distinctReasons(unassigned);
	const usualCode = possibleReasons.length === 0 ? 'no_result' : 'not_assignable';
	const code = isContradicted ? 'contradictory' : usualCode;
	return { status: 'unknown', jobId, reasons: [ownReason(code), ...possibleReasons] };
}
