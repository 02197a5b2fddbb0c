import type { ItemOperation } from '../operation';
import { presentRecord, readOutputView, type OutputView } from '../presentRecord';
import { chosenPersonFields, readChosenPerson } from './chosenPerson';
import { readSingleRegistrant, statusFirst } from './singleRegistrant';
import { answersToChange, unknownChoices } from '../../fields/registrationFields';
import { recordFields } from '../../fields/recordFields';
import type { Change } from '../../core/people/outcome';
import { normalizeAddress } from '../../core/people/address';
import type { PersonField, Registration } from '../../core/people/registration';
import { amend } from '../../core/people/amend';
import { findChanges, isIdentical } from '../../core/people/changes';
import type { JsonObject } from '../../core/values/json';
import type { RunNotes } from '../runNotes';

export const update: ItemOperation = {
	action: 'Update answers of person registered for session',
	description: 'Change the registration of a person: answers, referrer or UTM values',
	fields: [
		...chosenPersonFields,
		...answersToChange,
		...recordFields('registrants', [unknownChoices]),
	],
	async run(item) {
		const { client, parameters, notes } = item;
		const view = readOutputView(parameters);
		const chosenPerson = readChosenPerson(item);
		const { registration } = await readSingleRegistrant(
			item,
			'This registration was not updated.',
			{
				isRegistered: true,
			},
		);
		if (registration.fields.length + Object.keys(registration.tracking).length === 0) {
			throw parameters.parameterError(
				'There is nothing to update',
				'Fill in at least one field. Empty fields stay as they are.',
			);
		}
		const person = await chosenPerson.fetchRecord();
		const changes = findChanges(
			person,
			withoutAddress(registration, chosenPerson.email),
			isIdentical,
		);
		if (changes.length === 0) {
			return outputOf({ status: 'unchanged', person, changes }, view, notes);
		}
		const { sessionId } = chosenPerson;
		const amendment = await amend(client.send, { sessionId, person, registration, changes });
		if (amendment.kind === 'unconfirmed') throw amendment.failure;
		if (amendment.kind === 'notMade') {
			const { outcome, rewritten } = amendment;
			const { changes: unmadeChanges = [], reasons } = outcome;
			const [reason] = reasons;
			const stillOld = unmadeChanges.length - rewritten.length;
			if (reason && stillOld > 0) {
				const title =
					stillOld < changes.length
						? 'The registration was updated only in part'
						: 'The registration was not updated';
				throw parameters.parameterError(title, reason.message);
			}
			for (const rewriting of rewritten) notes.hint(describeRewriting(rewriting));
		}
		return outputOf({ status: 'updated', person: amendment.person, changes }, view, notes);
	},
};

interface UpdateResult {
	status: 'unchanged' | 'updated';
	person: JsonObject;
	changes: Change[];
}

function outputOf(
	{ status, person, changes }: UpdateResult,
	view: OutputView,
	notes: RunNotes,
): JsonObject {
	const presented = presentRecord(person, view);
	notes.fields.record(presented, view);
	return statusFirst(status, {
		...presented.output,
		changes: changes.map((change) => ({ ...change })),
	});
}

/** Leaves out the address that a person was found by: it tells who the person is, so it is no answer to change. */
function withoutAddress(registration: Registration, email?: string): Registration {
	if (email === undefined) return registration;
	const isAddressOfPerson = ({ id, value }: PersonField) =>
		id === 'email' && normalizeAddress(String(value)) === normalizeAddress(email);
	return {
		...registration,
		fields: registration.fields.filter((field) => !isAddressOfPerson(field)),
	};
}

function describeRewriting({ field }: Change): string {
	return `The platform writes '${field}' in another way than it is sent, or cuts it off. The record shows what it keeps.`;
}
