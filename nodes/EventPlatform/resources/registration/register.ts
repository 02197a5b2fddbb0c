import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Visit } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { readRegistrant, registrationFields, type Registrant } from '../../form/registrationFields';
import { hintNotes } from '../../form/formNotes';
import { formFor } from '../../form/formFor';
import { readRecord } from '../../core/http/jsonApi';
import { document } from '../records';
import { Failure } from '../../core/http/failure';
import type { Answer, Api, ApiRequest, JsonObject } from '../../core/http/ports';
import { asTask } from '../../core/jobs/registration';
import { pathTo } from '../../core/http/path';
import { isEmpty, outstanding } from '../../core/sync/changes';
import { shapeOf } from '../shape';
import { findByEmail } from './who';

const ifAlreadyRegistered: INodeProperties = {
	displayName: 'If Already Registered',
	name: 'ifAlreadyRegistered',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: "Stop here, or do what the setting 'On Error' of the node says",
		},
		{
			name: 'Return the Existing Registration',
			value: 'return',
			description: "The person as registered, with the status 'already_registered'",
		},
	],
	default: 'return',
	description: 'What to do with a person who is registered for the session already',
};

/** Registers one person for each item. */
export const register: Operation = {
	value: 'register',
	name: 'Register',
	action: 'Register person for session',
	description:
		"Register one person for a session. For more than a few people, 'Bulk Register' needs fewer requests.",
	fields: [...registrationFields, simplifyField, recordOptions('registrants', ifAlreadyRegistered)],
	overlapping: true,
	about: () => ({ exists: isRegistered }),
	async run(visit) {
		const { api, read } = visit;
		const form = await formFor(visit);
		const registrant = readRegistrant(read, form);
		hintNotes(visit, registrant, form);
		refuseProblems(registrant, visit);
		const returnExisting = read.chosen('options').ifAlreadyRegistered !== 'fail';
		const shape = shapeOf(read);
		const { person, status } = await registerOne(api, registrant, returnExisting);
		if (status === 'already_registered' && !isEmpty(outstanding(person, registrant))) {
			visit.hint(`Some were registered already with other answers. ${oldAnswersStay}`);
		}
		return statusFirst(status, shape.one(person));
	},
};

export const oldAnswersStay = "Their old answers stay: use the operation 'Update' to change them.";

/** In front, where a table shows it; no field of the record can replace it. */
export function statusFirst(status: string, record: JsonObject): JsonObject {
	const stamp = { status };
	return { ...stamp, ...record, ...stamp };
}

const isRegistered = {
	title: 'The person is already registered for this session',
	description: "Set 'If Already Registered' to return the existing registration instead.",
};

function refuseProblems({ problems }: Registrant, { read }: Visit): void {
	if (problems.length === 0) return;
	throw read.unfit(problems, 'This person was not registered.');
}

async function registerOne(api: Api, registrant: Registrant, returnExisting: boolean) {
	const { sessionId } = registrant;
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people`,
		body: document('people', asTask(registrant)),
		// A second attempt finds the person registered, which is an answer here.
		repeatable: returnExisting,
	};
	const answer = await api(request).catch((error: unknown) => error);
	if (!(answer instanceof Error)) {
		return { person: readRecord(request, answer as Answer), status: 'registered' };
	}
	const existing =
		returnExisting &&
		alreadyRegistered(answer) &&
		(await findByEmail(api, sessionId, registrant.email ?? ''));
	if (existing) return { person: existing, status: 'already_registered' };
	throw answer;
}

function alreadyRegistered(error: Error): boolean {
	return error instanceof Failure && error.reason === 'already_exists';
}
