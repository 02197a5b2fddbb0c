import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { shapeOf } from '../shape';
import { readWho, registeredPerson, whoFields } from './who';

/** One person as registered for a session. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get registration of person for session',
	description: 'Retrieve the registration of a person, with answers and attendance',
	fields: [...whoFields, simplifyField, recordOptions('registrants')],
	overlapping: true,
	async run({ api, read }) {
		const shape = shapeOf(read);
		return shape.one(await registeredPerson(api, readWho(read), read));
	},
};
