import type { Operation, Visit } from '../operation';
import { formFor } from '../../form/formFor';
import { hintNotes } from '../../form/formNotes';
import { answersToChange, readAnswers } from '../../form/registrationFields';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import type { JsonObject } from '../../core/http/ports';
import { amend } from '../../core/sync/amend';
import type { Registration } from '../../core/jobs/registration';
import { changesOf, isEmpty, outstanding } from '../../core/sync/changes';
import { shapeOf } from '../shape';
import { statusFirst } from './register';
import { readWho, registeredPerson, whoFields } from './who';

/** Changes what somebody registered has answered. */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update answers of person registered for session',
	description: 'Change the registration of a person: answers, referrer or UTM values',
	fields: [...whoFields, ...answersToChange, simplifyField, recordOptions('registrants')],
	async run(visit) {
		const { api, read } = visit;
		const shape = shapeOf(read);
		const who = readWho(read);
		const wanted = await readWanted(visit);
		const before = await registeredPerson(api, who, read);
		const change = outstanding(before, wanted);
		const person = isEmpty(change) ? before : await apply(who.sessionId, before, change, visit);
		const status = isEmpty(change) ? 'unchanged' : 'updated';
		const changes = changesOf(before, change).map((one) => ({ ...one }));
		return { ...statusFirst(status, shape.one(person)), changes };
	},
};

async function readWanted(visit: Visit): Promise<Registration> {
	const { read } = visit;
	const form = await formFor(visit);
	const answered = readAnswers(read, form);
	hintNotes(visit, answered, form);
	const { fields, tracking, problems } = answered;
	if (problems.length > 0) {
		throw read.unfit(problems, 'This registration was not updated.');
	}
	if (!isEmpty({ fields, tracking })) return { fields, tracking };
	throw read.refusal(
		'There is nothing to update',
		'Fill in at least one field. What is left empty stays as it is.',
	);
}

async function apply(
	sessionId: string,
	before: JsonObject,
	change: Registration,
	{ api, read }: Visit,
): Promise<JsonObject> {
	const amended = await amend(api, sessionId, before, change);
	if ('person' in amended) return amended.person;
	if ('unread' in amended) throw amended.unread;
	throw read.refusal('The registration was not updated', amended.unchanged);
}
