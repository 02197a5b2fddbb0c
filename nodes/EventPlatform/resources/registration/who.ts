import type { INodeProperties } from 'n8n-workflow';
import { sessionLocator, sessionPersonLocator } from '../../parameters/locators';
import type { Read } from '../../parameters/read';
import { attributesOf, readPage } from '../../core/http/jsonApi';
import { pathTo } from '../../core/http/path';
import type { Api, ApiRequest, JsonObject } from '../../core/http/ports';
import { text } from '../../core/http/text';
import { getRecord } from '../records';

const by: INodeProperties = {
	displayName: 'Find Person By',
	name: 'by',
	type: 'options',
	options: [
		{ name: 'Email', value: 'email' },
		{ name: 'Person', value: 'person' },
	],
	default: 'email',
	description: 'How to tell who is meant',
};

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. nathan@example.com',
	displayOptions: { show: { by: ['email'] } },
	description: 'Address with which the person is registered',
};

/** The session, and the two ways to say who of it is meant. */
export const whoFields: INodeProperties[] = [
	sessionLocator,
	by,
	email,
	{ ...sessionPersonLocator, displayOptions: { show: { by: ['person'] } } },
];

export type Who = { sessionId: string } & ({ personId: string } | { email: string });

export function readWho(read: Read): Who {
	const sessionId = read.id('sessionId');
	return read.text('by') === 'person'
		? { sessionId, personId: read.id('personId') }
		: { sessionId, email: read.needed('email') };
}

/** The person as registered for the session; a refusal when nobody there has the address. */
export async function registeredPerson(api: Api, who: Who, read: Read): Promise<JsonObject> {
	if ('personId' in who) {
		return await getRecord(api, pathTo`/sessions/${who.sessionId}/people/${who.personId}`);
	}
	const found = await findByEmail(api, who.sessionId, who.email);
	if (found) return found;
	throw read.refusal(
		`Nobody with the email ${who.email} is registered for this session`,
		"Check the address and the session. To sign the person up, use 'Register'.",
	);
}

export async function findByEmail(
	api: Api,
	sessionId: string,
	wanted: string,
): Promise<JsonObject | undefined> {
	const request: ApiRequest = {
		method: 'GET',
		path: pathTo`/sessions/${sessionId}/people`,
		query: { 'filter[email]': wanted },
	};
	const { records } = readPage(request, await api(request));
	return records.find(
		(person) => text(attributesOf(person).email).toLowerCase() === wanted.toLowerCase(),
	);
}
