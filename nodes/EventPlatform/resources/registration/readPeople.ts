import { NodeOperationError } from 'n8n-workflow';
import type { Run } from '../operation';
import type { Row } from '../../core/sync/plan';
import { formFor } from '../../form/formFor';
import { FormNotes } from '../../form/formNotes';
import { readRegistrant } from '../../form/registrationFields';
import type { Read } from '../../parameters/read';

/** Everyone who comes in: the person that each item stands for, or why it stands for nobody. */
export async function readPeople(run: Run): Promise<Row[]> {
	const people: Row[] = [];
	const notes = new FormNotes();
	for (const itemIndex of run.context.getInputData().keys()) {
		const read = run.read(itemIndex);
		people.push(await readPerson(read, run, notes).catch(asProblem));
	}
	notes.hints.forEach(run.hint);
	return people;
}

async function readPerson(read: Read, { api }: Run, notes: FormNotes): Promise<Row> {
	const form = await formFor({ api, read });
	const registrant = readRegistrant(read, form);
	notes.add(registrant, form);
	const { sessionId, email, fields, tracking, problems } = registrant;
	const task = { fields, ...tracking };
	return { sessionId, email, problems, task, wanted: { fields, tracking } };
}

/** A parameter that cannot be meant concerns this item alone. */
function asProblem(error: unknown): Row {
	if (!(error instanceof NodeOperationError)) throw error;
	const wanted = { fields: [], tracking: {} };
	return { sessionId: '', task: {}, problems: [error.message], wanted };
}
