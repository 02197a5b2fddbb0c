import type { Operation } from '../operation';
import { recordFields } from '../../parameters/recordFields';
import { shapeOf } from '../records';
import { readWho, registeredPerson, whoFields } from './who';

export const get: Operation = {
	value: 'get',
	action: 'Get registration of person for session',
	description: 'Retrieve the registration of a person, with answers and attendance',
	fields: [...whoFields, ...recordFields('registrants')],
	overlapping: true,
	async run({ api, read }) {
		const shape = shapeOf(read);
		return shape.one(await registeredPerson(api, readWho(read), read));
	},
};
