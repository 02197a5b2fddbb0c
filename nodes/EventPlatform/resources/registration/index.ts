import type { Resource } from '../operation';
import { presenter } from '../records';
import { Failure } from '../../core/http/failure';
import { pathTo } from '../../core/http/path';
import { outstanding } from '../../core/sync/changes';
import { amend } from '../../core/sync/steps';
import { answers } from '../../form/personFields';
import { answersToChange, sendUnknownChoices } from '../../form/registrationFields';
import { readOne } from '../../form/registrationForm';
import { recordFields } from '../../parameters/recordFields';
import { bulkRegister } from './bulkRegister';
import { register, statusFirst } from './register';
import { sync } from './sync';
import { readWho, registeredPerson, whoFields } from './who';

export const registration: Resource = {
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
		update: {
			action: 'Update answers of person registered for session',
			description: 'Change the registration of a person: answers, referrer or UTM values',
			usesReserve: true,
			fields: [
				...whoFields,
				...answersToChange,
				...recordFields('registrants', sendUnknownChoices),
			],
			async run(visit) {
				const { api, read } = visit;
				const present = presenter(read)();
				const who = readWho(read);
				const refused = 'This registration was not updated.';
				const { person: wanted } = await readOne(visit, answers, refused);
				if (wanted.fields.length + Object.keys(wanted.tracking).length === 0) {
					throw read.refusal(
						'There is nothing to update',
						'Fill in at least one field. Empty fields stay as they are.',
					);
				}
				const before = await registeredPerson(api, who, read);
				const changes = outstanding(before, wanted).map((one) => ({ ...one }));
				if (changes.length === 0) {
					return { ...statusFirst('unchanged', present(before)), changes };
				}
				const amended = await amend(api, { sessionId: who.sessionId, person: before }, wanted);
				if (amended instanceof Failure) throw amended;
				if (amended.why) {
					throw read.refusal('The registration was not updated', amended.why.message);
				}
				return { ...statusFirst('updated', present(amended.person)), changes };
			},
		},
	},
};
