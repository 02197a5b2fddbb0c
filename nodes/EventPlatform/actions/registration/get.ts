import type { ItemOperation } from '../operation';
import { presenter } from '../presentRecord';
import { readAnyRecord, readRecord } from '../../core/client/document';
import { recordFields } from '../../fields/recordFields';
import { joinLinkOption } from '../../fields/peopleFields';
import { chosenPersonFields, readChosenPerson } from './chosenPerson';

export const get: ItemOperation = {
	action: 'Get registration of person for session',
	description: 'Retrieve the registration of a person, with answers and attendance',
	fields: [...chosenPersonFields, ...recordFields('registrants', joinLinkOption)],
	mayOverlap: true,
	async run(item) {
		const present = presenter(item);
		const readAs = item.parameters.simplify() ? readRecord : readAnyRecord;
		return present(await readChosenPerson(item).fetchRecord(readAs));
	},
};
