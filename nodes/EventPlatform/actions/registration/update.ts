import type { ItemOperation } from '../operation';
import { presentRecord, readOutputView, type OutputView } from '../presentRecord';
import { chosenPersonFields, readChosenPerson } from './chosenPerson';
import { readSingleRegistrant } from './singleRegistrant';
import { statusFirst } from './statusFirst';
import { answersToChange, unknownChoices } from '../../fields/registrationFields';
import { recordFields } from '../../fields/recordFields';
import type { Change } from '../../core/people/outcome';
import { sameAddress } from '../../core/people/address';
import type { PersonField, Registration } from '../../core/people/registration';
import { amend } from '../../core/people/amend';
import { findChanges } from '../../core/people/changes';
import type { JsonObject } from '../../core/values/json';
import type { RunNotes } from '../runNotes';
import { isIdentical } from '../../core/people/sameAnswer';

export const update: ItemOperation = {
	action: 'Update answers of person registered for session',
	description: 'Change the registration of a person: answers, referrer or UTM values',
	usesReserve: true,
	fields: [
		...chosenPersonFields,
		...answersToChange,
		...recordFields('registrants', unknownChoices),
	],
	async run(item) {
		const { api, parameters, notes } = item;
		const view = readOutputView(parameters);
		const chosen = readChosenPerson(item);
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
		const person = await chosen.fetchRecord();
		const changes = findChanges(person, withoutAddress(registration, chosen.email), isIdentical);
		if (changes.length === 0) {
			return outputOf({ status: 'unchanged', person, changes }, view, notes);
		}
		const { sessionId } = chosen;
		const amended = await amend(api, { sessionId, person, registration, changes });
		if (amended.kind === 'unconfirmed') throw amended.failure;
		if (amended.kind === 'notMade') {
			const { outcome, rewritten } = amended;
			const { changes: unmade = [], reasons } = outcome;
			const [reason] = reasons;
			if (reason && rewritten.length < unmade.length) {
				throw parameters.parameterError('The registration was not updated', reason.message);
			}
			notes.hint(...rewritten.map(inOtherWords));
		}
		return outputOf({ status: 'updated', person: amended.person, changes }, view, notes);
	},
};

/** The result of an update. */
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

/** The address that a person was found by tells who it is, so it is no answer to change. */
function withoutAddress(registration: Registration, email?: string): Registration {
	if (email === undefined) return registration;
	const isAddressOfPerson = ({ id, value }: PersonField) =>
		id === 'email' && sameAddress(String(value)) === sameAddress(email);
	return {
		...registration,
		fields: registration.fields.filter((field) => !isAddressOfPerson(field)),
	};
}

function inOtherWords({ field }: Change): string {
	return `The platform writes '${field}' in another way than it is sent, or cuts it off. The record shows what it keeps.`;
}
