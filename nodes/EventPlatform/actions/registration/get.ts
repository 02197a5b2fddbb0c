import type { ItemOperation } from '../operation';
import { presentRecord, readOutputView } from '../presentRecord';
import { recordFields } from '../../fields/recordFields';
import { joinLinkOption } from '../../fields/sharedFields';
import { chosenPersonFields, readChosenPerson } from './chosenPerson';

export const get: ItemOperation = {
	action: 'Get registration of person for session',
	description: 'Retrieve the registration of a person, with answers and attendance',
	fields: [...chosenPersonFields, ...recordFields('registrants', [joinLinkOption])],
	mayOverlap: true,
	async run(item) {
		const view = readOutputView(item.parameters);
		const presented = presentRecord(await readChosenPerson(item).fetchRecord(), view);
		item.notes.fields.record(presented, view);
		return presented.output;
	},
};
