import { problemOfId } from '../client/path';
import { attributesOf } from '../client/document';
import { answersIn, registrationOf } from '../dialect/person';
import { addressOf, addressesOfFields } from '../people/identity';
import type { Reason } from '../people/outcome';
import type { Row } from '../people/registration';
import { viewPerson, type PersonView } from '../records/recordView';
import { fieldsOf } from '../records/simplify';
import type { JsonObject } from '../values/json';
import { text } from '../values/text';
import * as law from './law';

/**
 * Somebody who is registered for a session, with what Sync reads of the record. The record is dropped with its page, because
 * those of a long list would fill the memory.
 */
export interface Registered {
	/** Empty where the platform shows none that can be one. */
	readonly id: string;
	/** As the platform shows it, because its filter may not know another spelling. */
	readonly email: string;
	readonly address: string;
	readonly addresses: readonly string[];
	/** The part of the record with the answers that the list has, too. */
	readonly answers: JsonObject;
	/** The part of the record that outcomes show. */
	readonly visible: JsonObject;
	readonly isOfTeam: boolean;
	/** Why nobody may ever remove the person. Absent: the record says nothing against it. */
	readonly neverToRemove?: Reason;
	/** Why the record of an attendance would be lost. Absent: there is none. */
	readonly attendance?: Reason;
}

export interface Reading {
	readonly session: law.SessionOfList;
	/** The names of the answers and values that the list has. */
	readonly asked: ReadonlySet<string>;
	readonly view?: PersonView;
}

export function readRegistered(record: JsonObject, { session, asked, view }: Reading): Registered {
	const fields = fieldsOf(record);
	return {
		id: problemOfId(record.id) === undefined ? text(record.id) : '',
		email: text(attributesOf(record).email),
		address: addressOf(record),
		addresses: addressesOfFields(fields),
		answers: answersTo(record, asked),
		visible: viewPerson(fields, view),
		isOfTeam: law.isOfTheTeam(record),
		neverToRemove: law.reasonNeverToRemove(record),
		attendance: law.reasonOfAttendance(record, session),
	};
}

export function namesAskedIn(list: readonly Row[]): Set<string> {
	const names = new Set<string>();
	for (const { registration } of list) {
		for (const { id } of registration.fields) names.add(id);
		for (const name of Object.keys(registration.tracking)) names.add(name);
	}
	return names;
}

function answersTo(record: JsonObject, asked: ReadonlySet<string>): JsonObject {
	const registration = registrationOf(record);
	const fields = answersIn(registration).filter(({ id }) => asked.has(text(id)));
	const registrant_detail = { ...pick(registration, asked), fields };
	return { attributes: { ...pick(attributesOf(record), asked), registrant_detail } };
}

function pick(members: JsonObject, names: ReadonlySet<string>): JsonObject {
	const named = [...names].filter((name) => Object.hasOwn(members, name));
	return Object.fromEntries(named.map((name) => [name, members[name] ?? null]));
}
