import type { INodeProperties } from 'n8n-workflow';
import type { Resource, Visit } from '../operation';
import { presenter } from '../records';
import { Failure } from '../../core/http/failure';
import { getRecord } from '../../core/http/jsonApi';
import { pathTo, type Api } from '../../core/http/ports';
import { quote } from '../../core/http/json';
import { cleanAddress, isAddress } from '../../core/jobs/address';
import { outstanding } from '../../core/sync/changes';
import { amend } from '../../core/sync/steps';
import { answersToChange, sendUnknownChoices } from '../../form/registrationFields';
import { readOne } from '../../form/registrationForm';
import { choiceField, neededText } from '../../parameters/field';
import { sessionLocator, sessionPersonLocator } from '../../parameters/locators';
import type { Read } from '../../parameters/read';
import { recordFields } from '../../parameters/recordFields';
import { bulkRegister } from './bulkRegister';
import { findByEmail, register, statusFirst } from './register';
import { sync } from './sync';

const whoFields: INodeProperties[] = [
	sessionLocator,
	choiceField(
		'by',
		['email', 'person'],
		'email',
		'Whether to find the person by email or choose from the list',
		{ displayName: 'Find Person By' },
	),
	neededText('email', 'Email address that the person registered with', 'nathan@example.com', {
		displayOptions: { show: { by: ['email'] } },
	}),
	{ ...sessionPersonLocator, displayOptions: { show: { by: ['person'] } } },
];

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
			async run(visit) {
				const present = presenter(visit.read)();
				return present(await readWho(visit).get());
			},
		},
		register,
		sync,
		unregister: {
			action: 'Unregister person from session',
			description: 'Remove the registration of a person for a session',
			usesReserve: true,
			fields: whoFields,
			async run(visit) {
				const { sessionId, id: known, get } = readWho(visit);
				// By ID, for nobody knows whom else a filter of the platform finds.
				const id = known ?? (await get()).id;
				await visit.api({ method: 'DELETE', path: pathTo`/sessions/${sessionId}/people/${id}` });
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
				const who = readWho(visit);
				const refused = 'This registration was not updated.';
				const { wanted } = await readOne(visit, refused, true);
				if (wanted.fields.length + Object.keys(wanted.tracking).length === 0) {
					throw read.refusal(
						'There is nothing to update',
						'Fill in at least one field. Empty fields stay as they are.',
					);
				}
				const before = await who.get();
				const changes = outstanding(before, wanted).map((one) => ({ ...one }));
				if (changes.length === 0) {
					return { ...statusFirst('unchanged', present(before)), changes };
				}
				const amended = await amend(api, { sessionId: who.sessionId, person: before, wanted });
				if (amended instanceof Failure) throw amended;
				const [why] = amended.otherwise?.errors ?? [];
				if (why) throw read.refusal('The registration was not updated', why.message);
				return { ...statusFirst('updated', present(amended.person)), changes };
			},
		},
	},
};

function readWho({ api, read }: Visit) {
	const sessionId = read.id('sessionId');
	if (read.text('by') === 'person') {
		const id = read.id('personId');
		const get = () => getRecord(api, pathTo`/sessions/${sessionId}/people/${id}`);
		return { sessionId, id, get };
	}
	// A filter that is empty, or that the platform does not understand, might find everybody.
	const email = read.needed('email', cleanAddress);
	if (isAddress(email)) return { sessionId, get: () => onlyOne(sessionId, email, api, read) };
	throw read.refusal(
		`"${quote(email)}" is not an email address`,
		'Give the one that the person registered with, or find the person by ID.',
	);
}

async function onlyOne(sessionId: string, email: string, api: Api, read: Read) {
	const [person, ...more] = (await findByEmail(api, sessionId, email)).found;
	if (more.some(({ id }) => id !== person?.id)) {
		const title = `Several people with the email ${email} are registered for this session`;
		throw read.refusal(title, 'Find the person by ID.');
	}
	if (person) return person;
	throw read.refusal(
		`Nobody with the email ${email} is registered for this session`,
		"Check the address and the session. To register the person, use 'Register'.",
	);
}
