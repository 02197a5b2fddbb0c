import { isGeneratedAddress } from '../dialect/publicEvents';
import type { Row } from '../people/registration';
import { distinctReasons, sharedResult, type TaskResult } from './taskResult';
import type { ListedPerson } from '../people/findPeople';
import { ownReason, type Outcome } from '../people/outcome';

/** Somebody who was sent in a job. */
interface Sent {
	readonly row: Pick<Row, 'address'>;
}

interface JobFacts {
	/** How many people succeeded, as the platform counts them. Absent: it has not been asked. */
	readonly succeeded?: number;
	/** The job was not read to its end. Its results may still move, so that each counts by its address alone. */
	readonly isUncertain?: boolean;
	/** The event is known to replace emails, so that no record names anybody. Results that show that are enough. */
	readonly isPublic?: boolean;
}

interface Assigned<Person> {
	results: Map<Person, TaskResult>;
	/** The people without a result, where the list of registered people may tell whose each result is. */
	open: Person[];
	/** The results that belong to people without one, though it is not known to whom. */
	unassigned: TaskResult[];
	/** The results contradict each other or the people, so that only addresses were used. */
	isContradicted: boolean;
}

/**
 * So many people of a job at their own places, and nobody elsewhere, show that its results come in the order of the people. Among fifty
 * results in any other order, three people would stand so by chance once in a hundred thousand jobs, and two once in 2,450.
 */
const leastPeopleInOrder = 3;

/**
 * Finds the result of each person of a job: by the address in the record; then by the place in the list, where everybody has a result and the others
 * show that the order is kept; then because all that is left says the same. It never guesses: from results that contradict each other it concludes
 * nothing but by address.
 *
 * At a public event the platform makes up all addresses, so nobody is named. There the order of the tasks is believed, as the vendor's own
 * client does. A made-up address contradicts nothing.
 */
export function assign<Person extends Sent>(
	people: readonly Person[],
	results: readonly TaskResult[],
	{ succeeded, isUncertain = false, isPublic = false }: JobFacts = {},
): Assigned<Person> {
	const named = peopleNamed(people, results);
	const assigned = new Map<Person, TaskResult>();
	results.forEach((result, nth) => {
		const person = named[nth];
		if (person && !assigned.has(person)) assigned.set(person, result);
	});
	const open = people.filter((person) => !assigned.has(person));
	const unassigned = results.filter((_, nth) => !named[nth]);
	const isComplete = results.length === people.length;
	const registered = results.filter(({ status }) => status === 'registered').length;
	const isContradicted =
		(isComplete && succeeded !== undefined && succeeded !== registered) ||
		unassigned.some(hasOwnAddress) ||
		results.length > people.length;
	// Too few results are left: one is missing, or somebody has two. Then nothing is concluded of the others.
	if (isContradicted || unassigned.length < open.length) {
		return { results: assigned, open: [], unassigned, isContradicted };
	}
	const replacesEmails =
		isPublic || results.some(({ address = '' }) => isGeneratedAddress(address));
	const isOrderSeen = replacesEmails || assigned.size >= leastPeopleInOrder;
	const isOrdered = isComplete && isOrderSeen && areInOrder(named, people);
	const resultOfAll = sharedResult(unassigned);
	if (isUncertain || (!isOrdered && !resultOfAll))
		return { results: assigned, open, unassigned, isContradicted };
	people.forEach((person, nth) => {
		const result = isOrdered ? results[nth] : resultOfAll;
		if (result && !assigned.has(person)) assigned.set(person, result);
	});
	return { results: assigned, open: [], unassigned: [], isContradicted };
}

/** The person whose address the record has, for each result. */
function peopleNamed<Person extends Sent>(
	people: readonly Person[],
	results: readonly TaskResult[],
): Array<Person | undefined> {
	const personAt = new Map<string | undefined, Person>(
		people.map((person) => [person.row.address, person]),
	);
	return results.map(({ address }) => personAt.get(address));
}

function areInOrder<Person>(
	named: ReadonlyArray<Person | undefined>,
	people: readonly Person[],
): boolean {
	return named.every((person, nth) => !person || person === people[nth]);
}

function hasOwnAddress({ address }: TaskResult): boolean {
	return address !== undefined && !isGeneratedAddress(address);
}

/**
 * Concludes that people in the list were registered and all others have failed. It concludes nothing unless as many people are in the list as the
 * results say, and nothing of several of whom one is there as somebody of the team: the team is there whatever became of the registration.
 */
export function concludeFromList<Person extends Sent>(
	people: readonly Person[],
	unassigned: readonly TaskResult[],
	listed: ReadonlyMap<string, Pick<ListedPerson, 'person' | 'isRegistrant'>>,
): Map<Person, TaskResult> {
	const succeeded = unassigned.filter(({ status }) => status !== 'failed');
	const present = people.filter(({ row }) => listed.has(row.address));
	const hasTeam = present.some(({ row }) => !listed.get(row.address)?.isRegistrant);
	const isClear =
		unassigned.length === people.length &&
		present.length === succeeded.length &&
		(people.length === 1 || !hasTeam);
	const resultOfPresent = sharedResult(succeeded);
	const resultOfAbsent = sharedResult(unassigned.filter(({ status }) => status === 'failed'));
	const concluded = new Map<Person, TaskResult>();
	for (const person of isClear ? people : []) {
		const record = listed.get(person.row.address)?.person;
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
