import type { Operation } from '../operation';
import { simplifyField } from '../../parameters/listFields';
import { simplify } from '../../core/http/simplify';
import { readWho, registeredPerson, whoFields } from './who';

/** One person as registered for a session. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a registration',
	description: 'Retrieve one person of a session, with their answers and attendance',
	fields: [...whoFields, simplifyField],
	overlapping: true,
	async run({ api, read }) {
		const simplified = read.simplify();
		const person = await registeredPerson(api, readWho(read), read);
		return simplified ? simplify(person) : person;
	},
};
