import { addAll, groupBy } from '../values/collections';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { attributesOf } from '../client/document';
import { areDifferentUuids, normalizeId } from '../client/path';
import { sameAddress } from './address';
import { isGuestSpeaker, registrationOf } from '../dialect/person';
import { fieldsOf, type Fields } from '../records/simplify';

/** Gives the address that a record, as the platform sends it, shows of its person, in the spelling in which it is compared; empty where it shows none. */
export function addressOf(person: JsonObject): string {
	return sameAddress(text(attributesOf(person).email));
}

/** Gives the address that simplified fields show first, which is that of the person, or the answer where the person has none; undefined where there is neither. */
export function emailOf(fields: Fields): string | undefined {
	return sameAddress(text(fields.get('email'))) || undefined;
}

/** Gives all addresses of one record. There is a second one where the person has another address than the registration. */
export function addressesOf(person: JsonObject): string[] {
	const fields = fieldsOf(person);
	const addresses = ['email', 'email_answer'].map((name) => sameAddress(text(fields.get(name))));
	return [...new Set(addresses)].filter((address) => address !== '');
}

/** Whether the record says that the person is registered for another session than the one it was listed for. */
export function isOfAnotherSession(person: JsonObject, sessionId: string): boolean {
	return areDifferentUuids(registrationOf(person).session_id, sessionId);
}

/** The addresses of a person, as the records of all sessions of a run show them. */
export interface AddressesOfPerson {
	/** The addresses that the person certainly has. */
	certain: readonly string[];
	/** The addresses that other records with the same ID show. Nobody knows whether these are the same person. */
	possible: readonly string[];
}

/** Finds the addresses of a person in the records of a run. */
export type AddressBook = (person: JsonObject) => AddressesOfPerson;

/**
 * Collects the addresses of everybody in the sessions of a run. An ID alone does not make two records one person, because some
 * platforms count IDs in each session: the records have to share an address, or one of them has none.
 */
export function addressBook(people: readonly JsonObject[]): AddressBook {
	const ownAddresses = new Map(people.map((person) => [person, addressesOf(person)]));
	const addressesOfPerson = new Map<JsonObject, AddressesOfPerson>();
	const withId = people.filter(({ id }) => text(id) !== '');
	for (const records of groupBy(withId, ({ id }) => normalizeId(text(id))).values()) {
		const groups = groupsByAddress(records, ownAddresses);
		const allAddresses = [...new Set(groups.flatMap(({ addresses }) => [...addresses]))];
		for (const { members, addresses } of groups) {
			const possible = allAddresses.filter((address) => !addresses.has(address));
			for (const person of members)
				addressesOfPerson.set(person, { certain: [...addresses], possible });
		}
	}
	return (person) =>
		addressesOfPerson.get(person) ?? {
			certain: ownAddresses.get(person) ?? addressesOf(person),
			possible: [],
		};
}

/** Records that certainly belong to one person, with the addresses in them. */
interface RecordsOfPerson {
	members: JsonObject[];
	addresses: Set<string>;
}

/** Divides records with the same ID by person. */
function groupsByAddress(
	records: readonly JsonObject[],
	ownAddresses: ReadonlyMap<JsonObject, readonly string[]>,
): RecordsOfPerson[] {
	let groups: RecordsOfPerson[] = [];
	const withoutAddress = records.filter((person) => ownAddresses.get(person)?.length === 0);
	for (const person of records) {
		const addresses = new Set(ownAddresses.get(person));
		if (addresses.size === 0) continue;
		const isSame = (group: RecordsOfPerson) =>
			[...group.addresses].some((address) => addresses.has(address));
		const sameGroups = groups.filter(isSame);
		const joined: RecordsOfPerson = {
			members: [...sameGroups.flatMap(({ members }) => members), person],
			addresses: new Set([...sameGroups.flatMap((group) => [...group.addresses]), ...addresses]),
		};
		groups = [...groups.filter((group) => !isSame(group)), joined];
	}
	const [onlyGroup, ...others] = groups;
	// A record without an address could belong to any of several people, so it is assigned to none.
	if (onlyGroup && others.length === 0) addAll(onlyGroup.members, withoutAddress);
	else
		for (const person of withoutAddress) groups.push({ members: [person], addresses: new Set() });
	return groups;
}

/** Whether a record shows somebody who may have registered. Members of the team and guest speakers stand in the same list. */
export function mayBeRegistrant(person: JsonObject): boolean {
	const role = text(attributesOf(person).role).toLowerCase();
	return ['', 'participant'].includes(role) && !isGuestSpeaker(person);
}
