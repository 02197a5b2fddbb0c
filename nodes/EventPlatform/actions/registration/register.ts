import type { ItemOperation } from '../operation';
import { presentRecord, readOutputView } from '../presentRecord';
import { registerPerson } from './registerPerson';
import {
	hintsOfLeftOutTracking,
	hintsOfMissingLinks,
	hintsOfOtherAnswers,
	hintsOfRegisteredBefore,
} from './registrationHints';
import { readSingleRegistrant, statusFirst } from './singleRegistrant';
import { missingAnswers, hintsOfMissingAnswers } from '../../form/hints';
import { registrationFields, unknownChoices } from '../../fields/registrationFields';
import { choiceField } from '../../fields/fieldBuilders';
import { recordFields } from '../../fields/recordFields';
import { joinLinkOption } from '../../fields/sharedFields';
import { joinLinkOf } from '../../core/dialect/person';
import { fieldsOf } from '../../core/records/simplify';
import { addressesOf } from '../../core/people/identity';
import { attributesOf } from '../../core/client/document';
import type { JsonObject } from '../../core/values/json';
import { nameOrAddressOf } from '../../core/people/peopleInWords';
import { findChanges, isSameBeyondDoubt } from '../../core/people/changes';

const ifAlreadyRegistered = choiceField(
	'ifAlreadyRegistered',
	{
		fail: "Treat it as an error, handled by the node's 'On Error' setting",
		return: {
			name: 'Return the Existing Registration',
			description: "The person as registered, with the status 'already_registered'",
		},
	},
	'return',
	'What to do if the person is already registered',
);

export const register: ItemOperation = {
	action: 'Register person for session',
	description:
		"Register one person for a session. For more than a few people, 'Bulk Register' needs fewer requests.",
	fields: [
		...registrationFields,
		...recordFields('registrants', [ifAlreadyRegistered, joinLinkOption, unknownChoices]),
	],
	mayOverlap: true,
	about: () => ({
		exists: {
			title: 'The person is already registered for this session',
			description: "Set 'If Already Registered' to return the existing registration instead.",
		},
	}),
	async run(item) {
		const { parameters } = item;
		const ifRegistered = parameters.choice(
			'options.ifAlreadyRegistered',
			['return', 'fail'],
			'return',
		);
		const registrant = await readSingleRegistrant(item, 'This person was not registered.');
		const view = readOutputView(parameters);
		const { person, status } = await registerPerson(item, registrant, ifRegistered === 'return');
		if (status === 'registered') {
			item.notes.note(hintsOfMissingAnswers, missingAnswers([registrant]));
		} else if (!person) {
			item.notes.note(hintsOfRegisteredBefore, [nameOrAddressOf(registrant)]);
		} else if (findChanges(person, registrant.registration, isSameBeyondDoubt).length > 0) {
			item.notes.note(hintsOfOtherAnswers, [nameOrAddressOf(registrant)]);
		}
		if (view.includesJoinLink && joinLinkOf(person ?? {}) === null) {
			item.notes.note(hintsOfMissingLinks, [registrant]);
		}
		item.notes.note(hintsOfLeftOutTracking, [...item.findings.plainForm.leftOut]);
		// Where records are not simplified, the output is what the platform has sent, if it has sent a record.
		const recordAsSent = view.simplified ? undefined : person;
		const presented = presentRecord(
			recordAsSent ?? withSentAddress(registrant.email, person),
			view,
		);
		item.notes.fields.record(presented, view);
		return statusFirst(status, presented.output);
	},
};

/** Where the platform shows no address, the record gets the one that was sent, and null for each name that is missing. */
function withSentAddress(email: string, person: JsonObject = {}): JsonObject {
	const record = { id: null, type: 'people', ...person };
	if (addressesOf(person).length > 0) return record;
	const fields = fieldsOf(person);
	const names = ['first_name', 'last_name'].filter((name) => !fields.has(name));
	const emptyNames = Object.fromEntries(names.map((name) => [name, null]));
	return { ...record, attributes: { ...emptyNames, ...attributesOf(person), email } };
}
