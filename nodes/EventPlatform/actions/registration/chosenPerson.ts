import type { INodeProperties } from 'n8n-workflow';
import type { ItemContext } from '../runContext';
import { choiceField, neededText } from '../../fields/fieldBuilders';
import { sessionLocator, sessionPersonLocator } from '../../fields/locators';
import { asFailure } from '../../core/client/failure';
import { cleanAddress, describeNoAddress, isAddress } from '../../core/people/address';
import { publicEventInWords, readEmailUse } from '../../core/people/emailUse';
import { fetchPerson, findByEmail } from '../../core/people/findPeople';
import type { JsonObject } from '../../core/values/json';

/* The registered person whom Get, Update and Unregister are about: named by the email or by the ID. */

export const chosenPersonFields: INodeProperties[] = [
	sessionLocator,
	choiceField('by', ['email', 'person'], 'email', 'How to find the person', {
		displayName: 'Find Person By',
	}),
	neededText('email', 'Email address that the person registered with', 'nathan@example.com', {
		displayOptions: { show: { by: ['email'] } },
	}),
	{ ...sessionPersonLocator, displayOptions: { show: { by: ['person'] } } },
];

interface ChosenPerson {
	sessionId: string;
	id?: string;
	email?: string;
	fetchRecord(): Promise<JsonObject>;
}

export function readChosenPerson(item: ItemContext): ChosenPerson {
	const { client, parameters } = item;
	const sessionId = parameters.id('sessionId');
	if (parameters.choice('by', ['email', 'person'], 'email') === 'person') {
		const id = parameters.id('personId');
		return { sessionId, id, fetchRecord: () => fetchPerson(client.send, sessionId, id) };
	}
	// A filter that is empty, or that the platform does not understand, might find everybody.
	const email = parameters.needed('email', cleanAddress);
	if (isAddress(email))
		return { sessionId, email, fetchRecord: () => fetchByEmail(item, sessionId, email) };
	throw parameters.parameterError(
		describeNoAddress(email),
		'Give the one that the person registered with, or find the person by ID.',
	);
}

async function fetchByEmail(
	item: ItemContext,
	sessionId: string,
	email: string,
): Promise<JsonObject> {
	const { client, parameters } = item;
	const [person, ...more] = await findByEmail(client.send, sessionId, email);
	if (more.some(({ id }) => id !== person?.id)) {
		const title = `Several people with the email ${email} are registered for this session`;
		throw parameters.parameterError(title, 'Find the person by ID.');
	}
	if (person) return person;
	const title = `Nobody with the email ${email} is registered for this session`;
	if ((await readEmailUse(item.sessions, sessionId).catch(asFailure)) === 'replaced') {
		const explanation = publicEventInWords([item.sessions.nameOf(sessionId)]);
		throw parameters.parameterError(
			title,
			`${explanation} Nobody can be found by email there: find the person by ID.`,
		);
	}
	throw parameters.parameterError(
		title,
		"Check the address and the session. To register the person, use 'Register'.",
	);
}
