import type { Operation, Visit } from '../operation';
import { answersToChange, readAnswers, sendUnknownChoices } from '../../form/registrationFields';
import { recordFields } from '../../parameters/recordFields';
import type { JsonObject } from '../../core/http/ports';
import { Failure } from '../../core/http/failure';
import type { Registration } from '../../core/jobs/task';
import { amend, outstanding } from '../../core/sync/changes';
import { presenter } from '../records';
import { statusFirst } from './register';
import { readOne } from './peopleOfItems';
import { readWho, registeredPerson, whoFields } from './who';

export const update: Operation = {
	action: 'Update answers of person registered for session',
	description: 'Change the registration of a person: answers, referrer or UTM values',
	usesReserve: true,
	fields: [...whoFields, ...answersToChange, ...recordFields('registrants', sendUnknownChoices)],
	async run(visit) {
		const { api, read } = visit;
		const present = presenter(read)();
		const who = readWho(read);
		const wanted = await readWanted(visit);
		const before = await registeredPerson(api, who, read);
		const changes = outstanding(before, wanted).map((one) => ({ ...one }));
		const isSame = changes.length === 0;
		const person = isSame ? before : await apply(who.sessionId, before, wanted, visit);
		const status = isSame ? 'unchanged' : 'updated';
		return { ...statusFirst(status, present(person)), changes };
	},
};

async function readWanted(visit: Visit): Promise<Registration> {
	const refused = 'This registration was not updated.';
	const { fields, tracking } = (await readOne(visit, readAnswers, refused)).person;
	if (fields.length + Object.keys(tracking).length > 0) return { fields, tracking };
	throw visit.read.refusal(
		'There is nothing to update',
		'Fill in at least one field. Empty fields stay as they are.',
	);
}

async function apply(
	sessionId: string,
	before: JsonObject,
	wanted: Registration,
	{ api, read }: Visit,
): Promise<JsonObject> {
	const amended = await amend(api, { sessionId, person: before }, wanted);
	if (amended instanceof Failure) throw amended;
	if (!amended.why) return amended.person;
	throw read.refusal('The registration was not updated', amended.why.message);
}
