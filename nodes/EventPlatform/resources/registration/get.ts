import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { shapeOf } from '../shape';
import { readWho, registeredPerson, whoFields } from './who';

/** One person as registered for a session. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get the registration of a person for a session',
	description: 'Retrieve one person of a session, with their answers and attendance',
	fields: [...whoFields, simplifyField, recordOptions('registrants')],
	overlapping: true,
	async run({ api, read }) {
		const shape = shapeOf(read);
		return shape.one(await registeredPerson(api, readWho(read), read));
	},
};
