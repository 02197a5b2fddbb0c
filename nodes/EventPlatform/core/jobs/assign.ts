import { addressesIn } from '../people/address';
import { isGeneratedAddress } from '../dialect/publicEvents';
import { distinctReasons, sharedResult, type TaskResult } from './taskResult';
import type { ListedPerson } from '../people/findPeople';
import { ownReason, type Outcome } from '../people/outcome';

/** The facts about a job beside its results. */
interface JobFacts {
	/** The order that the run has shown so far; absent: none. */
	order?: ResultOrder;
	/** How many people have succeeded, as the job itself counts; absent: it does not say. */
	succeeded?: number;
	/** Whether its id stands for other people, too. */
	isOfOthersToo?: boolean;
	/** Addresses that others of the job have sent as answers, too: in a record they may be those others' answer. */
	sentByOthers?: ReadonlySet<string>;
	/** Whether the order of the results may prove whose each is. */
	mayProveOrder?: boolean;
}

/** The results of a job by person, as far as they tell whose each is. */
export interface Assigned {
	/** The results by the position of their person; undefined where a person has none. */
	results: Array<TaskResult | undefined>;
	/** The positions of people without a result, if the list of who is registered may tell whose each is. */
	open: number[];
	/** The results that any of the people without one may have. */
	left: TaskResult[];
	/** The knowledge about the order after this job, as in `JobFacts`. */
	order: ResultOrder;
	/** Whether the results contradict each other or the people, so that only addresses were used. */
	isContradicted: boolean;
}

/** Whether results come in the order in which the people were sent, as far as records with an address have shown. */
export interface ResultOrder {
	/** The number of succeeded people of the run who stood where they were sent. */
	readonly inOrder: number;
	/** Whether somebody stood elsewhere. */
	readonly isBroken: boolean;
}

export const noOrder: ResultOrder = { inOrder: 0, isBroken: false };

function isProven({ inOrder, isBroken }: ResultOrder): boolean {
	return !isBroken && inOrder >= orderProof;
}

/** So many people in order, and nobody elsewhere, prove the order. Fewer may be chance, where neighbours overtake each other. */
const orderProof = 40;

/**
 * Finds the result of each person of a job: by the address in the record, then by position where the order is
 * proven, then by elimination. It never guesses: from results that contradict each other nothing is concluded
 * but by address. An email that the platform has made up is nobody else's, so it contradicts nothing.
 *
 * A position is the place of a person among those who were sent, and the nth result is where the platform lists it.
 */
export function assign(
	emails: string[],
	results: TaskResult[],
	{
		order: orderBefore = noOrder,
		succeeded,
		isOfOthersToo = false,
		sentByOthers,
		mayProveOrder = true,
	}: JobFacts = {},
): Assigned {
	const positionOfEach = positionsByAddress(emails, results, sentByOthers);
	// Where a person has two results, the count of the others does not fit, so that nothing is guessed.
	const assigned = emails.map((_, position) => results[positionOfEach.indexOf(position)]);
	const inOrder = positionOfEach.filter((position, nth) => position === nth).length;
	const isMoved = positionOfEach.some(
		(position, nth) => position !== undefined && position !== nth,
	);
	const order: ResultOrder = {
		inOrder: orderBefore.inOrder + inOrder,
		isBroken: orderBefore.isBroken || isMoved,
	};
	const left = results.filter((_, nth) => positionOfEach[nth] === undefined);
	const isComplete = results.length === emails.length;
	const registered = results.filter(({ status }) => status === 'registered').length;
	const isMiscounted = isComplete && succeeded !== undefined && succeeded !== registered;
	const isSomebodyElse = left.some(hasOwnAddress);
	const isContradicted =
		isOfOthersToo || isMiscounted || isSomebodyElse || results.length > emails.length;
	const byAddress = { results: assigned, open: [], left, order, isContradicted };
	const open = [...assigned.keys()].filter((position) => assigned[position] === undefined);
	if (isContradicted || left.length < open.length) return byAddress;
	const isOrdered = mayProveOrder && isComplete && isProven(order) && 2 * inOrder >= emails.length;
	const shared = sharedResult(left);
	if (!isOrdered && !shared) return { ...byAddress, open };
	const complete = assigned.map(
		(result, position) => result ?? (isOrdered ? results[position] : shared),
	);
	return { ...byAddress, results: complete, left: [] };
}

/** Gives the position of each result's person by the own email of the record, else by the only one of these people whom it mentions. */
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
	// A platform that shows no address in one of the records may show somebody else's in the others.
	const isEverybodyShown = results.every((result, nth) => {
		const isNamed = result.status !== 'registered' || ownPositions[nth] !== undefined;
		return isNamed || hasOwnAddress(result) || (mentionedAddresses[nth] ?? []).length > 0;
	});
	if (!isEverybodyShown) return ownPositions;
	const mentionedPositions = mentionedAddresses.map(([address, ...more]) => {
		const isOneOfSeveral = address === undefined || more.length > 0 || sentByOthers.has(address);
		return isOneOfSeveral ? undefined : positionOf.get(address);
	});
	const takenPositions = [...ownPositions, ...mentionedPositions];
	const isTakenOnce = (position?: number) =>
		takenPositions.indexOf(position) === takenPositions.lastIndexOf(position);
	return ownPositions.map((position, nth) => {
		const mentionedAt = mentionedPositions[nth];
		return position ?? (isTakenOnce(mentionedAt) ? mentionedAt : undefined);
	});
}

/** Whether the record has an own email, which was sent by somebody. */
function hasOwnAddress({ email }: TaskResult): boolean {
	return email !== undefined && !isGeneratedAddress(email);
}

/** One person of a job, as the request named them. */
export interface SentPerson {
	/** The address, as `sameAddress` writes it. */
	address: string;
	/** The other texts that were sent. */
	others: readonly string[];
}

/** Gives the addresses of these people that another of them has sent, too, as an answer or as the referrer. */
export function addressesSentByOthers(people: readonly SentPerson[]): Set<string> {
	const ownAddresses = new Set(people.map(({ address }) => address));
	const addresses = new Set<string>();
	for (const { address: own, others } of people) {
		const texts = others.filter((text) => text.includes('@'));
		for (const address of texts.flatMap(addressesIn)) {
			if (address !== own && ownAddresses.has(address)) addresses.add(address);
		}
	}
	return addresses;
}

/** Concludes that people in the list were registered and all others have failed; nothing unless as many are there as the results say. */
export function concludeFromList(
	emails: string[],
	left: readonly TaskResult[],
	listed: ReadonlyMap<string, ListedPerson>,
): Array<TaskResult | undefined> {
	const succeeded = left.filter(({ status }) => status !== 'failed');
	const present = emails.filter((email) => listed.has(email));
	if (left.length !== emails.length || present.length !== succeeded.length) return [];
	const resultOfPresent = sharedResult(succeeded);
	const resultOfAbsent = sharedResult(left.filter(({ status }) => status === 'failed'));
	return emails.map((email) => {
		const person = listed.get(email)?.person;
		return person ? resultOfPresent && { ...resultOfPresent, person } : resultOfAbsent;
	});
}

/** The outcome of people whose job is over, and whose result may be any that is `left`. */
export function outcomeLeftOpen(
	left: readonly TaskResult[],
	isContradicted: boolean,
	jobId: string,
): Outcome {
	const usual = left.length === 0 ? 'no_result' : 'not_assignable';
	const code = isContradicted ? 'contradictory' : usual;
	return { status: 'unknown', jobId, reasons: [ownReason(code), ...distinctReasons(left)] };
}
