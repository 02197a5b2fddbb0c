import type { Resource } from '../operation';
import type { ItemContext } from '../runContext';
import { presenter } from '../records';
import { bulkRegister } from './bulkRegister';
import { hintsOfOtherAnswers, hintsOfRegisteredBefore } from './registeredBefore';
import { findByEmail, registerPerson, withAddress } from './registerPerson';
import { noLinkSent } from './joinLinks';
import { sync } from './sync';
import { AnswerColumns } from '../../core/records/answerColumns';
import { answersMissingIn, droppedAnswers, notKept, withoutAnswers } from '../../form/hints';
import {
	answersToChange,
	registrationFields,
	unknownChoices,
} from '../../fields/registrationFields';
import { readSingleRegistrant } from './singleRegistrant';
import { choiceField, neededText } from '../../fields/field';
import { sessionLocator, sessionPersonLocator } from '../../fields/locators';
import { recordFields } from '../../fields/recordFields';
import { joinLinkOption } from '../../fields/sharedFields';
import type { Change } from '../../core/people/outcome';
import { Failure } from '../../core/client/failure';
import { quote } from '../../core/values/text';
import type { JsonObject } from '../../core/values/json';
import { getRecord } from '../../core/client/document';
import { pathTo } from '../../core/client/path';
import { cleanAddress, isAddress, sameAddress } from '../../core/people/address';
import type { PersonField, Registration } from '../../core/people/registration';
import { publicEventInWords, readEmailUse } from '../../core/people/emailUse';
import { joinLinkOf } from '../../core/records/joinLink';
import { fieldsOf } from '../../core/records/simplify';
import { amend, rewrittenChanges } from '../../core/people/amend';
import { calledBy } from '../../core/people/peopleInWords';
import { outstanding } from '../../core/people/changes';
import { isIdentical, isSameBeyondDoubt } from '../../core/people/sameAnswer';

const whoFields = [
	sessionLocator,
	choiceField('by', ['email', 'person'], 'email', 'How to find the person', {
		displayName: 'Find Person By',
	}),
	neededText('email', 'Email address that the person registered with', 'nathan@example.com', {
		displayOptions: { show: { by: ['email'] } },
	}),
	{ ...sessionPersonLocator, displayOptions: { show: { by: ['person'] } } },
];

const ifAlreadyRegistered = choiceField(
	'ifAlreadyRegistered',
	{
		fail: "Treat it as an error, handled by the node's 'On Error' setting",
		return: [
			'Return the Existing Registration',
			"The person as registered, with the status 'already_registered'",
		],
	},
	'return',
	'What to do if the person is already registered',
);

