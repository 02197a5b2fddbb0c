import { NodeOperationError } from 'n8n-workflow';
import type { Run } from '../operation';
import type { Row } from '../../core/sync/plan';
import { formFor } from '../../form/formFor';
import { readRegistrant } from '../../form/registrationFields';
import type { Read } from '../../parameters/read';

/** Everyone who comes in: the person that each item stands for, or why it stands for nobody. */
export async function readPeople(run: Run): Promise<Row[]> {
	const people: Row[] = [];
	const ignored = new Set<string>();
	for (const itemIndex of run.context.getInputData().keys()) {
		const read = run.read(itemIndex);
		people.push(await readPerson(read, run, ignored).catch(asProblem));
	}
	if (ignored.size > 0) {
		run.hint(`Not on the registration form, so left out: ${[...ignored].join(', ')}.`);
	}
	return people;
}

async function readPerson(read: Read, { api }: Run, ignored: Set<string>): Promise<Row> {
	const registrant = readRegistrant(read, await formFor({ api, read }));
	for (const name of registrant.ignored) ignored.add(name);
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
