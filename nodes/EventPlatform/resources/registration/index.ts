import type { Resource } from '../operation';
import { presenter } from '../records';
import { recordFields } from '../../parameters/recordFields';
import { bulkRegister } from './bulkRegister';
import { register } from './register';
import { sync } from './sync';
import { update } from './update';
import { pathOf, readWho, registeredPerson, whoFields } from './who';

export const registration: Resource = {
	name: 'Registration',
	description: 'People signing up for a session',
	initial: 'register',
	operations: {
		bulkRegister,
		get: {
			action: 'Get registration of person for session',
			description: 'Retrieve the registration of a person, with answers and attendance',
			fields: [...whoFields, ...recordFields('registrants')],
			overlapping: true,
			async run({ api, read }) {
				const present = presenter(read)();
				return present(await registeredPerson(api, readWho(read), read));
			},
		},
		register,
		sync,
		unregister: {
			action: 'Unregister person from session',
			description: 'Remove the registration of a person for a session',
			usesReserve: true,
			fields: whoFields,
			async run({ api, read }) {
				await api({ method: 'DELETE', ...pathOf(readWho(read)) });
				return { deleted: true };
			},
		},
		update,
	},
};
