import { Failure } from '../client/failure';
import { askForPage, largestPage, readPages } from '../client/pages';
import { isSameId, pathToPeople, pathToPerson } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { getRecord } from '../client/document';
import type { Json, JsonObject } from '../values/json';
import { mapConcurrently, usuallyAtOnce } from '../client/concurrently';
import { fieldsOf } from '../records/simplify';
import { viewRecord, type RecordView } from '../records/recordView';
import { normalizeAddress } from './address';
import { registrationDates, type RegistrationDates } from './registrationTime';
import {
	addressOfFields,
	addressesOf,
	isOfAnotherSession,
	isRegistrant,
	registrantFirst,
} from './identity';

/** So many people or fewer are looked up one by one, because reading the list would hardly be cheaper. */
const fewPeople = 10;

export interface ListedPerson extends RegistrationDates {
	person: JsonObject;
	isRegistrant: boolean;
}

/**
 * Finds out who is registered for a session. It asks for each person, or reads the list where that costs less. It gives undefined
 * where `mostRequests` are not enough, or the platform ignores for whom it is asked.
 */
export async function findPeople(
	sessionId: string,
	addresses: readonly string[],
	mostRequests: number,
	ask: Ask,
	view?: RecordView,
): Promise<ReadonlyMap<string, ListedPerson> | undefined> {
	const listed = new Map<string, ListedPerson>();
	let unseen = addresses;
	const note = (records: readonly JsonObject[]) => {
		for (const record of records) {
			const address = addressOfFields(fieldsOf(record));
			if (address === undefined || isOfAnotherSession(record, sessionId)) continue;
			const known = listed.get(address);
			const isFirst = !known || registrantFirst(isRegistrant(record), known.isRegistrant) < 0;
			if (isFirst) listed.set(address, listedPersonOf(record, view));
		}
		unseen = addresses.filter((address) => !listed.has(address));
	};
	let requestsLeft = mostRequests;
	const listPays = addresses.length > Math.min(fewPeople, mostRequests);
	// The pages that may be read have to be able to show everybody.
	if (listPays && addresses.length <= mostRequests * largestPage) {
		let mayReadOn = true;
		for await (const page of readPages(ask, pathToPeople(sessionId))) {
			note(page.records);
			if (unseen.length === 0) return listed;
			if (page.number !== 0) continue;
			requestsLeft -= 1;
			// Pages count from 0, so that the number of the last is how many are left. They may cost no more than to ask for each person.
			mayReadOn = (page.lastPage ?? Infinity) <= Math.min(requestsLeft, unseen.length);
			if (!mayReadOn) break;
		}
		if (mayReadOn) return listed;
	}
	if (unseen.length > requestsLeft) return undefined;
	const readByAddress = async (address: string) => {
		const { records } = await askForPage(ask, requestForEmail(sessionId, address));
		return peopleIn(records, sessionId, address);
	};
	for (const people of await mapConcurrently(unseen, usuallyAtOnce, readByAddress)) {
		if (!people) return undefined;
		note(people);
	}
	return listed;
}

function requestForEmail(sessionId: string, email: string): ApiRequest {
	return { method: 'GET', path: pathToPeople(sessionId), query: { 'filter[email]': email } };
}

/** The record of the same person in another session says nothing about this one. */
export async function fetchPerson(ask: Ask, sessionId: string, id: Json): Promise<JsonObject> {
	const path = pathToPerson(sessionId, id);
	const person = await getRecord(ask, path);
	if (!isOfAnotherSession(person, sessionId)) return person;
	throw new Failure('unexpected_shape', { method: 'GET', path });
}

/**
 * Lists those whom the platform knows by an address in a session. Registrants stand before the team, which may have the address as well.
 * Throws where the platform ignores the address. `id`: somebody who counts with any address.
 */
export async function findByEmail(
	ask: Ask,
	sessionId: string,
	email: string,
	id?: unknown,
): Promise<JsonObject[]> {
	const request = requestForEmail(sessionId, email);
	const { records } = await askForPage(ask, request);
	const found = peopleIn(records, sessionId, email, id);
	if (found) return found;
	throw new Failure('unexpected_shape', request);
}

/**
 * Reads an answer to the question who has an address. The record of the same person in another session says nothing about this one. Undefined
 * where others are listed, and no registrant with the address: then the platform has ignored the filter, and the person may be on any page.
 */
function peopleIn(
	records: readonly JsonObject[],
	sessionId: string,
	email: string,
	id?: unknown,
): JsonObject[] | undefined {
	const address = normalizeAddress(email);
	const ofSession = records.filter((record) => !isOfAnotherSession(record, sessionId));
	const isOther = (person: JsonObject) => !addressesOf(person).includes(address);
	const people = ofSession.filter(
		(person) =>
			addressOfFields(fieldsOf(person)) === address ||
			(id !== undefined && isSameId(person.id, id)),
	);
	if (!people.some(isRegistrant) && ofSession.some(isOther)) return undefined;
	return people.sort((a, b) => registrantFirst(isRegistrant(a), isRegistrant(b)));
}

export function listedPersonOf(record: JsonObject, view?: RecordView): ListedPerson {
	return {
		person: viewRecord(fieldsOf(record), view),
		isRegistrant: isRegistrant(record),
		...registrationDates(record),
	};
}
