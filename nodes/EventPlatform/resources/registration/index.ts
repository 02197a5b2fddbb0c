import type { Resource } from '../operation';
import { presenter } from '../records';
import { pathTo } from '../../core/http/path';
import { recordFields } from '../../parameters/recordFields';
import { bulkRegister } from './bulkRegister';
import { register } from './register';
import { sync } from './sync';
import { update } from './update';
import { readWho, registeredPerson, whoFields } from './who';

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
				const who = readWho(read);
				// By ID, for nobody knows whom else a filter of the platform finds.
				const { id } =
					'personId' in who ? { id: who.personId } : await registeredPerson(api, who, read);
				await api({ method: 'DELETE', path: pathTo`/sessions/${who.sessionId}/people/${id}` });
				return { deleted: true };
			},
		},
		update,
	},
};
