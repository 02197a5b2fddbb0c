import type { ApiResponse, Client } from '../../core/client/request';
import { sameAddress } from '../../core/people/address';
import { fetchPeoplePage } from '../../core/people/findPeople';
import { addressOf } from '../../core/people/identity';
import type { JsonObject } from '../../core/values/json';

/** The people of a session that the platform lists by an address. */
interface PeopleByEmail {
	/** The response with the list. */
	response: ApiResponse;
	/** The listed people who really have the address. */
	people: JsonObject[];
}

/** Lists the people of a session by an address. A platform that ignores the filter lists other people too. */
export async function findByEmail(
	api: Client,
	sessionId: string,
	email: string,
): Promise<PeopleByEmail> {
	const { response, records } = await fetchPeoplePage(api, sessionId, { 'filter[email]': email });
	return { response, people: records.filter((person) => addressOf(person) === sameAddress(email)) };
}
