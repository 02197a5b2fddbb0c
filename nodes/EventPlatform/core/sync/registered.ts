import { problemOfId } from '../client/path';
import { attributesOf } from '../client/document';
import { answerOf, registrationOf, standingOf, type Standing } from '../dialect/person';
import { addressOf, addressesOfFields } from '../people/identity';
import type { Reason } from '../people/outcome';
import type { Row } from '../people/registration';
import { viewRecord, type RecordView } from '../records/recordView';
import { fieldsOf } from '../records/simplify';
import type { JsonObject } from '../values/json';
import { text } from '../values/text';
import * as law from './removalLaw';

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
	/** A record that has nothing but the answers and the tracking values that the list has, too. */
	readonly answered: JsonObject;
	/** The part of the record that outcomes show. */
	readonly visible: JsonObject;
	readonly standing: Standing;
	/** Why nobody may ever remove the person. Absent: the record says nothing against it. */
	readonly neverToRemove?: Reason;
	/** Why the record of an attendance would be lost. Absent: there is none. */
	readonly attendance?: Reason;
}

export interface Judging {
	readonly session: law.SessionOfList;
	/** What the list has, too. */
	readonly asked: NamesOfList;
	readonly view?: RecordView;
}

export function readRegistered(record: JsonObject, { session, asked, view }: Judging): Registered {
	const fields = fieldsOf(record);
	return {
		id: problemOfId(record.id) === undefined ? text(record.id) : '',
		email: text(attributesOf(record).email),
		address: addressOf(record),
		addresses: addressesOfFields(fields),
		answered: recordOfAnswers(record, asked),
		visible: viewRecord(fields, view),
		standing: standingOf(record),
		neverToRemove: law.reasonNeverToRemove(record),
		attendance: law.reasonOfAttendance(record, session),
	};
}

/** The names of the answers and of the tracking values that a list has. */
interface NamesOfList {
	readonly answers: ReadonlySet<string>;
	readonly tracking: ReadonlySet<string>;
}

export function namesIn(list: readonly Row[]): NamesOfList {
	const answers = new Set<string>();
	const tracking = new Set<string>();
	for (const { registration } of list) {
		for (const { id } of registration.fields) answers.add(id);
		for (const name of Object.keys(registration.tracking)) tracking.add(name);
	}
	// The address tells who it is, so it is no answer to change.
	answers.delete('email');
	return { answers, tracking };
}

function recordOfAnswers(record: JsonObject, { answers, tracking }: NamesOfList): JsonObject {
	const registration = registrationOf(record);
	const tracked = [...tracking].map((name) => [name, registration[name] ?? null] as const);
	const fields = [...answers].map((id) => ({ id, ...answerOf(record, id) }));
	return { attributes: { registrant_detail: { ...Object.fromEntries(tracked), fields } } };
}
