import type { INodeProperties } from 'n8n-workflow';
import { choiceField, textField } from '../../parameters/field';
import { sessionLocator, sessionPersonLocator } from '../../parameters/locators';
import type { Read } from '../../parameters/read';
import { attributesOf, getRecord } from '../../core/http/jsonApi';
import { pathTo } from '../../core/http/path';
import type { Api, Ask, JsonObject } from '../../core/http/ports';
import { quote, text } from '../../core/http/text';
import { cleanAddress, isAddress, sameAddress } from '../../core/jobs/address';
import { listedByEmail } from '../../core/sessions/sessionPeople';

/** The session, and the two ways to say who of it is meant. */
export const whoFields: INodeProperties[] = [
	sessionLocator,
	choiceField(
		'by',
		['email', 'person'],
		'email',
		'Whether to find the person by email or choose from the list',
		{ displayName: 'Find Person By' },
	),
	textField('email', 'Email address that the person registered with', {
		required: true,
		placeholder: 'e.g. nathan@example.com',
		displayOptions: { show: { by: ['email'] } },
	}),
	{ ...sessionPersonLocator, displayOptions: { show: { by: ['person'] } } },
];

export type Who = { sessionId: string } & ({ personId: string } | { email: string });

export function readWho(read: Read): Who {
	const sessionId = read.id('sessionId');
	if (read.text('by') === 'person') return { sessionId, personId: read.id('personId') };
	// A filter that is empty, or that the platform does not understand, might find everybody.
	const email = read.needed('email', cleanAddress);
	if (isAddress(email)) return { sessionId, email };
	throw read.refusal(
		`"${quote(email)}" is not an email address`,
		'Give the one that the person registered with, or find the person by ID.',
	);
}

/** The person as registered for the session; a refusal when nobody there has the address. */
export async function registeredPerson(api: Api, who: Who, read: Read): Promise<JsonObject> {
	if ('personId' in who) {
		return await getRecord(api, pathTo`/sessions/${who.sessionId}/people/${who.personId}`);
	}
	const [found, ...more] = await findByEmail(api, who);
	if (more.some(({ id }) => id !== found?.id)) {
		const title = `Several people with the email ${who.email} are registered for this session`;
		throw read.refusal(title, 'Find the person by ID.');
	}
	if (found) return found;
	throw read.refusal(
		`Nobody with the email ${who.email} is registered for this session`,
		"Check the address and the session. To register the person, use 'Register'.",
	);
}

export async function findByEmail(
	api: Ask,
	session: { sessionId: string; email: string },
): Promise<JsonObject[]> {
	const records = await listedByEmail(api, session.sessionId, session.email);
	return records.filter(
		(person) => sameAddress(text(attributesOf(person).email)) === sameAddress(session.email),
	);
}
