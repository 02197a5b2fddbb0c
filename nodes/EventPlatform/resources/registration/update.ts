import type { Operation, Visit } from '../operation';
import { mapAnswers } from '../../form/registrationForm';
import { FormNotes } from '../../form/formNotes';
import { answersToChange, readAnswers, sendUnknownChoices } from '../../form/registrationFields';
import { recordFields } from '../../parameters/recordFields';
import type { JsonObject } from '../../core/http/ports';
import { Failure } from '../../core/http/failure';
import type { Registration } from '../../core/jobs/task';
import { amend, changesOf, isEmpty, outstanding } from '../../core/sync/changes';
import { shapeOf } from '../records';
import { statusFirst } from './register';
import { readWho, registeredPerson, whoFields } from './who';

export const update: Operation = {
	value: 'update',
	action: 'Update answers of person registered for session',
	description: 'Change the registration of a person: answers, referrer or UTM values',
	usesReserve: true,
	fields: [...whoFields, ...answersToChange, ...recordFields('registrants', sendUnknownChoices)],
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
	const { person, form } = await mapAnswers(visit, (known) => readAnswers(read, known));
	const notes = new FormNotes();
	notes.add(0, person, form);
	notes.notAsked().forEach(visit.hint);
	const { fields, tracking, problems } = person;
	if (problems.length > 0) {
		throw read.unfit(problems, 'This registration was not updated.');
	}
	if (!isEmpty({ fields, tracking })) return { fields, tracking };
	throw read.refusal(
		'There is nothing to update',
		'Fill in at least one field. Empty fields stay as they are.',
	);
}

async function apply(
	sessionId: string,
	before: JsonObject,
	change: Registration,
	{ api, read }: Visit,
): Promise<JsonObject> {
	const amended = await amend(api, { sessionId, person: before }, change);
	if (amended instanceof Failure) throw amended;
	if (!amended.why) return amended.person;
	throw read.refusal('The registration was not updated', amended.why.message);
}
