import type { ItemOperation } from '../operation';
import { chosenPersonFields, readChosenPerson } from './chosenPerson';
import { Failure } from '../../core/client/failure';
import { removePerson } from '../../core/people/removal';
import type { JsonObject } from '../../core/values/json';
import { namedQuestionIds } from '../../core/dialect/personAttributes';
import { fieldsOf } from '../../core/records/simplify';

export const unregister: ItemOperation = {
	action: 'Unregister person from session',
	description: 'Remove the registration of a person for a session',
	fields: chosenPersonFields,
	async run(item) {
		const { sessionId, id: chosenId, fetchRecord } = readChosenPerson(item);
		// The person is read before, because nothing tells afterwards who it was. A platform may know only how to remove somebody.
		const person = await fetchRecord().catch((error: unknown) => {
			if (chosenId !== undefined && error instanceof Failure) return { id: chosenId };
			throw error;
		});
		// The ID names one person, while nobody knows whom else a filter of the platform finds.
		const id = chosenId ?? person.id;
		await removePerson(item.client.send, { sessionId, person: { ...person, id } }, item);
		const fieldsOfPerson = fieldsOf(person);
		const columns = namedQuestionIds.map((name) => [name, fieldsOfPerson.get(name) ?? null]);
		const personColumns = Object.fromEntries(columns) as JsonObject;
		return { deleted: true, id, ...personColumns, session_id: sessionId };
	},
};
