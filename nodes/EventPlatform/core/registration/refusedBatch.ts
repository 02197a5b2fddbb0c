import type { Failure } from '../client/failure';
import { saysRegistered } from '../dialect/alreadyRegistered';
import { meaningOf } from '../failures/meaning';
import { linesOf, quotationsIn, saysUnknownField } from '../dialect/refusals';
import { unspecifiedTracking, type Registration } from '../people/registration';
import { groupBy } from '../values/collections';
import type { Batch, Candidate } from './candidate';

/**
 * Owns whether a platform keeps to the letter of section 2.2, which names neither lists of choices nor most UTM values. Public clients
 * send both. That a platform refuses them is supposed: nobody has seen it, but everybody who has such an answer would be refused. It is sent
 * texts alone, for the rest of the run.
 */
export class PlainForm {
	/** Undefined as long as the platform has not shown it. */
	isNeeded?: boolean;
	/** The UTM values that people were accepted without, because the plain form does not have them. A hint tells them. */
	readonly leftOut = new Set<string>();

	/** Whether refused people may be taken in the plain form. It is not tried any more once the platform has shown which form it takes. */
	mayHelp(registrations: readonly Registration[], failure: Failure): boolean {
		// Section 7 knows only the 400. Where a platform sends a 422, it is about the content of an answer.
		if (this.isNeeded === false || failure.status !== 400 || saysRegistered(failure.errors))
			return false;
		if (meaningOf(failure).mayBeAboutPeople) return false;
		return registrations.some(isBeyondTheLetter);
	}

	/** A refusal in the plain form says nothing of the form: one of the people may have a bad value besides. */
	recordAccepted(registrations: readonly Registration[], isPlain: boolean): void {
		if (!registrations.some(isBeyondTheLetter)) return;
		this.isNeeded ??= isPlain;
		if (!isPlain) return;
		for (const name of registrations.flatMap(unspecifiedTracking)) this.leftOut.add(name);
	}
}

function isBeyondTheLetter(registration: Registration): boolean {
	const hasLists = registration.fields.some(({ value }) => Array.isArray(value));
	return hasLists || unspecifiedTracking(registration).length > 0;
}

/**
 * So many requests the refused people of one session may cost; where it has more batches than that, as many as it has batches. One
 * person whom the platform refuses is found by six divisions of a batch of fifty. These cost 18 requests, so that 300 find sixteen people.
 */
const usualRequests = 300;
/** Two send the parts, and one reads the job of the part that is accepted. */
const requestsOfDivision = 3;

export interface Parts {
	/** With `isAhead` each goes to the front of the line, so that the last one leaves first: those to whom the words point. */
	readonly batches: readonly Batch[];
	/** Not where it is a firewall that refuses: others go first, because it may refuse all. */
	readonly isAhead: boolean;
}

/**
 * Divides batches that are refused as a whole, as often as that is worth its requests. Each session has its own number of them, so that
 * the bad rows of one cost the people of another nothing.
 */
export class Divider {
	private readonly requestsLeft = new Map<string, number>();

	constructor(batches: readonly Batch[]) {
		for (const [sessionId, { length }] of groupBy(batches, (batch) => batch.sessionId)) {
			this.requestsLeft.set(sessionId, Math.max(usualRequests, length));
		}
	}

	/** Takes requests from those that are left to a session, unless these are too few: for its parts, and for people in the plain form. */
	takeRequests(sessionId: string, requests: number): boolean {
		const left = (this.requestsLeft.get(sessionId) ?? 0) - requests;
		if (left >= 0) this.requestsLeft.set(sessionId, left);
		return left >= 0;
	}

	/**
	 * Divides a batch that is refused because of one of its people: into those to whom the platform's words point and the others, or else into
	 * halves. Undefined where that is pointless.
	 */
	divide({ sessionId, people, lost }: Batch, failure: Failure): Parts | undefined {
		const { effectOnPerson, mayBeAboutPeople } = meaningOf(failure);
		if (effectOnPerson !== 'refused' && !mayBeAboutPeople) return undefined;
		const words = linesOf(failure.errors);
		const quoted = quotationsIn(words);
		// A field that does not exist is refused for each person who has it.
		const isOfAll =
			saysUnknownField(words) && quoted.size > 0 && people.every(hasEachField(quoted));
		if (people.length < 2 || isOfAll || !this.takeRequests(sessionId, requestsOfDivision))
			return undefined;
		const isMeant = ({ row }: Candidate) =>
			row.registration.fields.some(({ id, value }) =>
				[id, value].flat().some((text) => quoted.has(text)),
			);
		const meant = people.filter(isMeant);
		const half = people.slice(0, Math.ceil(people.length / 2));
		const first = meant.length > 0 && meant.length < people.length ? meant : half;
		const others = people.filter((person) => !first.includes(person));
		// Where an attempt to send the whole batch may have arrived, its parts may have arrived with it.
		const batches = [others, first].map((part) => ({ sessionId, people: part, lost }));
		return { batches, isAhead: !mayBeAboutPeople };
	}
}

function hasEachField(ids: ReadonlySet<string>): (person: Candidate) => boolean {
	return ({ row }) =>
		[...ids].every((id) => row.registration.fields.some((field) => field.id === id));
}
