import { addAll, groupBy } from '../values/collections';
import { text } from '../values/text';
import type { JsonObject } from '../values/json';
import { attributesOf } from '../client/document';
import { areDifferentUuids, normalizeId } from '../client/path';
import { normalizeAddress } from './address';
import { registrationOf, standingOf } from '../dialect/person';
import { viewPerson, type PersonView } from '../records/recordView';
import { fieldsOf, type Fields } from '../records/simplify';
import type { YieldIfDue } from '../client/clock';

export function addressOf(person: JsonObject): string {
	return normalizeAddress(text(attributesOf(person).email));
}

/** Simplified fields show the person's address first, or the answer where the person has none; undefined where there is neither. */
export function emailOf(fields: Fields): string | undefined {
	return normalizeAddress(text(fields.get('email'))) || undefined;
}

/** There is a second address where the person has another one than the registration. */
export function addressesOf(person: JsonObject): string[] {
	return addressesOfFields(fieldsOf(person));
}

function addressesOfFields(fields: Fields): string[] {
	const addresses = ['email', 'email_answer'].map((name) =>
		normalizeAddress(text(fields.get(name))),
	);
	return [...new Set(addresses)].filter((address) => address !== '');
}

/** `sessionId`: the session for which the record was listed. */
export function isOfAnotherSession(person: JsonObject, sessionId: string): boolean {
	return areDifferentUuids(registrationOf(person).session_id, sessionId);
}

export interface SessionPerson {
	readonly record: JsonObject;
	readonly address: string;
	readonly addresses: readonly string[];
	/** The part of the record that outcomes show. */
	readonly visible: JsonObject;
}

/** Reads somebody from the list of people. The fields of a record are read here and never again, because in a long list that takes seconds. */
export function readRegistered(record: JsonObject, view?: PersonView): SessionPerson {
	const fields = fieldsOf(record);
	const addresses = addressesOfFields(fields);
	return { record, address: addressOf(record), addresses, visible: viewPerson(fields, view) };
}

export interface AddressesOfPerson {
	readonly certain: readonly string[];
	/** The addresses that other records with the same ID show. Nobody knows whether these are the same person. */
	readonly possible: readonly string[];
}

export type AddressBook = (person: SessionPerson) => AddressesOfPerson;

/**
 * Collects the addresses of everybody in the sessions of a run. An ID alone does not make two records one person, because some
 * platforms count IDs in each session: the records have to share an address, or one of them has none.
 */
export async function addressBook(
	people: readonly SessionPerson[],
	yieldIfDue: YieldIfDue,
): Promise<AddressBook> {
	const addressesOfPerson = new Map<SessionPerson, AddressesOfPerson>();
	const withId = people.filter(({ record }) => text(record.id) !== '');
	const groupsWithId = groupBy(withId, ({ record }) => normalizeId(text(record.id)));
	for (const sameId of groupsWithId.values()) {
		await yieldIfDue();
		if (sameId.length === 1) continue;
		const groups = groupsByAddress(sameId);
		const allAddresses = [...new Set(groups.flatMap(({ addresses }) => [...addresses]))];
		for (const { members, addresses } of groups) {
			const possible = allAddresses.filter((address) => !addresses.has(address));
			for (const person of members)
				addressesOfPerson.set(person, { certain: [...addresses], possible });
		}
	}
	return (person) => addressesOfPerson.get(person) ?? { certain: person.addresses, possible: [] };
}

interface RecordsOfPerson {
	members: SessionPerson[];
	addresses: Set<string>;
}

function groupsByAddress(sameId: readonly SessionPerson[]): RecordsOfPerson[] {
	let groups: RecordsOfPerson[] = [];
	const withoutAddress = sameId.filter((person) => person.addresses.length === 0);
	for (const person of sameId) {
		if (person.addresses.length === 0) continue;
		const isSame = (group: RecordsOfPerson) =>
			person.addresses.some((address) => group.addresses.has(address));
		const sameGroups = groups.filter(isSame);
		const joined: RecordsOfPerson = {
			members: [...sameGroups.flatMap(({ members }) => members), person],
			addresses: new Set([
				...sameGroups.flatMap((group) => [...group.addresses]),
				...person.addresses,
			]),
		};
		groups = [...groups.filter((group) => !isSame(group)), joined];
	}
	const [onlyGroup, ...others] = groups;
	// A record without an address could belong to any of several people, so it is assigned to none.
	if (onlyGroup && others.length === 0) addAll(onlyGroup.members, withoutAddress);
	else
		addAll(
			groups,
			withoutAddress.map((person) => ({ members: [person], addresses: new Set<string>() })),
		);
	return groups;
}

/** The team, guest speakers and people of unknown roles stand in the same list. */
export function mayBeRegistrant(person: JsonObject): boolean {
	return standingOf(person) === 'registrant';
}