export const registration: Resource = {
	description: 'People signing up for a session',
	initial: 'register',
	operations: {
		bulkRegister,
		get: {
			action: 'Get registration of person for session',
			description: 'Retrieve the registration of a person, with answers and attendance',
			fields: [...whoFields, ...recordFields('registrants', joinLinkOption)],
			overlapping: true,
			async run(item) {
				const present = presenter(item);
				return present(await readWho(item).get());
			},
		},
		register: {
			action: 'Register person for session',
			description:
				"Register one person for a session. For more than a few people, 'Bulk Register' needs fewer requests.",
			usesReserve: true,
			fields: [
				...registrationFields,
				...recordFields('registrants', ifAlreadyRegistered, joinLinkOption, unknownChoices),
			],
			overlapping: true,
			about: () => ({
				exists: {
					title: 'The person is already registered for this session',
					description: "Set 'If Already Registered' to return the existing registration instead.",
				},
			}),
			async run(item) {
				const registrant = await readSingleRegistrant(item, 'This person was not registered.');
				const returnExisting = item.parameters.chosen('options').ifAlreadyRegistered !== 'fail';
				const present = presenter(item);
				const isSimple = item.parameters.simplify();
				const { person, status } = await registerPerson(item, registrant, returnExisting);
				if (status === 'registered') {
					const columns = new AnswerColumns();
					if (person) columns.record(fieldsOf(person));
					item.notes.note(withoutAnswers, ...answersMissingIn(person ?? {}, registrant));
					item.notes.note(notKept, ...droppedAnswers([registrant], columns));
				} else if (!person) {
					item.notes.note(hintsOfRegisteredBefore, calledBy(registrant));
				} else if (outstanding(person, registrant.registration, isSameBeyondDoubt).length > 0) {
					item.notes.note(hintsOfOtherAnswers, calledBy(registrant));
				}
				if (item.parameters.option('includeJoinLink') && joinLinkOf(person ?? {}) === null) {
					item.notes.hint(`Some people have no join link: ${noLinkSent}`);
				}
				const { email = '' } = registrant;
				// Not simplified: what the platform has sent, if it has sent a record.
				const asSent = isSimple ? undefined : person;
				return statusFirst(status, present(asSent ?? withAddress(email, person)));
			},
		},
		sync,
		unregister: {
			action: 'Unregister person from session',
			description: 'Remove the registration of a person for a session',
			usesReserve: true,
			fields: whoFields,
			async run(item) {
				const { sessionId, id: known, get } = readWho(item);
				// Asked before, because nothing tells afterwards who it was. A platform may only know how to remove somebody.
				const person = await get().catch((error: unknown) => {
					if (known !== undefined && error instanceof Failure) return { id: known };
					throw error;
				});
				// By ID, for nobody knows whom else a filter of the platform finds.
				const id = known ?? person.id;
				await item.api({ method: 'DELETE', path: pathTo`/sessions/${sessionId}/people/${id}` });
				const removed = fieldsOf(person);
				const named = ['email', 'first_name', 'last_name'].map((name) => [
					name,
					removed.get(name) ?? null,
				]);
				const who = Object.fromEntries(named) as JsonObject;
				return { deleted: true, id, ...who, session_id: sessionId };
			},
		},
		update: {
			action: 'Update answers of person registered for session',
			description: 'Change the registration of a person: answers, referrer or UTM values',
			usesReserve: true,
			fields: [...whoFields, ...answersToChange, ...recordFields('registrants', unknownChoices)],
			async run(item) {
				const { api, parameters } = item;
				const present = presenter(item);
				const who = readWho(item);
				const { registration: wanted } = await readSingleRegistrant(
					item,
					'This registration was not updated.',
					{
						isKnown: true,
					},
				);
				if (wanted.fields.length + Object.keys(wanted.tracking).length === 0) {
					throw parameters.refusal(
						'There is nothing to update',
						'Fill in at least one field. Empty fields stay as they are.',
					);
				}
				const person = await who.get();
				const changes = outstanding(person, withoutAddress(wanted, who.email), isIdentical);
				if (changes.length === 0) return statusFirst('unchanged', { ...present(person), changes });
				const { sessionId } = who;
				const amended = await amend(api, { sessionId, person, registration: wanted, changes });
				if (amended instanceof Failure) throw amended;
				const { changes: left = [], errors: [why] = [] } = amended.otherwise ?? {};
				const rewritten = rewrittenChanges(changes, amended);
				if (why && rewritten.length < left.length) {
					throw parameters.refusal('The registration was not updated', why.message);
				}
				item.notes.hint(...rewritten.map(inOtherWords));
				return statusFirst('updated', { ...present(amended.person), changes });
			},
		},
	},
};

/** The address that a person was found by tells who it is, so it is no answer to change. */
function withoutAddress(wanted: Registration, email?: string): Registration {
	if (email === undefined) return wanted;
	const isAddressOfPerson = ({ id, value }: PersonField) =>
		id === 'email' && sameAddress(String(value)) === sameAddress(email);
	return { ...wanted, fields: wanted.fields.filter((field) => !isAddressOfPerson(field)) };
}

function inOtherWords({ field }: Change): string {
	return `The platform writes '${field}' in another way than it is sent, or cuts it off. The record shows what it keeps.`;
}

/** In front, where a table shows it; no field of the record can replace it. */
function statusFirst(status: string, record: JsonObject): JsonObject {
	return Object.assign({ status }, record, { status });
}

/** The person whom an operation is about. */
interface Who {
	sessionId: string;
	/** Where the person is named by the ID. */
	id?: string;
	/** Where the person is found by the address. */
	email?: string;
	/** Gives the record. */
	get(): Promise<JsonObject>;
}

function readWho(item: ItemContext): Who {
	const { api, parameters } = item;
	const sessionId = parameters.id('sessionId');
	if (parameters.text('by') === 'person') {
		const id = parameters.id('personId');
		const get = () => getRecord(api, pathTo`/sessions/${sessionId}/people/${id}`);
		return { sessionId, id, get };
	}
	// A filter that is empty, or that the platform does not understand, might find everybody.
	const email = parameters.needed('email', cleanAddress);
	if (isAddress(email)) return { sessionId, email, get: () => onlyOne(item, sessionId, email) };
	throw parameters.refusal(
		`"${quote(email)}" is not an email address`,
		'Give the one that the person registered with, or find the person by ID.',
	);
}

async function onlyOne(item: ItemContext, sessionId: string, email: string): Promise<JsonObject> {
	const { api, parameters } = item;
	const [person, ...more] = (await findByEmail(api, sessionId, email)).found;
	if (more.some(({ id }) => id !== person?.id)) {
		const title = `Several people with the email ${email} are registered for this session`;
		throw parameters.refusal(title, 'Find the person by ID.');
	}
	if (person) return person;
	const title = `Nobody with the email ${email} is registered for this session`;
	if ((await readEmailUse(item.sessions, sessionId)) === 'replaced') {
		const why = publicEventInWords([item.sessions.nameOf(sessionId)]);
		throw parameters.refusal(
			title,
			`${why} Nobody can be found by email there: find the person by ID.`,
		);
	}
	throw parameters.refusal(
		title,
		"Check the address and the session. To register the person, use 'Register'.",
	);
}
