import type { ItemOperation } from '../operation';
import { presentRecord, readOutputView } from '../presentRecord';
import { readAnyRecord, readRecord } from '../../core/client/document';
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
		const readAs = item.parameters.simplify() ? readRecord : readAnyRecord;
		const presented = presentRecord(await readChosenPerson(item).fetchRecord(readAs), view);
		item.notes.fields.record(presented, view);
		return presented.output;
	},
};
