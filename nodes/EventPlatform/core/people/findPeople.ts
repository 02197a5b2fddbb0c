import { hasNoSuchPage, largestPage } from '../client/pages';
import { readPage, type Page } from '../client/document';
import { pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { asFailure, Failure } from '../client/failure';
import type { JsonObject } from '../values/json';
import { upTo } from '../values/collections';
import { mapConcurrently, usuallyAtOnce } from '../client/concurrently';
import { fieldsOf } from '../records/simplify';
import { viewRecord, type RecordView } from '../records/recordView';
import { normalizeAddress } from './address';
import { registrationDates, type RegistrationDates } from './registrationTime';
import { addressOf, addressOfFields, isOfAnotherSession, mayBeRegistrant } from './identity';
import type { Ms } from '../values/units';

/** So many people or fewer are looked up one by one, because reading the list would hardly be cheaper. */
const fewPeople = 10;

export interface ListedPerson extends RegistrationDates {
	person: JsonObject;
	mayBeRegistrant: boolean;
}

interface PeoplePage extends Page {
	request: ApiRequest;
}

/**
 * Finds out who is registered for a session. It asks for each person, or reads the list where that costs less. It gives undefined
 * where `mostRequests` are not enough.
 */
export async function findPeople(
	sessionId: string,
	addresses: readonly string[],
	mostRequests: number,
	ask: Ask,
	view?: RecordView,
): Promise<ReadonlyMap<string, ListedPerson> | undefined> {
	const listed = new Map<string, ListedPerson>();

	async function readListPage(query: ApiRequest['query']): Promise<number | undefined> {
		const { records, lastPage } = await fetchPeoplePage(ask, sessionId, query);
		for (const record of records) {
			const address = addressOfFields(fieldsOf(record));
			if (address !== undefined && !isOfAnotherSession(record, sessionId))
				listed.set(address, listedPersonOf(record, view));
		}
		return lastPage;
	}

	const readWholePage = (number: number) =>
		readListPage({ 'page[number]': number, 'page[size]': largestPage });
	let requestsLeft = mostRequests;
	let unseen = addresses;
	// Reading the list pays where the pages that may be read can show everybody.
	if (
		addresses.length > Math.min(fewPeople, requestsLeft) &&
		addresses.length <= requestsLeft * largestPage
	) {
		const lastPage = await readWholePage(0);
		requestsLeft -= 1;
		unseen = addresses.filter((address) => !listed.has(address));
		if (unseen.length === 0) return listed;
		if (lastPage !== undefined && lastPage <= Math.min(requestsLeft, unseen.length)) {
			await mapConcurrently(upTo(lastPage), usuallyAtOnce, readWholePage);
			return listed;
		}
	}
	if (unseen.length > requestsLeft) return undefined;
	await mapConcurrently(unseen, usuallyAtOnce, (address) =>
		readListPage({ 'filter[email]': address }),
	);
	return listed;
}

/** Section 4.2 lets a platform refuse page 0 of a list without entries. */
function meansNobody(failure: Failure, query: ApiRequest['query']): boolean {
	const isFirst = Number(query?.['page[number]'] ?? 0) === 0;
	return isFirst && hasNoSuchPage(failure);
}

async function fetchPeoplePage(
	ask: Ask,
	sessionId: string,
	query: ApiRequest['query'],
): Promise<PeoplePage> {
	const request = { method: 'GET', path: pathTo`/sessions/${sessionId}/people`, query } as const;
	const response = await ask(request).catch(asFailure);
	if (!(response instanceof Failure)) return { request, ...readPage(request, response) };
	if (!meansNobody(response, query)) throw response;
	return { request, records: [], included: new Map(), lastPage: 0 };
}

interface PeopleByEmail {
	request: ApiRequest;
	/** Everybody of the session whom it shows. A platform that ignores the filter shows other people, too. */
	listed: JsonObject[];
	people: JsonObject[];
}

/** Lists the people of a session by an address. The record of the same person in another session says nothing about this one. */
export async function findByEmail(
	ask: Ask,
	sessionId: string,
	email: string,
): Promise<PeopleByEmail> {
	const page = await fetchPeoplePage(ask, sessionId, { 'filter[email]': email });
	const { request, records } = page;
	const listed = records.filter((record) => !isOfAnotherSession(record, sessionId));
	const people = listed.filter((person) => addressOf(person) === normalizeAddress(email));
	return { request, listed, people };
}

export function listedPersonOf(record: JsonObject, view?: RecordView): ListedPerson {
	return {
		person: viewRecord(fieldsOf(record), view),
		mayBeRegistrant: mayBeRegistrant(record),
		...registrationDates(record),
	};
}

/** `sinceMs`: a time by the platform's clock, whose dates have whole seconds. */
export function isRegisteredSince(
	{ registeredAt, createdAt }: RegistrationDates,
	sinceMs: Ms,
): boolean {
	// A person cannot be created after the registration, so either date may prove it.
	return [registeredAt, createdAt].some(
		(dateSeconds) => dateSeconds !== undefined && (dateSeconds + 1) * 1_000 > sinceMs,
	);
}
