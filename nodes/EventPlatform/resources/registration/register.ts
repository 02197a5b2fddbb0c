import type { Operation, Visit } from '../operation';
import { choiceField } from '../../parameters/field';
import { recordFields } from '../../parameters/recordFields';
import { noteColumns, notKept, withoutAnswer, type Shown } from '../../form/formNotes';
import type { Registrant } from '../../form/personFields';
import { registrationFields, sendUnknownChoices } from '../../form/registrationFields';
import { readOne } from '../../form/registrationForm';
import { attributesOf, readRecord } from '../../core/http/jsonApi';
import { presenter } from '../records';
import { meaningOf } from '../../core/failures/causes';
import { asFailure, Failure } from '../../core/http/failure';
import { againAfterMs } from '../../core/http/retry';
import { quote, text, type JsonObject } from '../../core/http/json';
import { pathTo, type Api, type ApiRequest } from '../../core/http/ports';
import { fieldsOf } from '../../core/records/simplify';
import {
	clockLeadOf,
	datesOf,
	isRegisteredSince,
	readPeople,
} from '../../core/sessions/sessionPeople';
import { toldRegistered } from '../../core/jobs/alreadyRegistered';
import { sameAddress } from '../../core/jobs/address';
import { asTask } from '../../core/jobs/task';
import { outstanding } from '../../core/sync/changes';
import { addressesOf } from '../../core/sync/law';

const ifAlreadyRegistered = choiceField(
	'ifAlreadyRegistered',
	{
		fail: "Fail the item. 'On Error' in the settings of the node decides what follows.",
		return: [
			'Return the Existing Registration',
			"The person as registered, with the status 'already_registered'",
		],
	},
	'return',
	'What to do if the person is already registered',
);

export const register: Operation = {
	action: 'Register person for session',
	description:
		"Register one person for a session. For more than a few people, 'Bulk Register' needs fewer requests.",
	usesReserve: true,
	fields: [
		...registrationFields,
		...recordFields('registrants', ifAlreadyRegistered, sendUnknownChoices),
	],
	overlapping: true,
	about: () => ({
		exists: {
			title: 'The person is already registered for this session',
			description: "Set 'If Already Registered' to return the existing registration instead.",
		},
	}),
	async run(visit) {
		const { read } = visit;
		const refused = 'This person was not registered.';
		const registrant = await readOne(visit, refused);
		const returnExisting = read.chosen('options').ifAlreadyRegistered !== 'fail';
		const present = presenter(read)();
		const { person, status } = await registerOne(visit, registrant, returnExisting);
		if (status === 'registered') {
			const shown: Shown = new Map();
			noteColumns(fieldsOf(person), shown);
			[...notKept([registrant], shown), ...withoutAnswer([registrant])].forEach(visit.hint);
		} else if (outstanding(person, registrant.wanted).length > 0) {
			visit.hint(`Some people were already registered with other answers. ${oldAnswersStay}`);
		}
		return statusFirst(status, present(person));
	},
};

export const oldAnswersStay = "To change their answers, use the operation 'Update'.";

/** In front, where a table shows it; no field of the record can replace it. */
export function statusFirst(status: string, record: JsonObject): JsonObject {
	const stamp = { status };
	return { ...stamp, ...record, ...stamp };
}

async function registerOne(
	{ api, clock, signal, read }: Visit,
	registrant: Registrant,
	returnExisting: boolean,
) {
	const { sessionId, email = '', wanted } = registrant;
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people`,
		body: { data: { type: 'people', attributes: asTask(wanted) } },
	};
	const send = (repeatable: boolean) =>
		api({ ...request, repeatable })
			.then((sent) => readRecord(request, sent))
			.catch(asFailure);
	const sentAt = clock.now();
	let answer = await send(false);
	const isLost =
		returnExisting && answer instanceof Failure && meaningOf(answer).person === 'perhaps';
	if (isLost) {
		// A second attempt finds the person registered, which is an answer here.
		await clock.sleep(againAfterMs('request', 1) ?? 0, signal);
		const second = await send(true);
		// What was not sent again may have arrived at first.
		const isUnsent = second instanceof Failure && meaningOf(second).person === 'unsent';
		if (!isUnsent) answer = second;
	}
	if (!(answer instanceof Failure)) {
		const shown = addressesOf(answer);
		const isOther = shown.length > 0 && !shown.includes(sameAddress(email));
		if (!isOther) return { person: answer, status: 'registered' };
		throw read.refusal(
			'The platform answered with the registration of another person',
			`It shows ${quote(shown[0])} instead of ${quote(email)}, who may be registered nevertheless. Look for the person on the platform.`,
		);
	}
	const isThere = isRegisteredAlready(answer);
	if (isThere && returnExisting) {
		const { listed, found } = await findByEmail(api, sessionId, email);
		const clockLead = clockLeadOf(listed, clock.now());
		const [person] = found;
		if (person) {
			const since = isLost && clockLead !== undefined ? sentAt + clockLead : Infinity;
			const isOurs = isRegisteredSince(datesOf(fieldsOf(person)), since);
			return { person, status: isOurs ? 'registered' : 'already_registered' };
		}
	}
	// Who was looked for and is not there was refused for another reason, which the platform's words tell.
	const other = answer.reason === 'already_exists' ? 'unprocessable' : answer.reason;
	throw new Failure(isThere && !returnExisting ? 'already_exists' : other, request, answer);
}

function isRegisteredAlready({ reason, errors }: Failure): boolean {
	const told = toldRegistered(errors);
	// A 409 needs no words, but its code may name another problem.
	if (reason === 'already_exists') return told !== 'another problem';
	const isRefused = reason === 'unprocessable' || reason === 'refused';
	return isRefused && (told === 'code' || told === 'words');
}

/** Whom the platform lists by the address and who really has it, and the answer that said so. */
export async function findByEmail(api: Api, sessionId: string, email: string) {
	const query = { 'filter[email]': email };
	const { answer: listed, records } = await readPeople(api, sessionId, query);
	const addressOf = (person: JsonObject) => sameAddress(text(attributesOf(person).email));
	return { listed, found: records.filter((one) => addressOf(one) === sameAddress(email)) };
}
